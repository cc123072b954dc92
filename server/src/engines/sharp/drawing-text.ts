/** The text of a drawing, in whatever letters it is written, with its abbreviations written out. Pure; runs inside the box. */

const MOST_EXPANDED = 2 ** 20
const EXPANDED_PER_LETTER = 10
const DEEPEST = 200

/** In whatever letters it is written. Null for those that hide what is written, which no drawing program uses. */
export function textOf(bytes: Buffer): string | null {
  const [first = 0, second = 0] = bytes
  // What is packed within a drawing is not looked into.
  if (first === 0x1f && second === 0x8b) return null
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return bytes.toString('utf16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
  const [, code = 'utf-8'] = /^[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)/.exec(bytes.toString('latin1', 0, 200)) ?? []
  if (/utf-?7|utf-?32|ucs|ibm|ebcdic|cp\d|2022|^hz/i.test(code)) return null
  return bytes.toString(/^utf-?8$|ascii/i.test(code) ? 'utf8' : 'latin1')
}

const ENTITY = /<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g
const NAMED = /&([\w.:-]+);/g

/** The text with its own abbreviations written out, or null when that is far longer. */
export function writtenOut(text: string): string | null {
  const values = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(ENTITY))
    if (!values.has(name)) values.set(name, double ?? single ?? '')
  if (values.size === 0) return text
  const most = Math.max(MOST_EXPANDED, text.length * EXPANDED_PER_LETTER)
  const known = new Map<string, number>()
  const lengthOf = (part: string, depth: number): number => {
    let sum = part.length
    for (const [, name = ''] of part.matchAll(NAMED)) {
      if (!values.has(name)) continue
      if (depth > DEEPEST) return Number.POSITIVE_INFINITY
      if (!known.has(name)) {
        known.set(name, 0)
        known.set(name, lengthOf(values.get(name) ?? '', depth + 1))
      }
      sum += known.get(name) ?? 0
    }
    return sum
  }
  if (lengthOf(text, 0) > most) return null
  let out = text
  for (let depth = 0; depth < DEEPEST && out.length <= most; depth++) {
    const next = out.replace(NAMED, (whole, name: string) => values.get(name) ?? whole)
    if (next === out) return out
    out = next
  }
  return null
}
