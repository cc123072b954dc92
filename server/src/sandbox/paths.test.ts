import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAt } from './paths.ts'

const at = createAt({ '/tmp': '/s/tmp', '/work': '/t/1', '/work/in.png': '/blobs/7', '/in': '/t/in' })

const TABLE: readonly [inside: string, host: string][] = [
  ['/work', '/t/1'],
  ['/work/out.png', '/t/1/out.png'],
  ['/work/in.png', '/blobs/7'],
  ['/work/in.png.bak', '/t/1/in.png.bak'],
  ['/working', '/working'],
  ['/tmp/a/b', '/s/tmp/a/b'],
  ['/inside', '/inside'],
  ['/usr/bin/gs', '/usr/bin/gs'],
  ['out.png', 'out.png'],
]

test('A path inside is found on the host by the longest folder that holds it', () => {
  for (const [inside, host] of TABLE) assert.equal(at(inside), host)
})
