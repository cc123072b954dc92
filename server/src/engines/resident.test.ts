import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boxed } from '../../test/support/boxed.ts'
import { echo } from '../../test/support/echo.ts'
import { until } from '../../test/support/until.ts'
import type { ResidentKind } from '../catalog/engine.ts'
import { Failure } from '../core/errors.ts'
import type { Json } from '../core/task.ts'
import type { Resident, Sandbox } from '../ports/sandbox.ts'
import { createResidents, type ResidentOptions, type Residents } from './resident.ts'

const { sandbox, dir } = await boxed()
const never = new AbortController().signal
const kind = echo()
const shelves = sandbox.kind === 'bubblewrap'

/** The real sandbox, with a look at what it starts. */
function watched(): { sandbox: Sandbox; started: Resident[] } {
  const started: Resident[] = []
  const start: Sandbox['start'] = async (spec) => {
    const resident = await sandbox.start(spec)
    started.push(resident)
    return resident
  }
  return { sandbox: { ...sandbox, start }, started }
}

const opened: Residents[] = []
after(() => Promise.all(opened.map((residents) => residents.close())))
function open(options: ResidentOptions = {}): Residents & { started: Resident[] } {
  const watch = watched()
  const residents = createResidents(watch.sandbox, options)
  opened.push(residents)
  return { ...residents, started: watch.started }
}

const yards = {
  folder: join(dir, 'yards'),
  bytesIn: async () => 0,
  remove: (path: string) => rm(path, { recursive: true, force: true }),
}

const who = async (residents: Residents, user: string, of: ResidentKind = kind): Promise<Json | undefined> =>
  (await residents.ask(of, user, { do: 'echo' }, null, null, never)).id

const failure = (errorCode: string, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.equal(error.errorCode, errorCode)
  assert.match(error.message, words)
  return true
}

let files = 0
async function file(bytes: Uint8Array): Promise<string> {
  const path = join(dir, `in-${files++}`)
  await writeFile(path, bytes)
  return path
}

describe('a warm resident', () => {
  it('takes the bytes of several files and gives a file back', async () => {
    const residents = open()
    const parts = [randomBytes(3_000_000), Buffer.alloc(0), randomBytes(17)]
    const inputs = await Promise.all(parts.map(file))
    const output = join(dir, 'out')
    const answer = await residents.ask(kind, 'ann', { do: 'echo' }, inputs, output, never)
    assert.deepEqual(answer.sizes, [3_000_000, 0, 17])
    assert.ok((await readFile(output)).equals(Buffer.concat(parts)))
  })

  it('finds inputs on its shelf, cannot touch them, and finds it empty the next time', { skip: !shelves }, async () => {
    const residents = open({ yards })
    const parts = [randomBytes(3_000_000), Buffer.alloc(0), randomBytes(17)]
    const inputs = await Promise.all(parts.map(file))
    const output = join(dir, 'out-of-shelf')
    const answer = await residents.ask(kind, 'ann', { do: 'spoil' }, inputs, output, never)
    assert.deepEqual(answer.sizes, [3_000_000, 0, 17])
    assert.deepEqual(answer.refused, ['EROFS', 'EROFS', 'EROFS'])
    assert.ok((await readFile(output)).equals(Buffer.concat(parts)))
    const laid = await residents.ask(kind, 'ann', { do: 'see' }, inputs.slice(0, 2), join(dir, 'out-of-two'), never)
    assert.deepEqual(laid.seen, ['0', '1'])
    const after = await residents.ask(kind, 'ann', { do: 'see' }, null, null, never)
    assert.deepEqual(after.seen, [])
  })

  it('is sent what only its owner may read, whether it has a shelf or not', async () => {
    const path = await file(randomBytes(1000))
    await chmod(path, 0o600)
    const answer = await open({ yards }).ask(kind, 'ann', { do: 'see' }, path, join(dir, 'out-of-own'), never)
    assert.deepEqual(answer.seen, [])
    assert.deepEqual(answer.sizes, [1000])
  })

  it('leaves no shelf behind', async () => {
    const residents = open({ yards: { ...yards, folder: join(dir, 'left') } })
    await residents.ask(kind, 'ann', { do: 'die' }, await file(randomBytes(10)), null, never).catch(() => {})
    await residents.close()
    assert.deepEqual(await readdir(join(dir, 'left')).catch(() => []), [])
  })

  it('serves the same user again in the same process, and never another one', async () => {
    const residents = open({ busy: 2 })
    const [ann, bob, annAgain, bobAgain] = [
      await who(residents, 'ann'),
      await who(residents, 'bob'),
      await who(residents, 'ann'),
      await who(residents, 'bob'),
    ]
    assert.equal(annAgain, ann)
    assert.equal(bobAgain, bob)
    assert.notEqual(ann, bob)
  })

  it('never shares a process between users, however they come', async () => {
    const residents = open({ busy: 2, alive: 3 })
    const users = Array.from({ length: 12 }, (_, i) => `user ${(i * 7) % 4}`)
    const served = await Promise.all(users.map(async (user) => [String(await who(residents, user)), user] as const))
    const usersOf = Map.groupBy(served, ([id]) => id)
    for (const [, uses] of usersOf) assert.equal(new Set(uses.map(([, user]) => user)).size, 1)
  })

  it('has no folder of any task', async () => {
    const answer = await open().ask(kind, 'ann', { do: 'see' }, null, null, never)
    assert.deepEqual(answer.seen, [])
  })

  it('passes progress on, whole and within 0 and 100', async () => {
    const told: number[] = []
    await open().ask(kind, 'ann', { do: 'steps' }, null, null, never, (percent) => told.push(percent))
    assert.deepEqual(told, [10, 50, 100])
  })

  it('is replaced after its number of questions', async () => {
    const residents = open({ busy: 1 })
    const short = echo({ recycleAfter: 2 })
    const ids = [
      await who(residents, 'ann', short),
      await who(residents, 'ann', short),
      await who(residents, 'ann', short),
    ]
    assert.equal(ids[0], ids[1])
    assert.notEqual(ids[1], ids[2])
  })

  it('does not read through a link', async () => {
    const link = join(dir, 'link')
    await symlink('/etc/passwd', link)
    for (const residents of [open(), open({ yards })])
      await assert.rejects(residents.ask(kind, 'ann', { do: 'echo' }, link, join(dir, 'never'), never))
  })
})

describe('a resident in trouble', () => {
  for (const [what, words] of Object.entries({
    die: /stopped unexpectedly/,
    babble: /stopped unexpectedly/,
    lie: /stopped unexpectedly/,
    flood: /stopped unexpectedly/,
  })) {
    it(`that would ${what} fails one question, and the next is served by a fresh one`, async () => {
      const residents = open({ busy: 1 })
      const before = await who(residents, 'ann')
      await assert.rejects(
        residents.ask(kind, 'ann', { do: what }, null, join(dir, `out-${what}`), never),
        failure('processing_failed', words),
      )
      assert.notEqual(await who(residents, 'ann'), before)
    })
  }

  it('that hangs is ended by its time-out', async () => {
    const residents = open({ busy: 1 })
    const impatient = echo({ timeout: 300 })
    await assert.rejects(
      residents.ask(impatient, 'ann', { do: 'hang' }, null, null, never),
      failure('engine_timeout', /longer than allowed/),
    )
    await Promise.all(residents.started.slice(0, 1).map((resident) => resident.gone))
    assert.ok(await who(residents, 'ann', echo()))
  })

  it('is killed when the caller cancels, who gets his own reason back', async () => {
    const residents = open({ busy: 1 })
    await who(residents, 'ann')
    const cancel = new AbortController()
    const asked = residents.ask(kind, 'ann', { do: 'hang' }, null, null, cancel.signal)
    await sleep(20)
    cancel.abort(new Error('enough'))
    await assert.rejects(asked, /enough/)
    assert.equal((await residents.started[0]?.gone)?.ended, 'canceled')
  })

  it('gives up its place in the queue when its caller cancels', async () => {
    const residents = open({ busy: 1 })
    const [first, second] = [new AbortController(), new AbortController()]
    const running = residents.ask(kind, 'ann', { do: 'hang' }, null, null, first.signal)
    const waiting = residents.ask(kind, 'bob', { do: 'echo' }, null, null, second.signal)
    const behind = who(residents, 'cat')
    second.abort(new Error('no longer'))
    await assert.rejects(waiting, /no longer/)
    first.abort(new Error('stop'))
    await assert.rejects(running, /stop/)
    assert.ok(await behind)
  })

  it('that dies while idle harms nobody', async () => {
    const residents = open({ busy: 1 })
    const before = await who(residents, 'ann')
    for (const resident of residents.started) resident.kill()
    await Promise.all(residents.started.map((resident) => resident.gone))
    assert.notEqual(await who(residents, 'ann'), before)
  })

  it('that cannot start says so', async () => {
    const broken = echo()
    const spec = { ...broken.spec, command: ['/opt/node/bin/node', '--eval', 'throw new Error("no")'] as const }
    await assert.rejects(
      open().ask({ ...broken, spec }, 'ann', { do: 'echo' }, null, null, never),
      failure('processing_failed', /could not be started/),
    )
  })

  it('is started again when the first one did not come up', async () => {
    let starts = 0
    const start: Sandbox['start'] = (spec) =>
      sandbox.start(starts++ === 0 ? { ...spec, command: ['/opt/node/bin/node', '--eval', ''] } : spec)
    const residents = createResidents({ ...sandbox, start })
    opened.push(residents)
    assert.equal(typeof (await who(residents, 'ann')), 'string')
    assert.ok(starts >= 2, String(starts))
  })
})

describe('the pool', () => {
  it('keeps no more processes than it may, and gives an idle one up for another user', async () => {
    const residents = open({ busy: 1, alive: 2 })
    for (const user of ['ann', 'bob', 'cat', 'dan']) await who(residents, user)
    const gone = new Set<Resident>()
    for (const resident of residents.started) void resident.gone.then(() => gone.add(resident))
    await until(() => residents.started.length - gone.size <= 2, 'two are left')
  })

  it('ends idle ones after a while, but keeps a spare one', async () => {
    const residents = open({ busy: 1, idle: 1100 })
    const ann = await who(residents, 'ann')
    await residents.started[0]?.gone
    await residents.warm(kind)
    const count = residents.started.length
    assert.notEqual(await who(residents, 'ann'), ann)
    assert.ok(count >= 2 && residents.started[1] !== undefined)
  })

  it('replaces an idle one that holds too much memory', async () => {
    const residents = open({ busy: 1, idleMemory: 1 })
    await who(residents, 'ann')
    assert.equal((await residents.started[0]?.gone)?.ended, 'canceled')
  })

  it('leaves nothing running when it is closed', async () => {
    const residents = open({ busy: 2 })
    await Promise.all([who(residents, 'ann'), who(residents, 'bob')])
    const asked = residents.ask(kind, 'ann', { do: 'hang' }, null, null, never)
    const refused = assert.rejects(asked)
    await sleep(20)
    await residents.close()
    await refused
    await Promise.all(residents.started.map((resident) => resident.gone))
  })
})
