/** A real OpenID Connect provider on loopback, with people in it who sign in without being asked for a password. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'

export interface Person {
  email?: string
  email_verified?: boolean
  groups?: string[]
}

export const CLIENT = { id: 'reforge', secret: randomBytes(24).toString('hex') }

export interface OidcPeer {
  issuer: string
  /** To be called before anybody comes: where the browser may be sent back to. */
  serve(redirectUri: string): void
  /** Who sits in front of the browser from now on. */
  become(subject: string, person: Person): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startOidc(): Promise<OidcPeer> {
  const people = new Map<string, Person>()
  let present = ''
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    if (!provider) response.writeHead(503).end()
    else if (request.url?.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: present } })
    else void provider.callback()(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    serve(redirectUri) {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [redirectUri],
            id_token_signed_response_alg: 'ES256',
          },
        ],
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k' }] },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...people.get(id) }),
        }),
        // Nobody is asked whether they agree.
        async loadExistingGrant({ oidc }: Context) {
          const about = { clientId: oidc.client?.clientId ?? '', accountId: oidc.session?.accountId ?? '' }
          const grant = new oidc.provider.Grant(about)
          grant.addOIDCScope('openid email profile groups')
          await grant.save()
          return grant
        },
      })
    },
    become(subject, person) {
      people.set(subject, person)
      present = subject
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
