import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bar, pulse } from './look.ts'

const pale = { accent: (text: string) => text, faint: (text: string) => text }

test('a bar takes exactly its columns, however much is done', () => {
  assert.equal(bar(50, 4, pale), '━━──')
  assert.equal(bar(undefined, 3, pale), '───')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 8, max: 60 }), (percent, width) => {
      assert.equal(bar(percent, width, pale).length, width)
    }),
  )
})

test('what nobody can measure moves from one end to the other and back', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 8, max: 60 }), (step, width) => {
      assert.equal(pulse(step, width, pale).length, width)
      assert.notEqual(pulse(step, width, pale), pulse(step + 1, width, pale))
    }),
  )
  assert.equal(pulse(0, 8, pale), '━━━━━━──')
  assert.equal(pulse(2, 8, pale), '──━━━━━━')
})
