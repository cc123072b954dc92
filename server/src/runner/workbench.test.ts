import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { tempDir } from '../../test/support/temp-dir.ts'
import type { ResidentKind } from '../catalog/engine.ts'
import { removeTree } from '../sandbox/remove-tree.ts'
import { openUnsafe } from '../sandbox/unsafe.ts'
import { createWorkbenches, type Hop, type WorkbenchDeps, type Workbenches } from './workbench.ts'

const HOP: Hop = {
  does: 'convert',
  inputs: [{ path: '/nowhere', format: 'png', filename: 'a.png', size: 1 }],
  to: 'jpg',
  options: {},
  progress() {},
  tell() {},
}
const KIND: ResidentKind = { id: 'echo', spec: { command: ['/bin/true'] }, recycleAfter: 1, timeout: 1000 }
const WHO = { user: 'ada', signal: new AbortController().signal }

describe('a place to work at', () => {
  let folder: Awaited<ReturnType<typeof tempDir>>
  let boxes: Awaited<ReturnType<typeof tempDir>>
  let sandbox: Awaited<ReturnType<typeof openUnsafe>>
  let open: Workbenches
  let answer: WorkbenchDeps['ask']
  beforeEach(async () => {
    ;[folder, boxes] = [await tempDir(), await tempDir()]
    sandbox = await openUnsafe({ scratch: boxes.path })
    open = createWorkbenches({
      ...{ sandbox, removeTree, scratch: folder.path, limits: { seconds: 1, pixels: 1 } },
      blobs: { local: () => assert.fail('nothing is lent here') },
      ask: (...question) => answer(...question),
    })
  })
  afterEach(() => Promise.all([folder.remove(), boxes.remove()]))

  test('is nobody else’s while it is used, and open to nobody else', async () => {
    const benches = [open(WHO), open(WHO)]
    const places = benches.flatMap((bench) => [bench.work(HOP).dir, bench.work(HOP).dir])
    assert.equal(new Set(places).size, 4)
    for (const place of places) assert.equal((await stat(place)).mode & 0o777, 0o700)
    await Promise.all(benches.map((bench) => bench.end()))
  })

  test('serves the next one when it was left empty and no box has seen it', async () => {
    answer = async () => ({ fine: true })
    const bench = open(WHO)
    const work = bench.work(HOP)
    await work.ask(KIND, {}, null, null)
    await bench.end()
    assert.equal(open(WHO).work(HOP).dir, work.dir)
  })

  test('goes when a question has failed or has no answer yet: something may still be written', async () => {
    for (const never of [Promise.reject(new Error('it broke')), new Promise<never>(() => {})]) {
      answer = () => never
      const bench = open(WHO)
      bench
        .work(HOP)
        .ask(KIND, {}, null, null)
        .catch(() => {})
      await bench.end()
      assert.deepEqual(await readdir(folder.path), [])
    }
  })

  test('may have gone by itself', async () => {
    const bench = open(WHO)
    await rm(bench.work(HOP).dir, { recursive: true })
    await bench.end()
    assert.deepEqual(await readdir(folder.path), [])
  })

  test('goes when a box has seen it', async () => {
    const bench = open(WHO)
    const boxed = bench.work(HOP)
    await boxed.run({ command: ['/bin/true'] })
    const place = bench.place()
    await bench.end()
    for (const path of [boxed.dir, place]) assert.ok(!existsSync(path))
    assert.deepEqual(await readdir(folder.path), [])
  })

  test('goes when something is left in it', async () => {
    const bench = open(WHO)
    const { dir } = bench.work(HOP)
    await writeFile(join(dir, 'left.jpg'), 'bytes of ada')
    await bench.end()
    assert.deepEqual(await readdir(folder.path), [])
  })

  test('is kept for a few only', async () => {
    const bench = open(WHO)
    for (let n = 0; n < 40; n++) bench.work(HOP)
    assert.equal((await readdir(folder.path)).length, 40)
    await bench.end()
    assert.equal((await readdir(folder.path)).length, 16)
  })
})
