/** What every bus must do. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Bus, Hint } from '../../src/ports/bus.ts'
import { until } from '../support/until.ts'

export interface BusHarness {
  bus: Bus
  /** The same bus as another process sees it. */
  elsewhere: Bus
  close(): Promise<void>
}

export function busContract(name: string, open: () => Promise<BusHarness>): void {
  describe(`a bus in ${name}`, () => {
    let harness: BusHarness
    beforeEach(async () => {
      harness = await open()
    })
    afterEach(() => harness.close())

    test('everybody who subscribed hears a hint at once, as often as they subscribed', () => {
      const { bus } = harness
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

    test('those elsewhere hear it too, in order and once, and so do those here', async () => {
      const { bus, elsewhere } = harness
      const here: Hint[] = []
      const there: Hint[] = []
      bus.subscribe((hint) => here.push(hint))
      elsewhere.subscribe((hint) => there.push(hint))
      const hints = Array.from({ length: 50 }, (_, from) => ({ stream: `"stream" ${from % 3}`, from }))
      for (const hint of hints) bus.publish(hint)
      await until(() => there.length >= 50, 'it was heard elsewhere')
      elsewhere.publish({ stream: 'last', from: 1 })
      await until(() => here.at(-1)?.stream === 'last', 'it was heard here')
      assert.deepEqual(here.slice(0, 50), hints)
      assert.deepEqual(there.slice(0, 50), hints)
      assert.deepEqual([here.length, there.length], [51, 51])
    })

    test('nothing is heard after the subscription has ended', () => {
      const { bus } = harness
      const heard: Hint[] = []
      const end = bus.subscribe((hint) => heard.push(hint))
      end()
      bus.publish({ stream: 'a', from: 1 })
      assert.deepEqual(heard, [])
    })

    test('a listener that throws does not keep others from hearing, and is warned about', async () => {
      const { bus } = harness
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
  })
}
