import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from './exit.ts'
import { compressTargets, convertTargets, pathOf } from './targets.ts'

const isFolder = (path: string) => path === 'there'

test('where a conversion’s result goes', () => {
  type Case = [string[], { to?: string; output?: string }, string, string[]]
  const cases: Case[] = [
    [['a.png', 'b.jpg'], {}, 'jpg', ['b.jpg']],
    [['x/a.png', 'y/b.JPG'], {}, 'jpg', ['y/b.JPG']],
    [['a.png', 'b.png'], { to: 'jpg' }, 'jpg', ['a.jpg', 'b.jpg']],
    [['x/a.b.png'], { to: '.WEBP' }, 'webp', ['x/a.b.webp']],
    [['x/a.png', 'y/b.png'], { to: 'jpg', output: 'out' }, 'jpg', ['out/a.jpg', 'out/b.jpg']],
    [['a.png'], { to: 'jpg', output: 'there' }, 'jpg', ['there/a.jpg']],
    [['a.png'], { to: 'jpg', output: 'v1.0/' }, 'jpg', ['v1.0/a.jpg']],
    [['a.png'], { output: 'b.jpg' }, 'jpg', ['b.jpg']],
    [['a.png'], { to: 'jpg', output: 'x/b.jpeg' }, 'jpg', ['x/b.jpeg']],
    [['noext'], { to: 'jpg' }, 'jpg', ['noext.jpg']],
  ]
  for (const [names, values, to, paths] of cases) {
    const planned = convertTargets(names, values, isFolder)
    assert.deepEqual([planned.to, planned.targets.map(pathOf)], [to, paths], `${names} ${JSON.stringify(values)}`)
  }
})

test('what cannot be meant is asked back', () => {
  for (const names of [[], ['a.png'], ['a.png', 'b.png', 'c.png'], ['a.png', 'noext']])
    assert.throws(() => convertTargets(names, {}, isFolder), UsageError, String(names))
  assert.throws(() => convertTargets(['a.png'], { output: 'there' }, isFolder), UsageError)
  assert.throws(() => compressTargets([], {}, isFolder), UsageError)
})

test('a compressed file never takes the place of its original by itself', () => {
  const paths = (names: string[], output?: string) => compressTargets(names, { output }, isFolder).map(pathOf)
  assert.deepEqual(paths(['x/a.jpg', 'b.png']), ['x/a-compressed.jpg', 'b-compressed.png'])
  assert.deepEqual(paths(['x/a.jpg'], 'there'), ['there/a.jpg'])
  assert.deepEqual(paths(['x/a.jpg'], 'small.jpg'), ['small.jpg'])
})
