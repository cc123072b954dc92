/**
 * How much a drawing draws: elements that show others (`<use>`, patterns, masks) may show them many times over, and a few
 * lines become millions of shapes. Counted on the text alone, before anything is drawn. Pure; runs inside the box.
 */

/** A page of text out of a PDF has tens of thousands of `<use>`; at this many the library is busy for a second. */
const MOST_SHOWN = 100_000
/** And for each element that is really there so many more. */
const SHOWN_PER_ELEMENT = 10
const MOST_EXPANDED = 2 ** 20
const EXPANDED_PER_LETTER = 10
const DEEPEST = 200
const MOST_STEPS = 2e7

interface Elements {
  /** The number behind the last descendant of each, in the order of the text. */
  ends: number[]
  ids: Map<string, number>
  /** Who shows whom, in the order of the text. */
  shows: { at: number; id: string }[]
}

const TAG =
  /<(?:!--[\s\S]*?(?:-->|$)|!\[CDATA\[[\s\S]*?(?:\]\]>|$)|[!?][^>]*>?|(\/?)([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>)/g
const ID = /(?:^|\s)(?:xml:)?id\s*=\s*["']\s*([^"'\s]+)/
const SHOWN = /(?:^|[\s:])href\s*=\s*["']\s*#([^"'\s]+)|url\(\s*["']?#([^"')\s]+)/g

function elementsOf(text: string): Elements {
  const ends: number[] = []
  const ids = new Map<string, number>()
  const shows: Elements['shows'] = []
  const open: number[] = []
  for (const [, closing, name, attributes = ''] of text.matchAll(TAG)) {
    if (name === undefined) continue
    if (closing) {
      const last = open.pop()
      if (last !== undefined) ends[last] = ends.length
      continue
    }
    const at = ends.push(0) - 1
    ends[at] = at + 1
    const [, id] = ID.exec(attributes) ?? []
    if (id !== undefined && !ids.has(id)) ids.set(id, at)
    // A link leads there; it shows nothing.
    if (name !== 'a')
      for (const [, used, painted] of attributes.matchAll(SHOWN)) shows.push({ at, id: used ?? painted ?? '' })
    if (!attributes.endsWith('/')) open.push(at)
  }
  for (const at of open) ends[at] = ends.length
  return { ends, ids, shows }
}

/** The first that is not before. */
function firstFrom(shows: Elements['shows'], at: number): number {
  let [low, high] = [0, shows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shows[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** How many elements are drawn in all. Endless where it cannot be told in decent time. */
function drawn({ ends, ids, shows }: Elements): number {
  const known = new Map<string, number>()
  let steps = 0
  const within = (from: number, to: number, depth: number): number => {
    let sum = to - from
    for (let index = firstFrom(shows, from); index < shows.length; index++) {
      const { at, id } = shows[index]!
      if (at >= to) break
      steps += 1
      if (steps > MOST_STEPS) return Number.POSITIVE_INFINITY
      sum += shown(id, depth)
    }
    return sum
  }
  const shown = (id: string, depth: number): number => {
    const found = known.get(id)
    if (found !== undefined) return found
    const at = ids.get(id)
    if (at === undefined) return 0
    if (depth > DEEPEST) return Number.POSITIVE_INFINITY
    // What shows itself is drawn by nobody.
    known.set(id, 0)
    const sum = within(at, ends[at] ?? at + 1, depth + 1)
    known.set(id, sum)
    return sum
  }
  return within(0, ends.length, 0)
}

const ENTITY = /<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g
const NAMED = /&([\w.:-]+);/g

/** The text with its own abbreviations written out, or null when that is far longer. */
function writtenOut(text: string): string | null {
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

/** Whether a drawing would keep the library busy for no good reason. */
export function drawsTooMuch(bytes: Buffer): boolean {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = writtenOut(bytes.toString(wide ? 'utf16le' : 'latin1'))
  if (text === null) return true
  const elements = elementsOf(text)
  const there = elements.ends.length
  return drawn(elements) - there > Math.max(MOST_SHOWN, there * SHOWN_PER_ELEMENT)
}
