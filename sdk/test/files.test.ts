/** Uploads and downloads against a real server. */
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { tempDir } from '../../server/test/support/temp-dir.ts'
import { fileFromPath, save, type Task, type Uploadable } from '../src/node.ts'
import { ground } from './support.ts'

const on = ground({ REFORGE_MAX_FILE_SIZE: '3000000' })

async function folder(t: TestContext): Promise<string> {
  const { path, remove } = await tempDir()
  t.after(remove)
  return path
}

const uploadTask = () => on.reforge.tasks.create('import/upload', {})
const bytesOf = async (file: string | { url: string }) =>
  Buffer.from(await new Response((await on.reforge.download(file)).stream).arrayBuffer())

test('a file goes up in whatever form it is held, and comes down the same', async (t) => {
  const path = join(await folder(t), 'from disk.png')
  await writeFile(path, on.png)
  const kinds: [string, Uploadable, string][] = [
    ['buffer', on.png, 'upload'],
    ['blob', new Blob([on.png]), 'upload'],
    ['file', new File([on.png], 'grüße 漢.png'), 'grüße 漢.png'],
    ['web stream', new Blob([on.png]).stream(), 'upload'],
    ['node stream', Readable.from([on.png.subarray(0, 100), on.png.subarray(100)]), 'upload'],
    ['path', await fileFromPath(path), 'from disk.png'],
  ]
  for (const [kind, file, filename] of kinds) {
    const done = await on.reforge.upload(await uploadTask(), file)
    assert.deepEqual([done.status, done.result.filename, done.result.format], ['completed', filename, 'png'], kind)
    assert.deepEqual(await bytesOf(done.result.url ?? ''), on.png, kind)
  }
})

test('a name given counts more than the file’s own, and progress ends at the whole', async () => {
  const seen: [number, number | undefined][] = []
  const done = await on.reforge.upload(await uploadTask(), new File([on.png], 'own.png'), {
    filename: 'given.png',
    onProgress: (sent, total) => seen.push([sent, total]),
  })
  assert.equal(done.result.filename, 'given.png')
  assert.deepEqual(seen.at(-1), [on.png.length, on.png.length])
})

test('what is too large, already there or not waiting is said so', async () => {
  const big = new Blob([new Uint8Array(3_000_001)])
  await assert.rejects(on.reforge.upload(await uploadTask(), big), { status: 413 })
  const task = await uploadTask()
  const done = await on.reforge.upload(task, on.png)
  await assert.rejects(on.reforge.upload(task, on.png), { status: 409 })
  await assert.rejects(on.reforge.upload(done, on.png), { code: 'no_form' })
})

test('a source that cannot be read is not taken for a server that cannot be reached', async () => {
  async function* torn() {
    yield new Uint8Array(1000)
    throw new Error('torn')
  }
  await assert.rejects(on.reforge.upload(await uploadTask(), torn()), /^Error: torn$/)
  const shrunk = { size: 2000, stream: () => new Blob(['short']).stream() }
  await assert.rejects(on.reforge.upload(await uploadTask(), shrunk), { code: 'file_changed' })
})

test('an upload can be given up', async () => {
  const controller = new AbortController()
  async function* endless() {
    for (;;) {
      yield new Uint8Array(1000)
      controller.abort(new Error('enough'))
    }
  }
  await assert.rejects(on.reforge.upload(await uploadTask(), endless(), { signal: controller.signal }), /enough/)
})

test('the length is sent when it is known, and pieces when it is not', async (t) => {
  const heard: IncomingHttpHeaders[] = []
  const listener = createServer((request, response) => {
    heard.push(request.headers)
    request.resume().on('end', () => response.end('{"status":"completed"}'))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.after(() => listener.close())
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  const task = { id: 't', result: { form: { url, parameters: { a: 'b' }, resumable: '' } } } as unknown as Task
  await on.reforge.upload(task, on.png)
  await on.reforge.upload(task, Readable.from([on.png]))
  assert.ok(Number(heard[0]?.['content-length']) > on.png.length)
  assert.equal(heard[0]?.['transfer-encoding'], undefined)
  assert.equal(heard[1]?.['content-length'], undefined)
  assert.equal(heard[1]?.['transfer-encoding'], 'chunked')
  assert.ok(
    heard.every(({ authorization }) => authorization === undefined),
    'the key stays with the API',
  )
})

test('a download is saved whole or not at all, and replaces nothing unasked', async (t) => {
  const dir = await folder(t)
  const { result } = await on.reforge.upload(await uploadTask(), new File([on.png], 'ü.png'))
  const file = result.files?.[0]
  assert.ok(file?.url)
  assert.deepEqual(await save(on.reforge, file, dir), { path: join(dir, 'ü.png'), size: on.png.length })
  await assert.rejects(save(on.reforge, file, join(dir, 'ü.png')), { code: 'EEXIST' })
  await save(on.reforge, file.url, join(dir, 'deep/other.png'))
  await save(on.reforge, file, join(dir, 'ü.png'), { overwrite: true })
  assert.deepEqual(await readFile(join(dir, 'deep/other.png')), on.png)
  await assert.rejects(save(on.reforge, `${file.url}x`, join(dir, 'never.png')), { status: 403 })
  assert.deepEqual((await readdir(dir)).sort(), ['deep', 'ü.png'])
})

test('a download that breaks off leaves nothing behind', async (t) => {
  const dir = await folder(t)
  const half = { download: async () => ({ stream: new Blob(['half']).stream(), filename: 'a', size: 8 }) }
  await assert.rejects(save(half, '', join(dir, 'a')), { code: 'network_error' })
  assert.deepEqual(await readdir(dir), [])
})
