import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryBus } from '../bus/memory-bus.ts'
import type { StreamEvent } from '../core/task.ts'
import { startFeed } from './feed.ts'

test('an event is told although the database was away when the hint came', async () => {
  const bus = createMemoryBus()
  const event = { stream: 'job', seq: 1 } as StreamEvent
  let away = true
  const told = Promise.withResolvers<StreamEvent>()
  const failures: unknown[] = []
  const stop = startFeed({
    store: {
      async events() {
        if (!away) return [event]
        away = false
        throw new Error('the database is away')
      },
    },
    bus,
    isWanted: () => true,
    deliver: told.resolve,
    failed: (error) => failures.push(error),
  })
  bus.publish({ stream: 'job', from: 1 })
  const waiting = setTimeout(() => {}, 10_000)
  assert.equal(await told.promise, event)
  clearTimeout(waiting)
  assert.equal(failures.length, 1)
  stop()
})
