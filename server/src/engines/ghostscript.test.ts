import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { storedPictures } from '../../test/support/pdf-look.ts'
import {
  ask,
  lockedPdf,
  pdfFact,
  pdfWords,
  samplePdf,
  soundPdf,
  stream,
  unpacked,
} from '../../test/support/sample-pdf.ts'
import { colourAt, photo } from '../../test/support/samples.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { ghostscript } from './ghostscript.ts'

const table = await bench(ghostscript)

const eps = Buffer.from(
  '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 10 20 110 70\n1 0 0 setrgbcolor 0 0 200 200 rectfill\n%%EOF\n',
)
const ps = Buffer.from(
  '%!PS-Adobe-3.0\n/Helvetica findfont 24 scalefont setfont 50 50 moveto (Written) show showpage\n',
)

/** A photograph at 216 dots per inch, with a line of text. */
async function photoPdf(): Promise<Buffer> {
  const jpeg = await photo(600, 450).jpeg({ quality: 95 }).toBuffer()
  const entries =
    '/Type/XObject/Subtype/Image/Width 600/Height 450/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode'
  return samplePdf({
    pages: [{ width: 200, height: 150, text: 'Words', paint: 'q 200 0 0 150 0 0 cm /I Do Q' }],
    objects: [stream(jpeg.toString('latin1'), entries)],
  })
}
const pdf = await photoPdf()
const make = (given = {}, bytes = pdf) => table.make('compress', { ext: 'pdf', bytes }, 'pdf', given)
const convert = (ext: Ext, bytes: Buffer, to: Ext, given = {}) => table.make('convert', { ext, bytes }, to, given)
const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.match(error.message, words)
  return true
}
/** Width and dots per inch of the first picture in it. */
const pictured = async (bytes: Buffer): Promise<[number, number]> => {
  const [, , line = ''] = (await ask('pdfimages', ['-list', '{}'], bytes)).split('\n')
  const cells = line.trim().split(/\s+/)
  return [Number(cells[3]), Number(cells[12])]
}

engineContract(ghostscript, table, {
  files: { pdf, eps, ps, ai: pdf },
  async opens(bytes, ext) {
    if (ext === 'tiff') await sharp(bytes).stats()
    else await soundPdf(bytes)
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([ghostscript]), []))

describe('PostScript', () => {
  it('that is encapsulated becomes a page of its own size', async () => {
    const { files } = await convert('eps', eps, 'pdf')
    assert.equal(await pdfFact(files[0]!, 'Page size'), '100 x 50 pts')
  })

  it('keeps its words, with their font', async () => {
    const { files } = await convert('ps', ps, 'pdf')
    assert.equal(await pdfWords(files[0]!), 'Written')
    assert.match(await ask('pdffonts', ['{}'], files[0]!), /Helvetica|Nimbus/)
  })

  it('reads no file of the machine', async () => {
    const curious = Buffer.from('%!PS\n(/etc/passwd) (r) file 100 string readstring pop show showpage\n')
    await assert.rejects(convert('ps', curious, 'pdf'), failure(/could not be read/))
  })

  it('that is none is refused', async () => {
    await assert.rejects(convert('ps', Buffer.from('%!PS\n(no end'), 'pdf'), failure(/could not be read|produced no/))
  })
})

const [PLAIN, G4, LZW] = [1, 4, 5]
/** How the first page of a TIFF is packed: its tag 259. */
function packing(bytes: Buffer): number | undefined {
  const at = bytes.readUInt32LE(4)
  const tags = Array.from({ length: bytes.readUInt16LE(at) }, (_, index) => at + 2 + index * 12)
  return tags.filter((tag) => bytes.readUInt16LE(tag) === 259).map((tag) => bytes.readUInt16LE(tag + 8))[0]
}

describe('pages as TIFF', () => {
  const two = samplePdf({ pages: [{ paint: '1 0 0 rg 0 0 300 200 re f' }, { text: 'Second' }] })

  it('are all in one file, or one each', async () => {
    const { files } = await convert('pdf', two, 'tiff', { pdf_dpi: 72 })
    const { pages, width, height } = await sharp(files[0]).metadata()
    assert.deepEqual([files.length, pages, width, height, packing(files[0]!)], [1, 2, 300, 200, LZW])
    const each = await convert('pdf', two, 'tiff', { tiff_multipage: false, tiff_compression: 'none', pdf_dpi: 72 })
    assert.equal(each.files.length, 2)
    assert.equal(packing(each.files[0]!), PLAIN)
    assert.equal(await colourAt(each.files[0]!, 0.5, 0.5), '#ff0000')
  })

  it('have the colours that were asked for', async () => {
    const look = async (tiff_color: string) =>
      (await convert('pdf', two, 'tiff', { tiff_color, pdf_pages: '2', pdf_dpi: 72 })).files[0]!
    assert.equal((await sharp(await look('gray')).metadata()).channels, 1)
    const fax = await look('bw')
    const { bitsPerSample, width } = await sharp(fax).metadata()
    assert.deepEqual([packing(fax), bitsPerSample, width], [G4, 1, 300])
  })
})

const three = samplePdf({ pages: ['1 0 0', '0 1 0', '0 0 1'].map((rgb) => ({ paint: `${rgb} rg 0 0 300 200 re f` })) })
const tiff = { on: { to: ['tiff'] }, sample: three } as const
const fact =
  (name: string) =>
  ({ files }: Made) =>
    pdfFact(files[0]!, name)

optionProofs(ghostscript, table, {
  files: { pdf },
  proofs: {
    pdf_compress_profile: proof({
      given: 'screen',
      see: async ({ files }) => (await pictured(files[0]!))[1],
      shows: 72,
    }),
    compress_max_filesize: proof({
      given: 6,
      see: ({ files }) => files[0]!.length,
      shows: (changed, usual) => assert.ok(changed <= 6000 && usual > 6000, `${changed} and ${usual}`),
    }),
    pdf_image_dpi: proof({ given: 100, see: async ({ files }) => (await pictured(files[0]!))[1], shows: 100 }),
    pdf_image_quality: proof({
      given: 10,
      see: async ({ files }) => (await storedPictures(files[0]!))[0]!.bytes.length,
      shows: (changed, usual) => assert.ok(changed < usual / 2, `${changed} and ${usual}`),
    }),
    pdf_grayscale: proof({
      given: true,
      see: async ({ files }) => / gray /.test(await ask('pdfimages', ['-list', '{}'], files[0]!)),
      shows: true,
    }),
    strip: proof({ given: true, see: fact('Title'), shows: (changed) => assert.equal(changed, undefined) }),
    pdf_linearize: proof({ given: true, see: fact('Optimized'), shows: 'yes' }),
    pdf_password: proof({
      sample: await lockedPdf(three, 'geheim'),
      given: 'geheim',
      elseFails: true,
      see: ({ files }) => assert.equal(files.length, 1),
    }),
    pdf_dpi: proof({
      ...tiff,
      given: 36,
      see: async ({ files }) => (await sharp(files[0]).metadata()).width,
      shows: 150,
    }),
    pdf_pages: proof({
      ...tiff,
      given: '3,1',
      see: async ({ files }) => [(await sharp(files[0]).metadata()).pages, await colourAt(files[0]!, 0.5, 0.5)],
      shows: [2, '#0000ff'],
    }),
    tiff_multipage: proof({ ...tiff, given: false, see: ({ files }) => files.length, shows: 3 }),
    tiff_color: proof({
      ...tiff,
      given: 'gray',
      see: async ({ files }) => (await sharp(files[0]).metadata()).channels,
      shows: 1,
    }),
    tiff_compression: proof({ ...tiff, given: 'none', see: ({ files }) => packing(files[0]!), shows: PLAIN }),
  },
})

describe('compressing', () => {
  it('makes pictures smaller by profile, and keeps the words', async () => {
    const sizes: number[] = []
    for (const pdf_compress_profile of ['screen', 'ebook', 'printer']) {
      const { files } = await make({ pdf_compress_profile })
      sizes.push(files[0]!.length)
      assert.equal(await pdfWords(files[0]!), 'Words')
      await soundPdf(files[0]!)
    }
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    )
    assert.ok(sizes[1]! < pdf.length / 2)
  })

  it('heeds resolution and quality of pictures', async () => {
    const { files } = await make({ pdf_image_dpi: 100 })
    const [width, dpi] = await pictured(files[0]!)
    assert.ok(Math.abs(dpi - 100) < 3 && Math.abs(width - 278) < 5, `${width} at ${dpi}`)
    const [low, high] = [
      (await make({ pdf_image_quality: 10 })).files[0]!,
      (await make({ pdf_image_quality: 90 })).files[0]!,
    ]
    assert.ok(low.length < high.length / 2)
  })

  it('takes colours and metadata away when told', async () => {
    const gray = (await make({ pdf_grayscale: true })).files[0]!
    assert.match(await ask('pdfimages', ['-list', '{}'], gray), / gray /)
    const stripped = (await make({ strip: true, pdf_compress_profile: 'lossless' })).files[0]!
    await soundPdf(stripped)
    assert.equal(await pdfFact(stripped, 'Title'), undefined)
    assert.equal(await pdfFact((await make()).files[0]!, 'Title'), 'Sample')
    const linear = (await make({ pdf_linearize: true })).files[0]!
    assert.equal(await pdfFact(linear, 'Optimized'), 'yes')
  })

  it('loses nothing when told so', async () => {
    const { files } = await make({ pdf_compress_profile: 'lossless' })
    assert.ok(files[0]!.length < pdf.length)
    assert.deepEqual(await pictured(files[0]!), [600, 216])
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const { files } = await make({ pdf_compress_profile: 'screen' })
    const again = await make({ pdf_compress_profile: 'prepress' }, files[0])
    assert.equal(again.told.unchanged, true)
    assert.ok(again.files[0]!.equals(files[0]!))
  })

  it('reaches a size, at the best that allows it, or names the smallest', async () => {
    for (const most of [25, 6]) {
      const { files, told } = await make({ compress_max_filesize: most })
      assert.equal(typeof told.pdf_image_dpi, 'number')
      assert.ok(files[0]!.length <= most * 1000 && files[0]!.length > most * 300, `${most}: ${files[0]!.length}`)
      await soundPdf(files[0]!)
    }
    const told = await make({ compress_max_filesize: '0.5KB' }).then(
      () => assert.fail('it was made'),
      (error: Error) => /as small as 0\.5 KB; the smallest reachable size is ([\d.]+) KB/.exec(error.message)?.[1],
    )
    const { files } = await make({ compress_max_filesize: `${told}KB` })
    assert.ok(files[0]!.length <= Number(told) * 1000)
  })

  it('keeps a protected document protected', async () => {
    const bytes = await lockedPdf(pdf, 'geheim')
    await assert.rejects(make({}, bytes), failure(/protected by a password/))
    const { files } = await make({ pdf_password: 'geheim' }, bytes)
    assert.ok(files[0]!.length < bytes.length)
    await assert.rejects(unpacked(files[0]!), /invalid password/)
    assert.match((await pdfFact(files[0]!, 'Encrypted', '-upw', 'geheim')) ?? '', /^yes .*AES-256/)
  })
})
