import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { boxed } from '../../../test/support/boxed.ts'
import { clip, look } from '../../../test/support/clips.ts'
import { pdfFact, pdfWords, samplePdf } from '../../../test/support/sample-pdf.ts'
import { corners } from '../../../test/support/samples.ts'
import { yardsIn } from '../../../test/support/yards.ts'
import type { Engine, Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import { ffmpeg } from '../ffmpeg.ts'
import { distillArgs } from '../ghostscript/args.ts'
import { ghostscript, HABITS } from '../ghostscript.ts'
import { heif } from '../heif.ts'
import { mupdf } from '../mupdf.ts'
import { DRAWING } from '../pdf-tools/draw.ts'
import { poppler } from '../poppler.ts'
import { createResidents } from '../resident.ts'
import { rsvg } from '../rsvg.ts'
import { readMade } from './hop-files.ts'
import { keepWarm, type Said, warmHelper, warmKind } from './warm.ts'

/** Programs that were started in a box of their own. */
const started: string[] = []

/** A table at which programs are kept warm, once they are. */
async function warmTable(engine: Engine, ...programs: Parameters<typeof warmKind>[]) {
  const { make, residents } = await bench(engine, (sandbox) => ({
    ...sandbox,
    run(spec, options) {
      const { command } = spec
      started.push((typeof command === 'function' ? command((path) => path) : command).join(' '))
      return sandbox.run(spec, options)
    },
  }))
  for (const program of programs) await residents.warm(warmKind(...program))
  return make
}

/** The same where these cannot be kept warm. */
const coldTable = (engine: Engine) =>
  bench(engine, (sandbox) => ({
    ...sandbox,
    start: ({ env, ...spec }) =>
      typeof env === 'function' ? Promise.reject(new Error('nothing stays here')) : sandbox.start({ env, ...spec }),
  }))

const make = await warmTable(ffmpeg, ['ffprobe', '/usr/bin/ffprobe'], ['ffmpeg', '/usr/bin/ffmpeg'])
const cold = await coldTable(ffmpeg)

const SOURCES = ['testsrc=size=64x48:rate=25:duration=1', 'sine=duration=1']
const mov = await clip('mov', SOURCES, ['-pix_fmt', 'yuv420p', '-fflags', '+bitexact', '-c:a', 'aac'])

describe('a film that is only moved', { skip: !warmHelper && 'warm-program is not built: no compiler' }, () => {
  it('is looked at and moved without starting anything, and comes out as it would anyway', async () => {
    for (const to of ['mp4', 'mkv'] as const) {
      const given = { strip_metadata: true }
      const before = started.length
      const { files, told } = await make('convert', { ext: 'mov', bytes: mov }, to, given)
      assert.deepEqual(started.slice(before), [])
      const usual = await cold.make('convert', { ext: 'mov', bytes: mov }, to, given)
      assert.deepEqual([told, files.length], [usual.told, 1])
      const seen = async (bytes: Buffer) => {
        const { seconds, streams } = await look(bytes, to)
        return [seconds, streams]
      }
      assert.deepEqual(await seen(files[0]!), await seen(usual.files[0]!))
      assert.equal(files[0]!.length, usual.files[0]!.length)
    }
  })

  it('is coded by an ffmpeg of its own where it has to be', async () => {
    const before = started.length
    await make('convert', { ext: 'mov', bytes: mov }, 'mp4', { video_crf: 40 })
    const programs = started.slice(before)
    assert.equal(programs.length, 1)
    assert.match(programs[0]!, /\/usr\/bin\/ffmpeg/)
  })

  it('is moved by a program of its own when it is large, and looked at by one where it would have to be copied', async () => {
    const before = started.length
    const large = Buffer.concat([mov, Buffer.alloc(33 * 2 ** 20)])
    // A box of nothing behind it, as long as it says.
    large.writeUInt32BE(33 * 2 ** 20, mov.length)
    large.write('free', mov.length + 4)
    await make('convert', { ext: 'mov', bytes: large }, 'mp4')
    const programs = ['/usr/bin/ffprobe', '/usr/bin/ffmpeg'].slice(process.getuid?.() === 0 ? 1 : 0)
    assert.deepEqual(
      started.slice(before).map((line) => programs.find((program) => line.includes(program))),
      programs,
    )
  })

  it('is refused in the same words, warm or cold', async () => {
    for (const bytes of [mov.subarray(0, 2000), Buffer.concat([mov.subarray(0, 40), Buffer.alloc(3000, 7)])]) {
      const words = async (table: Pick<typeof cold, 'make'>) =>
        table.make('convert', { ext: 'mov', bytes }, 'mp4').then(
          () => 'nothing is wrong',
          (error: Error) => error.message,
        )
      assert.equal(await words({ make }), await words(cold))
      assert.notEqual(await words(cold), 'nothing is wrong')
    }
  })
})

describe('what is quick', { skip: !warmHelper && 'warm-program is not built: no compiler' }, () => {
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><text y="40">Drawn</text></svg>',
  )
  const text = samplePdf({ pages: [{ width: 200, height: 100, text: 'Words' }] })
  const twoPages = samplePdf({ pages: ['One', 'Two'].map((text) => ({ width: 200, height: 100, text })) })
  async function photograph(): Promise<Buffer> {
    const bytes = await corners().png().toBuffer()
    return (await (await coldTable(heif)).make('convert', { ext: 'png', bytes }, 'heic')).files[0]!
  }
  const page = Buffer.from(
    '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 60\n/Times-Roman findfont 20 scalefont setfont 9 20 moveto (Set) show\n',
  )
  const kinds: readonly [Engine, Parameters<typeof warmKind>, from: Ext, to: Ext, () => Promise<Buffer>][] = [
    [poppler, ['pdftotext', '/usr/bin/pdftotext'], 'pdf', 'txt', async () => Buffer.from(text)],
    [poppler, ['pdftoppm', '/usr/bin/pdftoppm', DRAWING], 'pdf', 'jpg', async () => Buffer.from(twoPages)],
    [mupdf, ['mutool', '/usr/bin/mutool', DRAWING], 'pdf', 'png', async () => Buffer.from(twoPages)],
    [rsvg, ['rsvg', '/usr/bin/rsvg-convert'], 'svg', 'pdf', async () => drawing],
    [heif, ['heif-convert', '/usr/bin/heif-convert'], 'heic', 'jpg', photograph],
    [ghostscript, ['ghostscript', '/usr/bin/gs', HABITS], 'eps', 'pdf', async () => page],
  ]
  for (const [engine, program, from, to, sample] of kinds)
    it(`is done without starting anything: ${from} to ${to}`, async () => {
      const bytes = await sample()
      const warm = await warmTable(engine, program)
      const before = started.length
      const { files } = await warm('convert', { ext: from, bytes }, to)
      assert.deepEqual(started.slice(before), [])
      const usual = await (await coldTable(engine)).make('convert', { ext: from, bytes }, to)
      // A PDF says when it was made.
      const seen = async (file: Buffer) =>
        to === 'pdf' ? [await pdfWords(file), await pdfFact(file, 'Page size')] : file.toString('latin1')
      assert.equal(files.length, bytes.includes('Two') ? 2 : 1)
      assert.deepEqual(await Promise.all(files.map(seen)), await Promise.all(usual.files.map(seen)))
    })

  it('is done by a program of its own while the warm one starts', async () => {
    const bytes = Buffer.from(text)
    const make = await warmTable(poppler)
    const before = started.length
    await make('convert', { ext: 'pdf', bytes }, 'txt')
    assert.match(started.slice(before).join(), /pdftotext/)
  })
})

describe('a child of a warm program', { skip: !warmHelper && 'warm-program is not built: no compiler' }, async () => {
  const { sandbox, dir } = await boxed()
  const yards = yardsIn(dir)
  const residents = createResidents(sandbox, { yards })
  after(() => residents.close())
  const ffprobe = keepWarm('ffprobe-of-the-test', '/usr/bin/ffprobe')
  await residents.warm(warmKind('ffprobe-of-the-test', '/usr/bin/ffprobe'))
  const path = join(dir, 'film.mov')
  await writeFile(path, mov)
  const input = { path, format: 'mov', filename: 'film.mov', size: mov.length } as const
  const { signal } = new AbortController()
  const ask: Work['ask'] = (kind, question, from, to) => residents.ask(kind, 'tester', question, from, to, signal)
  let count = 0
  /** What it says when it is to open something. */
  async function opening(what: (own: string) => readonly string[]): Promise<Said & { told: string }> {
    count += 1
    const output = `told-${count}.txt`
    const args = (own: string) => ['-v', 'error', '-show_entries', 'format=nb_streams', ...what(own)]
    const said = await ffprobe({ ask, dir }, { input, output, fromStdout: true, args })
    assert.ok(said)
    return { ...said, told: said.ok ? await readMade({ dir }, output) : '' }
  }

  it('is not asked with words that would be read as several, or be cut off', async () => {
    const asked = (...more: string[]) =>
      ffprobe({ ask, dir }, { input, output: 'none.txt', fromStdout: true, args: (own) => [own, ...more] })
    for (const more of [['-metadata', 'title=a\n-i'], ['a\0stdout=b'], Array(300).fill('-an'), ['x'.repeat(40_000)]])
      assert.equal(await asked(...more), null)
  })

  it('that goes round in circles has done enough at some time, and is not tried again the usual way', async () => {
    const habits = { ...HABITS, cpu: 1 }
    const gs = keepWarm('gs-of-the-test', '/usr/bin/gs', habits)
    await residents.warm(warmKind('gs-of-the-test', '/usr/bin/gs', habits))
    const program = Buffer.from('%!PS\n{ 1 pop } loop\n')
    const endless = {
      path: join(dir, 'endless.ps'),
      format: 'ps',
      filename: 'endless.ps',
      size: program.length,
    } as const
    await writeFile(endless.path, program)
    const args = (own: string, to: string) => distillArgs(false, own, to)
    await assert.rejects(gs({ ask, dir }, { input: endless, output: 'out.pdf', args }), { errorCode: 'engine_timeout' })
  })

  it('reads its own file, several at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => opening((own) => ['-i', `file:${own}`])))
    for (const { ok, told } of all) assert.deepEqual([ok, /nb_streams=2/.test(told)], [true, true])
  })

  it('reads no other file and reaches no network', async () => {
    const data = ['-f', 'data', '-i']
    assert.equal((await opening((own) => [...data, `file:${own}`])).ok, true)
    for (const other of ['/etc/passwd', '/proc/self/environ', '/tmp/home', path, '../../'])
      assert.equal((await opening(() => [...data, `file:${other}`])).ok, false, other)
    let reached = 0
    const server = createServer((socket) => {
      reached += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    try {
      await new Promise((resolve) => server.once('listening', resolve))
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      assert.equal((await opening(() => ['-i', `tcp://127.0.0.1:${port}`])).ok, false)
      assert.equal(reached, 0)
    } finally {
      server.close()
    }
  })

  it('says why where it fails', async () => {
    const { ok, words } = await opening(() => ['-i', 'file:nothing.mov'])
    assert.equal(ok, false)
    assert.match(words, /nothing\.mov: No such file/)
  })
})
