/** A job in the list: what it is, how it is, since when. The whole row leads to it. */
import { Badge, Group, Progress, Skeleton, Text } from '@mantine/core'
import type { Job } from '@reforge/sdk'
import { memo } from 'react'
import { Link } from 'wouter'
import { readableDuration } from '../../figures/figures.ts'
import { When } from '../../figures/when.tsx'
import { StatusMark, statusOf } from '../../graph/status-mark.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './list.module.css'
import { culpritOf, ended, spanOf, titleOf, workOf } from './words.ts'

export const Row = memo(function Row({ job }: { job: Job | undefined }) {
  const texts = useTexts()
  if (!job)
    return (
      <div className={classes.row}>
        <Skeleton circle height={18} />
        <Skeleton height={14} width="40%" />
      </div>
    )
  const title = titleOf(job, texts)
  return (
    <Link href={`/jobs/${job.id}`} className={classes.row}>
      <StatusMark status={statusOf(job)} quiet />
      <div className={classes.what}>
        <Group gap={8} wrap="nowrap">
          <Text fw={600} truncate title={title}>
            {title}
          </Text>
          {job.tag && job.tag !== title && (
            <Badge color="gray" className={classes.tag} title={job.tag}>
              {job.tag}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" truncate>
          {job.status === 'failed' ? (culpritOf(job)?.result.msg ?? job.result.msg) : workOf(job, texts)}
        </Text>
      </div>
      <div className={classes.far}>{ended(job) ? <Took job={job} /> : <Far job={job} />}</div>
      <Text size="sm" c="dimmed" className={classes.when}>
        <When at={job.createdAt} />
      </Text>
    </Link>
  )
})

function Took({ job }: { job: Job }) {
  const took = spanOf(job, 0)
  return (
    <Text size="sm" c="dimmed" ta="right">
      {took === null ? '' : readableDuration(took)}
    </Text>
  )
}

/** Each task counts the same; one that runs counts as far as it is. */
function Far({ job: { tasks = [] } }: { job: Job }) {
  const { list } = useTexts().jobs
  const done = tasks.filter(ended)
  const part =
    tasks.reduce((sum, task) => sum + (ended(task) ? 100 : (task.percent ?? 0)), 0) / Math.max(1, tasks.length)
  const words = list.progress(done.length, tasks.length)
  return (
    <>
      <Progress value={part} size="sm" radius="xl" aria-label={words} />
      <Text size="xs" c="dimmed" mt={4} ta="right" aria-hidden="true" className={classes.count}>
        {words}
      </Text>
    </>
  )
}
