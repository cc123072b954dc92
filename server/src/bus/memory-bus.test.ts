import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Hint } from '../ports/bus.ts'
import { createMemoryBus } from './memory-bus.ts'

test('everybody who subscribed hears a hint, as often as they subscribed', () => {
  const bus = createMemoryBus()
  const heard: Hint[] = []
  const hear = (hint: Hint) => void heard.push(hint)
  bus.subscribe(hear)
  bus.subscribe(hear)
  bus.publish({ stream: 'a', from: 3 })
  assert.deepEqual(heard, [
    { stream: 'a', from: 3 },
    { stream: 'a', from: 3 },
  ])
})

test('nothing is heard after the subscription has ended', () => {
  const bus = createMemoryBus()
  const heard: Hint[] = []
  const end = bus.subscribe((hint) => heard.push(hint))
  end()
  bus.publish({ stream: 'a', from: 1 })
  assert.deepEqual(heard, [])
})

test('a listener that throws does not keep others from hearing, and is warned about', async () => {
  const bus = createMemoryBus()
  const heard: Hint[] = []
  bus.subscribe(() => {
    throw new Error('deaf')
  })
  bus.subscribe((hint) => heard.push(hint))
  const warned = once(process, 'warning')
  bus.publish({ stream: 'a', from: 1 })
  assert.equal(heard.length, 1)
  const [warning] = await warned
  assert.match(String(warning), /deaf/)
})
