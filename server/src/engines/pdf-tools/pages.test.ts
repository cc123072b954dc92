import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { choosePages, stretches } from './pages.ts'

describe('a list of pages', () => {
  const taken: [string, number[]][] = [
    ['2', [2]],
    ['1-3,5', [1, 2, 3, 5]],
    [' 1 - 2 , 4 ', [1, 2, 4]],
    ['4-', [4, 5]],
    ['3-1,3', [3, 2, 1, 3]],
  ]
  for (const [list, pages] of taken) {
    it(`like ${list} is taken in its order`, () => assert.deepEqual(choosePages(list, 5), { pages }))
  }

  const refused: [string, number, RegExp][] = [
    ['6', 5, /no page 6: the document has only 5 pages/],
    ['1-9', 1, /no page 9: the document has only one page/],
    ['0', 5, /counted from 1/],
    ['7-', 5, /no page 7/],
    ['1,,2', 5, /"" is no page/],
    ['1-10000,1', 20_000, /more than 10000 pages/],
  ]
  for (const [list, count, words] of refused) {
    it(`like ${list} is refused in a document of ${count}`, () => {
      const chosen = choosePages(list, count)
      assert.match('wrong' in chosen ? chosen.wrong : 'taken', words)
    })
  }
})

it('stretches cover every page once, in order, none longer than asked', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 40 }), (count, most) => {
      const parts = stretches(count, most)
      const pages = parts.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
      assert.deepEqual(
        pages,
        [...Array(count).keys()].map((page) => page + 1),
      )
      assert.ok(parts.every(([first, last]) => last >= first && last - first < most))
    }),
  )
})
