import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nameFromDisposition, nameFromPaths } from './filename.ts'

const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

const odd = fc.constantFrom(...'a.%25;="\'\\/@:?# \t\n\0é€😀\ud800')

test('the name is found in every usual form of Content-Disposition', () => {
  const table: [string, string | null][] = [
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['attachment; filename="my report; final.pdf"', 'my report; final.pdf'],
    ['ATTACHMENT ; FileName = "a.pdf" ; size=3', 'a.pdf'],
    ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
    [`attachment; filename="fallback.pdf"; filename*=UTF-8''%e2%82%ac%20rates.pdf`, '€ rates.pdf'],
    [`attachment; filename*=UTF-8'en'a%27b.pdf; filename=b.pdf`, "a'b.pdf"],
    [`attachment; filename*=iso-8859-1''caf%E9.pdf`, 'café.pdf'],
    [`attachment; filename*=UTF-8''%ff.pdf; filename=ok.pdf`, 'ok.pdf'],
    [`attachment; filename*=koi8-r''x.pdf; filename=ok.pdf`, 'ok.pdf'],
    [`attachment; filename="${latin1('übung.pdf')}"`, 'übung.pdf'],
    ['attachment; filename="caf\xe9.pdf"', 'café.pdf'],
    ['filename=a.pdf', 'a.pdf'],
    ['attachment; x="; filename=no.pdf"; filename=yes.pdf', 'yes.pdf'],
    ['attachment', null],
    ['attachment; filename=""', null],
    ['', null],
  ]
  for (const [header, name] of table) assert.equal(nameFromDisposition(header), name, header)
})

test('no path comes through', () => {
  for (const evil of ['../../etc/passwd', '/etc/passwd', 'C:\\windows\\passwd', '..\\passwd']) {
    assert.equal(nameFromDisposition(`attachment; filename="${evil}"`), 'passwd')
    assert.equal(nameFromDisposition(`attachment; filename*=UTF-8''${encodeURIComponent(evil)}`), 'passwd')
    assert.equal(nameFromPaths(`/x/${encodeURIComponent(evil)}`, '/'), 'passwd')
  }
  assert.equal(nameFromDisposition(`attachment; filename=..`), null)
  assert.equal(nameFromDisposition(`attachment; filename*=UTF-8''a%00%0a.pdf`), 'a.pdf')
  fc.assert(
    fc.property(fc.string({ unit: odd }), (text) => {
      for (const name of [
        nameFromDisposition(text),
        nameFromDisposition(`a; filename=${text}`),
        nameFromPaths(text, text),
      ])
        assert.ok(name === null || (name !== '..' && !/[\\/\0\n]/.test(name)), String(name))
    }),
  )
})

test('without a header the address names the file', () => {
  assert.equal(nameFromPaths('/a/b%20c.pdf?x=y.png', '/first.txt'), 'b c.pdf')
  assert.equal(nameFromPaths('/blobs/9f8a', '/report.pdf'), 'report.pdf')
  assert.equal(nameFromPaths('/blobs/9f8a', '/'), '9f8a')
  assert.equal(nameFromPaths('/', '/report'), 'report')
  assert.equal(nameFromPaths('/100%.pdf', '/'), '100%.pdf')
  assert.equal(nameFromPaths('/', '/'), null)
})
