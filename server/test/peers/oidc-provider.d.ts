/** The few words of oidc-provider that the tests use; it brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  interface Context {
    oidc: {
      client?: { clientId: string }
      session?: { accountId?: string }
      provider: { Grant: new (of: { clientId?: string; accountId?: string }) => Grant }
    }
  }
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, hear: (...args: unknown[]) => void): this
  }
  export type { Context }
}
