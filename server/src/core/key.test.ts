import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { keyHash, looksLikeKey, mayBeKey, newKey, presetKeyProblem } from './key.ts'

test('a new key has the prefix, one length whatever the random bits, and is recognised', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(bytes, (random) => {
      const key = newKey(Buffer.from(random))
      assert.match(key, /^rf_live_[0-9A-Za-z]{49}$/)
      assert.ok(looksLikeKey(key))
    }),
  )
  assert.ok(looksLikeKey(newKey(Buffer.alloc(32, 0))))
  assert.ok(looksLikeKey(newKey(Buffer.alloc(32, 255))))
})

test('all 256 bits reach the key: one flipped bit gives another key', () => {
  const seen = new Set([newKey(Buffer.alloc(32))])
  for (let bit = 0; bit < 256; bit++) {
    const random = Buffer.alloc(32)
    random[bit >> 3] = 1 << (bit & 7)
    seen.add(newKey(random))
  }
  assert.equal(seen.size, 257)
  assert.throws(() => newKey(Buffer.alloc(16)), /32 random bytes/)
  assert.notEqual(newKey(), newKey())
})

test('a key with one wrong character is not recognised', () => {
  const key = newKey()
  fc.assert(
    fc.property(fc.integer({ min: 8, max: key.length - 1 }), fc.constantFrom(...'0Az9'), (at, letter) => {
      fc.pre(key[at] !== letter)
      assert.equal(looksLikeKey(key.slice(0, at) + letter + key.slice(at + 1)), false)
    }),
  )
  for (const bad of ['', 'rf_live_', key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`, key.replace('live', 'test')])
    assert.equal(looksLikeKey(bad), false, bad)
})

test('the hash is the SHA-256 of the whole key', () => {
  assert.equal(keyHash('abc'), createHash('sha256').update('abc').digest('hex'))
})

test('a preset key may be any text of 32 characters that a header can carry', () => {
  assert.equal(presetKeyProblem('x'.repeat(32)), null)
  assert.equal(presetKeyProblem('four words with spaces between them'), null)
  assert.match(presetKeyProblem('x'.repeat(31)) ?? '', /at least 32 characters; this one has 31/)
  for (const bad of [`${'x'.repeat(32)}\n`, ` ${'x'.repeat(32)}`, 'é'.repeat(32), `${'x'.repeat(32)}\0y`])
    assert.match(presetKeyProblem(bad) ?? '', /printable ASCII/)
})

test('only what may be a key is worth a look-up', () => {
  assert.ok(mayBeKey(newKey()))
  assert.ok(mayBeKey('a preset key chosen by an operator'))
  assert.equal(mayBeKey('short'), false)
})
