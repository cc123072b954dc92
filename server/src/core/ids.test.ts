import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isId, newId } from './ids.ts'

describe('ids', () => {
  test('have the form of an ObjectID and carry their time', () => {
    const id = newId(1_700_000_000_000)
    assert.match(id, /^[0-9a-f]{24}$/)
    assert.equal(Number.parseInt(id.slice(0, 8), 16), 1_700_000_000)
    assert.equal(isId(id), true)
  })

  test('of a later second sort later, and no two are the same', () => {
    assert.ok(newId(1000) < newId(2000))
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newId(5000))).size, 10_000)
  })

  for (const wrong of ['', 'x'.repeat(24), 'ABCDEF0123456789abcdef01', 5, null, '0'.repeat(25)])
    test(`${JSON.stringify(wrong)} is none`, () => assert.equal(isId(wrong), false))
})
