import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract, WHOLE } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import { ask, lockedPdf, pdfFact, samplePdf, soundPdf, stream, through } from '../../test/support/sample-pdf.ts'
import { colourAt, corners } from '../../test/support/samples.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { mupdf } from './mupdf.ts'

const table = await bench(mupdf)

const pdf = samplePdf({
  pages: [{ text: 'First page', paint: '1 0 0 rg 200 0 100 200 re f' }, { text: 'Second page' }],
})
const xps = (
  await through('gs', ['-q', '-dSAFER', '-dNOPAUSE', '-dBATCH', '-sDEVICE=xpswrite', '-sOutputFile={out}', '{}'], pdf)
).made
const picture = await corners(80, 40).jpeg().toBuffer()
const cbz = zipOf({ '01.jpg': picture, '02.jpg': picture })

const make = async (to: Ext, given = {}): Promise<Buffer[]> =>
  (await table.make('convert', { ext: 'pdf', bytes: pdf }, to, given)).files

engineContract(mupdf, table, {
  files: { pdf, xps, cbz },
  async opens(bytes, ext) {
    if (ext === 'png') assert.ok((await sharp(bytes).stats()).isOpaque)
    else if (ext === 'html') assert.match(bytes.toString(), /First page.*Second page/s)
    else {
      await soundPdf(bytes)
      assert.equal(await pdfFact(bytes, 'Pages'), '2')
    }
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([mupdf]), []))

it('a comic keeps its pictures as they are', async () => {
  const { files } = await table.make('convert', { ext: 'cbz', bytes: cbz }, 'pdf')
  const list = await ask('pdfimages', ['-list', '{}'], files[0]!)
  assert.equal(list.match(/80\s+40 .*jpeg/g)?.length, 2)
})

describe('pages as PNG', () => {
  it('have the resolution, and are the pages, that were asked for', async () => {
    const files = await make('png', { pdf_dpi: 72, pdf_pages: '2' })
    assert.equal(files.length, 1)
    const { width, height } = await sharp(files[0]).metadata()
    assert.deepEqual([width, height], [300, 200])
  })

  it('are all there when there are many', async () => {
    for (const count of [2, 3, 4, 30]) {
      const pages = Array.from({ length: count }, (_, at) => ({ text: String(at) }))
      const sample = { ext: 'pdf', bytes: samplePdf({ pages }) } as const
      assert.equal((await table.make('convert', sample, 'png', { pdf_dpi: 10 })).files.length, count)
    }
  })

  it('are refused before drawing when they would be too big', async () => {
    const sample = { ext: 'pdf', bytes: samplePdf({ pages: [{ width: 14_000, height: 14_000 }] }) } as const
    await assert.rejects(table.make('convert', sample, 'png'), /Page 1 would become 29167 × 29167 pixels; .* pdf_dpi/)
  })

  it('are drawn by another program where this one goes round in circles', { skip: !WHOLE }, async () => {
    // A letter is painted with a letter that is filled with a pattern of the first.
    const font = (glyphs: string, resources: string): string =>
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.01 0 0 .01 0 0]/FirstChar 97/LastChar 98/Widths[900 900]/Encoding<</Type/Encoding/Differences[97/a/b]>>/CharProcs<<${glyphs}>>/Resources<<${resources}>>>>`
    const tiles =
      '/Type/Pattern/PaintType 1/PatternType 1/TilingType 2/Matrix[.9 0 0 .9 0 0]/BBox[0 0 60 60]/XStep 55/YStep 32'
    const bytes = samplePdf({
      pages: [
        {
          paint: '0 1 0 rg 200 100 100 100 re f BT /A 20 Tf 20 20 Td (ab) Tj ET',
          more: '/Resources<</Font<</F 3 0 R/A 10 0 R>>>>',
        },
      ],
      objects: [
        font('/a 11 0 R/b 15 0 R', '/Font<</B 12 0 R>>'),
        stream('1000 0 d0 20 w 0 0 750 750 re s BT /B 50 Tf (aaa) Tj ET'),
        font('/a 13 0 R', '/Font<</F 3 0 R>>/Pattern<</P 14 0 R>>'),
        stream('900 0 d0 2 Tr 10 w /Pattern cs /P scn BT /F 60 Tf 30 0 0 30 15 15 Tm -3 Tc (ab) Tj ET'),
        stream('BT /A 4 Tf 10 0 0 10 1 1 Tm (ba) Tj ET', `${tiles}/Resources<</Font<</A 10 0 R>>>>`),
        stream('1000 0 d0 20 w 0 0 m 375 750 l 750 0 l s'),
      ],
    })
    const { files } = await table.make('convert', { ext: 'pdf', bytes }, 'png')
    assert.equal(await colourAt(files[0]!, 0.9, 0.1), '#00ff00')
  })

  it('can lose their paper, their colours, or both', async () => {
    const [clear] = await make('png', { pdf_transparent: true })
    const stats = await sharp(clear).stats()
    assert.equal(stats.isOpaque, false)
    assert.equal(await colourAt(clear!, 0.9, 0.1), '#ff0000')
    const [gray] = await make('png', { image_grayscale: true })
    assert.equal((await sharp(gray).metadata()).channels, 1)
    const [both] = await make('png', { image_grayscale: true, pdf_transparent: true })
    const { channels, hasAlpha } = await sharp(both).metadata()
    assert.deepEqual([channels, hasAlpha], [2, true])
  })
})

optionProofs(mupdf, table, {
  files: { pdf },
  proofs: {
    pdf_dpi: proof({ given: 36, see: async ({ files }) => (await sharp(files[0]).metadata()).width, shows: 150 }),
    pdf_pages: [
      proof({
        on: { to: ['png'] },
        given: '2',
        see: async ({ files }) => [files.length, await colourAt(files[0]!, 0.9, 0.1)],
        shows: [1, '#ffffff'],
      }),
      proof({ on: { to: ['html'] }, given: '2', see: ({ files }) => files[0]!.includes('First'), shows: false }),
    ],
    pdf_password: proof({
      sample: await lockedPdf(pdf, 'geheim'),
      given: 'geheim',
      elseFails: true,
      see: ({ files }, to) => assert.equal(files.length, to === 'png' ? 2 : 1),
    }),
    pdf_transparent: proof({
      given: true,
      see: async ({ files }) => (await sharp(files[0]).stats()).isOpaque,
      shows: false,
    }),
    image_grayscale: proof({
      given: true,
      see: async ({ files }) => (await sharp(files[0]).metadata()).channels,
      shows: 1,
    }),
    pdf_html_layout: proof({ given: 'flow', see: ({ files }) => files[0]!.includes('top:'), shows: false }),
  },
})

it('HTML keeps every line in its place, or flows', async () => {
  assert.match((await make('html'))[0]!.toString(), /<p style="top:/)
  assert.doesNotMatch((await make('html', { pdf_html_layout: 'flow' }))[0]!.toString(), /top:/)
  assert.doesNotMatch((await make('html', { pdf_pages: '2' }))[0]!.toString(), /First/)
})
