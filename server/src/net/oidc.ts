/**
 * OpenID Connect by openid-client: code flow with PKCE, state and nonce. The operator names the issuer, so it is asked
 * directly, in a private network too; no user can make it anything else. Decides nothing about users.
 */
import type { Configuration } from 'openid-client'
import type { IdentityProvider } from '../ports/identity-provider.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
  title: string
}

const PATIENCE_SECONDS = 10
const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string')

export function createOidc({ issuer, clientId, clientSecret, title }: OidcSettings): IdentityProvider {
  const address = new URL(issuer)
  let known: Promise<Configuration> | null = null

  /** Asked for on first use: a provider that is down must not keep the service from starting. */
  async function discover() {
    const oidc = await import('openid-client')
    known ??= oidc.discovery(address, clientId, clientSecret ?? undefined, undefined, {
      timeout: PATIENCE_SECONDS,
      // Only a provider on this very machine may do without TLS.
      ...(address.protocol === 'http:' && isLoopback(address) && { execute: [oidc.allowInsecureRequests] }),
    })
    const config = await known.catch((error) => {
      known = null
      throw error
    })
    return { oidc, config }
  }

  return {
    title,
    async start(redirectUri) {
      const { oidc, config } = await discover()
      const pending = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() }
      const offersGroups = config.serverMetadata().scopes_supported?.includes('groups')
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: `openid email profile${offersGroups ? ' groups' : ''}`,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      })
      return { url: url.href, pending: JSON.stringify(pending) }
    },
    async finish(cameBackTo, pending) {
      const { oidc, config } = await discover()
      const { verifier, state, nonce } = JSON.parse(pending) as Record<'verifier' | 'state' | 'nonce', string>
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const tokens = await oidc.authorizationCodeGrant(config, cameBackTo, checks)
      const token = tokens.claims()
      if (!token) throw new Error('the provider sent no ID token')
      // Many say e-mail and groups only there. It is asked over the same trusted way, and about the same subject.
      const more = config.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
        : {}
      const claims: Record<string, unknown> = { ...token, ...more }
      const email = typeof claims.email === 'string' && claims.email_verified === true ? claims.email : null
      return { issuer: token.iss, subject: token.sub, email, groups: texts(claims.groups) }
    },
  }
}
