import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkServed, namesOf } from './send.ts'

const txt = (filename: string) => ({ filename, format: 'txt' })

describe('names at the target', () => {
  const cases: [what: string, files: string[], filename: string | undefined, aim: object, names: string[]][] = [
    ['one file under a whole name', ['a.txt'], undefined, { name: 'x/y.bin' }, ['x/y.bin']],
    ['several under one name are numbered', ['a.txt', 'b.txt'], undefined, { name: 'v.1/y' }, ['v.1/y-1', 'v.1/y-2']],
    ['a prefix is put before the names', ['a.txt', 'b.txt'], undefined, { prefix: 'x-' }, ['x-a.txt', 'x-b.txt']],
    ['equal names stay apart', ['a.txt', 'A.txt', 'a.txt'], undefined, { prefix: '' }, ['a.txt', 'A-1.txt', 'a-2.txt']],
    ['a file name of its own', ['a.txt'], 'new', { prefix: 'x/' }, ['x/new.txt']],
    ['one of its own for several', ['a.txt', 'b.txt'], 'n', { prefix: '' }, ['n-1.txt', 'n-2.txt']],
    ['names never climb out of the prefix', ['../../etc/passwd'], undefined, { prefix: 'in/' }, ['in/passwd']],
  ]
  for (const [what, files, filename, aim, names] of cases)
    test(what, () => assert.deepEqual(namesOf(files.map(txt), filename, aim), names))

  test('long paths are not cut', () => {
    const long = `${'folder/'.repeat(60)}a.txt`
    assert.deepEqual(
      namesOf([txt('a.txt'), txt('b.txt')], undefined, { name: long })[0],
      long.replace('a.txt', 'a-1.txt'),
    )
  })
})

test('headers take no line breaks and nothing beyond ASCII', () => {
  const issues = checkServed({ content_type: 'a\r\nx: y', content_disposition: 'ü', cache_control: 'max-age=1' })
  assert.deepEqual(
    issues.map(({ path }) => path),
    ['content_type', 'content_disposition'],
  )
})
