import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../core/errors.ts'
import { again, openSteadily } from './again.ts'
import type { Storage } from './storage.ts'
import { Passing } from './trouble.ts'

const signal = new AbortController().signal
const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))

/** Serves `CONTENT`, but each connection breaks after so many bytes; `loud` ones throw, others just end. */
function shaky(breaks: readonly { after: number; loud: boolean }[], ranges = true, versions = ['v']): Storage {
  let connection = 0
  return {
    host: 'shaky.example',
    async open(_name, { start, version }) {
      const now = versions[Math.min(connection, versions.length - 1)] ?? null
      const { after, loud } = breaks[connection++] ?? { after: Number.POSITIVE_INFINITY, loud: false }
      if (version !== null && version !== now) throw new Failure('processing_failed', 'was changed')
      const from = ranges ? start : 0
      async function* body() {
        const end = Math.min(CONTENT.length, from + after)
        for (let at = from; at < end; at += 64) yield CONTENT.subarray(at, Math.min(at + 64, end))
        if (loud) throw Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
      }
      return { body: body(), size: CONTENT.length, start: from, version: now }
    },
    put: () => Promise.reject(new Error('not here')),
    close: () => {},
  }
}

const whole = async (storage: Storage): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync((await openSteadily(storage, 'x', signal)).body))

describe('an object over several connections', () => {
  test('is the same bytes wherever they break, also where the server knows no ranges', async () => {
    const cut = fc.record({ after: fc.integer({ min: 1, max: 900 }), loud: fc.boolean() })
    const property = fc.asyncProperty(fc.array(cut, { maxLength: 2 }), fc.boolean(), async (breaks, ranges) => {
      assert.deepEqual(await whole(shaky(breaks, ranges)), CONTENT)
    })
    await fc.assert(property, { numRuns: 10 })
  })

  test('fails rather than mix two versions', async () => {
    await assert.rejects(whole(shaky([{ after: 500, loud: true }], true, ['v', 'w'])), /was changed/)
  })
})

describe('trying again', () => {
  test('happens to what may pass, and ends with the first success', async () => {
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries < 3) throw new Passing('busy')
      return 'done'
    }
    assert.equal(await again(work, signal), 'done')
    assert.equal(tries, 3)
  })

  test('does not happen to what stays as it is', async () => {
    let tries = 0
    const work = async () => {
      tries += 1
      throw new Failure('invalid_credentials', 'no')
    }
    await assert.rejects(again(work, signal), { errorCode: 'invalid_credentials' })
    assert.equal(tries, 1)
  })

  test('ends at once when the task is stopped', async () => {
    const stop = new AbortController()
    const work = async () => {
      stop.abort(new Error('stopped'))
      throw new Passing('busy')
    }
    await assert.rejects(again(work, stop.signal), /stopped/)
  })
})
