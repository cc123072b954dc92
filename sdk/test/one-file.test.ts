/** The short way: one file in, its results out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../server/test/support/until.ts'
import type { Progress } from '../src/index.ts'
import { ground } from './support.ts'

const on = ground()

test('a file is converted in one call', async () => {
  const files = await on.reforge.convert(new File([on.png], 'photo.png'), { to: 'jpg', options: { quality: 40 } })
  assert.deepEqual(
    files.map(({ filename, format }) => [filename, format]),
    [['photo.jpg', 'jpg']],
  )
  const { stream, size, filename } = await on.reforge.download(files[0]!)
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  assert.deepEqual([bytes.length, filename], [size, 'photo.jpg'])
  assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xd8, 0xff])
})

test('progress tells the upload, the wait and the work', async () => {
  const seen: Progress[] = []
  const files = await on.reforge.compress(on.png, {
    inputName: 'a.png',
    filename: 'small.png',
    onProgress: (progress) => seen.push(progress),
  })
  assert.equal(files[0]?.filename, 'small.png')
  assert.deepEqual([...new Set(seen.map(({ stage }) => stage))], ['upload', 'waiting', 'working'])
  assert.ok(seen.some(({ stage, percent, sent }) => stage === 'upload' && percent === 100 && sent === on.png.length))
})

test('several files become one, and the upload is told as one', async () => {
  const seen: number[] = []
  const pages = ['a.png', 'b.png'].map((name) => new File([on.png], name))
  const onProgress = ({ stage, sent = 0 }: Progress) => void (stage === 'upload' && seen.push(sent))
  const [merged] = await on.reforge.merge(pages, { to: 'pdf', filename: 'all.pdf', onProgress })
  assert.deepEqual([merged?.filename, merged?.format], ['all.pdf', 'pdf'])
  assert.equal(seen.at(-1), 2 * on.png.length)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
})

test('a part is cut out', async () => {
  const [part] = await on.reforge.crop(new File([on.png], 'a.png'), { options: { width: 10, height: 10 } })
  assert.equal(part?.format, 'png')
})

test('a failure says what the task to blame said', async () => {
  const failing = on.reforge.convert(new File(['this is no picture'], 'a.png'), { to: 'jpg' })
  const error = await failing.catch((caught) => caught)
  assert.deepEqual([error.code, error.errorCode], ['job_failed', 'processing_failed'])
  assert.doesNotMatch(error.message, /input task|^The job failed/)
})

test('what the server refuses outright makes no job', async () => {
  await assert.rejects(on.reforge.convert(on.png, { to: 'nope', tag: 'refused' }), { status: 400 })
  assert.equal((await on.reforge.jobs.list({ tag: 'refused' })).totalDocs, 0)
})

test('giving up cancels what is left on the server', async () => {
  const controller = new AbortController()
  async function* slow() {
    yield on.png.subarray(0, 50)
    await until(async () => (await on.reforge.jobs.list({ tag: 'given-up' })).totalDocs === 1, 'the job is there')
    controller.abort(new Error('enough'))
    await new Promise(() => {})
  }
  const running = on.reforge.convert(slow(), { to: 'jpg', tag: 'given-up', signal: controller.signal })
  await assert.rejects(running, /enough/)
  const { docs } = await on.reforge.jobs.list({ tag: 'given-up', include: 'tasks' })
  assert.equal(docs[0]?.status, 'failed')
  assert.ok(docs[0]?.tasks?.every(({ status }) => status === 'canceled' || status === 'failed'))
})
