/** Every option of the office engine, proven by what other programs see in the result. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { bench } from '../../test/support/bench.ts'
import { picture, sheetsOf, slidesOf, textOf } from '../../test/support/flat-office.ts'
import { infoOf, partsOf, wordsOfPdf } from '../../test/support/office-look.ts'
import { saved } from '../../test/support/office-samples.ts'
import { bookmarksOf, storedPictures } from '../../test/support/pdf-look.ts'
import { samplePdf, soundPdf, through } from '../../test/support/sample-pdf.ts'
import { photo } from '../../test/support/samples.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import type { Ext } from '../catalog/formats.ts'
import { office } from './office.ts'

const { path: dir, remove } = await tempDir()
after(remove)
const { make, residents } = await bench(office)

const text = textOf(['First page', 'Second page', 'Third page'], picture(await photo(800, 600).png().toBuffer()))
const sheets = sheetsOf({
  First: [Array.from({ length: 20 }, (_, index) => `Column number ${index}`)],
  Second: [['Other; "quoted", ä', 1234.5]],
})
const slides = slidesOf([{ words: 'Shown slide' }, { words: 'Hidden slide', hidden: true }])
const SAMPLES: Partial<Record<Ext, Buffer>> = { fodt: text, fods: sheets, fodp: slides }

async function made(ext: Ext, to: Ext, options: Record<string, unknown> = {}, bytes = SAMPLES[ext]): Promise<Buffer> {
  assert.ok(bytes)
  const { files } = await make('convert', { ext, bytes }, to, options)
  assert.ok(files[0])
  return files[0]
}

const pictureIn = async (pdf: Buffer): Promise<string> => (await through('pdfimages', ['-list', '{}'], pdf)).said

describe('a document as PDF', () => {
  it('has the chosen pages, in their order', async () => {
    assert.equal((await infoOf(await made('fodt', 'pdf'))).pages, 3)
    const words = await wordsOfPdf(await made('fodt', 'pdf', { pdf_pages: '3, 1' }))
    assert.match(words, /^Third page.*First page/)
    assert.doesNotMatch(words, /Second/)
  })

  it('says which pages there are not', async () => {
    await assert.rejects(made('fodt', 'pdf', { pdf_pages: '7' }), /no such pages as 7/)
  })

  for (const [pdf_a, part] of Object.entries({ '1b': 1, '2b': 2, '3b': 3 }))
    it(`is PDF/A-${pdf_a} when asked`, async () => {
      const { said } = await through('pdfinfo', ['-meta', '{}'], await made('fodt', 'pdf', { pdf_a }))
      assert.match(said, new RegExp(`pdfaid:part>${part}<`))
      // What is tagged as well is more than B asks for.
      assert.match(said, /pdfaid:conformance>[AB]</)
    })

  it('is of the version asked for', async () => {
    assert.equal((await infoOf(await made('fodt', 'pdf'))).version, '1.6')
    for (const version of ['1.5', '1.7', '2.0']) {
      const pdf = await made('fodt', 'pdf', { pdf_version: version })
      assert.deepEqual([(await infoOf(pdf)).version, `${pdf.subarray(0, 8)}`], [version, `%PDF-${version}`])
      await soundPdf(pdf)
    }
  })

  it('has bookmarks and tags, or has not', async () => {
    const usual = await made('fodt', 'pdf')
    const bare = await made('fodt', 'pdf', { pdf_bookmarks: false, pdf_tagged: false })
    assert.deepEqual(
      (await bookmarksOf(usual)).map(([title]) => title),
      ['Chapter 1', 'Chapter 2', 'Chapter 3'],
    )
    assert.deepEqual(await bookmarksOf(bare), [])
    assert.deepEqual([(await infoOf(usual)).tagged, (await infoOf(bare)).tagged], [true, false])
  })

  it('has pictures of the quality and resolution asked for', async () => {
    const size = async (options: Record<string, unknown>): Promise<number> =>
      (await storedPictures(await made('fodt', 'pdf', options)))[0]?.bytes.length ?? 0
    assert.ok((await size({ pdf_image_quality: 20 })) < (await size({})) / 2)
    assert.match(await pictureIn(await made('fodt', 'pdf', { pdf_image_dpi: 75 })), / 23\d +17\d .* 75 +75 /)
    assert.match(await pictureIn(await made('fodt', 'pdf', { pdf_image_lossless: true })), / 800 +600 .* image /)
  })

  it('is protected by AES-256 with a new password and restrictions', async () => {
    const pdf = await made('fodt', 'pdf', { pdf_new_password: 'open sesame', pdf_allow_print: false })
    const { said } = await through('pdfinfo', ['-upw', 'open sesame', '{}'], pdf)
    assert.match(said, /Encrypted: +yes \(print:no copy:yes change:yes .*algorithm:AES-256\)/)
    const owned = await made('fodt', 'pdf', {
      pdf_owner_password: 'mine',
      pdf_allow_copy: false,
      pdf_allow_change: false,
    })
    assert.match((await through('pdfinfo', ['{}'], owned)).said, /Encrypted: +yes \(print:yes copy:no change:no/)
    assert.match(
      (await through('qpdf', ['--show-encryption', '--password=mine', '{}'], owned)).said,
      /Supplied password is owner password/,
    )
  })
})

describe('slides as PDF', () => {
  it('leave hidden ones out unless asked', async () => {
    assert.equal(await wordsOfPdf(await made('fodp', 'pdf')), 'Shown slide')
    assert.match(await wordsOfPdf(await made('fodp', 'pdf', { slides_hidden: true })), /Shown slide Hidden slide/)
  })

  it('come with their notes, or the notes alone', async () => {
    const after = await made('fodp', 'pdf', { slides_notes: 'after' })
    const only = await made('fodp', 'pdf', { slides_notes: 'only' })
    assert.deepEqual([(await infoOf(after)).pages, (await infoOf(only)).pages], [2, 1])
    assert.match(await wordsOfPdf(only), /Note on Shown slide/)
  })
})

describe('sheets as PDF', () => {
  it('are one chosen sheet', async () => {
    const words = await wordsOfPdf(await made('fods', 'pdf', { sheet: 2 }))
    assert.match(words, /1234\.5/)
    assert.doesNotMatch(words, /Column number/)
    await assert.rejects(made('fods', 'pdf', { sheet: 3 }), /has no sheet 3/)
  })

  it('fit to the width of a page, or on one page each', async () => {
    const pages = async (sheet_fit: string): Promise<number> =>
      (await infoOf(await made('fods', 'pdf', { sheet_fit }))).pages
    assert.ok((await pages('none')) > 2)
    assert.deepEqual([await pages('width'), await pages('page')], [2, 2])
  })
})

describe('a sheet as text', () => {
  const csv = async (options: Record<string, unknown>, to: Ext = 'csv'): Promise<Buffer> =>
    made('fods', to, { sheet: 2, ...options })

  it('has the delimiter, quotes and encoding asked for', async () => {
    assert.equal((await csv({})).toString().trim(), '"Other; ""quoted"", ä",1234.5')
    assert.equal((await csv({ csv_delimiter: 'pipe' })).toString().trim(), '"Other; ""quoted"", ä"|1234.5')
    assert.equal((await csv({ csv_quote: 'single' })).toString().trim(), `'Other; "quoted", ä',1234.5`)
    assert.equal((await csv({ csv_encoding: 'iso-8859-1' })).includes(Buffer.from('ä', 'latin1')), true)
    assert.equal((await csv({}, 'tsv')).toString().trim(), '"Other; ""quoted"", ä"\t1234.5')
  })

  it('is the first sheet without a choice, with quotes where wanted', async () => {
    assert.match((await made('fods', 'csv')).toString(), /^Column number 0,Column number 1/)
    assert.match(
      (await made('fods', 'csv', { csv_quote_all: true })).toString(),
      /^"Column number 0","Column number 1"/,
    )
    await assert.rejects(made('fods', 'csv', { sheet: 3 }), /has no sheet 3/)
  })

  it('writes numbers as shown or as they are', async () => {
    const shown = Buffer.from(
      sheets
        .toString()
        .replace(
          '<office:automatic-styles>',
          `<office:automatic-styles><number:number-style xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" style:name="N"><number:number number:decimal-places="0" number:min-integer-digits="1"/></number:number-style><style:style style:name="ce" style:family="table-cell" style:data-style-name="N"/>`,
        )
        .replace('office:value="1234.5"', 'office:value="1234.5" table:style-name="ce"'),
    )
    const written = async (csv_formatted: boolean) =>
      (await made('fods', 'csv', { sheet: 2, csv_formatted }, shown)).toString().trim()
    assert.match(await written(true), /,123[45]$/)
    assert.match(await written(false), /,1234\.5$/)
  })
})

describe('text as a sheet', () => {
  const cells = async (bytes: Buffer, options: Record<string, unknown> = {}): Promise<string> =>
    partsOf(await made('csv', 'xlsx', options, bytes))['xl/sharedStrings.xml'] ?? ''

  it('is cut where its delimiter is, which is found out', async () => {
    assert.match(await cells(Buffer.from('näme;value\na b;c\n')), /näme.*value.*a b.*c/)
    assert.match(await cells(Buffer.from('a;b|c\n'), { csv_input_delimiter: 'pipe' }), />a;b<.*>c</)
  })

  it('is read in its encoding and with its quotes', async () => {
    assert.match(await cells(Buffer.from('n\u00e4me,value\n', 'latin1')), /näme/)
    assert.match(await cells(Buffer.from('\u0434\n', 'utf8')), /д/)
    const cyrillic = Buffer.from([0xe4, 0x2c, 0x61, 0x0a])
    assert.match(await cells(cyrillic, { csv_input_encoding: 'windows-1251', csv_input_quote: 'single' }), />д</)
    assert.match(await cells(Buffer.from("'a,b',c\n"), { csv_input_quote: 'single' }), />a,b</)
  })
})

describe('plain text', () => {
  it('is written in the encoding asked for', async () => {
    const words = textOf(['Café'])
    assert.ok((await made('fodt', 'txt', {}, words)).toString().startsWith('Café\n'))
    assert.ok(
      (await made('fodt', 'txt', { text_encoding: 'windows-1252' }, words)).toString('latin1').startsWith('Café\n'),
    )
  })

  it('is read in the encoding it has', async () => {
    assert.equal(await wordsOfPdf(await made('txt', 'pdf', {}, Buffer.from('Caf\u00e9 latin', 'latin1'))), 'Café latin')
  })
})

describe('a document that asks for a font nobody has', () => {
  const style = (family: string): string =>
    `<style:style style:name="F" style:family="${family}"><style:text-properties fo:font-family="Nobody Sans"/></style:style></office:automatic-styles>`
  /** The same document, set in that font or not. */
  const asking = (bytes: Buffer, family: string, tag: string, attribute: string): Buffer =>
    Buffer.from(
      bytes
        .toString()
        .replace('</office:automatic-styles>', style(family))
        .replace(`<${tag}`, `<${tag} ${attribute}="F"`),
    )
  const words = textOf(['Words'])
  const cells = sheetsOf({ A: [['Words']] })
  const shown = slidesOf([{ words: 'Words' }])
  const inText = asking(words, 'paragraph', 'text:p', 'text:style-name')
  const inCells = asking(cells, 'table-cell', 'table:table-cell', 'table:style-name')
  const onSlides = asking(shown, 'paragraph', 'text:p', 'text:style-name')
  const ASKING: readonly (readonly [to: Ext, filter: string, from: Ext, asks: Buffer, plain: Buffer])[] = [
    ['docx', 'MS Word 2007 XML', 'fodt', inText, words],
    ['odt', 'writer8', 'fodt', inText, words],
    ['xlsx', 'Calc MS Excel 2007 XML', 'fods', inCells, cells],
    ['ods', 'calc8', 'fods', inCells, cells],
    ['pptx', 'Impress MS PowerPoint 2007 XML', 'fodp', onSlides, shown],
    ['odp', 'impress8', 'fodp', onSlides, shown],
  ]
  for (const [ext, filter, from, asks, plain] of ASKING)
    it(`is converted, and the font is told: ${ext}`, async () => {
      const told = async (flat: Buffer): Promise<string> => {
        const bytes = await saved(residents, dir, { ext: from, bytes: flat }, filter, ext)
        return JSON.stringify((await make('convert', { ext, bytes }, 'pdf')).told)
      }
      assert.match(await told(asks), /\{"font":"Nobody Sans","replaced_by":"[^"]+"\}/)
      assert.doesNotMatch(await told(plain), /Nobody/)
    })
})

describe('a PDF as a document', () => {
  it('is opened with its password, and has the chosen pages', async () => {
    const plain = samplePdf({ pages: [{ text: 'Page one' }, { text: 'Page two' }] })
    const { made: locked } = await through('qpdf', ['--encrypt', 'user', 'owner', '256', '--', '{}', '{out}'], plain)
    await assert.rejects(made('pdf', 'odt', {}, locked), /pdf_password/)
    const odt = await made('pdf', 'odt', { pdf_password: 'user', pdf_pages: '2' }, locked)
    const words = (partsOf(odt)['content.xml'] ?? '').replaceAll(/<[^>]*>/g, '')
    assert.match(words, /two/)
    assert.doesNotMatch(words, /one/)
  })
})
