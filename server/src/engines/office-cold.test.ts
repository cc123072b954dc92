/** Where LibreOffice cannot be kept warm, one is started for each document: the result is the same to the eye. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import sharp from 'sharp'
import { bench } from '../../test/support/bench.ts'
import { picture, sheetsOf, slidesOf, textOf } from '../../test/support/flat-office.ts'
import { infoOf } from '../../test/support/office-look.ts'
import { saved } from '../../test/support/office-samples.ts'
import { through } from '../../test/support/sample-pdf.ts'
import { photo } from '../../test/support/samples.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import type { Ext } from '../catalog/formats.ts'
import { office } from './office.ts'

const { path: dir, remove } = await tempDir()
after(remove)
const warm = await bench(office)
const cold = await bench(office, (sandbox) => ({
  ...sandbox,
  start: () => Promise.reject(new Error('nothing is kept warm here')),
}))

const SOURCES: Partial<Record<Ext, readonly [flat: string, bytes: Buffer, filter: string]>> = {
  docx: ['fodt', textOf(['One', 'Two'], picture(await photo().png().toBuffer())), 'MS Word 2007 XML'],
  xlsx: ['fods', sheetsOf({ A: [['x', 1.5]], B: [['y', 2]] }), 'Calc MS Excel 2007 XML'],
  pptx: ['fodp', slidesOf([{ words: 'A slide' }, { words: 'Another' }]), 'Impress MS PowerPoint 2007 XML'],
}

/** No styles, no settings: the least that is a document, and a field that asks to be brought up to date. */
function bareDocx(words: string): Buffer {
  const office = 'http://schemas.openxmlformats.org'
  const head = '<?xml version="1.0"?>'
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  const rels = `${office}/package/2006/relationships`
  const field = '<w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
  const run = `<w:r><w:t>${words}</w:t></w:r>${field}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const files = {
    '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${rels}"><Relationship Id="r1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body><w:p>${run}</w:p></w:body></w:document>`,
  }
  return zipOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(head + text)])))
}

/** Every pixel of a page. */
async function pixels(pdf: Buffer, page: number): Promise<Buffer> {
  const args = ['-r', '60', '-f', String(page), '-l', String(page), '-png', '-singlefile', '{}']
  const { said } = await through('sh', ['-c', 'pdftoppm "$@" | base64', 'sh', ...args], pdf)
  return sharp(Buffer.from(said, 'base64')).raw().toBuffer()
}

describe('a document converted cold', () => {
  for (const [ext, [flat, bytes, filter]] of Object.entries(SOURCES) as [Ext, NonNullable<(typeof SOURCES)[Ext]>][])
    it(`looks the same as when converted warm: ${ext}`, async () => {
      const sample = { ext, bytes: await saved(warm.residents, dir, { ext: flat, bytes }, filter, ext) }
      const [one, other] = await Promise.all(
        [warm, cold].map(async ({ make }) => (await make('convert', sample, 'pdf')).files[0] ?? Buffer.alloc(0)),
      )
      assert.ok(one && other)
      const { pages } = await infoOf(one)
      assert.equal((await infoOf(other)).pages, pages)
      for (let page = 1; page <= pages; page += 1)
        assert.ok((await pixels(one, page)).equals(await pixels(other, page)), `page ${page} is the same`)
    })

  it('stands in where the warm one can read a document but not save it', async () => {
    const sample = { ext: 'docx', bytes: bareDocx('Only words') } as const
    for (const to of ['txt', 'html'] as const) {
      const { files } = await warm.make('convert', sample, to)
      assert.match(`${files[0]}`, /Only words/)
    }
  })

  it('says that passwords need the warm one', async () => {
    const sample = { ext: 'fodt', bytes: textOf(['x']) } as const
    await assert.rejects(cold.make('convert', sample, 'pdf', { document_password: 'x' }), /Passwords .* not available/)
  })

  it('fails in words when it cannot be read', async () => {
    const bytes = zipOf({ mimetype: Buffer.from('application/vnd.oasis.opendocument.text') })
    const sample = { ext: 'odt', bytes } as const
    await assert.rejects(cold.make('convert', sample, 'pdf'), /could not be read/)
  })
})
