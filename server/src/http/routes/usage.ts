/** What the caller's account has used, by day, operation, format and key. */
import { Type } from 'typebox'
import { type Issue, invalid } from '../../core/errors.ts'
import { DAY, startOf } from '../../core/quota.ts'
import { USAGE_FIELDS, type UsageField, type UsageRow, type UsageSums } from '../../ports/metering.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

const Query = Type.Object({
  from: Type.Optional(
    Type.String({ description: 'First day, as 2030-06-01; the first of this month by default. UTC.' }),
  ),
  to: Type.Optional(Type.String({ description: 'Last day; today by default.' })),
  by: Type.Optional(Type.String({ description: `${USAGE_FIELDS.join(', ')}, comma-separated; day by default.` })),
})

const NOTHING: UsageSums = { tasks: 0, failed: 0, seconds: 0, bytesIn: 0, bytesOut: 0 }

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

function readDay(path: string, text: string | undefined, usual: number, issues: Issue[]): number {
  if (text === undefined) return startOf('day', usual)
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // 2030-02-31 is read as a day of March.
  if (Number.isNaN(at) || dayText(at) !== text) issues.push({ path, message: 'must be a day, such as 2030-06-01.' })
  return at
}

function readBy(text: string | undefined, issues: Issue[]): UsageField[] {
  const wanted = (text ?? 'day').split(',').flatMap((part) => part.trim() || [])
  const odd = wanted.filter((part) => !USAGE_FIELDS.some((field) => field === part))
  if (odd.length)
    issues.push({ path: 'by', message: `"${odd.join(', ')}" is not possible. Possible: ${USAGE_FIELDS.join(', ')}.` })
  return USAGE_FIELDS.filter((field) => wanted.includes(field))
}

const add = (a: UsageSums, b: UsageSums): UsageSums => ({
  tasks: a.tasks + b.tasks,
  failed: a.failed + b.failed,
  seconds: a.seconds + b.seconds,
  bytesIn: a.bytesIn + b.bytesIn,
  bytesOut: a.bytesOut + b.bytesOut,
})

/** Metered to the millisecond; adding fractions up leaves more digits than that. */
const exact = (sums: UsageSums): UsageSums => ({ ...sums, seconds: Math.round(sums.seconds * 1000) / 1000 })

const sumsOf = ({ tasks, failed, seconds, bytesIn, bytesOut }: UsageRow): UsageSums =>
  exact({ tasks, failed, seconds, bytesIn, bytesOut })

export function usageRoutes({ metering, accounts, clock }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/account/usage',
      tag: 'Account',
      summary: 'What you have used, by day, operation, format and key.',
      access: 'account',
      query: Query,
      answer: { status: 200, schema: ref('Usage') },
      async handle({ query, caller: { user } }) {
        const issues: Issue[] = []
        const now = clock.now()
        const by = readBy(query.by, issues)
        const from = readDay('from', query.from, startOf('month', now), issues)
        const to = readDay('to', query.to, now, issues)
        if (from > to) issues.push({ path: 'from', message: 'must not be later than the last day.' })
        if (issues.length) throw invalid(issues)
        const rows = await metering.usage(user.id, { from, to: to + DAY, by })
        const names = new Map(by.includes('key') ? (await accounts.keys(user.id)).map((key) => [key.id, key.name]) : [])
        const shown = (row: UsageRow) => ({
          ...(row.day !== undefined && { day: dayText(row.day) }),
          ...(row.operation !== undefined && { operation: row.operation || null }),
          ...(row.from !== undefined && { from: row.from || null }),
          ...(row.format !== undefined && { format: row.format || null }),
          ...(row.key !== undefined && { key: row.key || null, keyName: names.get(row.key) ?? null }),
          ...sumsOf(row),
        })
        const total = exact(rows.reduce<UsageSums>(add, NOTHING))
        return { from: dayText(from), to: dayText(to), by, rows: rows.map(shown), total }
      },
    }),
  ]
}
