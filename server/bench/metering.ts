/** What plans, budgets and meters cost where it matters: jobs accepted a second, by one who has no limits and one who has all. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY, startOf } from '../src/core/quota.ts'
import type { TestServer } from '../test/support/server.ts'
import { JOB } from './accept.ts'
import { createCaller } from './caller.ts'
import { counted, measure, type Summary } from './measure.ts'
import type { Used } from './processor.ts'
import { perSecond, type Row } from './report.ts'

const AT_ONCE = 16
const COST = 0.05
/** Enough that none of them is ever reached. */
const PLENTY = 1e6

export async function limiting(server: TestServer, quick: boolean): Promise<Row[]> {
  const free = createCaller({ ...server, key: await server.otherKey('free@example.org') }, AT_ONCE)
  const bound = createCaller({ ...server, key: await boundKey(server) }, AT_ONCE)
  const accept = (caller: typeof free) => () => measure(200, AT_ONCE, () => caller.post(JOB))
  try {
    await accept(free)()
    await accept(bound)()
    const turns = await alternating(quick ? 12 : 40, accept(free), accept(bound))
    const rates = turns.map(([one, other]) => [one.rate, other.rate] as const)
    const spent = (which: 0 | 1): number => turns.reduce((sum, turn) => sum + turn[which].ours, 0)
    const cost = spent(1) / spent(0) - 1
    return [
      {
        what: `jobs accepted without limits, ${AT_ONCE} at once`,
        value: perSecond(middle(rates.map(([rate]) => rate))),
      },
      {
        what: 'with a plan that limits everything, a budget and a month of usage',
        value: perSecond(middle(rates.map(([, rate]) => rate))),
      },
      { what: 'fewer a second, in the middle of all turns', value: percent(middle(rates.map(([a, b]) => 1 - b / a))) },
      // What others do on the machine moves the rates by more than that; the processor's time tells what limits cost.
      { what: 'cost, in processor time', value: percent(cost), target: `< ${percent(COST)}`, ok: cost < COST },
    ]
  } finally {
    await free.close()
    await bound.close()
  }
}

/** Each is first as often as the other, so that whatever else the machine does falls on both alike. */
async function alternating(
  rounds: number,
  one: () => Promise<Summary>,
  other: () => Promise<Summary>,
): Promise<[Summary & Used, Summary & Used][]> {
  const turns: [Summary & Used, Summary & Used][] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) turns.push([await counted(one), await counted(other)])
    else {
      const second = await counted(other)
      turns.push([await counted(one), second])
    }
  }
  return turns
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The key of a user with every limit there is, and with a month behind them. */
async function boundKey(server: TestServer): Promise<string> {
  const key = await server.otherKey('bound@example.org')
  const call = async (method: string, path: string, body?: unknown, as = server.key) => {
    const answer = await server.call(method, path, body, { authorization: `Bearer ${as}` })
    if (answer.status > 299) throw new Error(`${method} ${path} was answered ${answer.status} ${answer.text}`)
    return answer.json
  }
  const limits = { minutesPerDay: PLENTY, minutesPerMonth: PLENTY, minutesPerTask: PLENTY, ratePerMinute: PLENTY }
  await call('POST', '/v1/admin/plans', { name: 'bound', ...limits, concurrency: 4, maxFileSize: 1e9, filesHours: 2 })
  const [user] = (await call('GET', '/v1/admin/users?search=bound@example.org')).docs
  const budget = { minutes: PLENTY, per: 'month' }
  const made = await call('POST', '/v1/account/keys', { name: 'rationed', budget }, key)
  await call('PATCH', `/v1/admin/users/${user.id}`, { plan: 'bound' })
  remember(join(server.data, 'reforge.db'), [user.id, made.id])
  return made.key
}

function remember(path: string, who: readonly string[]): void {
  const database = new DatabaseSync(path)
  const insert = database.prepare('INSERT INTO meters (who, day, seconds) VALUES (?, ?, 60)')
  const today = startOf('day', Date.now())
  for (const each of who) for (let day = 1; day < 31; day++) insert.run(each, today - day * DAY)
  database.close()
}
