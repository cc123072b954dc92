/** "An accepted request (2xx) survives `kill -9` at any moment. Nothing is completed twice, nothing hangs for ever." */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storm } from '../chaos/storm.ts'

test('a server that is killed again and again keeps every promise, once', async () => {
  const { wrong, promised, completed } = await storm(4)
  assert.deepEqual(wrong, [])
  assert.ok(promised > 0 && completed > 0)
})
