import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogSync } from './sync-log.ts'

function harness() {
  const begun: PromiseWithResolvers<void>[] = []
  const sync = createLogSync(
    () => {
      const one = Promise.withResolvers<void>()
      begun.push(one)
      return one.promise
    },
    async () => {},
  )
  return { sync, begun }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who asks while a sync runs is not served by it: it may have begun too early', async () => {
  const { sync, begun } = harness()
  const heard: string[] = []
  void sync.synced().then(() => heard.push('first'))
  void sync.synced().then(() => heard.push('second'))
  void sync.synced().then(() => heard.push('third'))
  assert.equal(begun.length, 1)
  begun[0]?.resolve()
  await turn()
  assert.deepEqual(heard, ['first'])
  assert.equal(begun.length, 2, 'the two that came later share one')
  begun[1]?.resolve()
  await turn()
  assert.deepEqual(heard, ['first', 'second', 'third'])
})

test('a sync that fails is told to those who waited for it, and to nobody else', async () => {
  const { sync, begun } = harness()
  const first = sync.synced()
  const second = sync.synced()
  begun[0]?.reject(new Error('the disk is gone'))
  await assert.rejects(first, /gone/)
  await turn()
  begun[1]?.resolve()
  await second
})

test('closing waits for those who still wait', async () => {
  const { sync, begun } = harness()
  const kept = sync.synced()
  let closed = false
  const closing = sync.close().then(() => {
    closed = true
  })
  await turn()
  assert.equal(closed, false)
  begun[0]?.resolve()
  await Promise.all([kept, closing])
})
