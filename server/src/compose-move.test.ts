import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { type Databases, startDatabases } from '../test/support/databases.ts'
import { aJob, aTask, filesOf, NOON } from '../test/support/records.ts'
import { ADMIN } from '../test/support/server.ts'
import { tempDir } from '../test/support/temp-dir.ts'
import { createMemoryBus } from './bus/memory-bus.ts'
import { moveToPostgres } from './compose-move.ts'
import { readConfig } from './config.ts'
import { begin } from './core/change.ts'
import { transition } from './core/machine.ts'
import { createMemoryQueue } from './queue/memory-queue.ts'
import { openPgBossQueue } from './queue/pgboss-queue.ts'
import { COPIED, LEFT_BEHIND } from './store/copy.ts'
import { ownFolder } from './store/owner-lock.ts'
import { openPostgres } from './store/postgres.ts'
import { migrate } from './store/schema.ts'
import { createSqlAccounts } from './store/sql-accounts.ts'
import { createSqlStore } from './store/sql-store.ts'
import { openSqlite } from './store/sqlite.ts'

const run = promisify(execFile)
let databases: Databases
before(async () => {
  databases = await startDatabases()
})
after(() => databases[Symbol.asyncDispose]())

/** A data folder with a user, a key and a job of which one task is done and one is ready. */
async function aFolder() {
  const dir = await tempDir()
  const database = openSqlite(join(dir.path, 'reforge.db'))
  await migrate(database)
  const accounts = createSqlAccounts(database)
  const user = await accounts.user('ada@example.org', NOON)
  const key = {
    id: 'k',
    user: user.id,
    name: 'laptop',
    scopes: ['account'] as const,
    createdAt: NOON,
    lastUsedAt: null,
  }
  await accounts.addKey({ ...key, budget: null }, 'hash')
  const store = createSqlStore(database, { queue: createMemoryQueue(), bus: createMemoryBus() })
  const job = aJob({ user: user.id })
  const done = aTask({ user: user.id, job: job.id })
  const ready = aTask({ user: user.id, job: job.id, dependsOn: [done.id], name: 'nul \0 in it' })
  await store.create({ user: user.id, inputs: [], now: NOON, decide: (inputs) => begin(job, [done, ready], inputs) })
  const completed = { type: 'completed', result: filesOf('blob') } as const
  await store.change(done.id, (slice) => transition(slice, completed, NOON + 1))
  const events = await store.events(job.id, 0)
  await store.close()
  return { dir: dir.path, user, job, done, ready, events, [Symbol.asyncDispose]: dir.remove }
}

const move = (data: string, url: string) =>
  moveToPostgres(readConfig({ REFORGE_DATA: data }), url, pino({ level: 'silent' }))

test('every table is copied or left behind for a reason', async () => {
  const database = await databases.open()
  const { rows } = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  assert.deepEqual(rows.map(({ tablename }) => tablename).toSorted(), [...COPIED, ...LEFT_BEHIND].toSorted())
  await database.close()
})

test('all that one machine held is there on many, and what was ready is on offer', async () => {
  await using folder = await aFolder()
  const url = await databases.postgres.create()
  // As from a shell.
  const env = { PATH: process.env.PATH, REFORGE_DATA: folder.dir, REFORGE_DATABASE_URL: url }
  const { stdout } = await run(process.execPath, [ADMIN, 'migrate', '--to', 'postgres'], { env })
  assert.match(stdout, /^Moved 1 users, 1 keys, 0 webhooks and 1 jobs; 1 tasks go on there\./)
  assert.match(stdout, /secrets/)

  const database = openPostgres(url)
  const queue = await openPgBossQueue(database)
  const store = createSqlStore(database, { queue, bus: createMemoryBus() })
  assert.deepEqual(await createSqlAccounts(database).userById(folder.user.id), folder.user)
  assert.equal((await createSqlAccounts(database).keyByHash('hash'))?.name, 'laptop')
  assert.equal((await store.job(folder.job.id))?.open, 1)
  const [done, ready] = await store.tasksOf(folder.job.id)
  assert.deepEqual([done?.status, ready?.status, ready?.waitingFor], ['completed', 'created', 0])
  assert.deepEqual(await store.blobsInUse(['blob']), new Set(['blob']))
  assert.equal((await store.events(folder.job.id, 0)).length, folder.events.length)
  assert.equal((await store.listTasks({ user: folder.user.id }, 1, 10)).total, 2)
  assert.deepEqual((await queue.depth()).light, { waiting: 1, running: 0 })
  await queue.close()
  await store.close()

  await assert.rejects(move(folder.dir, url), /holds users already/)
})

test('nothing is moved while the server runs, or from where nothing is', async (t) => {
  await using folder = await aFolder()
  const url = await databases.postgres.create()
  const disown = ownFolder(folder.dir)
  t.after(disown)
  await assert.rejects(move(folder.dir, url), /already serves/)
  await assert.rejects(move(join(folder.dir, 'nowhere'), url), /nothing to move/)
})
