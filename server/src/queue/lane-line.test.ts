import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createHeap } from './heap.ts'
import { type Candidate, createLaneLine, isNext, type Standing } from './lane-line.ts'

test('a heap gives its items in order whatever was put in, moved or taken out', () => {
  const step = fc.record({ does: fc.constantFrom('put', 'move', 'remove'), which: fc.nat(20), key: fc.nat(50) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const items = Array.from({ length: 21 }, () => ({ at: -1, key: 0 }))
      const inside = new Set<{ at: number; key: number }>()
      const heap = createHeap<{ at: number; key: number }>((a, b) => a.key < b.key)
      for (const { does, which, key } of steps) {
        const item = items[which]
        assert.ok(item)
        if (does === 'remove') {
          heap.remove(item)
          inside.delete(item)
        } else if (does === 'put' || inside.has(item)) {
          item.key = key
          heap.put(item)
          inside.add(item)
        }
        assert.equal(heap.size, inside.size)
        const least = [...inside].reduce((min, { key }) => Math.min(min, key), Number.POSITIVE_INFINITY)
        assert.equal(heap.first()?.key ?? Number.POSITIVE_INFINITY, least)
      }
    }),
  )
})

test('the next of a lane is the one a search through everything finds', () => {
  const step = fc.record({
    does: fc.constantFrom('add', 'add', 'start', 'done', 'remove', 'allow'),
    which: fc.nat(100),
    owner: fc.constantFrom('a', 'b', 'c'),
    priority: fc.integer({ min: 0, max: 2 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const line = createLaneLine<Standing>((owner) => busy(owner) < limit(owner))
      const limits = new Map<string, number>()
      const limit = (owner: string) => limits.get(owner) ?? 2
      let waiting: Standing[] = []
      let running: Standing[] = []
      const busy = (owner: string) => running.filter((entry) => entry.owner === owner).length
      const searched = () =>
        waiting
          .filter((entry) => busy(entry.owner) < limit(entry.owner))
          .map((entry): Candidate<Standing> => ({ entry, running: busy(entry.owner) }))
          .sort((a, b) => (isNext(a, b) ? -1 : 1))[0]
      for (const [seq, { does, which, owner, priority }] of steps.entries()) {
        const next = line.next()
        if (does === 'add') {
          const entry = { at: -1, seq, owner, priority }
          line.add(entry)
          waiting.push(entry)
        } else if (does === 'start' && next) {
          running.push(next.entry)
          line.start(next.entry)
          waiting = waiting.filter((entry) => entry !== next.entry)
        } else if (does === 'done') {
          const entry = running[which % (running.length || 1)]
          running = running.filter((other) => other !== entry)
          if (entry) line.done(entry.owner)
        } else if (does === 'remove') {
          const entry = waiting[which % (waiting.length || 1)]
          if (entry) line.remove(entry)
          waiting = waiting.filter((other) => other !== entry)
        } else if (does === 'allow') {
          limits.set(owner, which % 4)
          line.review(owner)
        }
        assert.deepEqual(line.next(), searched())
        assert.deepEqual([line.waiting, line.running], [waiting.length, running.length])
      }
    }),
  )
})
