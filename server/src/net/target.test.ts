import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GuardError } from './guard-error.ts'
import { followLocation, parseTarget } from './target.ts'

const odd = fc.constantFrom(...'a.%25;="\'\\/@:?# \t\n\0é€😀\ud800')

test('path and query are kept byte for byte', () => {
  const kept = [
    `/a?X-Amz-Signature=ab%2Fcd%2f&x=a+b%20c&y='"<>{}|^\`[]`,
    '/a/../b/./c//d',
    '/%7Euser/%41?%zz&&=&a=1&a=2',
    '/a\\b?c\\d',
    '/?',
    '/a??b=?',
  ]
  for (const path of kept) assert.equal(parseTarget(`https://host:8443${path}`).path, path)
})

test('only what a request line cannot carry is escaped, and the fragment stays at home', () => {
  assert.equal(parseTarget('http://host/a b/é.pdf?q=ü x#frag?no').path, '/a%20b/%C3%A9.pdf?q=%C3%BC%20x')
  assert.equal(parseTarget('http://host/a\r\nHost: evil\t/b').path, '/aHost:%20evil/b')
  assert.equal(parseTarget('http://host/\ud800').path, '/%EF%BF%BD')
})

test('whatever is given, the request target is one line of printable ASCII that begins with a slash', () => {
  const piece = fc.oneof(fc.string({ unit: odd }), fc.constantFrom('@', '\\', '/', '?', '#', '\n', '\t', ' ', ':'))
  fc.assert(
    fc.property(fc.constantFrom('http://h', 'HTTPS:h', ' http:\\\\h', 'ht\ntp://h'), fc.array(piece), (start, rest) => {
      const text = start + rest.join('')
      fc.pre(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
      const { path, origin } = parseTarget(text)
      assert.match(path, /^\/[!-~]*$/)
      assert.equal(new URL(origin + path).pathname, new URL(text).pathname)
      assert.equal(new URL(origin + path).search, new URL(text).search)
    }),
    { numRuns: 1000 },
  )
})

test('host, port and credentials are what the URL standard says', () => {
  const target = parseTarget('HTTP://us%65r:p%40s%s@EXAMPLE.com:8080?x')
  assert.deepEqual(
    { ...target },
    {
      secure: false,
      origin: 'http://example.com:8080',
      host: 'example.com',
      port: 8080,
      path: '/?x',
      authorization: `Basic ${Buffer.from('user:p@s%s').toString('base64')}`,
    },
  )
  assert.equal(parseTarget('https://127.1/').host, '127.0.0.1')
  assert.equal(parseTarget('https://h/').port, 443)
  assert.equal(parseTarget('http://%FF@h/').authorization, `Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}`)
})

test('other schemes and what is no address are refused in words, without echoing the address', () => {
  for (const bad of [
    'file:///etc/passwd',
    'ftp://u:pw@h/',
    'gopher://h',
    'data:,x',
    'javascript:0',
    'unix:/x',
    'h',
    '',
    'http://',
  ])
    assert.throws(
      () => parseTarget(bad),
      (error) => error instanceof GuardError && error.kind === 'protocol' && !error.message.includes('pw'),
      bad,
    )
})

test('a Location is read relative to where it came from, as given', () => {
  const from = parseTarget('https://u:p@host:1/a/b?q=1')
  const table: [string, string][] = [
    ['http://other/x?a="b"', 'http://other/x?a="b"'],
    ['//other/x', 'https://other/x'],
    ['/\\other/x', 'https://other/x'],
    [`/x/../y?a='b'#f`, `https://host:1/x/../y?a='b'`],
    [`?a='b'`, `https://host:1/a/b?a='b'`],
    ['c', 'https://host:1/a/c'],
    ['../c?d', 'https://host:1/c?d'],
  ]
  for (const [location, leadsTo] of table) {
    const { origin, path, authorization } = followLocation(location, from)
    assert.equal(origin + path, leadsTo, location)
    assert.equal(authorization, null)
  }
})
