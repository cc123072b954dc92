/**
 * What the words of a drawing's attributes and style sheets mean, as far as one must know it to count what is shown:
 * letters written as numbers, and which elements a rule has show another. Pure; runs inside the box.
 */

const NUMBERED = /&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));/gi
const ESCAPED = /\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g
const SHOWN = /url\(\s*(?:"\s*#([^"]{0,200})"|'\s*#([^']{0,200})'|#([^)"'\s]{0,200}))/gi
/** `rect`, `.a`, `#b`, `rect.a.c`; whatever else is said of an element only makes it fewer. */
const SIMPLE = /^([^\s.#:*[\]()]*)((?:[.#][^\s.#:*[\]()]+)*)$/
/** More than one such list is none that people write. */
const LISTED = /<!ATTLIST[^>]{0,2000}?(?:url\(|["']\s*&?#)/i

const letter = (code: number): string => (code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '')

/** An attribute as a parser reads it. */
export const read = (value: string): string =>
  value.includes('&#')
    ? value.replace(NUMBERED, (_, hex?: string, digits?: string) =>
        letter(hex ? Number.parseInt(hex, 16) : Number(digits)),
      )
    : value

const readStyle = (css: string): string => {
  const plain = css.includes('/*') ? css.replace(COMMENT, ' ') : css
  if (!plain.includes('\\')) return plain
  return plain.replace(ESCAPED, (_, hex?: string, other?: string) =>
    hex ? letter(Number.parseInt(hex, 16)) : (other ?? ''),
  )
}

/** The parts that some words of style show. */
export const paintedBy = (css: string): string[] =>
  [...readStyle(css).matchAll(SHOWN)].map(([, double, single, bare]) => (double ?? single ?? bare ?? '').trim())

export interface Sheet {
  /** By `.class`, `#id` or the name of the element. */
  by: Map<string, string[]>
  everywhere: string[]
}

/** Whom a selector means: the last of its elements, by one thing that is said of it. Null for anybody. */
function meant(selector: string): string | null {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? ''
  const [, name = '', more = ''] = SIMPLE.exec(last) ?? []
  const [, said] = /^([.#][^.#]+)/.exec(more) ?? []
  return said ?? (name === '' ? null : name)
}

/** Null where the sheet brings another with it. */
export function readSheet(css: string): Sheet | null {
  const sheet: Sheet = { by: new Map(), everywhere: [] }
  const plain = readStyle(css)
  if (/@import/i.test(plain) && /data:/i.test(plain)) return null
  for (const rule of plain.split('}')) {
    const open = rule.lastIndexOf('{')
    const ids = open < 0 ? [] : paintedBy(rule.slice(open))
    if (ids.length === 0) continue
    for (const selector of rule.slice(rule.lastIndexOf('{', open - 1) + 1, open).split(',')) {
      const whom = meant(selector)
      if (whom === null) sheet.everywhere.push(...ids)
      else sheet.by.set(whom, [...(sheet.by.get(whom) ?? []), ...ids])
    }
  }
  return sheet
}

/** Whether a drawing says in ways that no program writes what its elements show. */
export const speaksInRiddles = (text: string): boolean =>
  LISTED.test(text) || /<\?xml-stylesheet[^>]{0,2000}?data:/i.test(text)

/** The drawing that stands in an address, if one does. */
export function drawingIn(address: string): Buffer | null {
  const [, kind = '', base64, data = ''] = /^data:([^,;]*)[^,]{0,200}?(;base64)?,([\s\S]*)$/i.exec(address) ?? []
  if (!/xml|svg|^$|text/i.test(kind) || data === '') return null
  if (base64) return Buffer.from(data, 'base64')
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch {
    return Buffer.from(data)
  }
}
