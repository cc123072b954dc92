import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

describe('turns', () => {
  it('are given to so many at once, the others in the order of asking', async () => {
    const turns = createTurns(1)
    const order: number[] = []
    const end = await turns.take(never)
    const later = [1, 2].map((n) =>
      turns.take(never).then((done) => {
        order.push(n)
        done()
      }),
    )
    assert.deepEqual(order, [])
    end()
    await Promise.all(later)
    assert.deepEqual(order, [1, 2])
  })

  it('are lost by nobody when one gives up waiting', async () => {
    const turns = createTurns(1)
    const end = await turns.take(never)
    const patience = new AbortController()
    const gaveUp = turns.take(patience.signal)
    const next = turns.take(never)
    patience.abort(new Error('no more'))
    await assert.rejects(gaveUp, /no more/)
    end()
    ;(await next)()
    ;(await turns.take(never))()
  })

  it('are not given to those who have already gone', async () => {
    await assert.rejects(createTurns(1).take(AbortSignal.abort()), { name: 'AbortError' })
  })
})
