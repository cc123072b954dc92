/** Text has no magic bytes. Markup and playlists show themselves; for the rest the name chooses among kinds of text. */
import { constants, gunzipSync } from 'node:zlib'
import type { Ext } from '../formats.ts'
import { type Detector, type Finding, found } from './finding.ts'

const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/
const ENDING = /[\x1a\0]+$/

/** The text of the bytes, or null when they are none. Without a mark it is UTF-8, else some old one-byte code. */
export const textOf = (head: Buffer): string | null => {
  if (head.length === 0) return null
  const mark = head.length > 2 ? head.readUInt16BE(0) : 0
  const wide = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : null
  if (wide !== null) {
    // The last letter may be cut in half; any other that is no letter shows that this is no text.
    const text = new TextDecoder(wide).decode(head).replace(/\ufffd$/, '')
    return BINARY.test(text) || text.includes('\ufffd') ? null : text
  }
  const text = head.toString('latin1').replace(ENDING, '')
  return text === '' || BINARY.test(text) ? null : new TextDecoder().decode(head)
}

/** Kinds of text that only a name can tell apart. The first is what nameless text is. */
const PLAIN: readonly Ext[] = [
  'txt',
  'md',
  'csv',
  'tsv',
  'html',
  'rst',
  'org',
  'tex',
  'json',
  'yaml',
  'xml',
  'eml',
  'srt',
  'vtt',
  'ass',
]
/** Whatever else it is, text may be taken as such. */
const anyText = (...first: readonly Ext[]): Finding => ({ among: [...new Set([...first, ...PLAIN])] })
const markup = (...first: readonly Ext[]): Finding => found(...first, 'txt', 'md')

const refuse = (what: string): Finding => ({
  among: [],
  refused: `${what} only point to other files or addresses, and are not accepted. Send the media file itself.`,
})

const PLAYLISTS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^#EXTM3U/, 'HLS and M3U playlists'],
  [/^ffconcat version/, 'ffconcat lists'],
  [/^v=0\r?\n(?:[a-z]=.*\r?\n)*?(?:[cmo]=)/, 'SDP session descriptions'],
  [/^\[playlist\]/i, 'PLS playlists'],
  [/^(?:rtsp|rtmp|mms):\/\//i, 'Stream addresses'],
]
const PLAYLIST_ROOTS: Readonly<Record<string, string>> = {
  mpd: 'DASH manifests',
  asx: 'ASX playlists',
  smil: 'SMIL playlists',
  playlist: 'XSPF playlists',
  smoothstreamingmedia: 'Smooth Streaming manifests',
}

const PROLOG = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype\s[^>[]*(?:\[[\s\S]*?\]\s*)?>)/iy

interface Root {
  /** Without its prefix, in small letters. */
  readonly name: string
  readonly tag: string
  readonly declared: boolean
  readonly doctype: string
}

/** The first element, behind declarations and comments. One pass: each piece is looked at once, however many there are. */
const rootOf = (text: string): Root => {
  let at = 0
  let doctype = ''
  for (;;) {
    PROLOG.lastIndex = at
    const [piece] = PROLOG.exec(text) ?? []
    if (piece === undefined) break
    if (/^<!doctype/i.test(piece)) doctype = piece
    at += piece.length
  }
  const [tag = '', name = ''] = /^<([a-z_][\w.:-]{0,100})[^>]*/i.exec(text.slice(at)) ?? []
  return { name: name.toLowerCase().replace(/^.*:/, ''), tag, declared: /^\s*<\?xml\s/i.test(text), doctype }
}

const FLAT: Readonly<Record<string, Ext>> = { text: 'fodt', spreadsheet: 'fods', presentation: 'fodp' }
const HTML_TAGS =
  /^(?:head|body|title|meta|script|style|link|div|p|span|a|h[1-6]|table|tr|td|ul|ol|li|center|font|form|img|br|hr|b|i|em|strong|pre|section|article|main|header|nav|base|frameset)$/

const XHTML = /xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml/
const ODF_KIND = /office:mimetype\s*=\s*["']application\/vnd\.oasis\.opendocument\.(\w+)/

const byMarkup = (text: string): Finding | null => {
  const { name, tag, declared, doctype } = rootOf(text)
  const playlist = Object.hasOwn(PLAYLIST_ROOTS, name) ? PLAYLIST_ROOTS[name] : undefined
  if (playlist) return refuse(playlist)
  if (name === 'svg') return markup('svg')
  if (name === 'html' && (declared || XHTML.test(tag))) return markup('xhtml', 'html')
  if (name === 'html' || /^<!doctype\s+html/i.test(doctype)) return markup('html', 'xhtml')
  if (name === 'fictionbook') return markup('fb2', 'xml')
  if (name === 'document' && tag.includes('urn:oasis:names:tc:opendocument')) {
    return markup(FLAT[ODF_KIND.exec(tag)?.[1] ?? ''] ?? 'xml', 'xml')
  }
  if (declared) return markup('xml')
  if (name === '') return null
  return HTML_TAGS.test(name) ? anyText('html') : anyText('xml')
}

const MAIL =
  /^(?:received|return-path|from|to|cc|subject|date|mime-version|message-id|delivered-to|reply-to|content-type|dkim-signature|x-[\w-]+):/i

/** Letters begin with header lines, most of them well known. */
const isMail = (text: string): boolean => {
  const lines =
    text
      .slice(0, 8192)
      .split(/\r?\n\r?\n/, 1)[0]
      ?.split(/\r?\n(?![ \t])/) ?? []
  return MAIL.test(lines[0] ?? '') && lines.filter((line) => MAIL.test(line)).length >= 3
}

/** A letter whose parts are the parts of a page. */
const isPageArchive = (text: string): boolean =>
  isMail(text) &&
  /^content-type:\s*multipart\/related\b/im.test(text.slice(0, 8192).split(/\r?\n\r?\n/, 1)[0] ?? '') &&
  /^(?:snapshot-content-location:|from:\s*<saved by )/im.test(text.slice(0, 8192))

const SIGNS: readonly (readonly [pattern: RegExp, ...among: Ext[]])[] = [
  [/^\{\\(?:rtf|ansi|pard|fonttbl|colortbl)/, 'rtf'],
  [/^WEBVTT(?=\s|$)/, 'vtt'],
  [/^\[Script Info\]/i, 'ass'],
  [/^\d+\s*\r?\n\d+:\d\d:\d\d[,.]\d{1,3}\s*-->/, 'srt'],
  [/^(?:\/\*[\s\S]*?\*\/\s*)?#define\s+\S+_width\s+\d+\s/, 'xbm'],
  [/^(?:\s*%[^\n]*\n)*\s*\\(?:documentclass|documentstyle|begin\{document\})/, 'tex'],
  [/^\{[\s\S]{0,4096}"(?:nbformat|cells)"\s*:/, 'ipynb', 'json'],
  [/^[{[]\s*(?:["{[\]}\d-]|true|false|null)/, 'json'],
]

export const text: Detector = (head) => {
  const whole = textOf(head)
  if (whole === null) return null
  const start = whole.replace(/^[\ufeff\s]+/, '')
  const playlist = PLAYLISTS.find(([pattern]) => pattern.test(start))
  if (playlist) return refuse(playlist[1])
  const marked = start.startsWith('<') ? byMarkup(start) : null
  if (marked) return marked
  const [, ...signed] = SIGNS.find(([pattern]) => pattern.test(start)) ?? []
  if (signed.length > 0) return anyText(...signed)
  if (isPageArchive(start)) return found('mhtml', 'eml', 'txt')
  if (isMail(start)) return /multipart\/related/i.test(start.slice(0, 8192)) ? anyText('eml', 'mhtml') : anyText('eml')
  return /<html[\s>]|<!doctype html/i.test(start.slice(0, 1024)) ? anyText('html') : anyText()
}

/** The content alone says nothing: then only a name can. */
export const isPlain = (finding: Finding): boolean => finding.among[0] === 'txt'

/** A compressed SVG: only its first bytes are unpacked, a few MB at most. */
export const svgz: Detector = (head) => {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return null
  try {
    const start = gunzipSync(head.subarray(0, 4096), { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 23 })
    return text(start, Buffer.alloc(0))?.among[0] === 'svg' ? found('svgz') : null
  } catch {
    return null
  }
}
