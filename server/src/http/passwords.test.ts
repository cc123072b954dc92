import assert from 'node:assert/strict'
import { argon2 } from 'node:crypto'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createPasswords, type Derive } from './passwords.ts'

/** The real thing, with what was asked of it. */
function counted() {
  const asked: Parameters<Derive>[0][] = []
  let running = 0
  let most = 0
  const derive: Derive = async (parameters) => {
    asked.push(parameters)
    running++
    most = Math.max(most, running)
    try {
      return await promisify(argon2)('argon2id', parameters)
    } finally {
      running--
    }
  }
  return { asked, derive, most: () => most }
}

describe('hashing of passwords', () => {
  test('a password matches its own hash and no other, however it was typed', async () => {
    const { hash, matches } = createPasswords()
    const kept = await hash('Grüße aus Köln')
    assert.notEqual(kept, await hash('Grüße aus Köln'), 'each has its own salt')
    assert.equal(await matches('Grüße aus Köln', kept), true)
    assert.equal(await matches('Grüße aus Köln'.normalize('NFD'), kept), true)
    assert.equal(await matches('Grusse aus Koln', kept), false)
  })

  test('the same work is done for nobody as for somebody', async () => {
    const { asked, derive } = counted()
    const { hash, matches } = createPasswords(derive)
    const kept = await hash('a horse among staples')
    const strength = ({ memory, passes, parallelism, tagLength }: (typeof asked)[number]) => ({
      ...{ memory, passes, parallelism, tagLength },
    })
    asked.length = 0
    assert.equal(await matches('wrong', kept), false)
    assert.equal(await matches('wrong', null), false)
    assert.equal(asked.length, 2)
    const [somebody, nobody] = asked
    assert.ok(somebody && nobody)
    assert.deepEqual(strength(nobody), strength(somebody))
    assert.deepEqual(strength(nobody), { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 })
  })

  test('a few are hashed at once, and a crowd is told to come again', async () => {
    const { derive, most } = counted()
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { matches } = createPasswords(async (parameters) => {
      await gate
      return derive({ ...parameters, memory: 8, passes: 1 })
    })
    const all = Array.from({ length: 80 }, () => matches('x', null))
    const settled = Promise.allSettled(all)
    release()
    const refused = (await settled).filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 14)
    assert.equal((refused[0] as PromiseRejectedResult).reason.status, 429)
    assert.equal(most(), 2)
  })
})
