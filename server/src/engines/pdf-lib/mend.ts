/**
 * The list of a document's pages made anew, inside the box, for one that counts them wrongly, leads nowhere or in a circle,
 * or gives them no size. What is on the pages is left as it is.
 */
import { mediaBox, resolved, shownBox } from './boxes.ts'
import { type Dict, isDict, isReference, readTold, type Told, update, type Value } from './told.ts'
import { DocumentProblem } from './trouble.ts'

/** What a page has from what it belongs to, unless it says otherwise. */
const HANDED_DOWN = ['/Resources', '/MediaBox', '/CropBox', '/Rotate']

const handedDown = (dict: Dict): Dict =>
  Object.fromEntries(Object.entries(dict).filter(([key]) => HANDED_DOWN.includes(key)))

const isPage = (dict: Dict): boolean =>
  dict['/Type'] === '/Page' || ['/Contents', '/MediaBox', '/Resources'].some((key) => dict[key] !== undefined)

/** The pages that the list leads to, each once, in its order. One that is not there any more would be missed by somebody. */
function listed(told: Told, start: Value | undefined): Map<string, Dict> {
  const pages = new Map<string, Dict>()
  const missing: string[] = []
  const seen = new Set<string>()
  const ahead: { reference: Value | undefined; given: Dict }[] = [{ reference: start, given: {} }]
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { reference, given } = next
    if (!isReference(reference) || seen.has(reference)) continue
    seen.add(reference)
    const dict = told.object(reference)
    if (!isDict(dict)) {
      missing.push(reference)
      continue
    }
    const kids = resolved(told, dict['/Kids'])
    const below = { ...given, ...handedDown(dict) }
    if (Array.isArray(kids)) for (const kid of kids.toReversed()) ahead.push({ reference: kid, given: below })
    else if (isPage(dict)) pages.set(reference, { ...given, ...dict })
  }
  if (pages.size > 0 && missing.length > 0) throw new DocumentProblem('unreadable', `without ${missing.join(', ')}`)
  return pages
}

/** Whatever calls itself a page, where no list leads to any. */
const scattered = (told: Told): Map<string, Dict> =>
  new Map(
    told.references().flatMap((reference): [string, Dict][] => {
      const dict = told.object(reference)
      return isDict(dict) && dict['/Type'] === '/Page' ? [[reference, dict]] : []
    }),
  )

/** A page in the new list, with boxes that can be used. */
function belonging(told: Told, page: Dict, list: string): Dict {
  const [media, shown] = [mediaBox(told, page), shownBox(told, page)]
  const isCropped = shown.some((side, index) => side !== media[index])
  const { '/CropBox': _, ...rest } = page
  return { ...rest, '/Type': '/Page', '/Parent': list, '/MediaBox': media, ...(isCropped && { '/CropBox': shown }) }
}

export function mendingOf(input: Buffer): Uint8Array {
  const told = readTold(input)
  const root = told.trailer['/Root']
  const catalog = resolved(told, root)
  if (!isReference(root) || !isDict(catalog)) throw new DocumentProblem('unreadable', 'no catalogue')
  const found = listed(told, catalog['/Pages'])
  const pages = found.size > 0 ? found : scattered(told)
  if (pages.size === 0) throw new DocumentProblem('no-pages', 'no pages')
  const last = told.last + 1
  const list = `${last} 0 R`
  return update(
    told,
    new Map([
      ...pages.entries().map(([reference, page]): [string, Dict] => [reference, belonging(told, page, list)]),
      [list, { '/Type': '/Pages', '/Kids': [...pages.keys()], '/Count': pages.size }],
      [root, { ...catalog, '/Pages': list }],
    ]),
    last,
  )
}
