import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { blobsContract } from '../../test/contract/blobs.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { createDiskBlobs } from './disk-blobs.ts'

blobsContract('a disk', async () => {
  const dir = await tempDir()
  return { blobs: await createDiskBlobs(dir.path), close: dir.remove }
})

const NO_LIMIT = { most: Number.POSITIVE_INFINITY }
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

async function* hello() {
  yield Buffer.from('hello')
}

test('a stored file is the local copy itself, for reading only, in directories of ours alone', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const blobs = await createDiskBlobs(dir.path)
  const { blob } = await blobs.write(hello(), NO_LIMIT)
  const { path } = await blobs.local(blob)
  const shard = join(dir.path, 'files', blob.slice(0, 2))
  assert.equal(path, join(shard, blob))
  assert.equal(await modeOf(path), 0o444)
  for (const place of [shard, join(dir.path, 'files'), join(dir.path, 'tmp')]) assert.equal(await modeOf(place), 0o700)
})

test('what was half written when a process died is gone at the next start, and the rest is there', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const { blob } = await (await createDiskBlobs(dir.path)).write(hello(), NO_LIMIT)
  await writeFile(join(dir.path, 'tmp', 'half'), 'hel')
  const blobs = await createDiskBlobs(dir.path)
  assert.deepEqual(await readdir(join(dir.path, 'tmp')), [])
  assert.equal(Buffer.concat(await blobs.read(blob).toArray()).toString(), 'hello')
})

test('a file that says it is old counts as written when it was taken over', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const blobs = await createDiskBlobs(join(dir.path, 'blobs'))
  const path = join(dir.path, 'old')
  await writeFile(path, 'old')
  await chmod(path, 0o777)
  await utimes(path, 1000, 1000)
  const { blob } = await blobs.adopt(path)
  assert.equal(await modeOf((await blobs.local(blob)).path), 0o444)
  const [entry] = await Array.fromAsync(blobs.list())
  assert.equal(entry?.blob, blob)
  assert.ok(entry.writtenAt > Date.now() - 60_000)
})

test('a writing that failed leaves nothing in tmp', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const blobs = await createDiskBlobs(dir.path)
  await assert.rejects(blobs.write(hello(), { most: 2 }))
  assert.deepEqual(await readdir(join(dir.path, 'tmp')), [])
  await mkdir(join(dir.path, 'directory'))
  await assert.rejects(blobs.adopt(join(dir.path, 'directory')), /not a plain file/)
})

test('a source is not asked for much more than has been written, however large it is', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const blobs = await createDiskBlobs(dir.path)
  const megabyte = Buffer.alloc(1 << 20)
  const written = async () => {
    const [name = ''] = await readdir(join(dir.path, 'tmp'))
    return (await stat(join(dir.path, 'tmp', name))).size
  }
  let furthest = 0
  const source = (async function* () {
    for (let asked = 0; asked < 32; asked++) {
      furthest = Math.max(furthest, asked - (await written()) / megabyte.length)
      yield megabyte
    }
  })()
  assert.equal((await blobs.write(source, NO_LIMIT)).size, 32 * megabyte.length)
  assert.ok(furthest <= 4, `${furthest} MB ahead`)
})

/** Where it exists it is a file system of its own. */
const elsewhere = await mkdtemp('/dev/shm/reforge-test-').catch(() => null)
after(async () => {
  if (elsewhere) await rm(elsewhere, { recursive: true })
})

test('a file of another disk is taken over too', { skip: elsewhere === null && 'no other file system' }, async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const blobs = await createDiskBlobs(dir.path)
  const path = join(elsewhere ?? '', 'far')
  await writeFile(path, 'from afar')
  const { blob, size } = await blobs.adopt(path)
  assert.equal(size, 9)
  assert.equal(Buffer.concat(await blobs.read(blob).toArray()).toString(), 'from afar')
  assert.equal(await modeOf((await blobs.local(blob)).path), 0o444)
  await assert.rejects(stat(path), { code: 'ENOENT' })
})
