/** API keys: making, listing, revoking. A key is shown once, and no key can make one that may do more than itself. */
import { Type } from 'typebox'
import { invalid, notFound, Problem } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { keyHash, newKey } from '../../core/key.ts'
import { read } from '../../core/shape.ts'
import type { JsonObject } from '../../core/task.ts'
import { type Key, NameTaken, SCOPES } from '../../ports/accounts.ts'
import { keyRevoked } from '../../ports/bus.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

const NewKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'To tell your keys apart.' }),
  scopes: Type.Optional(
    Type.Array(Type.Enum([...SCOPES]), { minItems: 1, description: 'What it may do; all that yours may by default.' }),
  ),
})

const iso = (ms: number): string => new Date(ms).toISOString()

const shown = ({ id, name, scopes, createdAt, lastUsedAt }: Key, own: string): JsonObject => ({
  id,
  name,
  scopes: [...scopes],
  current: id === own,
  createdAt: iso(createdAt),
  lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
})

export function keyRoutes({ accounts, clock, bus }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/account/keys',
      tag: 'Account',
      summary: 'List your API keys, newest first.',
      access: 'account',
      answer: { status: 200, schema: ref('KeyList') },
      async handle({ caller: { user, key } }) {
        return { keys: (await accounts.keys(user.id)).map((each) => shown(each, key.id)) }
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
      async handle({ body, caller: { user, key } }) {
        const { value, issues } = read(NewKey, body)
        if (issues.length) throw invalid(issues)
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
          name: value.name.trim(),
          scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        }
        const made: Key = { id: newId(now), ...about, createdAt: now, lastUsedAt: null }
        if (made.name === '') throw invalid([{ path: 'name', message: 'must not be empty.' }])
        await accounts.addKey(made, keyHash(plain)).catch((error) => {
          throw error instanceof NameTaken ? new Problem('conflict', `${error.message} Choose another name.`) : error
        })
        return { ...shown(made, key.id), key: plain }
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/account/keys/:keyId',
      tag: 'Account',
      summary: 'Revoke an API key, at once: its connections for live events are closed too.',
      access: 'account',
      answer: { status: 200, schema: null },
      async handle({ params, caller: { user } }) {
        const id = params.keyId ?? ''
        if (!(await accounts.removeKey(user.id, id))) throw notFound(`The key ${id}`)
        bus.publish(keyRevoked(id))
        return ''
      },
    }),
  ]
}
