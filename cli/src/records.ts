/** Jobs and tasks in lines: for a person in columns with colours, for a pipe with tabs. */
import type { Job, Task } from '@reforge/sdk'
import { clean } from './exit.ts'
import { columns, createLook, type Look } from './look.ts'
import { bytes, table } from './words.ts'

const GOOD = new Set(['completed', 'delivered', 'on', 'ready'])
const BAD = new Set(['failed', 'canceled', 'off', 'missing'])

export function colour(look: Look, status: string): string {
  if (GOOD.has(status.trim())) return look.good(status)
  return BAD.has(status.trim()) ? look.bad(status) : look.accent(status)
}

/** `photo.png → photo.jpg`, or why not. */
export function story({ tasks = [], result }: Job): string {
  const names = [tasks.find(({ dependsOn }) => dependsOn.length === 0), tasks.findLast(({ result: { url } }) => url)]
  const files = [...new Set(names.map((task) => task?.result.filename).filter((name) => name !== undefined))]
  return clean([files.join(' → '), result.msg ?? ''].filter(Boolean).join('  '))
}

/** What to know about a task on one line. */
export function outcome({ result, percent, status }: Task): string {
  if (status === 'processing') return percent === undefined ? '' : `${percent}%`
  if (result.msg) return clean(result.msg)
  return result.files?.map(({ filename, size }) => `${clean(filename)}  ${bytes(size)}`).join(', ') ?? ''
}

export const taskRow = (task: Task): string[] => [clean(task.name), task.status, task.operation, outcome(task)]

/** The second column is the status. `most` cuts lines that would take more than one. */
export function print(out: NodeJS.WriteStream, rows: readonly (readonly string[])[], most = Infinity): void {
  if (!out.isTTY) return void out.write(rows.map((row) => `${row.join('\t')}\n`).join(''))
  const look = createLook(out)
  const at = Math.max(0, ...rows.map(([first = '']) => first.length)) + 2
  for (const [index, whole] of table(rows).entries()) {
    const line = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole
    const end = at + (rows[index]?.[1]?.length ?? 0)
    out.write(`${look.strong(line.slice(0, at))}${colour(look, line.slice(at, end))}${line.slice(end)}\n`)
  }
}

/** One JSON line each, or the rows. */
export function show<T>(
  { out, values }: { out: NodeJS.WriteStream; values: { json?: boolean | undefined } },
  items: readonly T[],
  row: (item: T) => string[],
): void {
  if (values.json) out.write(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  else print(out, items.map(row), columns(out))
}
