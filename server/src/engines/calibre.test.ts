import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract, WHOLE } from '../../test/contract/engine.ts'
import { openListener } from '../../test/contract/sandbox-yard.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { bodyOf, documents, MARKDOWN, madeBy, mobiParts } from '../../test/support/books.ts'
import { ask, samplePdf } from '../../test/support/sample-pdf.ts'
import { corners } from '../../test/support/samples.ts'
import { unzipped, within } from '../../test/support/unzipped.ts'
import { zipOf } from '../../test/support/zip-of.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Capability } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { calibreArgs } from './calibre/args.ts'
import { calibre } from './calibre.ts'

const table = await bench(calibre)
const { docx, odt, rtf } = await documents()
const byPandoc = (to: Ext): Promise<Buffer> =>
  madeBy('pandoc', ['-f', 'gfm', '-s', '{}', '-o', '{out}'], `${MARKDOWN}\nHe said "hi".\n`, 'md', to)
const [epub, fb2] = [await byPandoc('epub'), await byPandoc('fb2')]

/** Calibre itself is the only writer of some; what is read of them must still be the book. */
const byCalibre = (to: Ext): Promise<Buffer> => madeBy('ebook-convert', ['{}', '{out}'], epub, 'epub', to)
const [mobi, azw3, lit, lrf, pdb] = await Promise.all((['mobi', 'azw3', 'lit', 'lrf', 'pdb'] as const).map(byCalibre))
const page = await corners(900, 1200).jpeg().toBuffer()
const cover = await corners(238, 360).jpeg().toBuffer()
const files: Partial<Record<Ext, Uint8Array>> = {
  ...{ epub: epub, fb2, docx: docx!, odt: odt!, rtf: rtf!, mobi: mobi!, azw: mobi!, prc: mobi! },
  ...{ txt: Buffer.from(MARKDOWN), pdf: samplePdf({ pages: [{ text: 'First chapter' }] }) },
  ...{ azw3: azw3!, lit: lit!, lrf: lrf!, pdb: pdb!, cbz: zipOf({ '1.jpg': page, '2.jpg': page }) },
}

/** What is written in a result, by another program than calibre where there is one. */
async function textOf(bytes: Buffer, ext: Ext): Promise<string> {
  if (ext === 'pdf') return ask('pdftotext', ['{}', '-'], bytes)
  if (ext === 'mobi' || ext === 'azw3') return mobiParts(bytes, ext)
  if (ext === 'lit' || ext === 'lrf' || ext === 'pdb')
    return `${await madeBy('ebook-convert', ['{}', '{out}', '--inline-toc'], bytes, ext, 'txt')}`
  return bodyOf(bytes, ext)
}

/** Every start takes its time: what was made once is looked at again. */
const kept = new Map<string, Promise<Made>>()
function make(from: Ext, to: Ext, given = {}): Promise<Made> {
  const key = JSON.stringify([from, to, given])
  const made = kept.get(key) ?? table.make('convert', { ext: from, bytes: files[from]! }, to, given)
  kept.set(key, made)
  return made
}

/** Books for a Kindle hold pictures as they are, one behind the other, and may add a small one of the cover. */
function assertComic(bytes: Buffer, ext: Ext): void {
  if (ext === 'epub') assert.equal(pictures(bytes).length, 2)
  else assert.ok((bytes.toString('latin1').match(/\xff\xd8\xff|\x89PNG\r\n/g) ?? []).length >= 2)
}

/** Every start takes its time: each format is read once, and each is written once. */
const READS: Readonly<Partial<Record<Ext, readonly Ext[]>>> = {
  epub: ['azw3', 'mobi', 'lit', 'lrf', 'pdb', 'docx', 'pdf', 'txt', 'fb2'],
  ...{
    fb2: ['epub'],
    mobi: ['txt'],
    azw: ['txt'],
    prc: ['txt'],
    azw3: ['txt'],
    lit: ['txt'],
    lrf: ['txt'],
    pdb: ['txt'],
  },
  ...{ docx: ['epub'], odt: ['epub'], rtf: ['epub'], txt: ['epub'], pdf: ['epub'], cbz: ['epub'] },
}

engineContract(
  calibre,
  { ...table, make: (_does, sample, to) => make([sample].flat()[0]!.ext, to) },
  {
    files,
    async opens(bytes, ext, from) {
      if (from === 'cbz') assertComic(bytes, ext)
      else assert.match((await textOf(bytes, ext)).replaceAll(/<[^>]*>/g, ''), /First chapter/i)
    },
    proves: ({ from, to }) => READS[from]?.includes(to) ?? false,
    together: 2,
  },
)

it('the declarations hold together', () => assert.deepEqual(checkEngines([calibre]), []))

it('a conversion tells how far it is', async () => {
  const { percents } = await make('epub', 'txt')
  assert.deepEqual(percents.slice(0, 2), [1, 34])
})

/** Options that do not hide one another are given together; what each has done is looked at on its own. */
interface Sight {
  given: unknown
  /** What another tool says; it must not say the same of the book without. */
  see(made: Buffer, to: Ext): unknown
  shows?: unknown
  /** Converted on its own. */
  alone?: true
}

/** Metadata, text and looks, wherever the format keeps them. */
async function everything(made: Buffer, to: Ext): Promise<string> {
  if (to === 'mobi' || to === 'azw3') return mobiParts(made, to)
  if (to === 'epub' || to === 'docx') return within(made, /opf$|html$|css$|core\.xml$|document\.xml$|styles\.xml$/)
  if (to === 'pdf') return `${await ask('pdfinfo', ['{}'], made)}${await ask('pdftotext', ['{}', '-'], made)}`
  return to === 'lrf' ? ask('ebook-meta', ['{}'], made, 'lrf') : made.toString()
}
const says = (given: unknown, pattern: RegExp, alone?: true): Sight => ({
  given,
  see: async (made, to) => pattern.test(await everything(made, to)),
  shows: true,
  ...(alone && { alone }),
})
/** Where the first word of a paragraph stands on its page, and how high it is. */
async function word(made: Buffer, is: string): Promise<number[]> {
  const list = await ask('pdftotext', ['-bbox', '{}', '-'], made)
  const found = new RegExp(`xMin="([\\d.]+)" yMin="([\\d.]+)" xMax="([\\d.]+)" yMax="([\\d.]+)">${is}<`).exec(list)
  const [left = 0, top = 0, right = 0, bottom = 0] = (found ?? []).slice(1).map(Number)
  return [left, bottom - top, right].map(Math.round)
}
const pictures = (made: Buffer): Buffer[] =>
  Object.entries(unzipped(made)).flatMap(([name, bytes]) => (/\.(?:jpe?g|png)$/.test(name) ? [bytes] : []))

/** Of a comic the pictures fit the screen; of a book the letters do. */
const fitted = async (made: Buffer, to: Ext): Promise<unknown> => [
  (await looks(made, to)).sizes,
  ...(to === 'epub' ? await Promise.all(pictures(made).map(async (one) => (await sharp(one).metadata()).width)) : []),
]

/** The sizes of all JPEG pictures in a book, wherever they are: in an archive, between bytes or written as text. */
async function sizesOf(made: Buffer, to: Ext): Promise<(number | undefined)[]> {
  const texts = to === 'fb2' ? [...`${made}`.matchAll(/<binary[^>]*>([^<]*)</g)] : []
  const raw = [...made.toString('latin1').matchAll(/\xff\xd8\xff/g)].map(({ index }) => made.subarray(index))
  const all = to === 'epub' ? pictures(made) : [...texts.map(([, text = '']) => Buffer.from(text, 'base64')), ...raw]
  return Promise.all(
    all.map((one) =>
      sharp(one)
        .metadata()
        .then(({ width }) => width)
        .catch(() => undefined),
    ),
  )
}
const SIGHTS: Readonly<Record<string, Sight>> = {
  document_title: says('Another --title', /Another --title/),
  document_author: says('Ann Onym; Bo Bee', /Ann Onym[\s\S]{0,200}Bo Bee|Ann<[\s\S]{0,400}Bo</),
  document_language: says('de', /Language: de|language[^>]*>de<|<lang>de</),
  ebook_publisher: says('PubCo', /PubCo/),
  toc: says(true, /Table of Contents/),
  ebook_profile: { given: 'kindle', alone: true, see: fitted },
  ebook_font_size: { given: 19, see: async (made, to) => (await looks(made, to)).sizes },
  ebook_margin: { given: 41, see: async (made, to) => (await looks(made, to)).margins },
  ebook_line_height: says(180, /line-height: 1\.8/),
  // The sample is aligned at both sides.
  ebook_justification: {
    given: 'left',
    see: async (made, to) => /text-align: justify|align="justify"/.test(await everything(made, to)),
    shows: false,
  },
  ebook_paragraphs: says('indent', /text-indent: 1\.5em|<p [^>]*width="1\.5em"/),
  ebook_smart_punctuation: says(true, /“hi”|&#8220;hi|&ldquo;hi/),
  ebook_cover: {
    given: `data:image/jpeg;base64,${cover.toString('base64')}`,
    alone: true,
    see: async (made, to) => (await sizesOf(made, to)).includes(238),
    shows: true,
  },
  ebook_default_cover: { given: true, see: (made) => pictures(made).length > 1, shows: true },
  epub_version: says('2', /<package[^>]* version="2\.0"/),
  mobi_file_type: says('both', /KF8 version: 8|Hybrid/i),
  ebook_page_size: says('a5', /Page size: +4(?:19|20)|w:pgSz w:w="8[34]\d\d"/),
  ebook_page_numbers: says(true, /^1\s*\n*\f/m),
  txt_formatting: says('markdown', /\*\*bold\*\*/),
  line_width: {
    given: 30,
    see: (made) => Math.max(...`${made}`.split('\n').map((line) => line.length)),
  },
  comic_grayscale: {
    given: true,
    see: async (made) =>
      new Set((await sharp(pictures(made)[0]).stats()).channels.map(({ mean }) => Math.round(mean))).size,
    shows: 1,
  },
  comic_fit: {
    given: false,
    alone: true,
    see: async (made) => (await sharp(pictures(made)[0]).metadata()).width,
    shows: 900,
  },
}

/** Letters do not tell a tablet from any other device, but pictures do. */
const FOR_COMICS: Readonly<Record<string, unknown>> = { 'cbz ebook_profile': 'tablet' }

async function looks(made: Buffer, to: Ext): Promise<{ sizes: unknown; margins: unknown }> {
  if (to === 'pdf') {
    const [left, height] = await word(made, 'Some')
    return { sizes: height, margins: left }
  }
  const text = await everything(made, to)
  return {
    sizes: text.match(/font-size: [\d.]+\w+|<w:sz w:val="\d+"|<font size="[^"]*"/g),
    margins: text.match(/margin[\w-]*: [^;]*41(?:\.0)?pt|w:left="820"/g),
  }
}

/** AZW3 stands for MOBI, and books with many options for those with one of them. */
const LIKE_OTHERS: readonly Ext[] = ['mobi', 'lrf', 'pdb']

describe('the options of calibre', { concurrency: 2 }, () => {
  for (const capability of calibre.can as readonly Capability[]) {
    const { from: sources, options } = capability
    const [names, to] = [Object.keys(options), capability.to[0] as Ext]
    const from = sources.includes('fb2') ? 'fb2' : sources[0]!
    // Texts and PDFs become books by the same words as books do, and some books by the same words as others.
    if (names.length === 0 || from === 'docx' || from === 'pdf' || (!WHOLE && LIKE_OTHERS.includes(to))) continue
    it(`each change what comes of ${from} to ${to}: ${names.join(', ')}`, async () => {
      for (const name of names) assert.ok(SIGHTS[name], `nothing proves ${name}`)
      const alone = names.filter((name) => SIGHTS[name]!.alone)
      const rounds = [names.filter((name) => !alone.includes(name)), ...alone.map((name) => [name])]
      const [usual] = (await make(from, to)).files
      for (const round of rounds) {
        const given = Object.fromEntries(
          round.map((name) => [name, FOR_COMICS[`${from} ${name}`] ?? SIGHTS[name]!.given]),
        )
        const [changed] = (await make(from, to, given)).files
        for (const name of round) {
          const { see, shows } = SIGHTS[name]!
          const seen = await see(changed!, to)
          assert.notDeepEqual(seen, await see(usual!, to), `${name} changes nothing`)
          if (shows !== undefined) assert.deepEqual(seen, shows, name)
        }
      }
    })
  }
})

it('a cover is a picture, or the book is not made', async () => {
  const words = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  await assert.rejects(make('epub', 'azw3', { ebook_cover: words }), /ebook_cover holds no JPEG or PNG picture/)
})

describe('what calibre is never made to do', () => {
  it('is to take what users write for arguments', () => {
    for (const text of ['--extra-css=/etc/passwd', '-v', 'a\n--cover=/etc/passwd', '@x']) {
      const wishes = { document_title: text, document_author: text, ebook_publisher: text }
      for (const arg of calibreArgs('epub', 'epub', wishes))
        assert.match(arg, /^--(?:title|authors|publisher)=[^\n]*$|^--no-default-epub-cover$/)
    }
  })

  const canary = new URL('../../../package.json', import.meta.url).pathname
  /** Everything that could call, with the address in place of `@`. */
  const CALLS =
    '<p>Before &x; after</p><img src="@a.png"/><img src="file://CANARY"/><object data="@b"/><iframe src="@c"/>'

  it('is to read other files or addresses for a book, by its words or its declarations', async () => {
    await using listener = await openListener()
    const web = `http://127.0.0.1:${listener.port}/`
    const declared = (root: string): string =>
      `<!DOCTYPE ${root} [<!ENTITY x SYSTEM "file://${canary}"><!ENTITY % y SYSTEM "${web}y.dtd">%y;]>`
    const fictional = `<?xml version="1.0"?>${declared('FictionBook')}
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><book-title>T</book-title>
</title-info></description><body><section><p>Before &x; after</p><image href="file://${canary}"/><image href="${web}"/></section></body></FictionBook>`
    const calls = CALLS.replaceAll('@', web).replaceAll('CANARY', canary)
    const chapter = `<?xml version="1.0"?>${declared('html')}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><link rel="stylesheet" href="${web}s.css"/><style>@import "${web}t.css";</style></head><body>${calls}</body></html>`
    const opf = `<?xml version="1.0"?>${declared('package')}<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T &x;</dc:title><dc:identifier id="i">i</dc:identifier><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/><item id="r" href="${web}r.png" media-type="image/png"/></manifest><spine><itemref idref="c"/></spine></package>`
    const book = zipOf({
      mimetype: Buffer.from('application/epub+zip'),
      'META-INF/container.xml': Buffer.from(
        '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      ),
      'b.opf': Buffer.from(opf),
      'c.xhtml': Buffer.from(chapter),
    })
    const evil: [Ext, Ext, Buffer][] = [
      ['fb2', 'epub', Buffer.from(fictional)],
      ['epub', 'azw3', book],
      ['epub', 'pdf', book],
    ]
    for (const [ext, to, bytes] of evil) {
      const { files: made } = await table.make('convert', { ext, bytes }, to)
      const text = to === 'epub' ? within(made[0]!, /./) : await textOf(made[0]!, to)
      assert.match(text, /Before/)
      assert.doesNotMatch(text, /workspaces/)
    }
    assert.equal(listener.hits(), 0)
  })
})

describe('a book that cannot be read', () => {
  it('is called protected where it is', async () => {
    const locked = Buffer.from(mobi!)
    locked.writeUInt16BE(2, locked.readUInt32BE(78) + 12)
    assert.match(sniff(locked, 'book.mobi').refused ?? '', /protected against copying \(DRM\)/)
    const says = /"sample\.mobi" is protected against copying \(DRM\) and cannot be converted/
    await assert.rejects(table.make('convert', { ext: 'mobi', bytes: locked }, 'txt'), says)
  })

  it('is called damaged, or too big for what it is', async () => {
    const says = (pattern: RegExp, bytes: Buffer): Promise<void> =>
      assert.rejects(table.make('convert', { ext: 'epub', bytes }, 'txt'), pattern)
    await says(/"sample\.epub" could not be read: it is damaged/, epub.subarray(0, 900))
    await says(
      /"sample\.epub" could not be read: it is damaged/,
      zipOf({ mimetype: Buffer.from('application/epub+zip') }),
    )
    const bomb = Buffer.from(epub)
    bomb.writeUInt32LE(0x7fff_ffff, bomb.indexOf('PK\x01\x02', 0, 'latin1') + 24)
    await says(/unpacks to 2048 MB/, bomb)
  })
})
