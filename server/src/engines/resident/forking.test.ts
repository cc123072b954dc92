/** The life of a process that forks, played with the quickest there is: ffprobe. */

import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { boxed } from '../../../test/support/boxed.ts'
import { clip } from '../../../test/support/clips.ts'
import { until } from '../../../test/support/until.ts'
import { yardsIn } from '../../../test/support/yards.ts'
import type { ResidentKind } from '../../catalog/engine.ts'
import type { Resident, Sandbox } from '../../ports/sandbox.ts'
import { warmHelper, warmKind } from '../kit/warm.ts'
import { createResidents, type Residents } from '../resident.ts'

const { sandbox, dir } = await boxed()
const yards = yardsIn(dir)
const opened: Residents[] = []
after(() => Promise.all(opened.map((residents) => residents.close())))

function open(start?: Sandbox['start']): Residents & { started: Resident[] } {
  const started: Resident[] = []
  const watched: Sandbox['start'] = async (spec) => {
    const resident = await (start ?? sandbox.start)(spec)
    started.push(resident)
    return resident
  }
  const residents = createResidents({ ...sandbox, start: watched }, { yards, busy: 3 })
  opened.push(residents)
  return { ...residents, started }
}

const input = join(dir, 'in.wav')
await writeFile(input, await clip('wav', ['sine=duration=0.2'], []))
let made = 0
async function ask(residents: Residents, kind: ResidentKind, user = 'ann', signal = new AbortController().signal) {
  made += 1
  const output = join(dir, `out-${made}.txt`)
  const args = ['-loglevel', 'error', '-show_entries', 'format=format_name', '-of', 'csv', 'in.wav'].join('\n')
  const question = { input: 'in.wav', output: 'out.txt', stdout: 'out.txt', args }
  const { status } = await residents.ask(kind, user, question, input, output, signal)
  return { status, said: (await readFile(output).catch(() => Buffer.alloc(0))).toString().trim() }
}
const OK = { status: 'ok', said: 'format,wav' }

describe('a process that forks', { skip: !warmHelper && 'warm-program is not built' }, () => {
  const kind = warmKind('played', 'ffprobe')

  it('is one for all users, several at once, and leaves nothing of a task behind', async () => {
    const residents = open()
    const answers = await Promise.all(['ann', 'bob', 'cid', 'dan'].map((user) => ask(residents, kind, user)))
    assert.deepEqual(answers, [OK, OK, OK, OK])
    assert.equal(residents.started.length, 1)
    const [yard = ''] = await readdir(yards.folder)
    assert.deepEqual(await readdir(join(yards.folder, yard)), [])
    await residents.close()
    assert.deepEqual(await readdir(yards.folder), [])
  })

  it('is started anew when it was lost', async () => {
    const residents = open()
    assert.deepEqual(await ask(residents, kind), OK)
    residents.started[0]?.kill()
    await residents.started[0]?.gone
    assert.deepEqual(await ask(residents, kind), OK)
    assert.equal(residents.started.length, 2)
  })

  it('is replaced after its number of documents, without anybody waiting', async () => {
    const residents = open()
    const short = { ...kind, recycleAfter: 2 }
    for (let index = 0; index < 3; index += 1) assert.deepEqual(await ask(residents, short), OK)
    await until(() => residents.started.length >= 2, 'a second one is started')
    await residents.started[0]?.gone
    assert.deepEqual(await ask(residents, short), OK)
  })

  it('goes when nobody asks', async () => {
    const residents = open()
    const brief = { ...kind, forks: { ...kind.forks, idle: 10 } }
    assert.deepEqual(await ask(residents, brief), OK)
    await residents.started[0]?.gone
    assert.deepEqual(await ask(residents, brief), OK)
  })

  it('is told when the caller goes, and goes on with the others', async () => {
    const residents = open()
    await residents.warm(kind)
    const leave = new AbortController()
    const [gone, other] = [ask(residents, kind, 'ann', leave.signal), ask(residents, kind, 'bob')]
    leave.abort(new Error('gone home'))
    await assert.rejects(gone, /gone home/)
    assert.deepEqual(await other, OK)
    assert.equal(residents.started.length, 1)
  })

  it('is unavailable where it cannot be started', async () => {
    const residents = open(() => Promise.reject(new Error('no')))
    assert.deepEqual(await ask(residents, kind), { status: 'unavailable', said: '' })
  })
})
