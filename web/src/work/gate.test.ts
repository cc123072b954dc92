/** A few at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from './gate.ts'

test('no more than there is room for run at once, and all run', async () => {
  const gate = createGate(3)
  let inside = 0
  let most = 0
  const work = async (n: number) => {
    most = Math.max(most, ++inside)
    await Promise.resolve()
    inside--
    return n
  }
  const done = await Promise.all(Array.from({ length: 50 }, (_, n) => gate.through(() => work(n))))
  assert.equal(most, 3)
  assert.deepEqual(done, [...Array(50).keys()])
})

test('who fails makes room, and who gives up leaves the line', async () => {
  const gate = createGate(1)
  const fails = gate.through(() => Promise.reject(new Error('no')))
  const giving = new AbortController()
  const given = gate.through(async () => 'never', giving.signal)
  const last = gate.through(async () => 'last')
  giving.abort(new Error('given up'))
  await assert.rejects(fails, /no/)
  await assert.rejects(given, /given up/)
  assert.equal(await last, 'last')
})
