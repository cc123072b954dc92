import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { madeBy } from '../../test/support/books.ts'
import { photo } from '../../test/support/samples.ts'
import { unzipped } from '../../test/support/unzipped.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { putTogether, takeApart, withContent } from './repack/zip.ts'
import { ladder, repack } from './repack.ts'

const table = await bench(repack)
const exif = { IFD0: { Artist: 'A. Photographer' } }
const jpeg = await photo(900, 600).withExif(exif).jpeg({ quality: 98 }).toBuffer()
const drawn = await photo(300, 200).png().toBuffer()
const uri = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`
const page = `<html><head><title>T</title><meta name=author content="Jane Doe"></head><body><h1>First chapter</h1><p>Words</p>
<img src="${uri('jpeg', jpeg)}"><img src="${uri('png', drawn)}"></body></html>`

const byPandoc = (to: string): Promise<Buffer> => madeBy('pandoc', ['{}', '-o', '{out}'], page, 'html', to)
const [docx, odt, epub, pptx] = await Promise.all(['docx', 'odt', 'epub', 'pptx'].map(byPandoc))
const part = (kind: string): Buffer =>
  zipOf({
    '[Content_Types].xml': Buffer.from(`<Types><Override ContentType="application/vnd.${kind}.main+xml"/></Types>`),
    'docProps/core.xml': Buffer.from('<a>Jane Doe</a>'),
    'media/image1.jpeg': jpeg,
  })
const odf = (kind: string): Buffer =>
  zipOf({ mimetype: Buffer.from(`application/vnd.oasis.opendocument.${kind}`), 'Pictures/1.jpg': jpeg })

const files: Partial<Record<Ext, Uint8Array>> = {
  ...{ docx: docx!, odt: odt!, epub: epub!, pptx: pptx!, cbz: zipOf({ '1.jpg': jpeg, '2.png': drawn }) },
  html: Buffer.from(page.replace('<p>', '<!-- A. Photographer, again -->\n\n   <p>')),
  docm: part('ms-word.document.macroEnabled'),
  dotx: part('openxmlformats-officedocument.wordprocessingml.template'),
  xlsx: part('openxmlformats-officedocument.spreadsheetml.sheet'),
  xlsm: part('ms-excel.sheet.macroEnabled'),
  pptm: part('ms-powerpoint.presentation.macroEnabled'),
  ppsx: part('openxmlformats-officedocument.presentationml.slideshow'),
  ...{ ott: odf('text-template'), ods: odf('spreadsheet'), odp: odf('presentation'), odg: odf('graphics') },
}

const make = (ext: Ext, bytes: Uint8Array, given = {}): Promise<Made> =>
  table.make('compress', { ext, bytes }, ext, given)
const isPicture = (name: string): boolean => /\.(?:jpe?g|png)$/.test(name)
const picturesIn = (html: Buffer): Buffer[] =>
  [...html.toString().matchAll(/;base64,([^"]*)"/g)].map(([, text = '']) => Buffer.from(text, 'base64'))
const firstJpeg = ({ files: [made] }: Made): Buffer =>
  made![0] === 0x3c
    ? picturesIn(made!)[0]!
    : Object.entries(unzipped(made!)).find(([name]) => /\.jpe?g$/.test(name))![1]
const words = (bytes: Buffer, ext: Ext): Promise<Buffer> => madeBy('pandoc', ['-t', 'plain', '{}'], bytes, ext, 'txt')

engineContract(repack, table, {
  files,
  async opens(bytes, ext) {
    if (ext === 'html') {
      const [before, after] = [picturesIn(Buffer.from(files.html!)), picturesIn(bytes)]
      assert.deepEqual(
        after.map((picture, index) => picture.length < before[index]!.length),
        [true, true],
      )
      return assert.equal(`${await words(bytes, ext)}`, `${await words(Buffer.from(page), ext)}`)
    }
    const before = unzipped(Buffer.from(files[ext]!))
    const after = unzipped(bytes)
    assert.deepEqual(Object.keys(after).sort(), Object.keys(before).sort())
    for (const [name, content] of Object.entries(before)) {
      if (isPicture(name)) assert.ok(after[name]!.length < content.length || name.startsWith('Thumbnails'), name)
      else assert.deepEqual(after[name], content)
    }
    if (ext === 'docx' || ext === 'odt' || ext === 'epub') assert.match(`${await words(bytes, ext)}`, /First chapter/i)
  },
})

optionProofs(repack, table, {
  files,
  proofs: {
    quality: proof({ given: 10, see: (made) => firstJpeg(made).length, shows: (low, usual) => assert.ok(low < usual) }),
    document_image_longest: proof({
      given: 200,
      see: async (made) => (await sharp(firstJpeg(made)).metadata()).width,
      shows: 200,
    }),
    strip: [
      proof({
        on: { from: ['html'] },
        given: false,
        see: ({ files: [made] }) => [made!.includes('A. Photographer, again'), picturesIn(made!)[0]!.includes('A. Ph')],
        shows: [true, true],
      }),
      proof({ given: false, see: (made) => firstJpeg(made).includes('A. Photographer'), shows: true }),
    ],
    compress_max_filesize: [
      proof({
        given: '15KB',
        on: { from: ['cbz', 'xlsx'] },
        sample: zipOf({ '[Content_Types].xml': Buffer.from('<Types/>'), 'xl/media/1.jpg': jpeg }),
        see: ({ files: [made] }) => made!.length <= 15_000,
        shows: true,
      }),
      proof({ given: '20KB', on: { from: ['html'] }, see: ({ files: [made] }) => made!.length <= 20_000, shows: true }),
    ],
    document_anonymous: proof({
      given: true,
      see: ({ files: [made] }) => Object.values(unzipped(made!)).some((part) => part.includes('Jane Doe')),
      sample: files.xlsx!,
      shows: false,
    }),
  },
})

it('the declarations hold together', () => assert.deepEqual(checkEngines([repack]), []))

describe('a page that is compressed', () => {
  const html = async (text: string, given = {}) => String((await make('html', Buffer.from(text), given)).files[0])

  it('loses comments and white space that nobody sees, and nothing else', async () => {
    assert.equal(
      await html('<!doctype html>\n\n\n<p  title="a  b">x   <b>y</b>\n\n  z<!-- gone --></p><pre>a\n\n  b</pre>ü  ü'),
      '<!doctype html>\n<p  title="a  b">x <b>y</b>\nz</p><pre>a\n\n  b</pre>ü ü',
    )
  })

  it('keeps white space where a style or script could show it, and what comments mean to some', async () => {
    const styled = '<html><style>p { white-space:   pre }</style><p>a   b</p></html>'
    assert.equal(await html(styled), styled)
    const scripted = '<html><script>let a = "<!--  x";   b</script><p>a   b</p><!-- gone --></html>'
    assert.equal(await html(scripted), scripted.replace('<!-- gone -->', ''))
    const meant = '<html><!--[if IE]><p>old</p><![endif]--></html>'
    assert.equal(await html(meant), meant)
  })

  it('leaves a picture alone that may go on, and what is never closed', async () => {
    const broken = `<html><img src="${uri('jpeg', jpeg)}\n  AAAA"><a href="x`
    assert.equal(await html(broken), broken)
  })
})

describe('a document that is compressed', () => {
  it('can still be read, without its author', async () => {
    const { files: made } = await make('docx', docx!, { document_anonymous: true })
    assert.match(`${await words(made[0]!, 'docx')}`, /Words/)
    assert.doesNotMatch(`${unzipped(made[0]!)['docProps/core.xml']}`, /dc:|dcterms/)
  })

  it('begins with its kind, as books must', async () => {
    const { files: made } = await make('epub', epub!)
    assert.equal(made[0]!.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip')
  })

  it('keeps how its photographs were held', async () => {
    const held = await photo(900, 600).withMetadata({ orientation: 6 }).jpeg({ quality: 98 }).toBuffer()
    const { files: made, told } = await make('cbz', zipOf({ '1.jpg': held }))
    const { orientation } = await sharp(unzipped(made[0]!)['1.jpg']).metadata()
    assert.deepEqual([orientation, told.pictures_compressed], [6, 1])
  })

  it('is never bigger, and is left alone where nothing is gained', async () => {
    const [first] = (await make('cbz', zipOf({ 'a.txt': deflateRawSync(Buffer.alloc(10)) }))).files
    assert.deepEqual(first, zipOf({ 'a.txt': deflateRawSync(Buffer.alloc(10)) }))
  })

  it('tells the smallest reachable size when it cannot be that small', async () => {
    const noise = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * 31 + (at % 7) * 97) & 255))
    const heavy = zipOf({ '1.jpg': jpeg, 'fonts/a.ttf': Buffer.concat([noise, jpeg]) })
    await assert.rejects(
      make('cbz', heavy, { compress_max_filesize: '2KB' }),
      /"sample\.cbz" cannot be made as small as 2 KB; the smallest reachable size is \d+(\.\d)? KB\./,
    )
  })

  it('is refused where it is signed, damaged, or a bomb', async () => {
    const signed = zipOf({ '[Content_Types].xml': Buffer.from('<a/>'), '_xmlsignatures/sig1.xml': Buffer.from('<a/>') })
    await assert.rejects(make('docx', signed), /"sample\.docx" is signed/)
    await assert.rejects(make('docx', docx!.subarray(0, 5000)), /"sample\.docx" could not be read: it is damaged/)
    const wrong = Buffer.from(docx!)
    wrong[wrong.indexOf('PK\x01\x02', 0, 'latin1') + 16]! ^= 1
    await assert.rejects(make('docx', wrong), /"sample\.docx" is not a readable Word file/)
    const lying = zipOf({ '1.xml': deflateRawSync(Buffer.alloc(50 * 2 ** 20)) })
    const at = lying.indexOf('PK\x01\x02', 0, 'latin1')
    lying.writeUInt16LE(8, at + 10)
    await assert.rejects(make('docx', lying), /not a readable Word file/)
  })
})

it('the ladder never asks for more than the user did', () => {
  const steps = ladder({ quality: 40, document_image_longest: 1000, strip: true })
  assert.ok(steps.length > 4)
  for (const { quality, longest } of steps) assert.ok(quality <= 40 && longest !== null && longest <= 1000)
})

it('what is taken apart is the same when it is put together', () => {
  const files = fc.dictionary(fc.string({ minLength: 1 }), fc.uint8Array())
  fc.assert(
    fc.property(files, (given) => {
      const zip = zipOf(given)
      const packed = takeApart(zip).map((entry) => withContent(entry, Buffer.from(given[entry.name.toString()]!)))
      for (const again of [putTogether(takeApart(zip)), putTogether(packed)])
        assert.deepEqual(
          Object.entries(unzipped(again)).map(([name, bytes]) => [name, bytes.toString('hex')]),
          Object.entries(unzipped(zip)).map(([name, bytes]) => [name, bytes.toString('hex')]),
        )
    }),
    { numRuns: 50 },
  )
})
