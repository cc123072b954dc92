/** reforge jobs: the latest jobs, or one with its tasks. */
import type { Job, Task } from '@reforge/sdk'
import type { Command, Context } from '../command.ts'
import { clean, EXIT } from '../exit.ts'
import { createLook, type Look } from '../look.ts'
import { ago, bytes, table } from '../words.ts'

const LATEST = 20

function colour(look: Look, status: string): string {
  if (status.trim() === 'completed') return look.good(status)
  return status.trim() === 'failed' || status.trim() === 'canceled' ? look.bad(status) : look.accent(status)
}

/** `photo.png → photo.jpg`, or why not. */
function story({ tasks = [], result }: Job): string {
  const names = [tasks.find(({ dependsOn }) => dependsOn.length === 0), tasks.findLast(({ result: { url } }) => url)]
  const files = [...new Set(names.map((task) => task?.result.filename).filter((name) => name !== undefined))]
  return clean([files.join(' → '), result.msg ?? ''].filter(Boolean).join('  '))
}

/** What to know about a task on one line. */
function outcome({ result, percent, status }: Task): string {
  if (status === 'processing') return percent === undefined ? '' : `${percent}%`
  if (result.msg) return clean(result.msg)
  return result.files?.map(({ filename, size }) => `${clean(filename)}  ${bytes(size)}`).join(', ') ?? ''
}

/** The second column is the status. `most` cuts lines that would take more than one. */
function print(out: NodeJS.WriteStream, rows: string[][], most = Infinity): void {
  if (!out.isTTY) return void out.write(rows.map((row) => `${row.join('\t')}\n`).join(''))
  const look = createLook(out)
  const at = Math.max(0, ...rows.map(([first = '']) => first.length)) + 2
  for (const [index, whole] of table(rows).entries()) {
    const line = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole
    const end = at + (rows[index]?.[1]?.length ?? 0)
    out.write(`${look.strong(line.slice(0, at))}${colour(look, line.slice(at, end))}${line.slice(end)}\n`)
  }
}

async function list({ out, err, values, reforge }: Context): Promise<number> {
  const { docs, totalDocs } = await (await reforge()).jobs.list({ include: 'tasks', per_page: LATEST })
  if (values.json) out.write(docs.map((job) => `${JSON.stringify(job)}\n`).join(''))
  else {
    const age = ({ createdAt }: Job) => ago(Date.now() - Date.parse(createdAt))
    const rows = docs.map((job) => [job.id, job.status, age(job), story(job)])
    print(out, rows, out.columns)
    if (out.isTTY && totalDocs === 0) err.write('No jobs yet. For example: reforge convert photo.png photo.jpg\n')
    if (out.isTTY && totalDocs > docs.length) out.write(`${createLook(out).faint(`${docs.length} of ${totalDocs}`)}\n`)
  }
  return EXIT.ok
}

async function one({ out, values, reforge }: Context, id: string): Promise<number> {
  const job = await (await reforge()).jobs.get(id)
  if (values.json) out.write(`${JSON.stringify(job)}\n`)
  else {
    const row = (task: Task) => [clean(task.name), task.status, task.operation, outcome(task)]
    print(out, (job.tasks ?? []).map(row))
    if (out.isTTY) out.write(`\n${colour(createLook(out), job.status)}  ${clean(job.result.msg ?? '')}\n`)
  }
  return EXIT.ok
}

export const jobs: Command = {
  usage: 'reforge jobs [ID]',
  summary: 'List your latest jobs, or show one.',
  takes: [],
  run: (context) => (context.names[0] === undefined ? list(context) : one(context, context.names[0])),
}
