import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSealer, mask, maskUrl } from './secret.ts'
import type { Json } from './task.ts'

test('named secrets are hidden at any depth and everything else is shown as sent', () => {
  const payload = {
    bucket: 'b',
    secret_access_key: 'S',
    password: '',
    private_key: { pem: 'S' },
    sas_token: null,
    list: [{ secret_access_key: ['S'], key: 'k', n: 1, yes: true }],
  }
  const before = structuredClone(payload)
  assert.deepEqual(mask(payload, ['secret_access_key', 'password', 'private_key', 'sas_token']), {
    bucket: 'b',
    secret_access_key: '***',
    password: '***',
    private_key: '***',
    sas_token: null,
    list: [{ secret_access_key: '***', key: 'k', n: 1, yes: true }],
  })
  assert.deepEqual(payload, before)
})

test('base64 content is emptied', () => {
  assert.deepEqual(mask({ file: 'data:image/png;base64,AAAA', a: ' DATA:,x', filename: 'data.txt' }, []), {
    file: '',
    a: '',
    filename: 'data.txt',
  })
})

test('an own property named __proto__ stays a property', () => {
  const shown = mask(JSON.parse('{"__proto__":{"password":"S"}}'), ['password'])
  assert.equal(JSON.stringify(shown), '{"__proto__":{"password":"***"}}')
})

test('endless nesting is hidden, not walked', () => {
  let deep: Json = 'S'
  for (let i = 0; i < 50_000; i++) deep = [deep]
  assert.ok(!JSON.stringify(mask({ deep }, [])).includes('S'))
})

test('credentials in an address are hidden and nothing else is touched', () => {
  const table: [string, string][] = [
    ['https://user:pass@host/a?b=c#d', 'https://***:***@host/a?b=c#d'],
    ['https://token@host/', 'https://***@host/'],
    ['HTTPS://u:p@HOST:8443/%7e/../x?q=a%20b+c\'"<>', 'HTTPS://***:***@HOST:8443/%7e/../x?q=a%20b+c\'"<>'],
    ['http://u:p@ss@host/', 'http://***:***@host/'],
    ['http:\\\\u:p@host/', 'http:\\\\***:***@host/'],
    ['http:u:p@host/', 'http:***:***@host/'],
    ['  ht\ntp://u:p@host/', '  ht\ntp://***:***@host/'],
    ['http:/\t/u:\tp@host\n/', 'http:/\t/***:***@host\n/'],
    ['sftp://u:p@host/x', 'sftp://***:***@host/x'],
    ['http://u😀:p@host/', 'http://***:***@host/'],
    ['https://host/a@b', 'https://host/a@b'],
    ['https://host?u:p@x', 'https://host?u:p@x'],
    ['https://host#u:p@x', 'https://host#u:p@x'],
    ['mail u:p@host', 'mail u:p@host'],
    ['', ''],
  ]
  for (const [sent, shown] of table) assert.equal(maskUrl(sent), shown)
  assert.deepEqual(mask({ url: 'http://u:p@h/', urls: ['http://t@h/'] }, []), {
    url: 'http://***:***@h/',
    urls: ['http://***@h/'],
  })
})

test('whatever the URL parser takes for credentials does not survive', () => {
  const piece = fc.constantFrom('S3CRET', ':', '@', '/', '\\', '?', '#', '\t', '\n', ' ', 'h', '.', '%40', '[')
  fc.assert(
    fc.property(fc.constantFrom('http:', 'https://', ' hTTp:/', 'h\nttp://'), fc.array(piece), (scheme, pieces) => {
      const url = scheme + pieces.join('')
      fc.pre(URL.canParse(url))
      const before = new URL(url)
      const after = new URL(maskUrl(url))
      if (before.username || before.password) assert.equal(after.username, '***')
      assert.ok(!after.password.includes('S3CRET'))
      assert.equal(after.host, before.host)
      assert.equal(after.pathname + after.search + after.hash, before.pathname + before.search + before.hash)
    }),
    { numRuns: 2000 },
  )
})

const sealer = createSealer(randomBytes(32))

test('a sealed secret opens to what went in, and looks different each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, aad) => {
      assert.equal(sealer.open(sealer.seal(plain, aad), aad), plain)
    }),
  )
  assert.notEqual(sealer.seal('x', 'a'), sealer.seal('x', 'a'))
})

test('a sealed secret does not open elsewhere, with another key, or changed', () => {
  const sealed = sealer.seal('S', 'user:task:payload')
  assert.throws(() => sealer.open(sealed, 'user:other:payload'))
  assert.throws(() => createSealer(randomBytes(32)).open(sealed, 'user:task:payload'))
  const bytes = Buffer.from(sealed, 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    assert.throws(() => sealer.open(changed.toString('base64url'), 'user:task:payload'))
    assert.throws(() => sealer.open(bytes.subarray(0, i).toString('base64url'), 'user:task:payload'))
  }
  assert.throws(() => createSealer(randomBytes(16)), /32 bytes/)
})
