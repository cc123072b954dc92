/** Follows a job to its end: a line with a bar for each task where lines can be drawn, else one line for each change. */
import type { Job, ReforgeEvent, Task } from '@reforge/sdk'
import { createBoard } from './board.ts'
import type { Context } from './command.ts'
import { clean, EXIT } from './exit.ts'
import { bar, createLook } from './look.ts'
import { colour, outcome } from './records.ts'
import { canDraw } from './reports.ts'
import { fit } from './words.ts'

const BAR = 24

interface Teller {
  hear(event: ReforgeEvent): void
  end(): void
}

function onBoard(out: NodeJS.WriteStream, job: Job): Teller {
  const board = createBoard(out)
  const look = createLook(out)
  const tasks = new Map((job.tasks ?? []).map((task) => [task.id, task]))
  const width = Math.max(0, ...[...tasks.values()].map(({ name }) => name.length))
  const line = (task: Task) => {
    const name = fit(clean(task.name), width)
    const mark = task.status === 'completed' ? look.good('✓') : task.status === 'processing' ? ' ' : look.faint('·')
    if (task.status === 'processing')
      return `${mark} ${name}  ${bar(task.percent, BAR, look)} ${`${task.percent ?? 0}%`.padStart(4)}  ${look.faint(task.operation)}`
    const about = task.status === 'created' ? look.faint(`waiting  ${task.operation}`) : colour(look, task.status)
    return `${mark} ${name}  ${about}  ${look.faint(task.status === 'created' ? '' : outcome(task))}`
  }
  const draw = () => board.draw([...tasks.values()].map(line))
  draw()
  return {
    hear({ data }) {
      if ('operation' in data) tasks.set(data.id, data)
      draw()
    },
    end: () => board.close(),
  }
}

const inLines = (out: NodeJS.WriteStream): Teller => ({
  hear({ type, data }) {
    if ('operation' in data && type !== 'task_min_update')
      out.write(`${[data.name, data.status, data.operation, outcome(data)].map(clean).join('\t')}\n`)
  },
  end() {},
})

const inJson = (out: NodeJS.WriteStream): Teller => ({
  hear: ({ type, data }) => void out.write(`${JSON.stringify({ type, data })}\n`),
  end() {},
})

const quiet: Teller = { hear() {}, end() {} }

export function tellerOf({ out, values, env }: Context, job: Job, isResult: boolean): Teller {
  if (!values.json && canDraw(out, env)) return onBoard(out, job)
  if (!isResult) return quiet
  return values.json ? inJson(out) : inLines(out)
}

/** Answers the job as it ended. `isResult`: whether the changes are what was asked for, or only pass the time. */
export async function watch(context: Context, job: Job, isResult: boolean): Promise<Job> {
  const { jobs } = await context.reforge()
  const teller = tellerOf(context, job, isResult)
  try {
    for await (const event of jobs.follow(job.id, { signal: context.signal })) teller.hear(event)
  } finally {
    teller.end()
  }
  return jobs.get(job.id, { signal: context.signal })
}

export const codeOf = ({ status }: Job): number => (status === 'completed' ? EXIT.ok : EXIT.failed)
