import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { RAW_SAMPLES } from '../../test/support/raw-samples.ts'
import { type Field, tiffOf } from '../../test/support/tiff-of.ts'
import { EXTS, type Ext } from './formats.ts'
import { sniff } from './sniff.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const at = (offset: number, text: string, size = offset + text.length): Buffer => {
  const made = Buffer.alloc(Math.max(size, offset + text.length))
  made.write(text, offset, 'latin1')
  return made
}
const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex')
const ftyp = (major: string, ...more: string[]): Buffer => {
  const brands = bytes(['ftyp', major, '\0\0\0\0', ...more].join(''))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(brands.length + 4)
  return Buffer.concat([size, brands, bytes('\0\0\0\x08free')])
}

/** A ZIP's beginning: one local entry after the other. */
const zipOf = (entries: Record<string, string>, pack = false): Buffer =>
  Buffer.concat(
    Object.entries(entries).flatMap(([name, text]) => {
      const data = pack && name !== 'mimetype' ? deflateRawSync(text) : bytes(text)
      const header = Buffer.alloc(30)
      header.write('PK\x03\x04', 0, 'latin1')
      header.writeUInt16LE(pack && name !== 'mimetype' ? 8 : 0, 8)
      header.writeUInt32LE(data.length, 18)
      header.writeUInt16LE(name.length, 26)
      return [header, bytes(name), data]
    }),
  )
const types = (part: string) => zipOf({ '[Content_Types].xml': `<Types>${'x'.repeat(200)}${part}+xml</Types>` }, true)
const odf = (kind: string) => zipOf({ mimetype: `application/vnd.oasis.opendocument.${kind}`, 'content.xml': '<a/>' })

const oleOf = (...names: string[]): Buffer => {
  const head = Buffer.alloc(4096)
  hex('d0cf11e0a1b11ae1').copy(head)
  head.writeUInt16LE(9, 30)
  names.forEach((name, i) => void Buffer.from(`${name}\0`, 'utf16le').copy(head, 1024 + i * 128))
  return head
}
const rows = (frame: Buffer, count = 5): Buffer => Buffer.concat(Array.from({ length: count }, () => frame))
const mp3Frame = Buffer.concat([hex('fffb9064'), Buffer.alloc(413)])
const mp2Frame = Buffer.concat([hex('fffd8004'), Buffer.alloc(413)])
const aacFrame = Buffer.concat([hex('fff1508001 3ffc'), Buffer.alloc(2)])
const asf = (stream: string) => Buffer.concat([hex('3026b2758e66cf11a6d900aa0062ce6c'), Buffer.alloc(40), hex(stream)])
const video = 'c0ef19bc4d5bcf11a8fd00805f5c442b'
const sound = '409e69f84d5bcf11a8fd00805f5c442b'
const tsPacket = (size: number, first: number) => at(first, 'G', size)
const oggOf = (codec: string) => bytes(`OggS\0\x02${'\0'.repeat(22)}${codec}`)
const ebml = (kind: string, codec: string) => bytes(`\x1a\x45\xdf\xa3\x93\x42\x82\x88${kind}${codec}`)
const flat = (kind: string) =>
  bytes(
    `<?xml version="1.0"?>\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.${kind}">`,
  )
const icon = (kind: number) =>
  Buffer.concat([hex(`0000 0${kind}00 0100 10100000 01002000 68040000 16000000`), Buffer.alloc(8)])
const tga = Buffer.concat([hex('000002000000000000000000 1000 1000 18 00'), Buffer.alloc(20)])

/** The beginning of one file of every format; a format without one does not compile. */
const HEADS: Record<Ext, Buffer> = {
  jpg: hex('ffd8ffe0 00104a46 4946'),
  png: bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  webp: bytes('RIFF\x10\0\0\0WEBPVP8 '),
  avif: ftyp('avif', 'mif1'),
  gif: bytes('GIF89a\x01\0'),
  tiff: bytes('II*\0\x08\0\0\0'),
  svg: bytes('<?xml version="1.0"?><!-- a --><!DOCTYPE svg [<!ENTITY a "b">]>\n<svg xmlns="x">'),
  svgz: gzipSync('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
  bmp: at(14, '\x28', 64).fill('BM', 0, 2),
  ico: icon(1),
  cur: icon(2),
  heic: ftyp('mif1', 'heic'),
  jxl: hex('ff0a fa1f'),
  jp2: bytes('\0\0\0\x0cjP  \r\n\x87\n'),
  j2k: hex('ff4fff51 0029'),
  psd: bytes('8BPS\0\x01\0\0'),
  xcf: bytes('gimp xcf file\0'),
  tga,
  pcx: at(0, '\x0a\x05\x01\x08', 200),
  ppm: bytes('P6\n# made by hand\n2 2\n255\n'),
  pgm: bytes('P5 2 2 255\n'),
  pbm: bytes('P4\n2 2\n'),
  pnm: bytes('P6\n2 2\n255\n'),
  dds: bytes('DDS \x7c\0\0\0'),
  hdr: bytes('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n'),
  exr: hex('762f3101 02000000'),
  eps: bytes('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n'),
  ai: bytes('%PDF-1.5\n%\xe2\xe3\n'),
  emf: at(40, ' EMF', 88).fill('\x01', 0, 1),
  wmf: hex('d7cdc69a 0000 0000'),
  cdr: bytes('RIFF\x10\0\0\0CDR9vrsn'),
  dcm: at(128, 'DICM'),
  fits: bytes('SIMPLE  =                    T'),
  xbm: bytes('#define cat_width 16\n#define cat_height 16\n'),
  xpm: bytes('/* XPM */\nstatic char *a[] = {'),
  sgi: hex('01da 01 01 0003 0010 0010 0003'),
  qoi: bytes('qoif\0\0\0\x01'),
  icns: bytes('icns\0\0\x10\0'),
  djvu: bytes('AT&TFORM\0\0\0\x10DJVU'),
  dng: bytes('II*\0\x08\0\0\0'),
  cr2: bytes('II*\0\x10\0\0\0CR\x02\0'),
  cr3: ftyp('crx ', 'isom'),
  nef: bytes('MM\0*\0\0\0\x08'),
  nrw: bytes('II*\0\x08\0\0\0'),
  arw: bytes('II*\0\x08\0\0\0'),
  orf: bytes('IIRO\x08\0\0\0'),
  rw2: bytes('IIU\0\x18\0\0\0'),
  raf: bytes('FUJIFILMCCD-RAW 0201'),
  pef: bytes('MM\0*\0\0\0\x08'),
  srw: bytes('II*\0\x08\0\0\0'),
  erf: bytes('II*\0\x08\0\0\0'),
  mp4: ftyp('isom', 'iso2', 'avc1', 'mp41'),
  m4v: ftyp('M4V ', 'isom'),
  mov: ftyp('qt  '),
  mkv: ebml('matroska', 'V_MPEG4'),
  webm: ebml('webm', 'V_VP9'),
  avi: bytes('RIFF\x10\0\0\0AVI LIST'),
  wmv: asf(video),
  asf: asf(video),
  flv: bytes('FLV\x01\x05'),
  f4v: ftyp('f4v ', 'isom'),
  mpg: hex('000001ba 44'),
  m2v: hex('000001b3 16'),
  ts: rows(tsPacket(188, 0)),
  mts: rows(tsPacket(192, 4)),
  m2ts: rows(tsPacket(192, 4)),
  vob: hex('000001ba 44'),
  '3gp': ftyp('3gp4', 'isom'),
  '3g2': ftyp('3g2a'),
  ogv: oggOf('\x80theora'),
  mxf: hex('060e2b34 02050101 0d010201 01020400'),
  rm: bytes('.RMF\0\0\0\x12'),
  divx: bytes('RIFF\x10\0\0\0AVI LIST'),
  dv: hex('1f07003f'),
  swf: bytes('CWS\x0a\x10\0\0\0'),
  mp3: rows(mp3Frame),
  wav: bytes('RIFF\x10\0\0\0WAVEfmt '),
  flac: bytes('fLaC\0\0\0"'),
  ogg: oggOf('\x01vorbis'),
  oga: oggOf('\x7fFLAC'),
  opus: oggOf('OpusHead'),
  m4a: ftyp('M4A ', 'isom'),
  m4b: ftyp('M4B ', 'isom'),
  m4r: ftyp('M4A ', 'isom'),
  aac: rows(aacFrame),
  wma: asf(sound),
  aiff: bytes('FORM\0\0\0\x10AIFFCOMM'),
  amr: bytes('#!AMR\n'),
  ac3: rows(Buffer.concat([hex('0b77 0000 10 40 00'), Buffer.alloc(121)])),
  dts: hex('7ffe8001 fc'),
  ape: bytes('MAC \x96\x0f\0\0'),
  wv: bytes('wvpk\x10\0\0\0'),
  mka: ebml('matroska', 'A_OPUS'),
  au: bytes('.snd\0\0\0\x18'),
  caf: bytes('caff\0\x01'),
  mp2: rows(mp2Frame),
  ra: bytes('.ra\xfd\0\x04'),
  tta: bytes('TTA1\x01\0'),
  spx: oggOf('Speex   '),
  mid: bytes('MThd\0\0\0\x06'),
  pdf: bytes('%PDF-1.7\n'),
  ps: bytes('%!PS-Adobe-3.0\n'),
  xps: zipOf({ '[Content_Types].xml': '<Types/>', 'FixedDocSeq.fdseq': '' }),
  docx: types('application/vnd.openxmlformats-officedocument.wordprocessingml.document.main'),
  doc: oleOf('Root Entry', 'WordDocument'),
  dotx: types('application/vnd.openxmlformats-officedocument.wordprocessingml.template.main'),
  dot: oleOf('Root Entry', 'WordDocument'),
  docm: types('application/vnd.ms-word.document.macroEnabled.main'),
  rtf: bytes('{\\rtf1\\ansi'),
  odt: odf('text'),
  ott: odf('text-template'),
  fodt: flat('text'),
  txt: bytes('Nothing but words.\n'),
  html: bytes('<!-- a --><!DOCTYPE html>\n<html>'),
  xhtml: bytes('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'),
  md: bytes('# Title\n\nSome *words*.\n'),
  rst: bytes('Title\n=====\n'),
  org: bytes('* Heading\n'),
  tex: bytes('% a comment\n\\documentclass{article}\n'),
  ipynb: bytes('{\n "cells": [], "nbformat": 4}'),
  wpd: hex('ff575043 10000000'),
  wps: oleOf('Root Entry', 'MatOST'),
  pages: zipOf({ 'Index/Document.iwa': '' }),
  odg: odf('graphics'),
  vsd: oleOf('Root Entry', 'VisioDocument'),
  vsdx: types('application/vnd.ms-visio.drawing.main'),
  pub: oleOf('Root Entry', 'Quill'),
  mhtml: bytes(
    'From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.org/\r\nSubject: a\r\nDate: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="b"\r\n\r\n',
  ),
  eml: bytes('From: a@example.org\r\nTo: b@example.org\r\nSubject: hello\r\n\r\nText'),
  xlsx: types('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main'),
  xls: oleOf('Root Entry', 'Workbook'),
  xlsm: types('application/vnd.ms-excel.sheet.macroEnabled.main'),
  xlsb: types('application/vnd.ms-excel.sheet.binary.macroEnabled.main'),
  ods: odf('spreadsheet'),
  ots: odf('spreadsheet-template'),
  fods: flat('spreadsheet'),
  csv: bytes('a,b\n1,2\n'),
  tsv: bytes('a\tb\n1\t2\n'),
  numbers: zipOf({ 'Index/Document.iwa': '' }),
  pptx: types('application/vnd.openxmlformats-officedocument.presentationml.presentation.main'),
  ppt: oleOf('Root Entry', 'PowerPoint Document'),
  pps: oleOf('Root Entry', 'PowerPoint Document'),
  ppsx: types('application/vnd.openxmlformats-officedocument.presentationml.slideshow.main'),
  pptm: types('application/vnd.ms-powerpoint.presentation.macroEnabled.main'),
  odp: odf('presentation'),
  otp: odf('presentation-template'),
  fodp: flat('presentation'),
  key: zipOf({ 'Index/Slide-1.iwa': '' }),
  epub: zipOf({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '' }),
  mobi: at(60, 'BOOKMOBI', 100),
  azw: at(60, 'BOOKMOBI', 100),
  azw3: at(60, 'BOOKMOBI', 100),
  fb2: bytes('<?xml version="1.0"?>\n<FictionBook xmlns="x">'),
  lit: bytes('ITOLITLS\x01'),
  lrf: bytes('L\0R\0F\0\0\0'),
  pdb: at(60, 'TEXtREAd', 100),
  prc: at(60, 'TEXtREAd', 100),
  cbz: zipOf({ '001.jpg': 'x', '002.jpg': 'y' }),
  cbr: bytes('Rar!\x1a\x07\0'),
  srt: bytes('1\n00:00:01,000 --> 00:00:02,000\nHi\n'),
  vtt: bytes('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'),
  ass: bytes('[Script Info]\nScriptType: v4.00+\n'),
  json: bytes('{"a": 1}'),
  xml: bytes('<?xml version="1.0"?>\n<catalog/>'),
  yaml: bytes('a: 1\n'),
  zip: zipOf({ 'letter.docx': 'x' }),
}

describe('sniff', () => {
  for (const ext of EXTS) {
    it(`recognises ${ext} under its own name`, () => {
      assert.equal(sniff(HEADS[ext], `a file.${ext.toUpperCase()}`).format, ext)
    })
  }

  it('takes no word of a name that the content contradicts', () => {
    assert.deepEqual(sniff(HEADS.docx, 'photo.jpg'), { format: 'docx', sure: true })
    assert.deepEqual(sniff(HEADS.png, 'letter.docx'), { format: 'png', sure: true })
    assert.equal(sniff(HEADS.html, 'clip.mp4').format, 'html')
    assert.equal(sniff(HEADS.xml, 'drawing.svg').format, 'xml')
    assert.equal(sniff(HEADS.zip, 'letter.docx').format, 'zip')
    assert.equal(sniff(HEADS.mov, 'clip.mp4').format, 'mov')
  })

  it('does not take words for signs', () => {
    const words = [
      'The free encyclopedia',
      'MMORPG list',
      'MAC OS and others',
      'icns is a format',
      'P4 2016 report',
      'BM is short for bitmap, is it not?',
      'ID3 tags explained',
      'FORM AIFF',
      'RIFF is a song',
      'II. and more',
    ]
    for (const text of words) assert.equal(sniff(bytes(`${text}\n`.repeat(9)), 'a.txt').format, 'txt', text)
  })

  it('is quick with what was made to be slow', () => {
    const pieces = [
      '<!---->',
      '<? ?>',
      '<!--',
      '] ',
      '/**/ ',
      ' %  \n \n',
      'a=b\n',
      'From: a\n b\n',
      '<a ',
      '\xff\xfb\x90\x64',
    ]
    for (const piece of pieces) {
      // A quadratic search would take minutes, and the test would be ended.
      for (const start of ['', 'v=0\n', '<!doctype a ['])
        sniff(bytes(start + piece.repeat(65_536 / piece.length)), 'x.bin')
    }
  })

  it('recognises most formats without a name', () => {
    const nameless = EXTS.filter((ext) => sniff(HEADS[ext]).format === ext)
    assert.ok(nameless.length > 110, `${nameless.length}`)
    for (const ext of ['jpg', 'heic', 'avif', 'pdf', 'docx', 'xlsx', 'doc', 'mp4', 'mp3', 'svg', 'html'] as const) {
      assert.ok(nameless.includes(ext), ext)
    }
  })

  it('lets the name choose among kinds of text only', () => {
    const text = bytes('a;b\nc;d\n')
    assert.deepEqual(sniff(text, 'x.csv'), { format: 'csv', sure: false })
    assert.deepEqual(sniff(text, 'x.log'), { format: 'txt', sure: false })
    for (const name of ['x.docx', 'x.png', 'x.mp3'])
      assert.deepEqual(sniff(text, name), { format: null, sure: false }, 'no text by its name')
    assert.deepEqual(sniff(text), { format: 'txt', sure: false })
    assert.equal(sniff(bytes('caf\xe9;na\xefve\r\n'), 'x.csv').format, 'csv', 'an old one-byte code is text too')
    assert.equal(sniff(Buffer.from('\ufeffa\tb', 'utf16le'), 'x.tsv').format, 'tsv')
    assert.equal(sniff(bytes('<h1 align="center">Title</h1>\n\n# More'), 'README.md').format, 'md')
    assert.equal(sniff(bytes('<p>Fragment</p>'), 'part.html').format, 'html')
  })

  it('knows nothing of an empty file or of noise, whatever it is called', () => {
    assert.deepEqual(sniff(Buffer.alloc(0), 'zero.pdf'), { format: null, sure: false })
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + (i >> 3) * 104_729) & 0xff))
    for (const ext of ['docx', 'jpg', 'mp3', 'mp4', 'doc', 'txt', 'zip'] as const) {
      assert.equal(sniff(noise, `noise.${ext}`).format, null, ext)
    }
    assert.equal(sniff(Buffer.alloc(512), 'zeros.txt').format, null)
  })

  it('refuses playlists under any name, and says why', () => {
    const lists = [
      '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10,\nfile:///etc/passwd\n',
      '\ufeff#EXTM3U\n',
      'ffconcat version 1.0\nfile a.mp4\n',
      'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nm=video 5000 RTP/AVP 96\r\n',
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011">',
      '[playlist]\nFile1=http://127.0.0.1/\n',
    ]
    for (const list of lists) {
      for (const name of ['clip.mp4', 'notes.txt', '']) {
        const { format, refused } = sniff(Buffer.from(list), name)
        assert.equal(format, null, list)
        assert.match(refused ?? '', /not accepted/, list)
      }
    }
  })

  it('finds a PDF behind rubbish, but not one that is only spoken of', () => {
    assert.equal(sniff(Buffer.concat([hex('00010203'), HEADS.pdf])).format, 'pdf')
    assert.equal(sniff(bytes('some words\n%PDF-1.4\n'), 'a.pdf').format, 'pdf')
    assert.equal(sniff(bytes('A file begins with %PDF-1.4, they say.\n'), 'a.md').format, 'md')
  })

  it('tells HEIC from AVIF by all brands', () => {
    assert.equal(sniff(ftyp('mif1', 'miaf', 'avif')).format, 'avif')
    assert.equal(sniff(ftyp('heix', 'mif1')).format, 'heic')
    assert.equal(sniff(ftyp('mif3', 'avif')).format, 'avif')
  })

  it('tells the raw formats of cameras from TIFF and from each other by what they hold', async () => {
    const { nrw, ...others } = RAW_SAMPLES
    for (const [ext, make] of Object.entries(others)) {
      const head = (await make(1)).subarray(0, 65_536)
      for (const name of ['', 'photo.tif', 'photo.jpg'])
        assert.equal(sniff(head, name).format, ext, `${ext} as ${name}`)
    }
    assert.equal(sniff(await nrw(1), 'a.nrw').format, 'nrw')
    assert.equal(sniff(await nrw(1), 'a.tif').format, 'nef', 'both are of one maker: only the name tells')
    const nikon: Field = [271, 2, 'NIKON CORPORATION']
    const scan = tiffOf({ fields: [[259, 3, [1]], [262, 3, [2]], nikon] }, 'MM\0*')
    assert.equal(sniff(scan).format, 'tiff', 'cameras write TIFF too')
    assert.equal(sniff(scan, 'a.nef').format, 'nef', 'the mosaic may be out of sight')
    assert.equal(sniff(scan, 'a.arw').format, 'tiff', 'that is another maker')
    assert.equal(sniff(tiffOf({ fields: [[262, 3, [2]]] }), 'a.nef').format, 'tiff', 'no camera made it')
    assert.equal(sniff(tiffOf({ fields: [[262, 3, [32_803]]] }), 'a.arw').format, 'arw', 'of nobody knows whom')
  })

  it('takes no harm from folders that lead in circles or nowhere', () => {
    const circle = tiffOf({ fields: [[330, 4, [8, 8, 0xffff, 0x7fff_ffff]]] })
    circle.writeUInt32LE(8, 8 + 2 + 12)
    assert.equal(sniff(circle).format, 'tiff')
    for (let cut = 0; cut < circle.length; cut += 1) sniff(circle.subarray(0, cut), 'a.tif')
  })

  it('takes an MP4 with a picture for no sound file', () => {
    const withPicture = Buffer.concat([HEADS.mp4, bytes('hdlr\0\0\0\0\0\0\0\0vide')])
    assert.equal(sniff(withPicture, 'a.m4a').format, 'mp4')
    assert.equal(sniff(HEADS.mp4, 'a.m4a').format, 'm4a')
  })

  it('looks behind an ID3 tag', () => {
    const tag = bytes('ID3\x04\0\0\0\0\0\x0a'.padEnd(20, '\0'))
    assert.equal(sniff(Buffer.concat([tag, HEADS.mp3])).format, 'mp3')
    assert.equal(sniff(Buffer.concat([tag, HEADS.flac])).format, 'flac')
    assert.equal(sniff(Buffer.concat([tag, HEADS.aac])).format, 'aac')
  })

  it('tells documents of Apple and of Works by what they hold', () => {
    const markup = (tag: string): Buffer => zipOf({ 'index.xml': `<?xml version="1.0"?>\n<${tag} xmlns:sf="x">` })
    assert.equal(sniff(markup('ls:document')).format, 'numbers')
    assert.equal(sniff(markup('sl:document'), 'a.numbers').format, 'pages', 'the name is not asked')
    assert.equal(sniff(zipOf({ 'Index/MasterSlide.iwa': '' })).format, 'key')
    assert.equal(sniff(zipOf({ 'Talk.key/Index.zip': '' }), 'a.key').format, 'key')
    for (const works of [
      oleOf('Root Entry', 'MN0'),
      Buffer.concat([oleOf('Root Entry', 'CONTENTS'), bytes('CHNKWKS')]),
    ])
      assert.deepEqual(sniff(works, 'a.doc'), { format: 'wps', sure: true })
  })

  it('says when a document is encrypted', () => {
    assert.deepEqual(sniff(oleOf('EncryptedPackage'), 'a.xlsx'), { format: 'xlsx', sure: true, encrypted: true })
  })

  it('uses the end of the file where it is at hand', () => {
    const names = ['word/document.xml', '_rels/.rels']
    const records = names.map((name) => {
      const record = Buffer.alloc(46)
      record.write('PK\x01\x02', 0, 'latin1')
      record.writeUInt16LE(name.length, 28)
      return Buffer.concat([record, bytes(name)])
    })
    const directory = Buffer.concat(records)
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 0, 'latin1')
    end.writeUInt32LE(directory.length, 12)
    const head = zipOf({ 'big.bin': 'x' })
    assert.equal(sniff(head, 'a.zip').format, 'zip')
    assert.equal(sniff(head, 'a.zip', Buffer.concat([directory, end])).format, 'docx')
    assert.equal(sniff(tga, 'a.bin').format, null)
    assert.equal(sniff(tga, 'a.bin', bytes('TRUEVISION-XFILE.\0')).format, 'tga')
  })

  it('takes any bytes without throwing, and never a name alone', () => {
    const starts = EXTS.map((ext) => HEADS[ext])
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 600 }).map((b) => Buffer.from(b)),
      fc
        .tuple(fc.constantFrom(...starts), fc.nat(600), fc.uint8Array({ maxLength: 64 }))
        .map(([start, cut, more]) => Buffer.concat([start.subarray(0, cut), Buffer.from(more)])),
    )
    fc.assert(
      fc.property(content, fc.constantFrom(...EXTS), content, (head, ext, tail) => {
        const { format } = sniff(head, `x.${ext}`, tail)
        assert.ok(format === null || EXTS.includes(format))
      }),
      { numRuns: 500 },
    )
  })
})
