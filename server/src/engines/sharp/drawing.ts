/**
 * How much a drawing draws: elements that show others (`<use>`, patterns, masks) may show them many times over, and a few
 * lines become millions of shapes. Counted on the text alone, before anything is drawn. Pure; runs inside the box.
 */
import { drawingIn, paintedBy, read, readSheet, type Sheet, speaksInRiddles } from './drawing-styles.ts'
import { textOf, writtenOut } from './drawing-text.ts'

/** A page of text out of a PDF has tens of thousands of `<use>`; at this many the library is busy for a second. */
const MOST_SHOWN = 100_000
/** And for each element that is really there so many more. */
const SHOWN_PER_ELEMENT = 10
const DEEPEST = 200
const MOST_STEPS = 2e7

/** A drawing may hold others as pictures, and they others. */
const DEEPEST_WITHIN = 3

interface Show {
  at: number
  /** A part of the drawing, or how much it is where it is a drawing of its own. */
  id: string
  weight?: number
}

interface Elements {
  /** The number behind the last descendant of each, in the order of the text. */
  ends: number[]
  ids: Map<string, number>
  /** Who shows whom, in the order of the text. */
  shows: Show[]
}

const TAG =
  /<(?:!--[\s\S]*?(?:-->|$)|!\[CDATA\[[\s\S]*?(?:\]\]>|$)|[!?][^>]*>?|(\/?)([^\s<>"'/!?]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>)/g
const ID = /(?:^|\s)(?:xml:)?id\s*=\s*("[^"]*"|'[^']*')/
const CLASS = /(?:^|\s)class\s*=\s*("[^"]*"|'[^']*')/
const LINK = /(?:^|[\s:])href\s*=\s*("[^"]*"|'[^']*')/g
const MARKS = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[|\]\]>/g

const unquoted = (quoted: string | undefined): string => read((quoted ?? '').slice(1, -1)).trim()
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** What the style sheets in it say; null where they cannot be followed. */
function sheetsOf(text: string): Sheet[] | null {
  const sheets: Sheet[] = []
  let from = -1
  if (!/style/.test(text)) return sheets
  for (const { 1: closing, 2: name = '', index, 0: whole } of text.matchAll(TAG)) {
    if (localName(name) !== 'style') continue
    if (!closing) from = index + whole.length
    else if (from >= 0) {
      const sheet = readSheet(read(text.slice(from, index).replace(MARKS, '')))
      if (!sheet) return null
      sheets.push(sheet)
      from = -1
    }
  }
  return sheets
}

/** What an element shows by what is written in it, and by what sheets say of its kind. */
function* shownBy(name: string, id: string, attributes: string, sheets: readonly Sheet[], depth: number) {
  for (const [, quoted] of attributes.includes('href') ? attributes.matchAll(LINK) : []) {
    const address = unquoted(quoted)
    const drawing = address.startsWith('data:') ? drawingIn(address) : null
    if (drawing) yield { id: '', weight: weigh(drawing, depth + 1) }
    else if (address.startsWith('#')) yield { id: address.slice(1).trim() }
  }
  if (/url|[\\]|&#/i.test(attributes)) for (const painted of paintedBy(read(attributes))) yield { id: painted }
  if (sheets.length === 0) return
  const classes = unquoted(CLASS.exec(attributes)?.[1]).split(/\s+/)
  for (const { by, everywhere } of sheets)
    for (const whom of [name, `#${id}`, ...classes.map((each) => `.${each}`)])
      for (const painted of [...(by.get(whom) ?? []), ...(whom === name ? everywhere : [])]) yield { id: painted }
}

function elementsOf(text: string, sheets: readonly Sheet[], depth: number): Elements {
  const ends: number[] = []
  const ids = new Map<string, number>()
  const shows: Show[] = []
  const open: number[] = []
  for (const [, closing, named, attributes = ''] of text.matchAll(TAG)) {
    if (named === undefined) continue
    if (closing) {
      const last = open.pop()
      if (last !== undefined) ends[last] = ends.length
      continue
    }
    const at = ends.push(0) - 1
    ends[at] = at + 1
    const [name, id] = [localName(named), unquoted(ID.exec(attributes)?.[1])]
    if (id !== '' && !ids.has(id)) ids.set(id, at)
    // A link leads there; it shows nothing.
    if (name !== 'a') for (const each of shownBy(name, id, attributes, sheets, depth)) shows.push({ at, ...each })
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
      const { at, id, weight } = shows[index]!
      if (at >= to) break
      steps += 1
      if (steps > MOST_STEPS) return Number.POSITIVE_INFINITY
      sum += weight ?? shown(id, depth)
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

/** How many elements are shown beyond those that are there; endless where nobody should try. */
function weigh(bytes: Buffer, depth: number): number {
  const raw = depth > DEEPEST_WITHIN ? null : textOf(bytes)
  const text = raw === null || speaksInRiddles(raw) ? null : writtenOut(raw)
  const sheets = text === null ? null : sheetsOf(text)
  if (text === null || sheets === null) return Number.POSITIVE_INFINITY
  const elements = elementsOf(text, sheets, depth)
  const there = elements.ends.length
  const more = drawn(elements) - there
  return more > Math.max(MOST_SHOWN, there * SHOWN_PER_ELEMENT)
    ? Number.POSITIVE_INFINITY
    : depth > 0
      ? more + there
      : more
}

/** Whether a drawing would keep the library busy for no good reason. */
export const drawsTooMuch = (bytes: Buffer): boolean => weigh(bytes, 0) === Number.POSITIVE_INFINITY
