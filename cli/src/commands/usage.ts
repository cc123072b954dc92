/** reforge usage: what the account has used, and what is left of it. */
import type { Account, Usage } from '@reforge/sdk'
import type { Command, Context } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { USAGE_FIELDS } from '../flags.ts'
import { createLook } from '../look.ts'
import { didYouMean } from '../nearest.ts'
import { bytes, seconds, table } from '../words.ts'

type UsageRow = Usage['rows'][number]
type Field = (typeof USAGE_FIELDS)[number]

const HEADS = { tasks: 'tasks', failed: 'failed', seconds: 'time', bytesIn: 'in', bytesOut: 'out' } as const
type Sum = keyof typeof HEADS
const SUMS = Object.keys(HEADS) as Sum[]

function readBy(text: string | undefined): Field[] {
  return (text ?? 'day').split(',').map((each) => {
    const field = USAGE_FIELDS.find((known) => known === each.trim())
    if (field) return field
    const near = didYouMean(each, USAGE_FIELDS)
    throw new UsageError(`Nothing is told by "${clean(each)}".${near} There are: ${USAGE_FIELDS.join(', ')}.`)
  })
}

const named = (row: UsageRow, field: Field): string =>
  clean((field === 'key' ? (row.keyName ?? row.key) : row[field]) ?? '-')

function figure(sums: Pick<UsageRow, Sum>, sum: Sum): string {
  if (sum === 'seconds') return seconds(sums.seconds * 1000)
  return sum === 'bytesIn' || sum === 'bytesOut' ? bytes(sums[sum]) : String(sums[sum])
}

/** For a person: heads, words and the total. */
function linesOf({ rows, total }: Usage, by: readonly Field[]): string[] {
  const cells = (about: string[], sums: Pick<UsageRow, Sum>) => [...about, ...SUMS.map((sum) => figure(sums, sum))]
  return table([
    [...by, ...SUMS.map((sum) => HEADS[sum])],
    ...rows.map((row) =>
      cells(
        by.map((field) => named(row, field)),
        row,
      ),
    ),
    cells(
      by.map((_, index) => (index === 0 ? 'total' : '')),
      total,
    ),
  ])
}

function left({ plan, minutes }: Account): string {
  const of = (what: 'day' | 'month') => {
    const { limit, left: rest } = minutes[what]
    return limit === null || rest === null ? [] : [`${rest} of ${limit} minutes left this ${what}`]
  }
  return [`Plan ${clean(plan.name)}`, ...of('day'), ...of('month')].join(', ')
}

async function usage({ reforge, out, values }: Context): Promise<number> {
  const by = readBy(values.by)
  const { account } = await reforge()
  const { since, until } = values
  const used = await account.usage({ by: by.join(','), ...(since && { from: since }), ...(until && { to: until }) })
  if (values.json) out.write(used.rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  else if (out.isTTY) {
    const look = createLook(out)
    const [head = '', ...lines] = linesOf(used, by)
    out.write(`${look.faint(head)}\n${lines.map((line) => `${line}\n`).join('')}`)
    out.write(`\n${look.faint(left(await account.me()))}\n`)
  } else
    for (const row of used.rows)
      out.write(`${[...by.map((field) => named(row, field)), ...SUMS.map((sum) => row[sum])].join('\t')}\n`)
  return EXIT.ok
}

export const usageCommand: Command = {
  summary: 'What you have used, by day, operation, format or key.',
  flags: ['by', 'since', 'until'],
  examples: [
    ['reforge usage', 'this month, by day'],
    ['reforge usage --by operation,from,format', 'what was made of what'],
    ['reforge usage --by key --since 2030-05-01 --until 2030-05-31', 'by key, in May'],
  ],
  run: usage,
}
