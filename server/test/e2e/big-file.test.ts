/** "Memory does not grow with file size." */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carryBigFile, MOST_GROWN } from '../big-file.ts'

test('a file of 300 MB goes in and out unchanged while the memory of the server stays where it was', async () => {
  const legs = await carryBigFile(300 * 2 ** 20)
  assert.equal(legs.length, 5)
  for (const { name, same, grown } of legs) {
    assert.ok(same, `${name}: what came out is not what went in`)
    assert.ok(grown < MOST_GROWN, `${name}: ${grown} bytes more memory`)
  }
})
