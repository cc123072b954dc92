/**
 * The page in a letter made fit to be shown: nothing in it runs, calls anybody or leads elsewhere unasked. Pictures that
 * came along are put in their places. Pure; it runs inside a box.
 */
import { attributesOf, piecesOfPage } from '../kit/page-pieces.ts'

export interface Cleaned {
  html: string
  /** Pictures on the web, which nobody fetches: that would tell the sender that the letter was opened. */
  remote: number
}

/** Tags that go, with what they hold where that is no text. What frames a page frames the letter's own already. */
const GONE =
  /^(?:html|head|body|meta|base|link|script|noscript|iframe|frame|frameset|noframes|noembed|object|embed|applet|param|form|input|button|select|textarea|template|svg|math|audio|video|source|track|xmp|plaintext|title)$/
const ADDRESSES = new Set(['src', 'background', 'poster', 'data', 'srcset', 'lowsrc', 'dynsrc'])
const SAFE_LINK = /^(?:https?:|mailto:|tel:|#)/i
const SAFE_DATA = /^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[\w+/=\s]*$/i
/** Nothing in a style may fetch either. */
const FETCHES = /url\s*\(|@import|expression\s*\(|\\/i

const quoted = (value: string): string => `"${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`

export function cleaned(html: string, pictureOf: (cid: string) => string | null): Cleaned {
  let remote = 0
  const address = (value: string): string | null => {
    const plain = value.replaceAll('&amp;', '&').trim()
    if (/^cid:/i.test(plain)) return pictureOf(plain.slice(4))
    if (SAFE_DATA.test(plain)) return plain
    if (/^(?:https?:)?\/\//i.test(plain)) remote += 1
    return null
  }
  const attribute = (name: string, value: string | null): string => {
    if (value === null || !/^[a-z][a-z-]*$/.test(name) || name.startsWith('on')) return ''
    const kept = ADDRESSES.has(name)
      ? address(value)
      : name === 'href'
        ? SAFE_LINK.test(value.trim())
          ? value
          : null
        : name === 'style' && FETCHES.test(value)
          ? null
          : value
    return kept === null || /^(?:srcdoc|action|formaction|ping|http-equiv)$/.test(name)
      ? ''
      : ` ${name}=${quoted(kept)}`
  }
  let out = ''
  for (const piece of piecesOfPage(html)) {
    if (piece.is === 'text') out += piece.text
    if (piece.is !== 'tag' || piece.name === '' || GONE.test(piece.name)) continue
    if (piece.closing) out += `</${piece.name}>`
    else if (piece.name === 'style') out += FETCHES.test(piece.raw) ? '<style>' : `<style>${piece.raw}`
    else
      out += `<${piece.name}${attributesOf(piece.text)
        .map(({ name, value }) => attribute(name, value))
        .join('')}>`
  }
  return { html: out, remote }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const LINES = /^(?:p|div|br|tr|li|h[1-6]|table|blockquote|hr|ul|ol)$/

/** The words of a page. */
export function wordsOfPage(html: string): string {
  let out = ''
  for (const piece of piecesOfPage(html)) {
    if (piece.is === 'text') out += piece.text.replaceAll(/\s+/g, ' ')
    else if (piece.is === 'tag' && LINES.test(piece.name)) out += '\n'
    else if (piece.is === 'tag' && piece.name === 'td' && piece.closing) out += '\t'
  }
  return out
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,5}));/gi, (whole, ten, hex, name) => {
      const code = ten ? Number(ten) : hex ? Number.parseInt(hex, 16) : 0
      if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
      return ENTITIES[String(name).toLowerCase()] ?? whole
    })
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
