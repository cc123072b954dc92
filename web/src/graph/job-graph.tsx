/** A job's tasks as boxes with lines between them, each as it is now. The boxes are buttons, so it works by keyboard. */
import { Progress } from '@mantine/core'
import type { Task } from '@reforge/sdk'
import { useMemo } from 'react'
import { useTexts } from '../texts/texts.tsx'
import classes from './job-graph.module.css'
import { iconOf } from './kinds.ts'
import { layersOf, type Spot } from './layers.ts'
import { StatusMark } from './status-mark.tsx'

const WIDTH = 188
const HEIGHT = 68
const ACROSS = WIDTH + 48
const DOWN = HEIGHT + 18

interface JobGraphProps {
  tasks: readonly Task[]
  selected: string | undefined
  onSelect: (id: string) => void
  label: string
}

export function JobGraph({ tasks, selected, onSelect, label }: JobGraphProps) {
  // Where a task stands depends on its inputs alone, which never change; events must not move anything.
  const shape = tasks.map(({ id, dependsOn }) => `${id}<${dependsOn.join()}`).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says all of the tasks that matters here
  const spots = useMemo(() => layersOf(tasks.map(({ id, dependsOn }) => ({ id, inputs: dependsOn }))), [shape])
  const all = [...spots.values()]
  const width = (Math.max(0, ...all.map(({ column }) => column)) + 1) * ACROSS - (ACROSS - WIDTH)
  const height = (Math.max(0, ...all.map(({ row }) => row)) + 1) * DOWN - (DOWN - HEIGHT)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return (
    <section className={classes.frame} aria-label={label}>
      <div className={classes.space} style={{ width, height }}>
        <svg width={width} height={height} className={classes.lines} aria-hidden="true">
          {tasks.flatMap(({ id, dependsOn, status }) =>
            dependsOn.flatMap((input) => {
              const from = spots.get(input)
              const to = spots.get(id)
              return from && to
                ? [<path key={`${input} ${id}`} d={line(from, to)} data-status={stateOf(byId.get(input), status)} />]
                : []
            }),
          )}
        </svg>
        {tasks.map((task) => (
          <Box
            key={task.id}
            task={task}
            spot={spots.get(task.id)}
            selected={task.id === selected}
            onSelect={() => onSelect(task.id)}
          />
        ))}
      </div>
    </section>
  )
}

const stateOf = (from: Task | undefined, to: string): string =>
  from?.status === 'completed' ? (to === 'processing' ? 'processing' : 'completed') : 'created'

function line(from: Spot, to: Spot): string {
  const x1 = from.column * ACROSS + WIDTH
  const y1 = from.row * DOWN + HEIGHT / 2
  const x2 = to.column * ACROSS
  const y2 = to.row * DOWN + HEIGHT / 2
  const bend = Math.max(24, (x2 - x1) / 2)
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

interface BoxProps {
  task: Task
  spot: Spot | undefined
  selected: boolean
  onSelect: () => void
}

function Box({ task, spot = { column: 0, row: 0 }, selected, onSelect }: BoxProps) {
  const { jobs } = useTexts()
  const { name, operation, status, percent } = task
  const Icon = iconOf(operation)
  const words = jobs.operations[operation] ?? operation
  const far = status === 'processing' ? percent : undefined
  return (
    <button
      type="button"
      className={classes.box}
      data-status={status}
      aria-pressed={selected}
      onClick={onSelect}
      style={{ left: spot.column * ACROSS, top: spot.row * DOWN, width: WIDTH, height: HEIGHT }}
    >
      <Icon size={20} stroke={1.6} className={classes.icon} aria-hidden="true" />
      <span className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.operation}>{far === undefined ? words : jobs.task.percent(far)}</span>
      </span>
      <StatusMark status={status} quiet />
      {far !== undefined && <Progress value={far} size={3} className={classes.far} aria-hidden="true" />}
    </button>
  )
}
