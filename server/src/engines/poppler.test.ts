import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { ask, lockedPdf, samplePdf } from '../../test/support/sample-pdf.ts'
import { colourAt, near } from '../../test/support/samples.ts'
import { bombs } from '../../test/support/traps.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { poppler } from './poppler.ts'

const table = await bench(poppler)

const filled = (colour: string): string => `${colour} rg 0 0 300 200 re f`
const pdf = samplePdf({
  pages: [
    { text: 'First page', paint: filled('1 0 0') },
    { text: 'Second page', paint: filled('0 1 0') },
    { text: 'Third page', paint: filled('0 0 1') },
  ],
})
const make = (to: Ext, given = {}, bytes = pdf) => table.make('convert', { ext: 'pdf', bytes }, to, given)
const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.match(error.message, words)
  return true
}

/** What Ghostscript reads in PostScript. */
const words = async (bytes: Buffer): Promise<string> =>
  (await ask('gs', ['-q', '-dSAFER', '-dNOPAUSE', '-dBATCH', '-sDEVICE=txtwrite', '-o-', '{}'], bytes)).trim()

engineContract(poppler, table, {
  files: { pdf },
  async opens(bytes, ext) {
    if (ext === 'txt') assert.match(bytes.toString(), /^First page\n+Second page\n+Third page\s*$/)
    else if (ext === 'jpg' || ext === 'svg') assert.ok((await sharp(bytes).stats()).isOpaque)
    else {
      assert.match(await words(bytes), /page/)
    }
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([poppler]), []))

describe('pages as JPEG', () => {
  it('are one file each, in order, of the size the resolution gives', async () => {
    const { files } = await make('jpg', { pdf_dpi: 36 })
    assert.equal(files.length, 3)
    const { width, height } = await sharp(files[0]).metadata()
    assert.deepEqual([width, height], [150, 100])
    const colours = await Promise.all(files.map((file) => colourAt(file, 0.9, 0.1)))
    for (const [index, colour] of ['#ff0000', '#00ff00', '#0000ff'].entries()) assert.ok(near(colours[index]!, colour))
  })

  it('are all there when there are many, and it is told how far it is', async () => {
    for (const count of [2, 3, 4, 30]) {
      const pages = Array.from({ length: count }, (_, at) => ({ paint: filled(at === count - 1 ? '0 0 1' : '1 0 0') }))
      const { files, percents } = await make('jpg', { pdf_dpi: 30 }, samplePdf({ pages }))
      assert.equal(files.length, count)
      assert.ok(near(await colourAt(files.at(-1)!, 0.5, 0.5), '#0000ff'))
      if (count > 28) assert.deepEqual(percents, [(28 / 30) * 100, 100])
    }
  })

  it('can be chosen, in any order', async () => {
    const { files } = await make('jpg', { pdf_dpi: 20, pdf_pages: '3,1' })
    assert.equal(files.length, 2)
    assert.ok(near(await colourAt(files[0]!, 0.9, 0.1), '#0000ff'))
    await assert.rejects(make('jpg', { pdf_pages: '2-4' }), failure(/no page 4: the document has only 3 pages/))
  })

  it('have the quality, colours and order of loading that were asked for', async () => {
    const one = async (given: object) => (await make('jpg', { pdf_pages: '1', ...given })).files[0]!
    assert.ok((await one({ quality: 20 })).length < (await one({ quality: 95 })).length)
    assert.match(await colourAt(await one({ image_grayscale: true }), 0.9, 0.1), /^#(..)\1\1$/)
    assert.equal((await sharp(await one({ jpg_progressive: true })).metadata()).isProgressive, true)
  })

  it('show what a viewer shows of a cropped page', async () => {
    const bytes = samplePdf({ pages: [{ paint: filled('1 0 0'), more: '/CropBox[0 0 100 50]' }] })
    const { width, height } = await sharp((await make('jpg', { pdf_dpi: 72 }, bytes)).files[0]).metadata()
    assert.deepEqual([width, height], [100, 50])
  })

  it('are refused before drawing when they would be too big', async () => {
    const bytes = samplePdf({ pages: [{ width: 14_000, height: 14_000 }] })
    await assert.rejects(make('jpg', {}, bytes), failure(/Page 1 would become 29167 × 29167 pixels; .* pdf_dpi/))
  })
})

describe('text', () => {
  const columns = samplePdf({
    pages: [{ text: 'left', paint: 'BT /F 24 Tf 200 100 Td (right) Tj ET' }, { text: 'next' }],
  })

  it('keeps its place on the page when asked', async () => {
    assert.match((await make('txt', { pdf_text_layout: 'page' }, columns)).files[0]!.toString(), /left {3,}right/)
    assert.doesNotMatch((await make('txt', {}, columns)).files[0]!.toString(), /left {3,}right/)
  })

  it('has page breaks when asked', async () => {
    assert.match((await make('txt', { pdf_text_page_breaks: true }, columns)).files[0]!.toString(), /\f/)
    assert.doesNotMatch((await make('txt', {}, columns)).files[0]!.toString(), /\f/)
  })

  it('that is not there is said to be missing', async () => {
    const blank = samplePdf({ pages: [{ paint: filled('1 0 0') }] })
    await assert.rejects(make('txt', {}, blank), failure(/has no text in it/))
  })
})

const looked = async ({ files }: Made) => sharp(files[0]).metadata()

optionProofs(poppler, table, {
  files: { pdf },
  proofs: {
    pdf_dpi: proof({ given: 36, see: async (made) => (await looked(made)).width, shows: 150 }),
    quality: proof({
      given: 20,
      see: ({ files }) => ask('identify', ['-format', '%Q', '{}'], files[0]!, 'jpg'),
      shows: '20',
    }),
    image_grayscale: proof({
      given: true,
      see: async ({ files }) => /^#(..)\1\1$/.test(await colourAt(files[0]!, 0.9, 0.1)),
      shows: true,
    }),
    jpg_progressive: proof({ given: true, see: async (made) => (await looked(made)).isProgressive, shows: true }),
    pdf_pages: [
      proof({
        on: { to: ['jpg', 'svg', 'eps'] },
        given: '3',
        see: ({ files }) => files.length,
        shows: 1,
      }),
      proof({ on: { to: ['txt'] }, given: '3', see: ({ files }) => files[0]!.toString().trim(), shows: 'Third page' }),
      proof({ on: { to: ['ps'] }, given: '3', see: async ({ files }) => words(files[0]!), shows: 'Third page' }),
    ],
    pdf_password: proof({
      sample: await lockedPdf(pdf, 'geheim'),
      given: 'geheim',
      elseFails: true,
      see: ({ files }, to) => assert.equal(files.length, to === 'txt' || to === 'ps' ? 1 : 3),
    }),
    pdf_text_layout: proof({
      sample: samplePdf({ pages: [{ text: 'left', paint: 'BT /F 24 Tf 200 100 Td (right) Tj ET' }] }),
      given: 'page',
      see: ({ files }) => /left {3,}right/.test(files[0]!.toString()),
      shows: true,
    }),
    pdf_text_page_breaks: proof({ given: true, see: ({ files }) => files[0]!.includes('\f'), shows: true }),
  },
})

describe('a document that is protected or broken', () => {
  it('whose pages go round in a circle is damaged, and nothing is drawn of it', async () => {
    const [circle] = Object.values(bombs()).filter(({ bytes }) => Buffer.from(bytes).includes('/Kids[2 0 R]'))
    for (const to of ['jpg', 'txt'] as const)
      await assert.rejects(
        make(to, {}, Buffer.from(circle!.bytes)),
        failure(/Page 1 has no size: the document is damaged/),
      )
  })

  it('with a page whose crop shows nothing of it is drawn as if there were none', async () => {
    const bytes = samplePdf({ pages: [{ text: 'one' }, { text: 'two' }, { more: '/CropBox[400 400 500 500]' }] })
    const { files } = await make('jpg', { pdf_dpi: 72 }, bytes)
    const { width, height } = await sharp(files[2]).metadata()
    assert.deepEqual([files.length, width, height], [3, 300, 200])
  })

  it('opens with its password only', async () => {
    const bytes = await lockedPdf(pdf, 'Grüße -x')
    await assert.rejects(make('txt', {}, bytes), failure(/protected by a password\. Add it as the option pdf_password/))
    await assert.rejects(make('txt', { pdf_password: 'no' }, bytes), failure(/pdf_password does not open/))
    const given = { pdf_password: 'Grüße -x', pdf_pages: '2' }
    assert.match((await make('txt', given, bytes)).files[0]!.toString(), /^Second page\s*$/)
    assert.equal((await make('jpg', given, bytes)).files.length, 1)
  })

  it('needs no password where only changes are forbidden, and minds none', async () => {
    const bytes = await lockedPdf(pdf, '')
    assert.match((await make('txt', {}, bytes)).files[0]!.toString(), /First page/)
    assert.match((await make('txt', { pdf_password: 'any' })).files[0]!.toString(), /First page/)
  })

  it('is refused in plain words', async () => {
    for (const bytes of [Buffer.from('%PDF-1.4\nnothing'), pdf.subarray(0, 60)])
      await assert.rejects(make('jpg', {}, bytes), failure(/"sample\.pdf" is not a readable PDF/))
  })
})
