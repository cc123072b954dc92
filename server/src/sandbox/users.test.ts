import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createUsers, type Users } from './users.ts'

const [FIRST, LAST, ALL] = [60_600, 61_179, 580]

/** No real box is to be short of users meanwhile. */
const create = () => createUsers(`reforge-users-test-${process.pid}`)

const opened: Users[] = []
after(() => opened.forEach((users) => void users.close()))
function open(): Users {
  const users = create()
  opened.push(users)
  return users
}

const take = (users: Users, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => users.take()))

describe('the users of boxes', () => {
  it('are one for each box, and none that two servers have', async () => {
    const servers = Array.from({ length: 5 }, open)
    const taken = (await Promise.all(servers.map((users) => take(users, 45)))).flat()
    assert.equal(new Set(taken).size, taken.length)
    assert.ok(taken.every((uid) => uid >= FIRST && uid <= LAST))
  })

  it('are used again when a box has gone, the one that was free longest first', async () => {
    const users = open()
    const block = await take(users, 20)
    users.release(block[7] ?? 0)
    users.release(block[3] ?? 0)
    assert.deepEqual(await take(users, 2), [block[7], block[3]])
  })

  it('are left to others by a server that closes', async () => {
    const before = create()
    const theirs = await take(before, ALL)
    assert.equal(new Set(theirs).size, ALL)
    before.close()
    await new Promise(setImmediate)
    const [one, other] = [open(), open()]
    assert.notEqual(await one.take(), await other.take())
  })

  it('are shared only when there are no others, and an error tells when all are taken', async () => {
    const greedy = open()
    await take(greedy, ALL)
    await assert.rejects(greedy.take(), /more than 580 boxes/)
    const late = open()
    assert.equal(new Set(await take(late, ALL)).size, ALL)
  })
})
