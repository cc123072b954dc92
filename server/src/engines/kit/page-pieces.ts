/**
 * The pieces of a page: tags, comments and what is between them, in one pass and in the order they stand. It understands as
 * much of HTML as one needs to leave things out, and looks at every letter once, however broken the page is. Pure; it runs
 * inside boxes and imports nothing.
 */
export type Piece =
  | { is: 'text'; text: string }
  | { is: 'comment'; text: string }
  /** The beginning of a tag that never ends, which nobody is shown. */
  | { is: 'cut'; text: string }
  /** `raw` is the content of an element that holds no tags: a script, a style. */
  | { is: 'tag'; text: string; name: string; closing: boolean; raw: string }

const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'noembed', 'noframes', 'iframe'])
const NAME = /^<(\/?)([a-z][a-z0-9:-]*)/i
/** A name longer than this is none. */
const LONGEST_NAME = 100

/** Behind the `>` that ends the tag at `from`; -1 when there is none. A `>` within quotes ends nothing. */
function endOfTag(html: string, from: number): number {
  let quote = ''
  for (let at = from; at < html.length; at += 1) {
    const letter = html[at]
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if ((letter === '"' || letter === "'") && /=\s*$/.test(html.slice(Math.max(from, at - 20), at))) {
      quote = letter
    } else if (letter === '>') return at + 1
  }
  return -1
}

export function* piecesOfPage(html: string): Generator<Piece> {
  // Of ASCII only: other letters may become longer, and places would no longer be the same.
  const small = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) return yield { is: 'text', text: html.slice(at) }
    if (open > at) yield { is: 'text', text: html.slice(at, open) }
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4)
      // What is never closed hides all that follows from a reader, too.
      at = end < 0 ? html.length : end + 3
      yield { is: 'comment', text: html.slice(open, at) }
      continue
    }
    const [start, slash, name = ''] = NAME.exec(html.slice(open, open + LONGEST_NAME)) ?? []
    const declared = html[open + 1] === '!' || html[open + 1] === '?'
    if (start === undefined && !declared) {
      yield { is: 'text', text: '<' }
      at = open + 1
      continue
    }
    const end = endOfTag(html, open + (start?.length ?? 2))
    if (end < 0) return yield { is: 'cut', text: html.slice(open) }
    const tag = { is: 'tag', text: html.slice(open, end), name: name.toLowerCase(), closing: slash === '/' } as const
    at = end
    if (RAW.has(tag.name) && !tag.closing) {
      const close = small.indexOf(`</${tag.name}`, end)
      at = close < 0 ? html.length : close
    }
    yield { ...tag, raw: html.slice(end, at) }
  }
}

const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g

/** The attributes of a tag as they stand there, names in small letters. */
export function attributesOf(tag: string): { name: string; value: string | null }[] {
  const inner = tag.replace(/^<\/?[^\s>/]+/, '').replace(/\/?>$/, '')
  return [...inner.matchAll(ATTRIBUTE)].map(([, name = '', value]) => ({
    name: name.toLowerCase(),
    value: value === undefined ? null : value.replace(/^["']|["']$/g, ''),
  }))
}
