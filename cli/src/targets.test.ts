import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from './exit.ts'
import { besideTargets, convertTargets, type Disk, mergeTarget, pathOf, type Target, type Wish } from './targets.ts'

const disk: Disk = {
  isFolder: (path) => path === 'there' || path === 'pics',
  filesIn: () => ['a.png', 'sub/b.png'],
}
const place = (target: Target) => (target.toStdout ? '-' : pathOf(target))

test('where a conversion’s result goes', () => {
  const cases: [string[], Wish, string, string[]][] = [
    [['a.png', 'b.jpg'], {}, 'jpg', ['b.jpg']],
    [['x/a.png', 'y/b.JPG'], {}, 'jpg', ['y/b.JPG']],
    [['a.png', 'b.png'], { to: 'jpg' }, 'jpg', ['a.jpg', 'b.jpg']],
    [['x/a.b.png'], { to: '.WEBP' }, 'webp', ['x/a.b.webp']],
    [['x/a.png', 'y/b.png'], { to: 'jpg', output: 'out' }, 'jpg', ['out/a.jpg', 'out/b.jpg']],
    [['a.png'], { to: 'jpg', output: 'there' }, 'jpg', ['there/a.jpg']],
    [['a.png'], { to: 'jpg', output: 'v1.0/' }, 'jpg', ['v1.0/a.jpg']],
    [['a.png'], { to: 'jpg', 'output-dir': 'v1.0' }, 'jpg', ['v1.0/a.jpg']],
    [['a.png'], { output: 'b.jpg' }, 'jpg', ['b.jpg']],
    [['a.png'], { to: 'jpg', output: 'x/b.jpeg' }, 'jpg', ['x/b.jpeg']],
    [['noext'], { to: 'jpg' }, 'jpg', ['noext.jpg']],
    [['pics'], { to: 'jpg' }, 'jpg', ['pics/a.jpg', 'pics/sub/b.jpg']],
    [['pics'], { to: 'jpg', 'output-dir': 'out' }, 'jpg', ['out/a.jpg', 'out/sub/b.jpg']],
    [['pics', 'c.png'], { to: 'jpg', output: 'out' }, 'jpg', ['out/a.jpg', 'out/sub/b.jpg', 'out/c.jpg']],
    [['https://example.org/x/a.png?y=1'], { to: 'jpg' }, 'jpg', ['a.jpg']],
    [['-'], { to: 'jpg' }, 'jpg', ['-']],
    [['-', '-'], { to: 'jpg' }, 'jpg', ['-']],
    [['a.png', '-'], { to: 'jpg' }, 'jpg', ['-']],
    [['a.png'], { to: 'jpg', output: '-' }, 'jpg', ['-']],
    [['-', 'b.jpg'], {}, 'jpg', ['b.jpg']],
    [['-'], { to: 'jpg', 'output-dir': 'out' }, 'jpg', ['out/stdin.jpg']],
  ]
  for (const [names, wish, to, paths] of cases) {
    const planned = convertTargets(names, wish, disk)
    assert.deepEqual([planned.to, planned.targets.map(place)], [to, paths], `${names} ${JSON.stringify(wish)}`)
  }
})

test('what cannot be meant is asked back', () => {
  for (const names of [['a.png'], ['a.png', 'b.png', 'c.png'], ['a.png', 'noext'], ['pics', 'b.jpg']])
    assert.throws(() => convertTargets(names, {}, disk), UsageError, String(names))
  assert.throws(() => convertTargets(['a.png'], { output: 'there' }, disk), UsageError)
  assert.throws(() => convertTargets(['a.png', 'b.png'], { to: 'jpg', output: '-' }, disk), UsageError)
  assert.throws(() => convertTargets(['pics'], { to: 'jpg', output: '-' }, disk), UsageError)
  assert.throws(() => convertTargets(['a.png'], { to: 'jpg', output: 'x', 'output-dir': 'y' }, disk), UsageError)
  assert.throws(() => mergeTarget(['a.pdf'], { to: 'pdf' }, disk), UsageError)
  assert.throws(() => mergeTarget(['a.pdf', 'b.pdf'], {}, disk), UsageError)
})

test('a compressed file never takes the place of its original by itself', () => {
  const paths = (names: string[], wish: Wish = {}) => besideTargets(names, 'compressed', wish, disk).map(place)
  assert.deepEqual(paths(['x/a.jpg', 'b.png']), ['x/a-compressed.jpg', 'b-compressed.png'])
  assert.deepEqual(paths(['pics']), ['pics/a-compressed.png', 'pics/sub/b-compressed.png'])
  assert.deepEqual(paths(['x/a.jpg'], { output: 'there' }), ['there/a.jpg'])
  assert.deepEqual(paths(['x/a.jpg'], { output: 'small.jpg' }), ['small.jpg'])
  assert.deepEqual(paths(['x/a.gif'], { to: 'mp4' }), ['x/a-compressed.mp4'])
})

test('all files become one, in their order', () => {
  const merged = (names: string[], wish: Wish) => {
    const { to, target } = mergeTarget(names, wish, disk)
    return [to, place(target), target.files]
  }
  assert.deepEqual(merged(['b.pdf', 'a.pdf'], { output: 'x/all.pdf' }), ['pdf', 'x/all.pdf', ['b.pdf', 'a.pdf']])
  assert.deepEqual(merged(['x/b.png', 'pics'], { to: 'pdf' }), [
    'pdf',
    'merged.pdf',
    ['x/b.png', 'pics/a.png', 'pics/sub/b.png'],
  ])
  assert.deepEqual(merged(['b.pdf', 'a.pdf'], { to: 'pdf', output: '-' }), ['pdf', '-', ['b.pdf', 'a.pdf']])
})
