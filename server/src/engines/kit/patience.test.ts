import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patience } from './patience.ts'

test('patience grows with pages, pixels and bytes, and has an end', () => {
  const seconds = (effort: Parameters<typeof patience>[0]): number => patience(effort).cpu
  assert.equal(seconds({ bytes: 0 }), 12)
  assert.equal(seconds({ bytes: 0, pages: 25 }), 60)
  assert.equal(seconds({ bytes: 0, pixels: 1e8 }), 62)
  assert.equal(seconds({ bytes: 10e6 }), 52)
  assert.equal(seconds({ bytes: 4e9, pages: 2000 }), 240)
  assert.ok(patience({ bytes: 0 }).wall > 12_000)
})
