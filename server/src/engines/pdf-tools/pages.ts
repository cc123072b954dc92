/** Lists of pages like `1-3,5,8-`. Pure: what a caller wrote becomes page numbers, or a sentence on what is wrong. */

export type Chosen = { readonly pages: readonly number[] } | { readonly wrong: string }

/** A list can name a page again and again; nobody needs more than this. */
export const MOST_PAGES = 10_000

const ways = (pages: number): string => (pages === 1 ? 'only one page' : `only ${pages} pages`)

/** Both ends count; a range may run backwards, and without an end it runs to the last page. */
function span(part: string, count: number): readonly number[] | string {
  const [, first = '', dash, last = ''] = /^(\d+)(-)?(\d*)$/.exec(part) ?? []
  const from = Number(first)
  const to = dash === undefined ? from : last === '' ? count : Number(last)
  if (first === '') return `"${part}" is no page.`
  if (from < 1 || to < 1) return 'pages are counted from 1.'
  if (Math.max(from, to) > count) return `there is no page ${Math.max(from, to)}: the document has ${ways(count)}.`
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from <= to ? from + index : from - index))
}

export function choosePages(list: string, count: number): Chosen {
  const pages: number[] = []
  for (const part of list.replace(/\s+/g, '').split(',')) {
    const found = span(part, count)
    if (typeof found === 'string') return { wrong: found }
    pages.push(...found)
    if (pages.length > MOST_PAGES) return { wrong: `it names more than ${MOST_PAGES} pages.` }
  }
  return { pages }
}

/** In parts of so many, as first and last page, for programs that draw a stretch of pages at once. */
export const stretches = (count: number, most: number): readonly (readonly [first: number, last: number])[] =>
  Array.from({ length: Math.ceil(count / most) }, (_, index) => [index * most + 1, Math.min(count, (index + 1) * most)])
