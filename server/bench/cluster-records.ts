/**
 * PostgreSQL and pg-boss below the service: creating, claiming and listing while they grow a thousandfold, how soon another
 * machine has what was offered, and what one job costs the database. The disk is waited for, as in life.
 */
import { begin } from '../src/core/change.ts'
import { transition } from '../src/core/machine.ts'
import type { Task } from '../src/core/task.ts'
import type { Claim } from '../src/ports/queue.ts'
import { openPostgres } from '../src/store/postgres.ts'
import { taskBirth, taskState } from '../src/store/rows.ts'
import { migrate } from '../src/store/schema.ts'
import type { StoreHarness } from '../test/contract/store-harness.ts'
import { startPostgres } from '../test/peers/postgres.ts'
import { recordsOn } from '../test/support/cluster-records.ts'
import { aJob, aTask, filesOf, NOON } from '../test/support/records.ts'
import { OWNER } from './crowd.ts'
import { measure, summarize } from './measure.ts'
import { ms, perSecond, type Row, times } from './report.ts'

const FLAT = 2
const KINDS = ['create', 'start', 'claim', 'list'] as const
type Figures = Record<(typeof KINDS)[number], number>

export async function clusterRecords(quick: boolean): Promise<Row[]> {
  const settings = { shared_preload_libraries: 'pg_stat_statements', shared_buffers: '512MB', max_wal_size: '4GB' }
  await using postgres = await startPostgres({ durable: true, settings })
  const url = await postgres.create()
  const empty = openPostgres(url)
  await migrate(empty)
  await empty.close()
  const node = await recordsOn(url)
  const other = await recordsOn(url)
  try {
    return [...(await growing(node, quick)), ...(await pickingUp(node, other, quick)), ...(await oneJob(node, quick))]
  } finally {
    await other.close()
    await node.close()
  }
}

type Node = Awaited<ReturnType<typeof recordsOn>>

async function growing(node: Node, quick: boolean): Promise<Row[]> {
  const sizes = quick ? [1e3, 1e5] : [1e3, 1e5, 1e6]
  const found: Figures[] = []
  let held = 0
  for (const size of sizes) {
    await fill(node, held, size)
    held = size
    found.push(await figures(node))
  }
  return KINDS.map((what) => {
    const [first = 0, last = 0] = [found[0]?.[what], found.at(-1)?.[what]]
    const steps = found.map((each, at) => `${sizes[at]?.toExponential(0).replace('e+', '·10^')}: ${ms(each[what])}`)
    const flat = { value: times(last / first), target: `< ${FLAT}×`, ok: last / first < FLAT }
    return { what: `${what} (p50)  ${steps.join('  ')}`, ...flat }
  })
}

/** Tasks that are done, and as many that wait to be let in. */
async function fill({ database }: Node, from: number, to: number): Promise<void> {
  const done = aTask({ user: OWNER, status: 'completed', startedAt: NOON, endedAt: NOON, result: filesOf('blob') })
  const row = { ...taskBirth(done, 0), ...taskState(done) }
  const id = "'65500000' || lpad(to_hex(n), 16, '0')"
  const own: Record<string, string> = { id, created_at: `${NOON} - 100000000 + n` }
  const columns = Object.keys(row)
  const shared = columns.filter((column) => !(column in own))
  const values = columns.map((column) => own[column] ?? `$${shared.indexOf(column) + 1}`)
  const numbers = `generate_series(${from}, ${to - 1}) AS n`
  await database.transact(async (tx) => {
    for (const statement of database.locks.alone) await tx.run(statement)
    const tasks = `INSERT INTO tasks (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${numbers}`
    await database.query(
      tasks,
      shared.map((column) => row[column]),
      tx,
    )
    const events = `INSERT INTO events SELECT ${id}, 1, '${OWNER}', ${NOON}, 'task_created', '{}' FROM ${numbers}`
    await database.query(events, [], tx)
    const offers = `INSERT INTO reforge_queue.offers (id, job, line, owner, priority, attempts)
      SELECT ${id}, gen_random_uuid(), 'light', 'flood', 0, 0 FROM ${numbers}`
    await database.query(offers, [], tx)
    const tally = `INSERT INTO tallies VALUES ('${OWNER}', 'task', 'completed', '${done.operation}', ${to - from})
      ON CONFLICT (user_id, kind, status, operation) DO UPDATE SET n = tallies.n + excluded.n`
    await database.query(tally, [], tx)
  })
  for (const table of ['tasks', 'events', 'reforge_queue.offers']) await database.query(`VACUUM ANALYZE ${table}`)
}

/** The best of a few rounds of each. */
async function figures(node: Node): Promise<Figures> {
  const { store, queue, transact } = node
  const best: Figures = { create: Infinity, start: Infinity, claim: Infinity, list: Infinity }
  for (let round = 0; round < 3; round++) {
    const made: Task[] = []
    const now: Figures = {
      create: (
        await measure(100, 1, async () => {
          const task = aTask({ user: OWNER })
          made.push(task)
          await store.create({ user: OWNER, inputs: [], decide: (inputs) => begin(null, [task], inputs), now: NOON })
        })
      ).p50,
      start: (await measure(100, 1, (at) => happen(store, made[at]?.id ?? ''))).p50,
      claim: await claiming(queue, transact, 100),
      list: (await measure(100, 1, () => store.listTasks({ user: OWNER }, 1, 50))).p50,
    }
    for (const what of KINDS) best[what] = Math.min(best[what], now[what])
  }
  return best
}

const happen = (store: StoreHarness['store'], id: string) =>
  store.change(id, (slice) => transition(slice, { type: 'started' }, NOON))

/** From one claim to the next, each settled by itself. */
async function claiming(queue: Node['queue'], transact: Node['transact'], count: number): Promise<number> {
  const at: number[] = []
  const all = Promise.withResolvers<void>()
  const consumer = queue.consume(['light'], 1, async (claim: Claim) => {
    await transact((tx) => claim.settle(tx))
    if (at.push(performance.now()) === count) all.resolve()
  })
  await all.promise
  await consumer.close()
  const took = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  return summarize(took, 1).p50
}

async function pickingUp(node: Node, other: Node, quick: boolean): Promise<Row[]> {
  const took: number[] = []
  const heard = new Map<string, () => void>()
  const consumer = other.queue.consume(['io'], 4, async (claim) => {
    heard.get(claim.id)?.()
    await other.transact((tx) => claim.settle(tx))
  })
  for (let count = 0; count < (quick ? 100 : 300); count++) {
    const task = aTask({ user: OWNER, lane: 'io' })
    const { promise, resolve } = Promise.withResolvers<void>()
    heard.set(task.id, resolve)
    await node.store.create({ user: OWNER, inputs: [], decide: (inputs) => begin(null, [task], inputs), now: NOON })
    const committed = performance.now()
    await promise
    took.push(performance.now() - committed)
  }
  await consumer.close()
  const { p50, p99 } = summarize(took, 1)
  return [
    { what: 'from the commit of an offer to a worker on another machine  p50 / p99', value: `${ms(p50)} / ${ms(p99)}` },
  ]
}

async function oneJob(node: Node, quick: boolean): Promise<Row[]> {
  const { database, store, queue } = node
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const jobs = quick ? 60 : 300
  let left = 3 * jobs
  const all = Promise.withResolvers<void>()
  const consumer = queue.consume(['heavy'], 8, async (claim) => {
    await happen(store, claim.id)
    const done = { type: 'completed', result: filesOf(claim.id) } as const
    await store.change(
      claim.id,
      (slice) => transition(slice, done, NOON),
      (tx) => claim.settle(tx),
    )
    if (--left === 0) all.resolve()
  })
  const before = await spent(node)
  const started = performance.now()
  for (let count = 0; count < jobs; count++) {
    const job = aJob()
    const tasks: Task[] = []
    for (const name of ['import', 'convert', 'export']) {
      const dependsOn = tasks.slice(-1).map(({ id }) => id)
      tasks.push(aTask({ job: job.id, name, lane: 'heavy', dependsOn }))
    }
    await store.create({ user: 'ada', inputs: [], decide: (inputs) => begin(job, tasks, inputs), now: NOON })
  }
  await all.promise
  const took = performance.now() - started
  const after = await spent(node)
  await consumer.close()
  const each = (what: keyof typeof after): number => (after[what] - before[what]) / jobs
  return [
    { what: 'one job of three tasks: statements', value: each('statements').toFixed(0) },
    { what: 'one job of three tasks: transactions that write', value: each('transactions').toFixed(1) },
    { what: 'one job of three tasks: bytes of the write-ahead log', value: each('bytes').toFixed(0) },
    { what: 'jobs of three tasks, one process, one user', value: perSecond((jobs * 1000) / took) },
  ]
}

async function spent({ database }: Node) {
  const { rows } = await database.query(`SELECT
    (SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%')::bigint AS statements,
    pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes, pg_snapshot_xmax(pg_current_snapshot())::text AS transactions`)
  const [row] = rows
  return { statements: Number(row?.statements), bytes: Number(row?.bytes), transactions: Number(row?.transactions) }
}
