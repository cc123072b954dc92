import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueContract } from '../../test/contract/queue.ts'
import { until } from '../../test/support/until.ts'
import type { Tx } from '../ports/sql.ts'
import { createMemoryQueue } from './memory-queue.ts'

/** A transaction of nothing but effects. */
async function transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const effects: ((committed: boolean) => void)[] = []
  const end = (committed: boolean) => {
    for (const effect of effects) effect(committed)
  }
  const tx: Tx = {
    all: async () => [],
    run: async () => 0,
    onEnd: (effect) => void effects.push(effect),
    onCommit: (effect) => void effects.push(effect),
    passing: () => {},
  }
  try {
    const result = await work(tx)
    end(true)
    return result
  } catch (error) {
    end(false)
    throw error
  }
}

const anOffer = { lane: 'light', owner: 'ada', priority: 0, attempts: 0 } as const

queueContract('memory', async (shareOf) => {
  const queue = createMemoryQueue({ shareOf, retryDelay: 1 })
  return { queue, transact, close: () => queue.close() }
})

test('a handler may return before the transaction in which it settles has ended', async () => {
  const queue = createMemoryQueue({ retryDelay: 1 })
  const commit = Promise.withResolvers<void>()
  const seen: string[] = []
  queue.consume(['light'], 1, async (claim) => {
    seen.push(claim.id)
    const settled = Promise.withResolvers<void>()
    void transact(async (tx) => {
      await claim.settle(tx)
      settled.resolve()
      if (claim.id === 'slow') await commit.promise
    })
    await settled.promise
  })
  await transact((tx) => queue.offer(tx, [{ ...anOffer, id: 'slow' }]))
  await until(() => seen.length === 1, 'it was handed out')
  commit.resolve()
  await transact((tx) => queue.offer(tx, [{ ...anOffer, id: 'next' }]))
  await until(() => seen.length === 2, 'the next was handed out')
  assert.deepEqual(seen, ['slow', 'next'])
  await queue.close()
})

test('what one transaction offers and another withdraws is gone when both end together', async () => {
  const queue = createMemoryQueue()
  const seen: string[] = []
  queue.consume(['light'], 1, async (claim) => {
    seen.push(claim.id)
    await transact((tx) => claim.settle(tx))
  })
  await transact(async (tx) => {
    await queue.offer(tx, [{ ...anOffer, id: 'gone' }])
    await queue.withdraw(tx, [{ id: 'gone', lane: 'light' }])
    await queue.offer(tx, [{ ...anOffer, id: 'kept' }])
  })
  await until(() => seen.includes('kept'), 'the other was handed out')
  assert.deepEqual(seen, ['kept'])
  await queue.close()
})
