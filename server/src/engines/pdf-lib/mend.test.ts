import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mendingOf } from './mend.ts'
import type { Dict } from './told.ts'

const reference = (number: number): string => `${number} 0 R`

/** What qpdf tells of a document: the catalogue is object 1, the others are numbered from 2 on. */
function told(objects: readonly Dict[], catalog: Dict = { '/Pages': '2 0 R' }): Buffer {
  const entries = [catalog, ...objects].map((value, index) => [`obj:${reference(index + 1)}`, { value }])
  const head = { pdfversion: '1.7', maxobjectid: objects.length + 1 }
  const trailer = { value: { '/Root': '1 0 R' } }
  return Buffer.from(JSON.stringify({ qpdf: [head, { ...Object.fromEntries(entries), trailer }] }))
}

function mended(objects: readonly Dict[], catalog?: Dict) {
  const { qpdf } = JSON.parse(Buffer.from(mendingOf(told(objects, catalog))).toString())
  const changed: Record<string, { value: Dict }> = qpdf[1]
  const object = (name: unknown): Dict => changed[`obj:${name}`]!.value
  const list = object(object('1 0 R')['/Pages'])
  const kids = list['/Kids'] as string[]
  return { list, kids, pages: kids.map(object) }
}

const page = (more: Dict = {}): Dict => ({ '/Type': '/Page', '/MediaBox': [0, 0, 300, 200], ...more })

describe('a list of pages made anew', () => {
  it('has every page that the old one leads to, once and in order, unless one of them is gone', () => {
    const most = 12
    const kids = fc.array(fc.integer({ min: 2, max: most + 3 }), { maxLength: 5 })
    fc.assert(
      fc.property(fc.array(fc.option(kids), { minLength: 1, maxLength: most }), (shape) => {
        const objects = shape.map((below) => (below ? { '/Kids': below.map(reference) } : page()))
        const expected: string[] = []
        const seen = new Set<number>()
        const walk = (number: number): void => {
          if (seen.has(number)) return
          seen.add(number)
          if (number - 2 >= shape.length) return
          const below = shape[number - 2]
          if (below) below.forEach(walk)
          else expected.push(reference(number))
        }
        walk(2)
        // Where the old one leads to none, all that call themselves pages are taken.
        const scattered = shape.flatMap((below, index) => (below ? [] : [reference(index + 2)]))
        const isWhole = Math.max(...seen) - 2 < shape.length
        if (expected.length > 0 && !isWhole) return assert.throws(() => mended(objects), /without/)
        if (scattered.length === 0) return assert.throws(() => mended(objects), /no pages/)
        const { list, kids } = mended(objects)
        assert.deepEqual(kids, expected.length > 0 ? expected : scattered)
        assert.equal(list['/Count'], kids.length)
      }),
    )
  })

  it('leaves its pages what they had from the old one', () => {
    const { pages } = mended([
      { '/Kids': ['3 0 R'], '/Rotate': 90, '/MediaBox': [0, 0, 10, 20] },
      { '/Kids': ['4 0 R', '5 0 R'], '/Resources': '9 0 R' },
      { '/Type': '/Page' },
      page({ '/Rotate': 0 }),
    ])
    assert.deepEqual(
      pages.map((one) => [one['/Rotate'], one['/Resources'], one['/MediaBox'], one['/Parent']]),
      [
        [90, '9 0 R', [0, 0, 10, 20], '6 0 R'],
        [0, '9 0 R', [0, 0, 300, 200], '6 0 R'],
      ],
    )
  })

  it('keeps a crop that shows something, and no other', () => {
    const { pages } = mended([
      { '/Kids': ['3 0 R', '4 0 R', '5 0 R'] },
      page({ '/CropBox': [10, 10, 400, 100] }),
      page({ '/CropBox': [300, 200, 400, 400] }),
      page({ '/MediaBox': [5, 5, 5, 5] }),
    ])
    assert.deepEqual(
      pages.map((one) => [one['/MediaBox'], one['/CropBox']]),
      [
        [
          [0, 0, 300, 200],
          [10, 10, 300, 100],
        ],
        [[0, 0, 300, 200], undefined],
        [[0, 0, 612, 792], undefined],
      ],
    )
  })
})
