/**
 * One warm LibreOffice serves all users, so a child that its document has taken over must reach nothing but its own task.
 * Code that tries is built into a zygote of the tests; without either half of the box it does get through.
 */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openListener } from '../../test/contract/sandbox-yard.ts'
import { boxed } from '../../test/support/boxed.ts'
import { textOf } from '../../test/support/flat-office.ts'
import { until } from '../../test/support/until.ts'
import { yardsIn } from '../../test/support/yards.ts'
import type { ResidentKind } from '../catalog/engine.ts'
import type { JsonObject } from '../core/task.ts'
import { zygote, zygoteKind } from './office/zygote.ts'
import { createResidents } from './resident.ts'

const NATIVE = join(import.meta.dirname, '../../native')
const { sandbox, dir } = await boxed()
const yards = yardsIn(dir)
const residents = createResidents(sandbox, { yards, busy: 4 })
after(() => residents.close())

const missing = zygote === null ? 'the helper office-zygote is not built: no compiler or no LibreOffice' : false

async function build(name: string, ...flags: string[]): Promise<ResidentKind> {
  const binary = join(dir, name)
  const sources = ['office-zygote.c', 'fork-loop.c', 'office-box.c', 'office-attack.c'].map((file) =>
    join(NATIVE, file),
  )
  await promisify(execFile)('cc', ['-O1', '-DATTACK_TEST', ...flags, '-o', binary, ...sources, '-ldl'])
  const kind = zygoteKind(binary)
  return { ...kind, id: name, timeout: 6000, forks: { ...kind.forks, memory: 256 * 2 ** 20, disk: 64 * 2 ** 20 } }
}

let files = 0
async function ask(kind: ResidentKind, bytes: string | Buffer, signal = new AbortController().signal, ext = 'docx') {
  const [input, output] = [join(dir, `in-${files}`), join(dir, `out-${files}`)]
  files += 1
  await writeFile(input, bytes)
  const question: JsonObject = { input: `in.${ext}`, output: 'out.pdf', format: 'pdf' }
  const { status } = await residents.ask(kind, 'anybody', question, input, output, signal)
  return { status, made: await readFile(output, 'latin1').catch(() => '') }
}

const good = textOf(['A good document'])
const goodOne = (kind: ResidentKind) => ask(kind, good, undefined, 'fodt')

/** A neighbour at work, whose id the attacker is told. */
async function beside<T>(kind: ResidentKind, attack: (id: string, folder: string) => Promise<T>): Promise<T> {
  await residents.warm(kind)
  const leave = new AbortController()
  const neighbour = ask(kind, 'ATTACK hang', leave.signal).catch(() => null)
  try {
    const yard = async () => (await readdir(yards.folder)).find((name) => name.startsWith(`${kind.id}-`)) ?? ''
    const id = async () => (await readdir(join(yards.folder, await yard())))[0] ?? ''
    await until(
      async () => (await id()) !== '' && (await readdir(join(yards.folder, await yard(), await id()))).includes('log'),
      'the neighbour works',
    )
    const name = await id()
    return await attack(name, join(yards.folder, await yard(), name))
  } finally {
    leave.abort()
    await neighbour
  }
}

const holesIn = (report: string): string[] => report.match(/^HOLE .*$/gm) ?? []

describe('a child that its document has taken over', { skip: missing }, async () => {
  const whole = missing ? null : await build('whole')

  for (const [what, least] of Object.entries({ files: 40, processes: 8, neighbours: 20, descriptors: 10 }))
    it(`gets nowhere: ${what}`, async () => {
      assert.ok(whole)
      await beside(whole, async (id, folder) => {
        const before = await stat(join(folder, 'in.docx'))
        const { status, made } = await ask(whole, `ATTACK ${what} ${id}`)
        assert.equal(status, 'ok')
        assert.deepEqual(holesIn(made), [])
        assert.ok(Number(/^tried (\d+)$/m.exec(made)?.[1]) >= least, made)
        const now = await stat(join(folder, 'in.docx'))
        assert.deepEqual([now.size, now.mode, now.mtimeMs], [before.size, before.mode, before.mtimeMs])
      })
    })

  it('calls nobody', async () => {
    assert.ok(whole)
    await using listener = await openListener()
    const { made } = await ask(whole, `ATTACK network ${listener.port}`)
    assert.deepEqual(holesIn(made), [])
    assert.match(made, /^tried [1-9]/m)
    assert.equal(listener.hits(), 0)
  })

  it('can lie about its own task only', async () => {
    assert.ok(whole)
    assert.equal((await ask(whole, 'ATTACK lie')).status, 'no-output')
  })

  it('crashes, hangs or takes all there is, and the others do not notice', async () => {
    assert.ok(whole)
    const bad = ['crash', 'abort', 'hang', 'memory', 'disk'].map((kind) => ask(whole, `ATTACK ${kind}`))
    const others = Array.from({ length: 6 }, () => goodOne(whole))
    assert.deepEqual(new Set((await Promise.all(others)).map(({ status }) => status)), new Set(['ok']))
    const ends = (await Promise.all(bad)).map(({ status }) => status)
    assert.deepEqual([ends[0], ends[1], ends[2], ends[4]], ['crashed', 'crashed', 'timeout', 'cancelled'])
    assert.equal((await goodOne(whole)).status, 'ok')
  })
})

describe('the same attacks get through', { skip: missing }, () => {
  it('to files, without Landlock', async () => {
    const kind = await build('no-landlock', '-DWITHOUT_LANDLOCK')
    const { made } = await beside(kind, (id) => ask(kind, `ATTACK files ${id}`))
    assert.ok(holesIn(made).includes("HOLE open a neighbour's file"), made)
    assert.ok(holesIn(made).includes("HOLE rename a neighbour's input to here"), made)
  })

  it('to what is known of files and to processes, without the filter of system calls', async () => {
    const kind = await build('no-seccomp', '-DWITHOUT_SECCOMP')
    const { made } = await beside(kind, (id) => ask(kind, `ATTACK files ${id}`))
    assert.ok(holesIn(made).includes("HOLE chmod a neighbour's folder"), made)
    const { made: seen } = await ask(kind, 'ATTACK neighbours')
    assert.ok(holesIn(seen).includes('HOLE limit a process'), seen)
  })
})
