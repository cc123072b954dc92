import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSigner, linkUrl, type SignedParts } from './sign.ts'

const old = { id: 'k1', secret: randomBytes(32) }
const fresh = { id: 'k2', secret: randomBytes(32) }
const signer = createSigner([old])
const parts: SignedParts = { method: 'GET', path: '/v1/files/a/b.pdf', expires: 1000, extra: 'b.pdf' }

test('a link is good until it expires, and then says so', () => {
  const signature = signer.sign(parts)
  assert.equal(signer.verify(parts, signature, 999), 'ok')
  assert.equal(signer.verify(parts, signature, 1000), 'expired')
})

test('a link stops working when any part of it is changed', () => {
  const signature = signer.sign(parts)
  const changed: SignedParts[] = [
    { ...parts, method: 'DELETE' },
    { ...parts, path: '/v1/files/a/c.pdf' },
    { ...parts, expires: 2000 },
    { ...parts, extra: 'c.pdf' },
    { ...parts, extra: undefined },
    { ...parts, expires: Number.NaN },
  ]
  for (const one of changed) assert.equal(signer.verify(one, signature, 1), 'wrong')
})

test('HEAD may be asked where GET may', () => {
  assert.equal(signer.verify({ ...parts, method: 'HEAD' }, signer.sign(parts), 1), 'ok')
})

test('text cannot be moved from one part into its neighbour', () => {
  const text = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(text, text, text, text, (path, extra, otherPath, otherExtra) => {
      const a = { method: 'GET', path, expires: 5, extra }
      const b = { method: 'GET', path: otherPath, expires: 5, extra: otherExtra }
      const same = path === otherPath && extra === otherExtra
      assert.equal(signer.verify(b, signer.sign(a), 1), same ? 'ok' : 'wrong')
    }),
  )
  const moved = signer.sign({ ...parts, path: '/a|4:1000', extra: '' })
  assert.equal(signer.verify({ ...parts, path: '/a', extra: '' }, moved, 1), 'wrong')
})

test('anything that is not a signature is wrong, and an expired forgery is not called expired', () => {
  const real = signer.sign(parts)
  for (const bad of [
    '',
    '.',
    'k1',
    'k1.',
    `${real}.`,
    `${real}A`,
    real.slice(0, -1),
    real.replace('k1', 'k9'),
    '__proto__.x',
  ])
    assert.equal(signer.verify(parts, bad, 5000), 'wrong', bad)
  fc.assert(fc.property(fc.string(), (text) => signer.verify(parts, text, 1) === 'wrong'))
})

test('after rotation new links use the new key and old links still work, until the old key is removed', () => {
  const rotated = createSigner([fresh, old])
  const before = signer.sign(parts)
  assert.match(rotated.sign(parts), /^k2\./)
  assert.equal(rotated.verify(parts, before, 1), 'ok')
  assert.equal(createSigner([fresh]).verify(parts, before, 1), 'wrong')
})

test('a signer is not made from no key, a short key, equal ids or an id that would break the signature', () => {
  assert.throws(() => createSigner([]), /at least one/)
  assert.throws(() => createSigner([{ id: 'a', secret: Buffer.alloc(16) }]), /shorter than 32/)
  assert.throws(() => createSigner([old, { ...fresh, id: 'k1' }]), /same id/)
  assert.throws(() => createSigner([{ ...old, id: 'a.b' }]), /"a\.b"/)
})

test('links are joined without double slashes and with escaped values', () => {
  assert.equal(linkUrl('https://h:1/', '/v1/x', { e: 5, n: 'a b&c', s: undefined }), 'https://h:1/v1/x?e=5&n=a+b%26c')
  assert.equal(linkUrl('https://h', '/v1/x'), 'https://h/v1/x')
})
