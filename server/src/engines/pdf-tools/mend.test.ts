import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { lockedPdf, pdfFact, pdfWords, samplePdf, soundPdf, through } from '../../../test/support/sample-pdf.ts'
import type { Ext } from '../../catalog/formats.ts'
import { mupdf } from '../mupdf.ts'
import { pdfLibDocuments } from '../pdf-lib-documents.ts'
import { pdfTools } from '../pdf-tools.ts'
import { poppler } from '../poppler.ts'

const tables = { jpg: await bench(poppler), png: await bench(mupdf), pdf: await bench(pdfTools) }
const make = async (to: keyof typeof tables, bytes: Uint8Array, given: Record<string, unknown> = {}) =>
  (await tables[to].make('convert', { ext: 'pdf' as Ext, bytes }, to, given)).files

const documents = await bench(pdfLibDocuments)
const named = (bytes: Uint8Array, filename: string) => ({ ext: 'pdf' as Ext, bytes, filename })
const crop = async (bytes: Uint8Array) =>
  (await documents.make('crop', named(bytes, 'torn.pdf'), 'pdf', { width: 100, height: 50 })).files[0]!
/** With one before it and one behind it that are sound. */
const merge = async (bytes: Uint8Array, given: Record<string, unknown> = {}) => {
  const other = (text: string) => named(samplePdf({ pages: [{ text }] }), `${text}.pdf`)
  const all = [other('before'), named(bytes, 'torn.pdf'), other('behind')]
  return (await documents.make('merge', all, 'pdf', given)).files[0]!
}

const good = samplePdf({ pages: [{ text: 'First page' }, { text: 'Second page' }] }).toString('latin1')

/** Something else in a document, as long as it was, so that everything stays in its place. */
function damage(what: string, other: string): Buffer {
  assert.ok(good.includes(what) && other.length <= what.length, what)
  return Buffer.from(good.replace(what, other.padEnd(what.length)), 'latin1')
}

const LIST = '<</Type/Pages/Count 2/Kids[10 0 R 12 0 R]>>'

const damaged: Record<string, Buffer> = {
  'counts more pages than there are': damage(LIST, '<</Count 9999999999/Kids[10 0 R 12 0 R]>>'),
  'counts pages with something that is no number': damage(LIST, '<</Count 3 0 R/Kids[10 0 R 12 0 R]>>'),
  'has no list of pages': damage(LIST, 'null'),
  'has a list that leads back to itself': damage(LIST, '<</Count 3/Kids[10 0 R 2 0 R 12 0 R]>>'),
  'has a list that leads nowhere': damage(LIST, '<</Count 1/Kids[99 0 R]>>'),
}

describe('a document that', () => {
  for (const [what, bytes] of Object.entries(damaged))
    it(`${what} is drawn and written with the pages it has`, async () => {
      assert.equal((await make('jpg', bytes)).length, 2)
      assert.equal((await make('png', bytes)).length, 2)
      const [made] = await make('pdf', bytes)
      await soundPdf(made!)
      assert.equal(await pdfFact(made!, 'Pages'), '2')
      assert.match(await pdfWords(made!), /First page.*Second page/)
    })

  for (const [what, bytes] of Object.entries(damaged))
    it(`${what} is cropped, and put together with others, with the pages it has`, async () => {
      const cropped = await crop(bytes)
      await soundPdf(cropped)
      assert.deepEqual([await pdfFact(cropped, 'Pages'), await pdfFact(cropped, 'Page size')], ['2', '100 x 50 pts'])
      const merged = await merge(bytes)
      await soundPdf(merged)
      assert.match(await pdfWords(merged), /^before First page Second page behind$/)
      const some = await merge(bytes, { merge_bookmarks: false, merge_pages: ';2' })
      assert.match(await pdfWords(some), /^before Second page behind$/)
    })

  it('needs a password and is damaged as well is opened first', async () => {
    const bytes = await lockedPdf(damaged['counts more pages than there are']!, 'geheim')
    const [made] = await make('pdf', bytes, { pdf_password: 'geheim', pdf_pages: '2', pdf_remove_password: true })
    assert.match(await pdfWords(made!), /^Second page$/)
    const merged = await merge(bytes, { pdf_password: 'geheim' })
    assert.match(await pdfWords(merged), /^before First page Second page behind$/)
  })

  it('was cut off, or lost one of its pages, is refused', async () => {
    const pages = Array.from({ length: 9 }, (_, at) => ({ text: `Page ${at}` }))
    const { made } = await through('qpdf', ['--linearize', '{}', '{out}'], samplePdf({ pages }))
    const lost = damage(LIST, '<</Count 3/Kids[10 0 R 99 0 R 12 0 R]>>')
    for (const bytes of [made.subarray(0, made.length * 0.7), lost])
      for (const to of ['jpg', 'png', 'pdf'] as const)
        await assert.rejects(make(to, bytes), { errorCode: 'processing_failed' }, to)
    for (const bytes of [made.subarray(0, made.length * 0.7), lost])
      for (const does of [crop, merge])
        await assert.rejects(does(bytes), { errorCode: 'processing_failed', message: /torn\.pdf/ }, does.name)
    const rest = await merge(lost, { merge_pages: ';1,3' })
    assert.match(await pdfWords(rest), /^before First page Second page behind$/, 'the others can still be chosen')
  })

  it('has pages without a size shows them as readers do', async () => {
    const pages = [{ width: 0 }, { more: '/CropBox[0 0 0 0]' }, { more: '/CropBox[400 400 500 500]' }]
    const [made] = await make('pdf', samplePdf({ pages }))
    const sizes = await Promise.all([1, 2, 3].map((page) => pdfFact(made!, `Page +${page} size`, '-f', '1', '-l', '3')))
    assert.deepEqual(
      sizes.map((size) => size?.replace(/ pts.*/, '')),
      ['612 x 792', '300 x 200', '300 x 200'],
    )
    const merged = await merge(samplePdf({ pages }))
    assert.match((await pdfFact(merged, 'Page +2 size', '-f', '2', '-l', '2')) ?? '', /^612 x 792/)
  })
})
