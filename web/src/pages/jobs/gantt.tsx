/** When each task waited and when it ran, to the same scale. */
import { Group, Text } from '@mantine/core'
import type { Job, Task } from '@reforge/sdk'
import { readableDuration } from '../../figures/figures.ts'
import { useNow } from '../../figures/when.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './gantt.module.css'
import { ended, spanOf } from './words.ts'

export function Gantt({ job }: { job: Job }) {
  const now = useNow(ended(job) ? 3_600_000 : 500)
  const tasks = job.tasks ?? []
  const start = Date.parse(job.createdAt)
  const last = ended(job) ? Math.max(start, ...tasks.map(({ endedAt }) => (endedAt ? Date.parse(endedAt) : 0))) : now
  const scale = 100 / Math.max(1, last - start)
  return (
    <div className={classes.chart}>
      {tasks.map((task) => (
        <Line key={task.id} task={task} at={(time) => (time - start) * scale} now={last} />
      ))}
      <Group justify="space-between" className={classes.scale} aria-hidden="true">
        <Text size="xs" c="dimmed">
          0
        </Text>
        <Text size="xs" c="dimmed">
          {readableDuration(Math.max(0, last - start))}
        </Text>
      </Group>
    </div>
  )
}

interface LineProps {
  task: Task
  at: (time: number) => number
  now: number
}

function Line({ task, at, now }: LineProps) {
  const { job: texts } = useTexts().jobs
  const end = task.endedAt ? Date.parse(task.endedAt) : now
  const begun = task.startedAt ? Date.parse(task.startedAt) : end
  const created = Date.parse(task.createdAt)
  const ran = spanOf(task, now)
  const words =
    ran === null
      ? texts.notStarted
      : `${texts.waited(readableDuration(Math.max(0, begun - created)))}, ${texts.ran(readableDuration(ran))}`
  const bar = (from: number, to: number) => ({
    left: `${Math.min(100, Math.max(0, at(from)))}%`,
    width: `${Math.min(100, Math.max(0, at(to) - at(from)))}%`,
  })
  return (
    <div className={classes.line}>
      <Text size="sm" truncate title={task.name}>
        {task.name}
      </Text>
      <div className={classes.track} title={words} aria-hidden="true">
        <span className={classes.wait} style={bar(created, begun)} />
        {ran !== null && <span className={classes.run} data-status={task.status} style={bar(begun, end)} />}
      </div>
      <Text size="xs" c="dimmed" className={classes.words}>
        <span className={classes.long}>{words}</span>
        <span className={classes.short} aria-hidden="true">
          {ran === null ? '' : readableDuration(ran)}
        </span>
      </Text>
    </div>
  )
}
