import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { startPostgres } from '../../test/peers/postgres.ts'
import { until } from '../../test/support/until.ts'
import type { Postgres, Tx } from '../ports/sql.ts'
import { openPostgres } from './postgres.ts'
import { migrate } from './schema.ts'

let server: Awaited<ReturnType<typeof startPostgres>>
let url: string
let database: Postgres
before(async () => {
  server = await startPostgres({ settings: { deadlock_timeout: '20ms' } })
})
after(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  url = await server.create()
  database = openPostgres(url)
  await database.run('CREATE TABLE things (id text PRIMARY KEY, n bigint, x double precision)')
})
afterEach(() => database.close())

const add = (sql: Pick<Tx, 'run'>, id: string) => sql.run('INSERT INTO things (id) VALUES (?)', id)
const ids = async (sql: Pick<Tx, 'all'> = database) =>
  (await sql.all('SELECT id FROM things ORDER BY id')).map((row) => row.id)

test('what a transaction writes is seen by others when it has committed, and never after a rollback', async () => {
  await database.transact(async (tx) => {
    assert.equal(await add(tx, 'a'), 1)
    assert.deepEqual(await ids(tx), ['a'])
    assert.deepEqual(await ids(), [])
  })
  assert.deepEqual(await ids(), ['a'])
  const failing = database.transact(async (tx) => {
    await add(tx, 'b')
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.deepEqual(await ids(), ['a'])
})

test('numbers come back as numbers, and texts as they were, but for what PostgreSQL cannot keep', async () => {
  const n = Number.MAX_SAFE_INTEGER
  await database.run("INSERT INTO things VALUES ('?' || ?, ?, ?)", "ü'?\0", n, 0.25)
  const [row] = await database.all('SELECT id, n, x, (SELECT sum(n) FROM things) AS sum, 1 AS one FROM things')
  assert.deepEqual(row, { id: "?ü'?\uFFFD", n, x: 0.25, sum: n, one: 1 })
  assert.deepEqual(await database.all('SELECT count(*) AS n, max(n) AS none FROM things WHERE id = ?', 'x'), [
    { n: 0, none: null },
  ])
})

test('a transaction that is kept cannot be used after its end', async () => {
  const kept = await database.transact(async (tx) => ({ tx }))
  await assert.rejects(add(kept.tx, 'a'), /has ended/)
  assert.throws(() => kept.tx.onEnd(() => {}), /has ended/)
  await assert.rejects(database.query('SELECT 1', [], kept.tx), /has ended/)
})

test('two that wait for each other both get through, and effects are told how each try ended', async () => {
  await add(database, 'a')
  await add(database, 'b')
  const ended: string[] = []
  const holding = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
  const work = (first: 'a' | 'b', second: 'a' | 'b') =>
    database.transact(async (tx) => {
      tx.onEnd((committed) => ended.push(`${first} ${committed}`))
      const change = 'UPDATE things SET n = coalesce(n, 0) + 1 WHERE id = ?'
      await tx.run(change, first)
      holding[first].resolve()
      await holding[second].promise
      await tx.run(change, second)
    })
  await Promise.all([work('a', 'b'), work('b', 'a')])
  assert.deepEqual(
    (await database.all('SELECT n FROM things')).map((row) => row.n),
    [2, 2],
  )
  assert.deepEqual(ended.filter((one) => one.endsWith('true')).toSorted(), ['a true', 'b true'])
  assert.ok(ended.some((one) => one.endsWith('false')))
})

test('what is wrong is not tried again', async () => {
  let tries = 0
  const twice = database.transact(async (tx) => {
    tries++
    await add(tx, 'a')
    await add(tx, 'a')
  })
  await assert.rejects(twice, /duplicate key/)
  assert.equal(tries, 1)
})

test('an error that nobody minds undoes the transaction all the same, and is told', async () => {
  const ended: boolean[] = []
  const careless = database.transact(async (tx) => {
    tx.onEnd((committed) => ended.push(committed))
    await add(tx, 'a')
    await add(tx, 'a').catch(() => {})
  })
  await assert.rejects(careless, /rolled back/)
  assert.deepEqual([ended, await ids()], [[false], []])
})

test('a commit during which the connection was lost is not repeated: it may have been done', async () => {
  await database.query(`CREATE FUNCTION die () RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`)
  await database.query(`CREATE CONSTRAINT TRIGGER dying AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION die ()`)
  let tries = 0
  const dying = database.transact(async (tx) => {
    tries++
    await add(tx, 'a')
  })
  await assert.rejects(dying)
  assert.equal(tries, 1)
})

test('a database that is killed and comes back costs time and no errors', async () => {
  let tries = 0
  const killed = Promise.withResolvers<void>()
  const open = database.transact(async (tx) => {
    await add(tx, `try ${++tries}`)
    if (tries === 1) await killed.promise
    await add(tx, 'done')
  })
  await until(() => tries === 1, 'the transaction is open')
  await server.stop('kill')
  killed.resolve()
  const asked = ids()
  const written = database.transact((tx) => add(tx, 'later'))
  await server.start()
  await Promise.all([open, asked, written])
  assert.deepEqual(await ids(), ['done', 'later', 'try 2'])
})

test('nobody can hold things up for ever', async () => {
  const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  for (const name of settings) {
    const [row] = await database.all(`SELECT current_setting('${name}') AS value`)
    assert.match(String(row?.value), /^(20s|30s|1min)$/)
  }
})

test('more transactions at once than there are connections all get through', async () => {
  await Promise.all(Array.from({ length: 200 }, (_, index) => database.transact((tx) => add(tx, `${index}`))))
  assert.equal((await ids()).length, 200)
})

test('several processes may bring an empty database up to date at once', async () => {
  const empty = await server.create()
  const nodes = Array.from({ length: 4 }, () => openPostgres(empty))
  await Promise.all(nodes.map((node) => migrate(node)))
  const [row] = (await nodes[0]?.all('SELECT count(*) AS n FROM schema_version')) ?? []
  assert.deepEqual(row, { n: 1 })
  await Promise.all(nodes.map((node) => node.close()))
})

test('notices are heard by all who listen on the channel, in every process', async () => {
  const other = openPostgres(url)
  const heard: string[] = []
  const listen = (node: Postgres, name: string, channel: string) =>
    node.listen(
      channel,
      (payload) => heard.push(`${name} ${payload}`),
      () => {},
    )
  await listen(database, 'here', 'news')
  const deaf = await listen(other, 'there', 'news')
  await listen(other, 'there', 'other')
  database.notify('news', 'one')
  other.notify('other', 'two')
  await until(() => heard.length === 3, 'all was heard')
  assert.deepEqual(heard.toSorted(), ['here one', 'there one', 'there two'])
  deaf()
  database.notify('news', 'three')
  database.notify('other', 'four')
  await until(() => heard.length === 5, 'the rest was heard')
  assert.deepEqual(heard.slice(3).toSorted(), ['here three', 'there four'])
  await other.close()
})
