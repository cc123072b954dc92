import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made, type Sample } from '../../test/support/bench.ts'
import { pageProofs } from '../../test/support/page-proofs.ts'
import { bookmarksOf, drawn, storedPictures } from '../../test/support/pdf-look.ts'
import { ask, lockedPdf, pdfFact, pdfWords, samplePdf, soundPdf, unpacked } from '../../test/support/sample-pdf.ts'
import { CORNERS, colourAt, corners } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { pdfLibDocuments } from './pdf-lib-documents.ts'

const table = await bench(pdfLibDocuments)

const pages = (...texts: string[]): Buffer => samplePdf({ pages: texts.map((text) => ({ text })) })
const pdf = (name: string, bytes: Uint8Array): Sample => ({ ext: 'pdf', bytes, filename: name })
const jpg: Sample = { ext: 'jpg', bytes: await corners(300, 150).jpeg().toBuffer(), filename: 'beach.jpg' }
const png: Sample = { ext: 'png', bytes: await corners(300, 150).png().toBuffer(), filename: 'map.png' }
const three = pdf('three.pdf', pages('one', 'two', 'three'))
const four = pdf('four.pdf', pages('alpha', 'beta', 'gamma', 'delta'))
const locked = pdf('locked.pdf', await lockedPdf(pages('hidden', 'secret'), 'hush'))

/** One page of four colours, red at the top left as the page itself lies. */
const painted = (more = ''): Buffer => {
  const quarter = (colour: string, x: number, y: number): string => `${colour} rg ${x} ${y} 150 100 re f`
  const paint = [quarter('1 0 0', 0, 100), quarter('0 1 0', 150, 100), quarter('0 0 1', 0, 0), quarter('1 1 0', 150, 0)]
  return samplePdf({ pages: [{ paint: paint.join('\n'), more }] })
}

const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.match(error.message, words)
  assert.doesNotMatch(error.message, /qpdf|\/in\/|\.json/)
  return true
}

engineContract(pdfLibDocuments, table, {
  files: { pdf: three.bytes, jpg: jpg.bytes, png: png.bytes },
  options: { crop: { width: 100, height: 100 } },
  async opens(bytes) {
    await soundPdf(bytes)
  },
})

/** The part of the first page that is left. */
const left = async ({ files }: Made): Promise<string | undefined> =>
  (await ask('pdfinfo', ['-box', '{}'], files[0]!)).match(/^CropBox:\s+(.*)$/m)?.[1]?.replace(/\s+/g, ' ')

optionProofs(pdfLibDocuments, table, {
  files: { pdf: three.bytes, jpg: jpg.bytes },
  options: { crop: { width: 100, height: 100 } },
  proofs: {
    ...pageProofs,
    merge_bookmarks: proof({ given: false, see: ({ files }) => bookmarksOf(files[0]!), shows: [] }),
    merge_pages: proof({
      on: { from: ['pdf'] },
      given: '2;3,1',
      see: ({ files }) => pdfWords(files[0]!),
      shows: 'two three one',
    }),
    pdf_password: proof({
      on: { from: ['pdf'] },
      sample: locked.bytes,
      given: 'hush',
      elseFails: true,
      see: ({ files }) => pdfFact(files[0]!, 'Pages', '-upw', 'hush'),
    }),
    x: proof({ given: 50, see: left, shows: '50.00 100.00 150.00 200.00' }),
    y: proof({ given: '10%', see: left, shows: '0.00 80.00 100.00 180.00' }),
    width: proof({ given: 60, see: left, shows: '120.00 50.00 180.00 150.00' }),
    height: proof({ given: 60, see: left, shows: '100.00 70.00 200.00 130.00' }),
    aspect_ratio: proof({ given: '2:1', see: left, shows: '100.00 75.00 200.00 125.00' }),
    gravity: proof({ given: 'top-left', see: left, shows: '0.00 100.00 100.00 200.00' }),
    pdf_pages: proof({ given: '2', see: left, shows: '0.00 0.00 300.00 200.00' }),
  },
})

async function merge(samples: readonly Sample[], given: Record<string, unknown> = {}): Promise<Buffer> {
  const { files } = await table.make('merge', samples, 'pdf', given)
  await soundPdf(files[0]!)
  return files[0]!
}

describe('merging', () => {
  it('keeps the order of documents and pictures', async () => {
    const made = await merge([jpg, three, png])
    assert.equal(await pdfFact(made, 'Pages'), '5')
    assert.match(await pdfWords(made), /^one two three$/)
    assert.equal(await colourAt(await drawn(made, 5), 0.1, 0.1), CORNERS.topLeft)
    assert.equal((await storedPictures(made))[0]?.name, 'picture-000.jpg')
    assert.ok((await storedPictures(made))[0]?.bytes.length)
  })

  it('lays pictures on pages as it is told', async () => {
    const made = await merge([jpg, three], { pdf_page_size: '1240.2x1753.95', pdf_orientation: 'portrait' })
    assert.match((await pdfFact(made, 'Page size')) ?? '', /A4/)
  })

  it('takes the pages asked for of each file', async () => {
    const chosen = async (merge_pages: string) => pdfWords(await merge([three, four, jpg], { merge_pages }))
    assert.equal(await chosen('2-3;1'), 'two three alpha')
    assert.equal(await chosen('3-1 ; all'), 'three two one alpha beta gamma delta')
    assert.equal(await chosen(';3-,1;1'), 'one two three gamma delta alpha')
    assert.equal(await chosen('1,1;4'), 'one one delta')
  })

  it('says which file has no such page, and how many files there are', async () => {
    await assert.rejects(merge([three, four], { merge_pages: '1;2-9' }), failure(/four\.pdf: .*page 9.*4 pages/))
    await assert.rejects(merge([three, jpg], { merge_pages: '1;2' }), failure(/beach\.jpg: .*page 2/))
    await assert.rejects(merge([three, four], { merge_pages: '1;2;3' }), failure(/3 files.*only 2/))
  })

  it('gives every file a bookmark with its name', async () => {
    const made = await merge([three, { ...jpg, filename: 'Grüße "aus" Köln (1).jpg' }, four], { merge_pages: '2-' })
    assert.deepEqual(await bookmarksOf(made), [
      ['three', 1, 1],
      ['Grüße "aus" Köln (1)', 1, 3],
      ['four', 1, 4],
    ])
  })

  it('keeps the bookmarks of the files below it, so far as their pages are there', async () => {
    const book = samplePdf({
      pages: [{ text: 'p1' }, { text: 'p2' }, { text: 'p3' }],
      catalog: '/Outlines 11 0 R',
      // Pages are 15, 17 and 19: two objects each, after these five.
      objects: [
        '<</Length 0>>\nstream\n\nendstream',
        '<</Type/Outlines/First 12 0 R/Last 14 0 R/Count 2>>',
        '<</Title(Chapter 1)/Parent 11 0 R/Next 14 0 R/First 13 0 R/Last 13 0 R/Count 1/Dest[15 0 R/XYZ 0 150 0]>>',
        '<</Title(Section)/Parent 12 0 R/A<</S/GoTo/D[17 0 R/Fit]>>>>',
        '<</Title(Chapter 2)/Parent 11 0 R/Prev 12 0 R/Dest[19 0 R/Fit]>>',
      ],
    })
    assert.deepEqual(await bookmarksOf(await merge([four, pdf('book.pdf', book)])), [
      ['four', 1, 1],
      ['book', 1, 5],
      ['Chapter 1', 2, 5],
      ['Section', 3, 6],
      ['Chapter 2', 2, 7],
    ])
    assert.deepEqual(await bookmarksOf(await merge([pdf('book.pdf', book), four], { merge_pages: '3,2' })), [
      ['book', 1, 1],
      ['Chapter 1', 2, 0],
      ['Section', 3, 2],
      ['Chapter 2', 2, 1],
      ['four', 1, 3],
    ])
  })

  it('leaves bookmarks away when told so', async () => {
    const made = await merge([three, four], { merge_bookmarks: false })
    assert.deepEqual(await bookmarksOf(made), [])
    assert.equal(await pdfFact(made, 'Pages'), '7')
  })

  it('keeps boxes, rotation and annotations', async () => {
    const link = '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/A<</S/URI/URI(https://example.org/a)>>>>]'
    const special = pdf('special.pdf', painted(`/Rotate 90/CropBox[10 20 200 150]/TrimBox[15 25 190 140]${link}`))
    const made = await merge([three, special])
    const boxes = await ask('pdfinfo', ['-box', '-f', '4', '-l', '4', '{}'], made)
    assert.match(boxes, /rot:\s+90/)
    assert.match(boxes, /CropBox:\s+10\.00\s+20\.00\s+200\.00\s+150\.00/)
    assert.match(boxes, /TrimBox:\s+15\.00\s+25\.00\s+190\.00\s+140\.00/)
    assert.ok((await unpacked(made)).includes('https://example.org/a'))
  })

  it('opens a protected file with its password, and says which one needs it', async () => {
    await assert.rejects(merge([three, locked]), failure(/locked\.pdf.*password.*pdf_password/))
    await assert.rejects(merge([three, locked], { pdf_password: 'wrong' }), failure(/pdf_password.*locked\.pdf/))
    const made = await merge([three, locked], { pdf_password: 'hush', merge_pages: '1' })
    assert.equal(await pdfWords(made), 'one hidden secret')
    assert.equal(await pdfFact(made, 'Encrypted'), 'no')
  })

  it('names the file that is damaged, empty or not what it seems', async () => {
    const bad: [string, Sample, RegExp][] = [
      ['cut off', pdf('cut.pdf', three.bytes.subarray(0, 200)), /cut\.pdf/],
      ['empty', pdf('nothing.pdf', Buffer.alloc(0)), /nothing\.pdf is empty/],
      ['not a PDF', pdf('noise.pdf', Buffer.from('%PDF-1.7\nnot really')), /noise\.pdf/],
      ['half a picture', { ...jpg, bytes: jpg.bytes.subarray(0, 700), filename: 'half.jpg' }, /half\.jpg.*damaged/],
    ]
    for (const [what, sample, words] of bad) await assert.rejects(merge([four, sample]), failure(words), what)
  })

  it('takes many at once, in their order, and names the one that is damaged', async () => {
    const many = Array.from({ length: 40 }, (_, at) => pdf(`part ${at}.pdf`, pages(`p${at}`, `q${at}`)))
    const made = await merge(many, { merge_pages: `2;1${';2'.repeat(38)}` })
    assert.equal(await pdfWords(made), many.map((_, at) => (at === 1 ? 'p1' : `q${at}`)).join(' '))
    assert.deepEqual(
      await bookmarksOf(made),
      many.map((_, at) => [`part ${at}`, 1, at + 1]),
    )
    const broken = many.with(23, pdf('broken.pdf', Buffer.from('%PDF-1.7\nnothing')))
    await assert.rejects(merge(broken), failure(/broken\.pdf/))
    await assert.rejects(merge(many.with(23, locked)), failure(/locked\.pdf.*password.*pdf_password/))
  })

  it('repairs a document whose index is lost', async () => {
    const text = Buffer.from(three.bytes).toString('latin1')
    const lost = Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
    assert.equal(await pdfWords(await merge([pdf('lost.pdf', lost), four], { merge_pages: '2;1' })), 'two alpha')
  })
})

describe('cropping', () => {
  async function crop(bytes: Uint8Array, given: Record<string, unknown>): Promise<Buffer> {
    const { files } = await table.make('crop', pdf('plan.pdf', bytes), 'pdf', given)
    await soundPdf(files[0]!)
    return files[0]!
  }
  const sized = async (bytes: Uint8Array, page = 1): Promise<string | undefined> =>
    (await pdfFact(bytes, `Page +${page} size`, '-f', String(page), '-l', String(page)))?.split(' pts')[0]

  it('takes the part that was asked for', async () => {
    const made = await crop(painted(), { x: 160, y: 110, width: 50, height: 60 })
    assert.equal(await sized(made), '50 x 60')
    assert.equal(await colourAt(await drawn(made), 0.5, 0.9), '#ffff00')
    const share = await crop(painted(), { x: '50%', y: 0, width: '50%', height: '50%' })
    assert.equal(await sized(share), '150 x 100')
    assert.equal(await colourAt(await drawn(share), 0.9, 0.1), '#00ff00')
  })

  it('takes the biggest part of a ratio, where it is wanted', async () => {
    assert.equal(await sized(await crop(painted(), { aspect_ratio: '1:1' })), '200 x 200')
    const made = await crop(painted(), { aspect_ratio: '3:4', gravity: 'right' })
    assert.equal(await sized(made), '150 x 200')
    assert.equal(await colourAt(await drawn(made), 0.05, 0.1), '#00ff00')
  })

  it('counts from the page as it is shown', async () => {
    // Turned clockwise, what was at the bottom left comes to the top left.
    for (const [turn, colour] of [
      [0, '#ff0000'],
      [90, '#0000ff'],
      [180, '#ffff00'],
      [-90, '#00ff00'],
      [450, '#0000ff'],
    ] as const) {
      const made = await crop(painted(`/Rotate ${turn}`), { x: 5, y: 5, width: 60, height: 40 })
      const shown = await drawn(made)
      assert.equal(await colourAt(shown, 0.9, 0.1), colour, String(turn))
      const [, width, height] = /^.{16}(.{4})(.{4})/s.exec(shown.toString('latin1')) ?? []
      const side = (text = ''): number => Buffer.from(text, 'latin1').readUInt32BE(0)
      assert.deepEqual([side(width), side(height)], [60, 40], String(turn))
    }
  })

  it('counts from what is shown of a page that is cropped already', async () => {
    const made = await crop(painted('/CropBox[150 100 300 200]'), { x: 10, y: 10, width: 20, height: 20 })
    assert.equal(await colourAt(await drawn(made), 0.5, 0.5), '#00ff00')
    assert.match(await ask('pdfinfo', ['-box', '{}'], made), /CropBox:\s+160\.00\s+170\.00\s+180\.00\s+190\.00/)
  })

  it('finds the size of a page that has it from elsewhere', async () => {
    const bytes = painted().toString('latin1')
    const box = '/MediaBox[0 0 300 200]'
    const moved = bytes.replace(box, ' '.repeat(box.length)).replace('/Type/Pages', `/Type/Pages${box}`)
    const made = await crop(Buffer.from(moved, 'latin1'), { x: 160, y: 110, width: 50, height: 60 })
    assert.equal(await colourAt(await drawn(made), 0.5, 0.5), '#ffff00')
  })

  it('counts inches where a page has big units', async () => {
    const made = await crop(painted('/UserUnit 2'), { width: 300, height: 200, x: 300, y: 0 })
    assert.match(await ask('pdfinfo', ['-box', '{}'], made), /MediaBox:\s+150\.00\s+100\.00\s+300\.00\s+200\.00/)
  })

  it('leaves other pages and everything else as they are', async () => {
    const made = await crop(three.bytes, { width: 100, height: 100, x: 0, y: 0, pdf_pages: '2-' })
    assert.deepEqual(await Promise.all([1, 2, 3].map((page) => sized(made, page))), [
      '300 x 200',
      '100 x 100',
      '100 x 100',
    ])
    assert.equal(await pdfFact(made, 'Title'), 'Sample')
  })

  it('takes the whole of a page that is not a whole number of points', async () => {
    const odd = samplePdf({ pages: [{ width: 595.276, height: 841.89 }] })
    assert.equal(await sized(await crop(odd, { width: '100%', height: '100%' })), '595.276 x 841.89')
  })

  it('says how big the page is when the part lies outside', async () => {
    const mixed = samplePdf({ pages: [{ width: 300 }, { width: 90 }] })
    await assert.rejects(crop(mixed, { x: 50, width: 50, y: 0 }), failure(/page 2 of plan\.pdf, which is 90 × 200/))
    await assert.rejects(crop(mixed, { pdf_pages: '3' }), failure(/page 3/))
  })

  it('keeps a protected document protected', async () => {
    await assert.rejects(crop(locked.bytes, { width: 100 }), failure(/plan\.pdf.*pdf_password/))
    const made = await table.make('crop', locked, 'pdf', { width: 100, x: 0, y: 0, pdf_password: 'hush' })
    await assert.rejects(soundPdf(made.files[0]!), /invalid password/)
    assert.match(await ask('pdfinfo', ['-upw', 'hush', '{}'], made.files[0]!), /Page size:\s+100 x 200/)
  })
})
