/** API keys: making, listing, changing, revoking. A key is shown once, and no key can make one that may do more than itself. */
import { Type } from 'typebox'
import { invalid, notFound, Problem } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { keyHash, newKey } from '../../core/key.ts'
import { endOf, startOf } from '../../core/quota.ts'
import { read } from '../../core/shape.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import { type Key, NameTaken, SCOPES } from '../../ports/accounts.ts'
import { keyRevoked } from '../../ports/bus.ts'
import type { Deed } from '../audited.ts'
import type { HttpDeps } from '../deps.ts'
import { Budget, BudgetOrNull } from '../metering-schemas.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

const KeyChange = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  budget: Type.Optional(BudgetOrNull),
})

const NewKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'To tell your keys apart.' }),
  scopes: Type.Optional(
    Type.Array(Type.Enum([...SCOPES]), { minItems: 1, description: 'What it may do; all that yours may by default.' }),
  ),
  budget: Type.Optional(BudgetOrNull),
})

/** A budget is read apart: null is a value there. */
const NewKeyGiven = Type.Object({ name: NewKey.properties.name, scopes: NewKey.properties.scopes })
const KeyChangeGiven = Type.Object({ name: KeyChange.properties.name })

const iso = (ms: number): string => new Date(ms).toISOString()

const shown = ({ id, name, scopes, createdAt, lastUsedAt }: Key, own: string, budget: Json): JsonObject => ({
  id,
  name,
  scopes: [...scopes],
  current: id === own,
  createdAt: iso(createdAt),
  lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
  budget,
})

/** Undefined when none was sent. */
function readBudget(body: unknown): Key['budget'] | undefined {
  const { budget } = body as { budget?: unknown }
  if (budget === undefined || budget === null) return budget
  const { value, issues } = read(Budget, budget, 'budget')
  if (issues.length) throw invalid(issues)
  return value
}

/** Whose minutes are rationed must not be able to ration them otherwise. */
function requireFull({ budget }: Key): void {
  if (budget) throw new Problem('forbidden', 'This key has a budget, and such a key can neither make nor change keys.')
}

const nameTaken = (error: unknown): never => {
  throw error instanceof NameTaken ? new Problem('conflict', `${error.message} Choose another name.`) : error
}

function readName(given: string): string {
  const name = given.trim()
  if (name === '') throw invalid([{ path: 'name', message: 'must not be empty.' }])
  return name
}

export function keyRoutes({ accounts, audit, scribe, metering, clock, bus }: HttpDeps): Route[] {
  /** With what is used of its budget. */
  async function show(key: Key, own: string): Promise<JsonObject> {
    if (!key.budget) return shown(key, own, null)
    const { minutes, per } = key.budget
    const now = clock.now()
    const seconds = await metering.secondsSince(key.id, startOf(per, now))
    const used = Math.round((seconds / 60) * 1000) / 1000
    return shown(key, own, { minutes, per, used, resetsAt: iso(endOf(per, now)) })
  }

  return [
    route({
      method: 'GET',
      path: '/v1/account/keys',
      tag: 'Account',
      summary: 'List your API keys, newest first.',
      access: 'account',
      answer: { status: 200, schema: ref('KeyList') },
      async handle({ caller: { user, key } }) {
        return { keys: await Promise.all((await accounts.keys(user.id)).map((each) => show(each, key.id))) }
      },
    }),
    route({
      method: 'POST',
      path: '/v1/account/keys',
      tag: 'Account',
      summary: 'Make an API key. It is shown in this answer only.',
      access: 'account',
      body: NewKey,
      answer: { status: 201, schema: ref('KeyWithSecret') },
      async handle({ request, body, caller }) {
        const { user, key } = caller
        if (user.role === 'guest') throw new Problem('forbidden', 'A guest cannot make keys. Ask for an account.')
        const { value, issues } = read(NewKeyGiven, body)
        if (issues.length) throw invalid(issues)
        requireFull(key)
        const scopes = value.scopes ?? key.scopes
        const beyond = scopes.filter((scope) => !key.scopes.includes(scope))
        if (beyond.length)
          throw new Problem(
            'forbidden',
            `This key cannot give what it has not: it lacks the scope ${beyond.join(', ')}.`,
          )
        const plain = newKey()
        const now = clock.now()
        const about = {
          user: user.id,
          name: readName(value.name),
          budget: readBudget(body) ?? null,
          scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        }
        const made: Key = { id: newId(now), ...about, createdAt: now, lastUsedAt: null }
        const { id, name } = made
        const deed: Deed = { action: 'key.created', target: `key:${id}`, detail: { name, scopes: [...made.scopes] } }
        const note = audit.within(scribe(request, caller, deed))
        await accounts.addKey(made, keyHash(plain), note).catch(nameTaken)
        return { ...(await show(made, key.id)), key: plain }
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/account/keys/:keyId',
      tag: 'Account',
      summary: 'Rename an API key, or change its budget.',
      access: 'account',
      body: KeyChange,
      answer: { status: 200, schema: ref('Key') },
      async handle({ request, params, body, caller }) {
        const id = params.keyId ?? ''
        const { value, issues } = read(KeyChangeGiven, body)
        if (issues.length) throw invalid(issues)
        requireFull(caller.key)
        const budget = readBudget(body)
        const to = {
          ...(value.name !== undefined && { name: readName(value.name) }),
          ...(budget !== undefined && { budget }),
        }
        const { name } = to
        const detail: JsonObject = {
          ...(name !== undefined && { name }),
          ...(budget !== undefined && { budget: budget && { ...budget } }),
        }
        const note = audit.within(scribe(request, caller, { action: 'key.changed', target: `key:${id}`, detail }))
        const changed = await accounts.changeKey(caller.user.id, id, to, note).catch(nameTaken)
        if (!changed) throw notFound(`The key ${id}`)
        return show(changed, caller.key.id)
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/account/keys/:keyId',
      tag: 'Account',
      summary: 'Revoke an API key, at once: its connections for live events are closed too.',
      access: 'account',
      answer: { status: 200, schema: null },
      async handle({ request, params, caller }) {
        const id = params.keyId ?? ''
        const note = audit.within(scribe(request, caller, { action: 'key.revoked', target: `key:${id}` }))
        if (!(await accounts.removeKey(caller.user.id, id, note))) throw notFound(`The key ${id}`)
        bus.publish(keyRevoked(id))
        return ''
      },
    }),
  ]
}
