/** Somebody else who knows our users: an OpenID Connect provider, as far as signing in needs it. */
export interface ShownIdentity {
  issuer: string
  subject: string
  /** Only when the provider has verified it. */
  email: string | null
  groups: readonly string[]
}

export interface IdentityProvider {
  /** For the button. */
  title: string
  /** Where to send the browser, and what to remember until it comes back; a secret. */
  start(redirectUri: string): Promise<{ url: string; pending: string }>
  /** The address the browser came back to, and what was remembered. Throws when they do not belong together. */
  finish(cameBackTo: URL, pending: string): Promise<ShownIdentity>
}
