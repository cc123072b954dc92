/** reforge users: with an administrator's key, and on the machine of the server without one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, ticketOf, visitorOn } from '../../server/test/support/visitor.ts'
import { ground } from './support.ts'

const on = ground()
const { folder, run } = on

test('an administrator invites, lists, changes and deletes users', async (t) => {
  const cwd = await folder(t)
  const invited = await run(cwd, ['users', 'invite', 'Bob@example.org'])
  assert.deepEqual([invited.code, invited.err], [0, ''])
  const visitor = visitorOn(on.server)
  const ticket = ticketOf(invited.out)
  assert.equal((await visitor.call('POST', '/session/tickets/redeem', { ticket, password: PASSWORD })).status, 200)

  assert.match(
    (await run(cwd, ['users', '--search', 'bob'])).out,
    /^\w+\tactive\tbob@example\.org\tuser\tunlimited\tseen /,
  )
  assert.match((await run(cwd, ['users', 'suspend', 'bob@example.org'])).out, /\tsuspended\tbob@/)
  assert.match((await run(cwd, ['users', 'role', 'bob@example.org', 'admin'])).out, /\tadmin\t/)
  assert.match((await run(cwd, ['users', 'plan', 'bob@example.org', 'gold'])).err, /no plan "gold"/)
  const odd = await run(cwd, ['users', 'role', 'bob@example.org', 'admn'])
  assert.deepEqual([odd.code, /did you mean.*admin/i.test(odd.err)], [2, true], odd.err)
  const link = JSON.parse((await run(cwd, ['users', 'reset', 'bob@example.org', '--json'])).out)
  assert.ok(ticketOf(link.url) && link.expiresAt)
  assert.equal((await run(cwd, ['users', 'delete', 'bob@example.org'])).out, 'bob@example.org\n')
})

test('on the machine of the server a link is made without a key', async (t) => {
  const cwd = await folder(t)
  const { code, out, err } = await run(cwd, ['users', 'reset', 'admin@localhost'], { REFORGE_API_KEY: undefined })
  assert.deepEqual([code, err], [0, ''])
  assert.ok(out.startsWith(`${on.server.url}/#/welcome/`), out)
  const visitor = visitorOn(on.server)
  const body = { ticket: ticketOf(out), password: PASSWORD, email: 'ada@example.org' }
  assert.equal((await visitor.call('POST', '/session/tickets/redeem', body)).json.user.role, 'admin')
  const nobody = await run(cwd, ['users', 'reset', 'nobody@example.org'], { REFORGE_API_KEY: undefined })
  assert.deepEqual([nobody.code, /no user nobody@/.test(nobody.err)], [2, true], nobody.err)
})
