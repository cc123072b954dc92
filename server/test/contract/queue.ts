/** What every queue must do, whatever it keeps its tasks in. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { newId } from '../../src/core/ids.ts'
import type { Lane } from '../../src/core/task.ts'
import {
  type Claim,
  ClaimLost,
  type Consumer,
  type Handle,
  type Offer,
  type Queue,
  type ShareOf,
} from '../../src/ports/queue.ts'
import type { Tx } from '../../src/ports/sql.ts'
import { NOON } from '../support/records.ts'
import { until } from '../support/until.ts'

/** Of the tasks of one owner that may run at once, unless a test says otherwise. */
const SHARE = 3

export interface QueueHarness {
  queue: Queue
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function queueContract(name: string, open: (shareOf: ShareOf) => Promise<QueueHarness>): void {
  describe(`a queue in ${name}`, () => {
    let harness: QueueHarness
    const shares = new Map<string, number | null>()
    let consumers: Consumer[] = []
    let gates: (() => void)[] = []
    beforeEach(async () => {
      shares.clear()
      harness = await open(async (_sql, owner) => shares.get(owner) ?? (shares.has(owner) ? null : SHARE))
    })
    afterEach(async () => {
      for (const open of gates) open()
      gates = []
      await Promise.all(consumers.map((consumer) => consumer.close()))
      consumers = []
      await harness.close()
    })

    const anOffer = (more: Partial<Offer> = {}): Offer => {
      const id = newId(NOON)
      return { id, lane: 'light', owner: `owner of ${id}`, priority: 0, attempts: 0, ...more }
    }
    const offer = (...tasks: Offer[]) => harness.transact((tx) => harness.queue.offer(tx, tasks))
    const withdraw = (...tasks: Offer[]) => harness.transact((tx) => harness.queue.withdraw(tx, tasks))
    const settle = (claim: Claim) => harness.transact((tx) => claim.settle(tx))
    const consume = (handle: Handle, lanes: Lane[] = ['light', 'heavy'], capacity = 4) => {
      const consumer = harness.queue.consume(lanes, capacity, handle)
      consumers.push(consumer)
      return consumer
    }
    const rolledBack = (work: (tx: Tx) => Promise<unknown>) =>
      assert.rejects(
        harness.transact(async (tx) => {
          await work(tx)
          throw new Error('rolled back')
        }),
        /rolled back/,
      )
    /** Settles whatever comes and remembers it. */
    const collect = (lanes?: Lane[], capacity?: number) => {
      const seen: string[] = []
      consume(
        async (claim) => {
          seen.push(claim.id)
          await settle(claim)
        },
        lanes,
        capacity,
      )
      return seen
    }
    /** Holds every claim until `open` is called. */
    const hold = (lanes?: Lane[], capacity?: number) => {
      const gate = Promise.withResolvers<void>()
      const held = { claims: [] as Claim[], most: 0, open: () => gate.resolve() }
      let now = 0
      gates.push(gate.resolve)
      consume(
        async (claim) => {
          held.claims.push(claim)
          held.most = Math.max(held.most, ++now)
          await gate.promise
          // From its commit on the next may begin, before we hear of it.
          await harness.transact((tx) => claim.settle(tx).then(() => now--)).catch(() => {})
        },
        lanes,
        capacity,
      )
      return held
    }

    test('an offer appears when its transaction commits, once, and never after a rollback', async () => {
      const kept = anOffer()
      const dropped = anOffer()
      const seen = collect()
      await rolledBack((tx) => harness.queue.offer(tx, [dropped]))
      await harness.transact(async (tx) => {
        await harness.queue.offer(tx, [kept])
        await new Promise((resolve) => setImmediate(resolve))
        assert.deepEqual(seen, [])
      })
      await until(() => seen.length > 0, 'the task was handed out')
      const last = anOffer()
      await offer(last)
      await until(() => seen.includes(last.id), 'the next task was handed out')
      assert.deepEqual(seen, [kept.id, last.id])
    })

    test('an id is free again once its task has been settled', async () => {
      const task = anOffer()
      const seen = collect()
      await offer(task)
      await until(async () => seen.length === 1 && (await depthOf(harness.queue)).running === 0, 'it was settled')
      await offer(task)
      await until(() => seen.length === 2, 'it was handed out again')
    })

    test('a task that is on offer cannot be offered again', async () => {
      const task = anOffer()
      await offer(task)
      await assert.rejects(offer(task), /already on offer/)
      await withdraw(task)
      await offer(task)
    })

    test('a higher priority goes first, then the older task', async () => {
      const tasks = [
        anOffer(),
        anOffer({ priority: 9 }),
        anOffer({ priority: 9 }),
        anOffer({ priority: -1 }),
        anOffer(),
      ]
      await offer(...tasks)
      const seen = collect(['light'], 1)
      await until(() => seen.length === tasks.length, 'all were handed out')
      const order = [1, 2, 0, 4, 3]
      assert.deepEqual(
        seen,
        order.map((index) => tasks[index]?.id),
      )
    })

    test('a consumer gets tasks of its lanes only, and never more than its capacity', async () => {
      const io = anOffer({ lane: 'io' })
      const others = (['light', 'heavy'] as const).flatMap((lane) => [anOffer({ lane }), anOffer({ lane })])
      await offer(io, ...others)
      const held = hold(['light', 'heavy'], 3)
      await until(() => held.claims.length === 3, 'three were handed out')
      assert.deepEqual(await depthOf(harness.queue), { waiting: 1, running: 3 })
      held.open()
      await until(() => held.claims.length === 4, 'all of the lanes were handed out')
      await until(async () => (await depthOf(harness.queue)).running === 0, 'all were settled')
      assert.deepEqual((await harness.queue.depth()).io, { waiting: 1, running: 0 })
      assert.ok(held.claims.every((claim) => claim.id !== io.id))
    })

    test('one owner holds no more than its share, over all lanes together, and others pass', async () => {
      const lanes = ['light', 'heavy'] as const
      const flood = lanes.flatMap((lane) => Array.from({ length: 8 }, () => anOffer({ lane, owner: 'flood' })))
      const other = anOffer({ owner: 'other' })
      await offer(...flood)
      await offer(other)
      const held = hold([...lanes], 100)
      await until(() => held.claims.some(({ id }) => id === other.id), 'the other was handed out')
      await until(() => held.claims.length === SHARE + 1, 'as many as may run were handed out')
      assert.deepEqual(await depthOf(harness.queue), { waiting: 16 - SHARE, running: SHARE + 1 })
      held.open()
      await until(() => held.claims.length === 17, 'the rest followed')
      assert.ok(held.most <= SHARE + 1, `${held.most} ran at once`)
    })

    test('each owner has a share of its own, and some have no limit', async () => {
      shares.set('one', 1).set('many', null)
      const tasks = ['one', 'many'].flatMap((owner) => Array.from({ length: 6 }, () => anOffer({ owner })))
      await offer(...tasks)
      const held = hold(['light'], 100)
      await until(() => held.claims.length === 7, 'as many as may run were handed out')
      const own = new Set(tasks.slice(0, 6).map(({ id }) => id))
      assert.equal(held.claims.filter(({ id }) => own.has(id)).length, 1)
      held.open()
      await until(() => held.claims.length === 12, 'the rest followed, one after another')
    })

    test('a share that has grown holds from the next task of the owner on', async () => {
      shares.set('ada', 1)
      await offer(...Array.from({ length: 4 }, () => anOffer({ owner: 'ada' })))
      const held = hold(['light'], 100)
      await until(() => held.claims.length === 1, 'one was handed out')
      shares.set('ada', 4)
      await offer(anOffer({ owner: 'ada' }))
      await until(() => held.claims.length === 4, 'as many as may run now were handed out')
      held.open()
      await until(() => held.claims.length === 5, 'the last one followed')
    })

    test('a share that has shrunk lets run what runs and nothing more', async () => {
      await offer(...Array.from({ length: 5 }, () => anOffer({ owner: 'ada' })))
      const held = hold(['light'], 100)
      await until(() => held.claims.length === SHARE, 'as many as may run were handed out')
      shares.set('ada', 1)
      const [first] = held.claims
      assert.ok(first)
      await settle(first)
      const other = anOffer({ owner: 'bob' })
      await offer(other)
      await until(() => held.claims.some(({ id }) => id === other.id), 'another owner was served')
      assert.equal(held.claims.length, SHARE + 1)
      held.open()
      await until(() => held.claims.length === 6, 'the rest followed')
    })

    test('a task that needs something goes to a worker that has it, and to no other', async () => {
      const plain = anOffer()
      const office = anOffer({ needs: 'office' })
      const both = anOffer({ needs: 'office.video' })
      await offer(office, both, plain)
      const given: Record<string, string[]> = { video: [], office: [] }
      const worker = (name: string) =>
        consumers.push(
          harness.queue.consume(
            ['light'],
            4,
            async (claim) => {
              given[name]?.push(claim.id)
              await settle(claim)
            },
            (needs) => needs === name,
          ),
        )
      worker('video')
      await until(async () => (await depthOf(harness.queue)).waiting === 2, 'what needs nothing was handed out')
      await until(async () => (await depthOf(harness.queue)).running === 0, 'and settled')
      assert.deepEqual(given, { video: [plain.id], office: [] })
      worker('office')
      await until(() => given.office?.length === 1, 'what was needed is there now')
      const last = anOffer({ needs: 'office' })
      await offer(last)
      await until(() => given.office?.length === 2, 'the next one was handed out')
      assert.deepEqual(given, { video: [plain.id], office: [office.id, last.id] })
      await withdraw(both)
      assert.deepEqual((await harness.queue.depth()).light.waiting, 0)
    })

    test('a task that is given back is on offer again, and the attempt does not count', async () => {
      const task = anOffer({ attempts: 1 })
      await offer(task)
      const attempts: number[] = []
      const late: unknown[] = []
      consume(async (claim) => {
        attempts.push(claim.attempt)
        if (attempts.length > 1) return settle(claim)
        await rolledBack((tx) => claim.release(tx))
        await harness.transact((tx) => claim.release(tx))
        late.push(await settle(claim).catch((error: unknown) => error))
      })
      await until(() => attempts.length === 2 && late.length === 1, 'it was handed out again')
      assert.deepEqual(attempts, [1, 1])
      assert.ok(late[0] instanceof ClaimLost)
      await until(async () => (await depthOf(harness.queue)).running === 0, 'it was settled')
      assert.deepEqual(await depthOf(harness.queue), { waiting: 0, running: 0 })
    })

    test('between owners, the one with the fewest running is next', async () => {
      const first = Array.from({ length: 3 }, () => anOffer({ owner: 'first' }))
      const second = Array.from({ length: 2 }, () => anOffer({ owner: 'second' }))
      await offer(...first, ...second)
      const held = hold(['light'], 4)
      await until(() => held.claims.length === 4, 'four were handed out')
      assert.deepEqual(
        held.claims.map((claim) => claim.id),
        [first[0], second[0], first[1], second[1]].map((task) => task?.id),
      )
      held.open()
    })

    test('withdrawing removes what waits and aborts what runs, when the transaction commits', async () => {
      const running = anOffer()
      const waiting = anOffer()
      await offer(running)
      const held = hold(['light'], 1)
      await until(() => held.claims.length === 1, 'the first runs')
      await offer(waiting)
      await rolledBack((tx) => harness.queue.withdraw(tx, [running, waiting]))
      const [claim] = held.claims
      assert.equal(claim?.signal.aborted, false)
      assert.equal((await depthOf(harness.queue)).waiting, 1)
      await withdraw(running, waiting)
      await until(() => claim?.signal.aborted === true, 'the attempt was aborted')
      assert.ok(claim)
      await assert.rejects(settle(claim), ClaimLost)
      held.open()
      const last = anOffer()
      await offer(last)
      await until(() => held.claims.length === 2, 'the next task was handed out')
      assert.equal(held.claims[1]?.id, last.id)
    })

    test('an attempt that was withdrawn cannot settle the same task offered anew', async () => {
      const task = anOffer()
      await offer(task)
      const held = hold()
      await until(() => held.claims.length === 1, 'it runs')
      await withdraw(task)
      await offer(task)
      await until(() => held.claims.length === 2, 'it runs again')
      const [old, current] = held.claims
      assert.ok(old && current)
      await assert.rejects(settle(old), ClaimLost)
      assert.equal(current.signal.aborted, false)
      await settle(current)
      held.open()
    })

    test('the worker that holds a task may send it to another lane in one transaction', async () => {
      const task = anOffer({ lane: 'light' })
      const heavy: Lane[] = []
      consume(
        (claim) =>
          harness.transact(async (tx) => {
            await harness.queue.withdraw(tx, [claim])
            await harness.queue.offer(tx, [{ ...task, lane: 'heavy' }])
          }),
        ['light'],
      )
      consume(
        async (claim) => {
          heavy.push(claim.lane)
          await settle(claim)
        },
        ['heavy'],
      )
      await offer(task)
      await until(() => heavy.length > 0, 'it was handed out in the other lane')
      const next = anOffer({ lane: 'heavy' })
      await offer(next)
      await until(() => heavy.length > 1, 'the next one was handed out')
      assert.deepEqual(heavy, ['heavy', 'heavy'])
    })

    test('the worker that holds a task may withdraw it and settle in the same transaction', async () => {
      const task = anOffer()
      const claims: Claim[] = []
      await offer(task)
      consume(async (claim) => {
        claims.push(claim)
        await harness.transact(async (tx) => {
          await harness.queue.withdraw(tx, [task])
          await claim.settle(tx)
        })
      })
      await until(async () => claims.length > 0 && (await depthOf(harness.queue)).running === 0, 'it has run')
      assert.equal(claims[0]?.signal.aborted, false)
      await offer(task)
      await until(() => claims.length === 2, 'its id is free again')
    })

    test('a failed attempt is repeated, and so is one whose settling was rolled back or left out', async () => {
      const task = anOffer()
      const attempts: number[] = []
      await offer(task)
      consume(async (claim) => {
        attempts.push(claim.attempt)
        if (claim.attempt === 0) throw new Error('boom')
        if (claim.attempt === 1) await rolledBack((tx) => claim.settle(tx))
        else await settle(claim)
      })
      await until(() => attempts.length === 3, 'it was tried three times')
      await until(async () => (await depthOf(harness.queue)).running === 0, 'it was settled')
      assert.deepEqual(attempts, [0, 1, 2])
      await offer(task)
    })

    test('a claim is settled once', async () => {
      const outcomes: unknown[] = []
      consume(async (claim) => {
        await settle(claim)
        outcomes.push(await settle(claim).catch((error: unknown) => error))
      })
      await offer(anOffer())
      await until(() => outcomes.length === 1, 'it was handed out')
      assert.ok(outcomes[0] instanceof ClaimLost)
    })

    test('after the last attempt a task is handed over as exhausted, with the reason', async () => {
      const task = anOffer()
      const attempts: number[] = []
      const given: Claim[] = []
      consume(async (claim) => {
        attempts.push(claim.attempt)
        throw new Error('always')
      })
      consumers.push(
        harness.queue.exhausted(async (claim) => {
          given.push(claim)
          if (given.length === 1) throw new Error('not recorded')
          await settle(claim)
        }),
      )
      await offer(task)
      await until(() => given.length === 2, 'it was handed over until it was settled')
      assert.deepEqual(attempts, [0, 1, 2])
      assert.equal(given[0]?.id, task.id)
      assert.equal(given[0]?.lane, task.lane)
      assert.match(String(given[0]?.reason), /always/)
    })

    test('attempts made before the offer count', async () => {
      const once = anOffer({ attempts: 2 })
      const never = anOffer({ attempts: 3 })
      const started: string[] = []
      const given: string[] = []
      consume(async (claim) => {
        started.push(`${claim.id} ${claim.attempt}`)
        throw new Error('again')
      })
      consumers.push(
        harness.queue.exhausted(async (claim) => {
          await settle(claim)
          given.push(claim.id)
        }),
      )
      await offer(once, never)
      await until(() => given.length === 2, 'both were handed over')
      assert.deepEqual(started, [`${once.id} 2`])
      assert.deepEqual(given.toSorted(), [once.id, never.id].toSorted())
    })

    test('a consumer that is closed waits for what it runs and takes nothing more', async () => {
      const tasks = [anOffer(), anOffer()]
      await offer(...tasks)
      const gate = Promise.withResolvers<void>()
      gates.push(gate.resolve)
      const seen: string[] = []
      const consumer = consume(
        async (claim) => {
          seen.push(claim.id)
          await gate.promise
          await settle(claim)
        },
        ['light'],
        1,
      )
      await until(() => seen.length === 1, 'the first runs')
      const closing = consumer.close()
      gate.resolve()
      await closing
      assert.deepEqual(seen, [tasks[0]?.id])
      assert.deepEqual(await depthOf(harness.queue), { waiting: 1, running: 0 })
    })

    test('closing the queue takes claims away from those who still run', async () => {
      await offer(anOffer())
      const outcomes: unknown[] = []
      let starts = 0
      consume(async (claim) => {
        starts++
        await new Promise((resolve) => claim.signal.addEventListener('abort', resolve))
        outcomes.push(await settle(claim).catch((error: unknown) => error))
      })
      await until(() => starts === 1, 'it runs')
      await harness.queue.close()
      assert.equal(outcomes.length, 1)
      assert.ok(outcomes[0] instanceof ClaimLost)
      assert.equal(starts, 1)
    })
  })
}

/** Over all lanes. */
async function depthOf(queue: Queue): Promise<{ waiting: number; running: number }> {
  const { light, heavy } = await queue.depth()
  return { waiting: light.waiting + heavy.waiting, running: light.running + heavy.running }
}
