/** What every store of bytes must do. */
import assert from 'node:assert/strict'
import { link, lstat, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { TooLarge } from '../../src/core/errors.ts'
import type { Blobs } from '../../src/ports/blobs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

export interface BlobsHarness {
  blobs: Blobs
  close(): Promise<void>
}

const NO_LIMIT = { most: Number.POSITIVE_INFINITY }

export function blobsContract(name: string, open: () => Promise<BlobsHarness>): void {
  describe(`blobs on ${name}`, () => {
    let blobs: Blobs
    let harness: BlobsHarness
    let outside: Awaited<ReturnType<typeof tempDir>>
    beforeEach(async () => {
      harness = await open()
      blobs = harness.blobs
      outside = await tempDir()
    })
    afterEach(async () => {
      await harness.close()
      await outside.remove()
    })
    const names = async () => (await Array.fromAsync(blobs.list())).map((entry) => entry.blob).sort()

    test('bytes come back as they went in, whole or in part', async () => {
      const { blob, size } = await blobs.write(chunks('hello ', 'wor', '', 'ld'), NO_LIMIT)
      assert.equal(size, 11)
      assert.equal(await text(blobs, blob), 'hello world')
      assert.equal(await text(blobs, blob, { start: 0, end: 0 }), 'h')
      assert.equal(await text(blobs, blob, { start: 6, end: 10 }), 'world')
    })

    test('nothing at all can be kept too', async () => {
      const { blob, size } = await blobs.write(chunks(), NO_LIMIT)
      assert.equal(size, 0)
      assert.equal(await text(blobs, blob), '')
    })

    test('a source may have as many bytes as the limit and not one more', async () => {
      const { size } = await blobs.write(chunks('12345'), { most: 5 })
      assert.equal(size, 5)
      let stopped = false
      const endless = (async function* () {
        try {
          for (;;) yield Buffer.from('123')
        } finally {
          stopped = true
        }
      })()
      await assert.rejects(blobs.write(endless, { most: 5 }), TooLarge)
      await until(() => stopped, 'the source was told')
      assert.equal((await names()).length, 1)
    })

    test('a source that fails leaves nothing', async () => {
      const failing = (async function* () {
        yield Buffer.from('some')
        throw new Error('gone away')
      })()
      await assert.rejects(blobs.write(failing, NO_LIMIT), /gone away/)
      assert.deepEqual(await names(), [])
    })

    test('a signal ends the writing even while the source is silent', async () => {
      const abort = new AbortController()
      let waits = false
      const silent = (async function* () {
        yield Buffer.from('some')
        waits = true
        await new Promise<never>(() => {})
      })()
      const writing = blobs.write(silent, { ...NO_LIMIT, signal: abort.signal })
      await until(() => waits, 'more was asked for')
      abort.abort(new Error('enough'))
      await assert.rejects(writing)
      assert.deepEqual(await names(), [])
      await assert.rejects(blobs.write(chunks('late'), { ...NO_LIMIT, signal: abort.signal }))
      assert.deepEqual(await names(), [])
    })

    test('a file is taken over, and its path is gone', async () => {
      const path = join(outside.path, 'result.pdf')
      await writeFile(path, 'result')
      const { blob, size } = await blobs.adopt(path)
      assert.equal(size, 6)
      assert.equal(await text(blobs, blob), 'result')
      await assert.rejects(lstat(path), { code: 'ENOENT' })
    })

    test('links and things that are no files are not taken over, and what they point to stays', async () => {
      const [pointed = '', shared = ''] = ['pointed', 'shared'].map((name) => join(outside.path, name))
      for (const path of [pointed, shared]) await writeFile(path, 'secret', { mode: 0o600 })
      const paths = ['symbolic', 'hard', 'directory'].map((name) => join(outside.path, name))
      const [symbolic = '', hard = '', directory = ''] = paths
      await symlink(pointed, symbolic)
      await link(shared, hard)
      await mkdir(directory)
      for (const path of paths) {
        await assert.rejects(blobs.adopt(path), path)
        await lstat(path)
      }
      assert.deepEqual(await names(), [])
      for (const path of [pointed, shared]) assert.equal((await stat(path)).mode & 0o777, 0o600)
      await assert.rejects(blobs.adopt(join(outside.path, 'missing')), { code: 'ENOENT' })
    })

    test('a local copy holds the bytes until it is released', async () => {
      const { blob } = await blobs.write(chunks('hello'), NO_LIMIT)
      const { path, release } = await blobs.local(blob)
      assert.equal((await stat(path)).size, 5)
      await release()
      assert.equal(await text(blobs, blob), 'hello')
    })

    test('the list names every blob with a time near its writing, and nothing that was removed', async () => {
      const before = Date.now() - 2000
      const path = join(outside.path, 'old')
      await writeFile(path, 'old')
      const made = [
        await blobs.write(chunks('a'), NO_LIMIT),
        await blobs.write(chunks('b'), NO_LIMIT),
        await blobs.adopt(path),
      ]
      const ids = made.map((one) => one.blob)
      const listed = await Array.fromAsync(blobs.list())
      assert.deepEqual(listed.map((entry) => entry.blob).sort(), ids.toSorted())
      assert.ok(listed.every((entry) => entry.writtenAt >= before && entry.writtenAt <= Date.now() + 2000))
      const [gone = '', kept = '', other = ''] = ids
      await blobs.remove([gone, gone, other])
      assert.deepEqual(await names(), [kept])
      await assert.rejects(text(blobs, gone))
      await assert.rejects(blobs.local(gone))
    })

    test('a name that could lead elsewhere is refused', async () => {
      for (const name of ['../../etc/passwd', '', 'ab/cd', 'x'.repeat(32)]) {
        assert.throws(() => blobs.read(name), /not the name of a blob/)
        await assert.rejects(blobs.local(name), /not the name of a blob/)
        await assert.rejects(blobs.remove([name]), /not the name of a blob/)
      }
    })

    test('the space that is left is told, or that it has no meaning', async () => {
      const space = await blobs.space()
      if (space) assert.ok(space.free >= 0 && space.free <= space.total)
    })
  })
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function text(blobs: Blobs, blob: string, range?: { start: number; end: number }): Promise<string> {
  return Buffer.concat(await blobs.read(blob, range).toArray()).toString()
}
