/** Bookmarks of a joined document, inside the box: one for each file, and below it those the file had itself. */
import type { BookmarksQuestion } from './plan.ts'
import { type Dict, isDict, readTold, type Told, update, type Value } from './told.ts'
import { DocumentProblem } from './trouble.ts'

interface Bookmark {
  title: string
  /** The page's reference and the place on it; null for a mere heading. */
  to: Value[] | null
  below: Bookmark[]
}

/** The page from its top, enlarged as the reader has it. */
const TOP: Value[] = ['/XYZ', null, null, null]
const PLACES = /^\/(XYZ|FitR|Fit[BHV]?|FitB[HV])$/
const MOST = 50_000
const DEEPEST = 64

/** A place on a page as the file itself gave it, so far as it is one. */
function placeOf(dest: Value | undefined): Value[] {
  const [, kind, ...rest] = Array.isArray(dest) ? dest : []
  if (typeof kind !== 'string' || !PLACES.test(kind)) return TOP
  return [kind, ...rest.slice(0, 4).map((value) => (typeof value === 'number' ? value : null))]
}

/** `pageAt` finds where a page of the file has gone; what points to a page that was left out goes too. */
function own(outlines: Value, pageAt: (page: number) => string | undefined, depth = 0): Bookmark[] {
  if (!Array.isArray(outlines) || depth > DEEPEST) return []
  return outlines.flatMap((item): Bookmark[] => {
    if (!isDict(item)) return []
    const below = own(item.kids ?? [], pageAt, depth + 1)
    const page = typeof item.destpageposfrom1 === 'number' ? pageAt(item.destpageposfrom1) : undefined
    if (page === undefined && below.length === 0) return []
    const title = typeof item.title === 'string' ? item.title : ''
    return [{ title, to: page === undefined ? null : [page, ...placeOf(item.dest)], below }]
  })
}

function collect({ files }: BookmarksQuestion, joined: Told, surveys: readonly Told[]): Bookmark[] {
  let [before, survey] = [0, 0]
  return files.map(({ title, pages }) => {
    const start = before
    before += pages?.length ?? 1
    const first = joined.pages[start]
    const places = new Map([...(pages ?? [])].map((page, index) => [page, start + index] as const).reverse())
    const pageAt = (page: number): string | undefined => joined.pages[places.get(page) ?? -1]
    const below = pages === null ? [] : own(surveys[survey++]?.outlines ?? [], pageAt)
    return { title, to: first === undefined ? null : [first, ...TOP], below }
  })
}

const count = (bookmarks: readonly Bookmark[]): number =>
  bookmarks.reduce((sum, { below }) => sum + 1 + count(below), 0)

/** Numbers them from `last` on and links them to each other. */
function numbered(bookmarks: readonly Bookmark[], last: number): Map<string, Dict> {
  const objects = new Map<string, Dict>()
  let next = last
  const take = (): string => `${++next} 0 R`
  function link(list: readonly Bookmark[], parent: string): { first: string; last: string } {
    const names = list.map(take)
    for (const [index, { title, to, below }] of list.entries()) {
      const dict: Dict = { '/Title': `u:${title.toWellFormed()}`, '/Parent': parent }
      if (to) dict['/Dest'] = to
      if (index > 0) dict['/Prev'] = names[index - 1]!
      if (index < list.length - 1) dict['/Next'] = names[index + 1]!
      objects.set(names[index]!, dict)
      // Less than nothing: folded up.
      if (below.length > 0) Object.assign(dict, ends(link(below, names[index]!)), { '/Count': -below.length })
    }
    return { first: names[0]!, last: names.at(-1)! }
  }
  const root = take()
  objects.set(root, { '/Type': '/Outlines' })
  objects.set(root, { '/Type': '/Outlines', ...ends(link(bookmarks, root)), '/Count': bookmarks.length })
  return objects
}

const ends = ({ first, last }: { first: string; last: string }): Dict => ({ '/First': first, '/Last': last })

export function bookmarksFor(question: BookmarksQuestion, inputs: readonly Buffer[]): Uint8Array {
  const [joined, ...surveys] = inputs.map(readTold)
  const root = joined?.trailer['/Root']
  const catalog = typeof root === 'string' ? joined?.object(root) : undefined
  if (!joined || typeof root !== 'string' || !isDict(catalog)) throw new DocumentProblem('failed', 'no catalog')
  let bookmarks = collect(question, joined, surveys)
  // So many are of no use to anybody: those of the files themselves must do.
  if (count(bookmarks) > MOST) bookmarks = bookmarks.map((bookmark) => ({ ...bookmark, below: [] }))
  const objects = numbered(bookmarks, joined.last)
  const [outlines = ''] = objects.keys()
  const last = joined.last + objects.size
  objects.set(root, { ...catalog, '/Outlines': outlines, '/PageMode': '/UseOutlines' })
  return update(joined, objects, last)
}
