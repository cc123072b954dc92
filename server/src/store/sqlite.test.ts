import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { tempDir } from '../../test/support/temp-dir.ts'
import { until } from '../../test/support/until.ts'
import type { Database, Tx } from '../ports/sql.ts'
import { openSqlite } from './sqlite.ts'
import { createLogSync } from './sync-log.ts'

let dir: Awaited<ReturnType<typeof tempDir>>
let database: Database
beforeEach(async () => {
  dir = await tempDir()
  database = openSqlite(join(dir.path, 'records'))
  await database.run('CREATE TABLE parents (id text PRIMARY KEY)')
  await database.run(
    'CREATE TABLE children (id text PRIMARY KEY, parent text REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)',
  )
})
afterEach(async () => {
  await database.close()
  await dir.remove()
})

const add = (sql: Pick<Tx, 'run'>, id: string) => sql.run('INSERT INTO parents VALUES (?)', id)
const ids = async (sql: Pick<Tx, 'all'> = database) =>
  (await sql.all('SELECT id FROM parents ORDER BY id')).map((row) => row.id)

test('the log is written ahead, synced by us, and foreign keys hold', async () => {
  const settings = await database.transact(async (tx) => {
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout']
    return Promise.all(names.map(async (name) => Object.values((await tx.all(`PRAGMA ${name}`))[0] ?? {})[0]))
  })
  assert.deepEqual(settings, ['wal', 1, 1, 5000])
})

describe('a commit', () => {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 10))
  let disk: PromiseWithResolvers<void>[] = []
  let slow: Database
  beforeEach(async () => {
    disk = []
    const log = createLogSync(
      () => {
        const one = Promise.withResolvers<void>()
        disk.push(one)
        return one.promise
      },
      async () => {},
    )
    slow = openSqlite(join(dir.path, 'records'), () => log)
  })
  afterEach(() => slow.close())

  test('is on the disk before the caller hears of it, and before what follows from it happens', async () => {
    const heard: string[] = []
    const first = slow.transact(async (tx) => {
      tx.onEnd(() => heard.push('first'))
      await add(tx, 'a')
    })
    await turn()
    const second = slow.transact(async (tx) => {
      tx.passing()
      tx.onEnd(() => heard.push('second'))
      assert.deepEqual(await ids(tx), ['a'])
    })
    await turn()
    assert.deepEqual(heard, [], 'also one that need not wait for the disk waits for those before it')
    disk[0]?.resolve()
    await Promise.all([first, second])
    assert.deepEqual(heard, ['first', 'second'])
    assert.equal(disk.length, 1)
  })

  test('is told at once to what would be lost with it, which then sees what was written', async () => {
    const heard: string[] = []
    const first = slow.transact(async (tx) => {
      tx.onCommit((committed) => heard.push(`a ${committed}`))
      tx.onEnd(() => heard.push('a is kept'))
      await add(tx, 'a')
    })
    const failed = slow.transact(async (tx) => {
      tx.onCommit((committed) => heard.push(`b ${committed}`))
      throw new Error('no')
    })
    await assert.rejects(failed, /no/)
    await until(() => disk.length > 0, 'it is being written')
    assert.deepEqual([heard, await ids()], [['b false', 'a true'], ['a']])
    disk[0]?.resolve()
    await first
    assert.deepEqual(heard.at(-1), 'a is kept')
  })

  test('nobody relies on does not wait for the disk', async () => {
    await slow.transact(async (tx) => {
      tx.passing()
      await add(tx, 'a')
    })
    assert.equal(disk.length, 0)
    assert.deepEqual(await ids(), ['a'])
  })

  test('nobody relies on or hears of does not wait for others either, committed before it or together with it', async () => {
    const quiet = (id: string) =>
      slow.transact(async (tx) => {
        tx.passing()
        await add(tx, id)
      })
    let kept = false
    const before = slow.transact((tx) => add(tx, 'a')).then(() => (kept = true))
    await quiet('b')
    await quiet('c')
    assert.deepEqual([kept, await ids()], [false, ['a', 'b', 'c']])
    disk[0]?.resolve()
    await before
  })

  test('that the disk did not take fails, and so does everything after it', async () => {
    const lost = slow.transact((tx) => add(tx, 'a'))
    await turn()
    disk[0]?.reject(new Error('the disk is gone'))
    await assert.rejects(lost, /gone/)
    await assert.rejects(
      slow.transact((tx) => add(tx, 'b')),
      /gone/,
    )
  })
})

test('what a transaction writes is seen by others when it has committed, and never after a rollback', async () => {
  await database.transact(async (tx) => {
    await add(tx, 'a')
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

test('transactions that wait at the same time share a commit, one after another', async () => {
  const log: string[] = []
  const run = (id: string) =>
    database.transact(async (tx) => {
      log.push(`${id} sees ${(await ids(tx)).join('')}`)
      tx.onEnd((committed) => log.push(`${id} ${committed}`))
      await new Promise((resolve) => setImmediate(resolve))
      await add(tx, id)
    })
  await Promise.all(['a', 'b', 'c'].map(run))
  assert.deepEqual(log, ['a sees ', 'b sees a', 'c sees ab', 'a true', 'b true', 'c true'])
})

test('one that fails takes nothing of those it shares a commit with', async () => {
  const ended: string[] = []
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'a', 'c'].map((id, index) =>
      database.transact(async (tx) => {
        tx.onEnd((committed) => ended.push(`${index} ${committed}`))
        await add(tx, `${id}+`)
        return add(tx, id)
      }),
    ),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(ended.toSorted(), ['0 true', '1 true', '2 false', '3 true'])
  assert.deepEqual(await ids(), ['a', 'a+', 'b', 'b+', 'c', 'c+'])
})

test('a commit that fails is told to all who shared it, and those after them go on', async () => {
  const ended: string[] = []
  const shared = [
    (tx: Tx) => add(tx, 'a'),
    (tx: Tx) => tx.run("INSERT INTO children VALUES ('x', 'missing')"),
    (tx: Tx) => add(tx, 'b'),
  ].map((work, index) =>
    database.transact(async (tx) => {
      tx.onEnd((committed) => ended.push(`${index} ${committed}`))
      await work(tx)
    }),
  )
  for (const outcome of await Promise.allSettled(shared)) assert.equal(outcome.status, 'rejected')
  assert.deepEqual(ended, ['0 false', '1 false', '2 false'])
  await database.transact((tx) => add(tx, 'c'))
  assert.deepEqual(await ids(), ['c'])
})

test('a transaction that is kept cannot be used after its end', async () => {
  const kept = await database.transact(async (tx) => ({ tx }))
  await assert.rejects(add(kept.tx, 'a'), /has ended/)
  assert.throws(() => kept.tx.onEnd(() => {}), /has ended/)
  assert.deepEqual(await ids(), [])
})

test('an effect that throws is warned about and keeps nobody from going on', async () => {
  const warned = once(process, 'warning')
  const told: boolean[] = []
  await database.transact(async (tx) => {
    tx.onEnd(() => {
      throw new Error('bad effect')
    })
    tx.onEnd((committed) => told.push(committed))
    await add(tx, 'a')
  })
  assert.deepEqual(told, [true])
  const [warning] = await warned
  assert.match(String(warning), /bad effect/)
})

test('more than a group at once all get through', async () => {
  await Promise.all(Array.from({ length: 300 }, (_, index) => database.transact((tx) => add(tx, `${index}`))))
  assert.equal((await ids()).length, 300)
})

test('another process may write at the same time', async () => {
  const script = `
    import { openSqlite } from ${JSON.stringify(import.meta.resolve('./sqlite.ts'))}
    const database = openSqlite(process.argv[1])
    for (let i = 0; i < 40; i++) await database.run('INSERT INTO parents VALUES (?)', 'theirs ' + i)
    await database.close()`
  const theirs = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, join(dir.path, 'records')])
  let running = true
  void theirs.finally(() => {
    running = false
  })
  let ours = 0
  while (running) await database.run('INSERT INTO parents VALUES (?)', `ours ${ours++}`)
  await theirs
  assert.equal((await ids()).length, 40 + ours)
})

test('closing waits for what has begun, and nothing begins afterwards', async () => {
  const writing = database.transact((tx) => add(tx, 'a'))
  await database.close()
  assert.equal(await writing, 1)
  await assert.rejects(
    database.transact((tx) => add(tx, 'b')),
    /closed/,
  )
  database = openSqlite(join(dir.path, 'records'))
  assert.deepEqual(await ids(), ['a'])
})
