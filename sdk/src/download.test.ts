import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameIn } from './download.ts'

test('a file keeps the name the server gave it, and only the name', () => {
  const cases: [string | null, string | undefined][] = [
    [null, undefined],
    ['attachment', undefined],
    ['attachment; filename=a.png', 'a.png'],
    ['attachment; filename="a b.png"', 'a b.png'],
    ['attachment; filename="say \\"hi\\".png"', 'say "hi".png'],
    [`attachment; filename="_.png"; filename*=UTF-8''%C3%BC%20%E6%BC%A2.png`, 'ü 漢.png'],
    [`attachment; filename="fine.png"; filename*=UTF-8''%FF`, 'fine.png'],
    [`attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, 'passwd'],
    ['attachment; filename="..\\\\..\\\\evil.exe"', 'evil.exe'],
    ['attachment; filename=".."', ''],
  ]
  for (const [header, expected] of cases) assert.equal(nameIn(header), expected, String(header))
})
