/** Documents that want to reach out, or to take all there is: nothing is called, nothing leaks, and it ends in words. */
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openListener } from '../../test/contract/sandbox-yard.ts'
import { bench } from '../../test/support/bench.ts'
import { flat, sheetsOf } from '../../test/support/flat-office.ts'
import { wordsOfPdf } from '../../test/support/office-look.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import type { Ext } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { office } from './office.ts'

const { path: dir, remove } = await tempDir()
after(remove)
const { make } = await bench(office)
await using listener = await openListener()
const CANARY = 'canary-7c1f'
const planted = join(dir, 'planted.txt')
await writeFile(planted, `${CANARY}\n`, { mode: 0o644 })

const web = `http://127.0.0.1:${listener.port}/x.png`
const para = (inner: string): string => `<text:p>Still here ${inner}</text:p>`
const image = (href: string): string =>
  `<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="as-char"><draw:image xlink:href="${href}" xlink:type="simple" xlink:actuate="onLoad"/></draw:frame>`
const section = (href: string): string =>
  `<text:section text:name="S"><text:section-source xlink:href="${href}" xlink:type="simple"/><text:p>old</text:p></text:section>`
const word = (body: string, relations = ''): Buffer =>
  zipOf({
    '[Content_Types].xml': Buffer.from(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': Buffer.from(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/document.xml': Buffer.from(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Still here</w:t></w:r></w:p>${body}</w:body></w:document>`,
    ),
    'word/_rels/document.xml.rels': Buffer.from(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
    ),
  })
const field = (code: string): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
const formula = (code: string): Buffer =>
  Buffer.from(
    sheetsOf({ A: [['Still here', 1]] })
      .toString()
      .replace(
        '<table:table-cell office:value-type="float" office:value="1"',
        `<table:table-cell table:formula="of:=${code}"`,
      ),
  )

const written = join(dir, 'written-by-macro')
/** Written, started and called by Basic as soon as the document is opened, where macros may run. */
function withMacro(): Buffer {
  const basic = `Sub Main
  On Error Resume Next
  Open "${written}" For Output As #1
  Print #1, "ran"
  Close #1
  Shell("/usr/bin/touch ${written}-by-shell")
  StarDesktop.loadComponentFromURL("${web}", "_blank", 0, Array())
End Sub`.replaceAll('"', '&quot;')
  const library = `<ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="Module1"><ooo:source-code>${basic}</ooo:source-code></ooo:module></ooo:library-embedded>`
  const listener = `<script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/>`
  const scripts = `<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries>${library}</ooo:libraries></office:script><office:event-listeners>${listener}</office:event-listeners></office:scripts>`
  const spaces =
    'xmlns:ooo="http://openoffice.org/2004/office" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"'
  const text = flat({ kind: 'text', body: para('') }).toString()
  return Buffer.from(
    text
      .replace('<office:document ', `<office:document ${spaces} `)
      .replace('<office:automatic-styles>', `${scripts}<office:automatic-styles>`),
  )
}

const REACHING: Readonly<Record<string, readonly [Ext, Buffer]>> = {
  'a picture on the web': ['fodt', flat({ kind: 'text', body: para(image(web)) })],
  'a picture on the disk': ['fodt', flat({ kind: 'text', body: para(image(`file://${planted}`)) })],
  'a linked section of the web': ['fodt', flat({ kind: 'text', body: `${para('')}${section(web)}` })],
  'a linked section of the disk': ['fodt', flat({ kind: 'text', body: `${para('')}${section(`file://${planted}`)}` })],
  INCLUDETEXT: ['docx', word(field(`INCLUDETEXT "${planted}"`))],
  INCLUDEPICTURE: ['docx', word(field(`INCLUDEPICTURE "${web}"`))],
  'a remote template': [
    'docx',
    word(
      '',
      `<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="${web}" TargetMode="External"/>`,
    ),
  ],
  WEBSERVICE: ['fods', formula(`WEBSERVICE(&quot;${web}&quot;)`)],
  'a sheet of another file': ['fods', formula(`'file://${planted}'#$Sheet1.A1`)],
  'a page with a picture and a frame': [
    'html',
    Buffer.from(
      `<html><body><p>Still here</p><img src="${web}"><iframe src="file://${planted}"></iframe><link rel="stylesheet" href="${web}"></body></html>`,
    ),
  ],
  'a macro that runs when opened': ['fodt', withMacro()],
}

describe('a document that reaches out', () => {
  for (const [what, [ext, bytes]] of Object.entries(REACHING))
    it(`is converted without: ${what}`, async () => {
      const { files } = await make('convert', { ext, bytes }, 'pdf')
      const words = await wordsOfPdf(files[0] ?? Buffer.alloc(0))
      assert.match(words, /Still here/)
      assert.doesNotMatch(words, new RegExp(CANARY))
      assert.equal(listener.hits(), 0)
      assert.deepEqual(await readdir(dir), ['planted.txt'])
    })
})

describe('a document that is none', () => {
  it('is not taken for one by its name', () => {
    const random = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919 + (index >> 3) * 31) & 255))
    for (const ext of ['docx', 'odt', 'xlsx', 'doc', 'rtf', 'ods']) assert.equal(sniff(random, `x.${ext}`).format, null)
  })

  it('fails in words when it is cut off', async () => {
    const whole = word('')
    await assert.rejects(make('convert', { ext: 'docx', bytes: whole.subarray(0, 300) }, 'pdf'), /damaged/)
  })

  it('is refused when it unpacks to far more than it is', async () => {
    const bomb = word('')
    const at = bomb.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
    bomb.writeUInt32LE(2 ** 31, at + 24)
    await assert.rejects(make('convert', { ext: 'docx', bytes: bomb }, 'pdf'), /unpacks to 2048 MB/)
  })

  it('is refused when it says its cells a billion times, and the next is served', async () => {
    const wide = `<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000" office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row>`
    const body = `<table:table table:name="A">${wide}</table:table>`
    const bytes = flat({ kind: 'spreadsheet', body })
    await assert.rejects(make('convert', { ext: 'fods', bytes }, 'xlsx'), /repeats its cells/)
    const mimetype = Buffer.from('application/vnd.oasis.opendocument.spreadsheet')
    const ods = zipOf({ mimetype, 'content.xml': bytes })
    await assert.rejects(make('convert', { ext: 'ods', bytes: ods }, 'pdf'), /repeats its cells/)
    const good = await make('convert', { ext: 'fods', bytes: sheetsOf({ A: [['fine']] }) }, 'pdf')
    assert.match(await wordsOfPdf(good.files[0] ?? Buffer.alloc(0)), /fine/)
  })
})
