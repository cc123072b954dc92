import assert from 'node:assert/strict'
import { argon2 } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { freshSqlite } from '../../test/support/sqlite.ts'
import { createMemoryBus } from '../bus/memory-bus.ts'
import { Problem } from '../core/errors.ts'
import { createSqlAccounts } from '../store/sql-accounts.ts'
import { createSqlAudit } from '../store/sql-audit.ts'
import { createSqlCredentials } from '../store/sql-credentials.ts'
import { createSqlUsers } from '../store/sql-users.ts'
import { createScribe } from './audited.ts'
import { createAuth } from './auth.ts'
import type { HttpDeps } from './deps.ts'
import { createPasswords } from './passwords.ts'
import { createSignIn } from './sign-in.ts'
import { createSlowDown } from './slow-down.ts'

test('a wrong password costs the same work whether there is such a user or not, and says the same', async (t) => {
  const database = await freshSqlite(t)
  const clock = { now: () => Date.now() }
  const accounts = createSqlAccounts(database)
  const credentials = createSqlCredentials(database)
  let hashed = 0
  const hashing = createPasswords((parameters) => {
    hashed++
    return promisify(argon2)('argon2id', parameters)
  })
  const about = { accounts, credentials, users: createSqlUsers(database), audit: createSqlAudit(database) }
  const parts = { clock, hashing, bus: createMemoryBus(), scribe: createScribe(clock) }
  const auth = createAuth(accounts, credentials.sessions, clock)
  const slowDown = createSlowDown(credentials.trials, clock)
  const signIn = createSignIn({ ...about, ...parts, auth, slowDown } as unknown as HttpDeps)
  const door = { request: { ip: '192.0.2.1', headers: {} } as FastifyRequest, reply: {} as FastifyReply }

  const ada = await accounts.user('ada@example.org', clock.now())
  await credentials.passwords.set(ada.id, await hashing.hash('a horse among staples'), null)
  await accounts.user('invited@example.org', clock.now())
  const answers = []
  for (const email of ['ada@example.org', 'invited@example.org', 'nobody@example.org', 'x']) {
    hashed = 0
    const error = await signIn.byPassword(door, email, 'a horse among cows').catch((thrown) => thrown)
    assert.ok(error instanceof Problem)
    answers.push({ hashed, status: error.status, message: error.message })
  }
  assert.equal(answers[0]?.hashed, 1)
  for (const answer of answers) assert.deepEqual(answer, answers[0])
})
