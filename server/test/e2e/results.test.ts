/** What comes out: names, several files, archives, options applied and ignored, formats under other names. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { clip, look } from '../support/clips.ts'
import { dataUri, picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn, taskOf } from '../support/steps.ts'
import { zipEntries } from '../support/zip-entries.ts'

const png = await picture('png', 60, 40)
const jpg = await picture('jpeg', 60, 40)
const server = await startServer()
after(() => server[Symbol.asyncDispose]())
const { create, ended, run, done, imported, download } = stepsOn(server)

const mine = await imported(png, 'sea.png')
const yours = await imported(jpg, 'hill.jpeg')
const same = await imported(png, 'sea.png')
const named = async (operation: string, body: object): Promise<string[]> =>
  (await done(operation, body)).result.files.map(({ filename }: Shown) => filename)
const metaOf = async (task: Shown) => sharp(await download(task.result.url)).metadata()

describe('the name of a result', () => {
  const to = (filename?: string) => ({
    input: mine.id,
    output_format: 'jpg',
    ...(filename !== undefined && { filename }),
  })
  for (const [given, expected] of [
    [undefined, 'sea.jpg'],
    ['holiday.jpg', 'holiday.jpg'],
    ['holiday.jpeg', 'holiday.jpeg'],
    ['holiday', 'holiday.jpg'],
    ['holiday.png', 'holiday.jpg'],
    ['v1.2', 'v1.2.jpg'],
    ['../../etc/passwd', 'passwd.jpg'],
    ['C:\\dir\\photo.jpg', 'photo.jpg'],
    ['a\nb\0c.jpg', 'abc.jpg'],
    ['CON', '_CON.jpg'],
    ['  ', 'sea.jpg'],
    ['..', 'file.jpg'],
    ['süß 海.jpg', 'süß 海.jpg'],
  ] as const)
    test(`${JSON.stringify(given)} becomes ${expected}`, async () => {
      assert.deepEqual(await named('convert', to(given)), [expected])
    })

  test('an import keeps the name it is given; the format tells the truth', async () => {
    const task = await imported(png, 'really.gif')
    assert.deepEqual([task.result.filename, task.result.format], ['really.gif', 'png'])
  })

  test('an import of no known format is imported all the same', async () => {
    const task = await imported(Buffer.from([1, 2, 3, 250]), 'thing.xyz')
    assert.deepEqual([task.status, task.result.format, task.result.filename], ['completed', 'bin', 'thing.xyz'])
  })

  test('several files under one name are numbered', async () => {
    const input = [mine.id, yours.id]
    assert.deepEqual(await named('export/url', { input, filename: 'both' }), ['both-1.png', 'both-2.jpg'])
    assert.deepEqual(await named('convert', { input, output_format: 'webp', filename: 'pair.webp' }), [
      'pair-1.webp',
      'pair-2.webp',
    ])
    assert.deepEqual(await named('export/url', { input }), ['sea.png', 'hill.jpeg'])
  })

  test('an export of an export renames, and links to the same bytes', async () => {
    const first = await done('export/url', { input: mine.id, filename: 'first' })
    const second = await done('export/url', { input: first.id, filename: 'second.png' })
    assert.equal(second.result.filename, 'second.png')
    assert.deepEqual(await download(second.result.url), png)
  })
})

describe('an archive', () => {
  test('holds all files under different names, and opens', async () => {
    const task = await done('export/url', { input: [mine.id, yours.id, same.id], archive_multiple_files: true })
    assert.deepEqual([task.result.files.length, task.result.format, task.result.filename], [1, 'zip', 'files.zip'])
    const entries = zipEntries(await download(task.result.url))
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['sea.png', 'hill.jpeg', 'sea-1.png'],
    )
    assert.deepEqual(
      entries.map(({ bytes }) => bytes),
      [png, jpg, png],
    )
  })

  test('is made for one file too, under the name given', async () => {
    const task = await done('export/url', { input: [mine.id], archive_multiple_files: 'true', filename: 'pack.png' })
    assert.equal(task.result.filename, 'pack.zip')
    assert.equal(zipEntries(await download(task.result.url)).length, 1)
  })

  test('comes from renamed exports, and of everything in a job', async () => {
    const job = await create('jobs', {
      tasks: {
        a: { operation: 'import/base64', file: dataUri(png), filename: 'x.png' },
        b: { operation: 'convert', input: 'a', output_format: 'jpg' },
        named: { operation: 'export/url', input: 'b', filename: 'nice' },
        all: { operation: 'export/url', input: ['a', 'named'], archive_multiple_files: true },
      },
    })
    const { tasks } = await ended('jobs', job.id)
    const entries = zipEntries(await download(tasks[3].result.url))
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['x.png', 'nice.jpg'],
    )
  })

  test('may be archived again', async () => {
    const inner = await done('export/url', { input: mine.id, archive_multiple_files: true })
    const outer = await done('export/url', { input: [inner.id], archive_multiple_files: true, filename: 'outer' })
    const [entry] = zipEntries(await download(outer.result.url))
    assert.deepEqual(
      zipEntries(entry!.bytes).map(({ name }) => name),
      ['sea.png'],
    )
  })
})

describe('options', () => {
  const toJpg = (options: object) => done('convert', { input: mine.id, output_format: 'jpg', options })

  test('are applied, and the result tells which, defaults included', async () => {
    const task = await toJpg({ image_custom_width: 30, quality: 40 })
    assert.equal((await metaOf(task)).width, 30)
    const { applied, ignored } = task.result.options
    assert.deepEqual([applied.quality, applied.image_custom_width, applied.strip], [40, 30, true])
    assert.deepEqual(ignored, [])
  })

  test('may be numbers and booleans as strings', async () => {
    const task = await toJpg({ image_custom_width: '30', strip: 'false', 'auto-orient': 'true' })
    const { applied } = task.result.options
    assert.deepEqual([applied.image_custom_width, applied.strip, applied['auto-orient']], [30, false, true])
  })

  test('that are empty are as if not sent', async () => {
    const { applied } = (await toJpg({ image_custom_width: '', quality: null })).result.options
    assert.deepEqual([applied.image_custom_width, applied.quality], [undefined, 85])
  })
})

describe('formats', () => {
  test('are known under their other names', async () => {
    const jpeg = await done('convert', { input: mine.id, input_format: 'PNG', output_format: 'jpeg' })
    assert.deepEqual([jpeg.result.format, jpeg.result.filename], ['jpg', 'sea.jpg'])
    const tif = await done('convert', { input: yours.id, input_format: 'jpeg', output_format: 'TIF' })
    assert.deepEqual([tif.result.format, tif.result.filename], ['tiff', 'hill.tiff'])
    assert.equal((await metaOf(tif)).format, 'tiff')
  })

  test('are found from the content, whatever the name says', async () => {
    const liar = await imported(jpg, 'liar.png')
    assert.equal(liar.result.format, 'jpg')
    assert.equal((await done('convert', { input: liar.id, output_format: 'webp' })).result.filename, 'liar.webp')
    const wrong = await run('convert', { input: liar.id, input_format: 'png', output_format: 'webp' })
    assert.match(wrong.result.msg, /"liar.png" is JPEG \(jpg\), not png/)
  })

  test('unknown as input_format are accepted at creation and fail the task', async () => {
    const task = await run('convert', { input: mine.id, input_format: 'nonsense', output_format: 'jpg' })
    assert.deepEqual([task.status, task.result.errorCode], ['failed', 'processing_failed'])
    assert.match(task.result.msg, /nonsense/)
  })
})

describe('compress, crop, merge', () => {
  test('compress makes it smaller, in the same format', async () => {
    const big = await imported(await picture('jpeg', 600, 400), 'big.jpg')
    const task = await done('compress', { input: big.id, options: { quality: 30 } })
    assert.equal(task.result.format, 'jpg')
    assert.ok(task.result.size < big.result.size)
  })

  test('compress reaches a size, or fails telling the smallest', async () => {
    const big = await imported(await picture('jpeg', 600, 400), 'big.jpg')
    const options = (compress_max_filesize: string) => ({ compress_image: 'by_size', compress_max_filesize })
    const task = await done('compress', { input: big.id, options: options('15KB') })
    assert.ok(task.result.size <= 15_000)
    const failed = await run('compress', { input: big.id, options: options('100B') })
    assert.equal(failed.status, 'failed')
    assert.match(failed.result.msg, /smallest reachable size is/)
  })

  test('crop cuts by pixels, by percent and by proportions', async () => {
    for (const [options, width, height] of [
      [{ x: 10, y: 5, width: 20, height: 10 }, 20, 10],
      [{ x: '25%', width: '50%' }, 30, 40],
      [{ aspect_ratio: '1:1' }, 40, 40],
    ] as const) {
      const meta = await metaOf(await done('crop', { input: mine.id, options }))
      assert.deepEqual([meta.format, meta.width, meta.height], ['png', width, height])
    }
    const outside = await run('crop', { input: mine.id, options: { x: 100, y: 100, width: 5, height: 5 } })
    assert.match(outside.result.msg, /does not lie within/)
  })

  test('merge makes one animation of several pictures', async () => {
    const task = await done('merge', { input: [mine.id, yours.id, same.id], output_format: 'gif' })
    assert.deepEqual([task.result.files.length, task.result.format], [1, 'gif'])
    const meta = await sharp(await download(task.result.url), { animated: true }).metadata()
    assert.equal(meta.pages, 3)
    const bound = await done('merge', { input: [task.id, mine.id], output_format: 'pdf' })
    const { PDFDocument } = await import('@cantoo/pdf-lib')
    const document = await PDFDocument.load(await download(bound.result.url))
    assert.equal(document.getPageCount(), 4, 'every frame is a page')
  })

  test('one task takes several inputs, and each becomes a file', async () => {
    const task = await done('convert', { input: [mine.id, yours.id], output_format: 'webp' })
    assert.deepEqual(
      task.result.files.map(({ filename }: Shown) => filename),
      ['sea.webp', 'hill.webp'],
    )
    assert.equal(task.result.url, task.result.files[0].url)
  })

  test('a film and a sound become one file where the film shall have that sound', async () => {
    const card = 'testsrc=size=64x48:rate=25:duration=1'
    const film = await imported(await clip('mp4', [card, 'sine=duration=1'], ['-pix_fmt', 'yuv420p']), 'film.mp4')
    const sound = await imported(await clip('ac3', ['sine=frequency=1000:duration=1']), 'song.ac3')
    const options = { video_replace_audio: true }
    const body = { input: [film.id, sound.id], input_format: 'mp4', output_format: 'mp4', options }
    const task = await done('convert', body)
    assert.deepEqual([task.result.files.length, task.result.filename], [1, 'film.mp4'])
    assert.deepEqual(task.result.copied, ['video', 'audio'])
    const { streams } = await look(await download(task.result.url), 'mp4')
    assert.deepEqual(
      streams.map(({ codec }) => codec),
      ['h264', 'ac3'],
    )

    const refused = async (input: string[], says: RegExp) => {
      const answer = await server.call('POST', '/v1/process/convert', { input, output_format: 'mp4', options })
      assertRefused(answer, 'invalid_parameter', says, 'options.video_replace_audio')
    }
    await refused([film.id], /needs a second input/)
    await refused([film.id, sound.id, sound.id], /there are 3/)
    await refused([film.id, mine.id], /second input of the format png/)

    // What is not known when a task is made, it says when it runs.
    const one = { operation: 'import/base64', file: dataUri(await download(film.result.url)), filename: 'film.mp4' }
    const both = { operation: 'convert', input: 'one', output_format: 'mp4', options }
    const job = await ended('jobs', (await create('jobs', { tasks: { one, both } })).id)
    assert.match(taskOf(job, 'both').result.msg, /needs a second input/)
  })

  test('the same input twice is taken twice', async () => {
    const task = await done('export/url', { input: [mine.id, mine.id], archive_multiple_files: true })
    const entries = zipEntries(await download(task.result.url))
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['sea.png', 'sea-1.png'],
    )
  })
})
