import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { didYouMean, distance, nearest } from './nearest.ts'

test('a slip is recognised, another word is not', () => {
  const words = ['convert', 'compress', 'crop', 'jobs', 'jpg', 'png']
  const cases: [string, string | undefined][] = [
    ['conver', 'convert'],
    ['Convret', 'convert'],
    ['jpgg', 'jpg'],
    ['pgn', 'png'],
    ['job', 'jobs'],
    ['bake', undefined],
    ['', undefined],
  ]
  for (const [word, meant] of cases) assert.equal(nearest(word, words), meant, word)
  assert.equal(didYouMean('pgn', words), ' Did you mean png?')
  assert.equal(didYouMean('bake', words), '')
})

test('distances are distances', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.equal(distance(a, b), distance(b, a))
      assert.equal(distance(a, b) === 0, a === b)
      assert.ok(distance(a, b) >= Math.abs(a.length - b.length) && distance(a, b) <= Math.max(a.length, b.length))
    }),
  )
})
