import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import {
  ask,
  lockedPdf,
  pdfFact,
  pdfWords,
  type SamplePage,
  samplePdf,
  soundPdf,
  stream,
  through,
} from '../../test/support/sample-pdf.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { resolve } from '../catalog/resolve.ts'
import { Failure } from '../core/errors.ts'
import { reading } from './tesseract/run.ts'
import { tesseract } from './tesseract.ts'

const table = await bench(tesseract)

/** Words as pixels: 300 × 100 points at 200 dots per inch. */
const png = (
  await through(
    'pdftoppm',
    ['-r', '200', '-png', '-singlefile', '{}', '{out}'],
    samplePdf({ pages: [{ height: 100, text: 'Searchable words' }] }),
    'pdf',
    '.png',
  )
).made
const jpg = await sharp(png).jpeg({ quality: 95 }).toBuffer()

/** A scanned page, turned and not, and one that has its words. */
async function scan(): Promise<Buffer> {
  return onPages(jpg, [{ height: 100, paint: 'q 300 0 0 100 0 0 cm /I Do Q' }, { text: 'Typed' }])
}

async function onPages(picture: Buffer, pages: readonly SamplePage[]): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode`
  return samplePdf({ pages, objects: [stream(picture.toString('latin1'), entries)] })
}
const pdf = await scan()
const make = async (from: Ext, bytes: Buffer, to: Ext, given = {}): Promise<Buffer> =>
  (await table.make('convert', { ext: from, bytes }, to, given)).files[0]!
const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.match(error.message, words)
  return true
}

engineContract(tesseract, table, {
  files: { pdf, png, jpg, tiff: await sharp(png).tiff().toBuffer() },
  async opens(bytes, ext) {
    if (ext === 'pdf') await soundPdf(bytes)
    const text = ext === 'pdf' ? await pdfWords(bytes) : bytes.toString()
    assert.match(text, /Searchable\s+words/)
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([tesseract]), []))

describe('a scanned PDF', () => {
  it('shows what it showed, with words where they are seen', async () => {
    const made = await make('pdf', pdf, 'pdf')
    assert.match(await ask('pdfimages', ['-list', '{}'], made), / jpeg /)
    const box = await ask('pdftotext', ['-bbox', '-l', '1', '{}', '-'], made)
    const [, left, top] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>Searchable</.exec(box) ?? []
    assert.ok(Math.abs(Number(left) - 20) < 4 && Math.abs(Number(top) - 30) < 8, `${left} ${top}`)
    const drawn = async (bytes: Buffer) =>
      (await through('mutool', ['draw', '-q', '-F', 'png', '-o', '{out}', '{}', '1'], bytes)).made
    const pixels = async (bytes: Buffer) =>
      sharp(await drawn(bytes))
        .raw()
        .toBuffer()
    assert.ok((await pixels(made)).equals(await pixels(pdf)))
  })

  it('that has words already gets no others, unless all pages are to be read', async () => {
    assert.equal((await pdfWords(await make('pdf', pdf, 'pdf'))).match(/Typed/g)?.length, 1)
    const all = await make('pdf', pdf, 'pdf', { ocr_pages: 'all', pdf_pages: '2' })
    assert.equal((await ask('pdftotext', ['-raw', '{}', '-'], all)).match(/Typed/g)?.length, 2)
  })

  it('stays under its password', async () => {
    const made = await make('pdf', await lockedPdf(pdf, 'geheim'), 'pdf', { pdf_password: 'geheim', pdf_pages: '1' })
    await assert.rejects(soundPdf(made), /invalid password/)
    assert.match((await pdfFact(made, 'Encrypted', '-upw', 'geheim')) ?? '', /^yes/)
  })
})

/** Text as pixels. */
const lettered = async (text: string, paint = ''): Promise<Buffer> => {
  const args = ['-r', '150', '-png', '-singlefile', '{}', '{out}']
  return (await through('pdftoppm', args, samplePdf({ pages: [{ text, paint }] }), 'pdf', '.png')).made
}
const german = await lettered('Größe übt Maß')
const two = await lettered('Below', 'BT /F 24 Tf 20 160 Td (Above) Tj ET')
const sampled = (bytes: Buffer) => async (from: Ext) => {
  if (from !== 'pdf')
    return sharp(bytes)
      .toFormat(from === 'jpg' ? 'jpeg' : 'png')
      .toBuffer()
  const paint = 'q 300 0 0 200 0 0 cm /I Do Q'
  return onPages(await sharp(bytes).removeAlpha().toColourspace('srgb').jpeg({ quality: 95 }).toBuffer(), [{ paint }])
}
const read = async ({ files }: Made, to: Ext): Promise<string> =>
  to === 'pdf' ? pdfWords(files[0]!) : files[0]!.toString().replace(/\s+/g, ' ').trim()

optionProofs(tesseract, table, {
  files: { pdf, png },
  proofs: {
    ocr_language: proof({ sample: sampled(german), given: 'deu', see: read, shows: 'Größe übt Maß' }),
    ocr_layout: [
      proof({
        on: { to: ['txt'] },
        sample: sampled(two),
        given: 'sparse',
        without: 'block',
        see: ({ files }) => files[0]!.toString().trim(),
        shows: 'Above\n\nBelow',
      }),
      proof({
        on: { to: ['pdf'] },
        sample: sampled(two),
        given: 'line',
        without: 'block',
        see: async (made, to) => (await read(made, to)).includes('Above Below'),
        shows: false,
      }),
    ],
    // What it says is not what is seen on it.
    ocr_pages: proof({
      sample: await onPages(jpg, [{ height: 100, paint: 'q 300 0 0 100 0 0 cm /I Do Q 3 Tr', text: 'Hidden' }]),
      given: 'all',
      see: async (made, to) => (await read(made, to)).includes('Searchable'),
      shows: true,
    }),
    pdf_pages: proof({ given: '2', see: read, shows: 'Typed' }),
    pdf_password: proof({
      sample: await lockedPdf(pdf, 'geheim'),
      with: { pdf_pages: '2' },
      given: 'geheim',
      elseFails: true,
      see: ({ files }) => assert.equal(files.length, 1),
    }),
  },
})

describe('what is to be read', () => {
  it('may be in installed languages only', () => {
    const asked = (ocr_language: string) => resolve(reading, { ocr_language })
    assert.deepEqual(asked('eng+eng').issues, [])
    assert.match(asked('xyz').issues[0]?.message ?? '', /must be languages of .*eng/)
    assert.equal(asked('eng -c x').issues.length, 1)
  })

  it('is looked for as its layout says', async () => {
    const two = samplePdf({ pages: [{ text: 'Below', paint: 'BT /F 24 Tf 20 160 Td (Above) Tj ET' }] })
    const args = ['-r', '150', '-png', '-singlefile', '{}', '{out}']
    const { made } = await through('pdftoppm', args, two, 'pdf', '.png')
    const read = async (ocr_layout: string) => (await make('png', made, 'txt', { ocr_layout })).toString()
    assert.match(await read('block'), /Above\s+Below/)
    assert.doesNotMatch(await read('line').catch(String), /Above\s+Below/)
  })

  it('is said to be missing where there is nothing', async () => {
    const blank = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await assert.rejects(make('png', blank, 'txt'), failure(/No text was found in "sample\.png"/))
  })
})
