/** The package has no types: the parts that the double uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Interaction {
    readonly prompt: { readonly name: string }
    readonly params: { readonly client_id: string }
    readonly grantId?: string
    readonly session?: { readonly accountId: string }
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (given: {
      accountId: string | undefined
      clientId: string
    }) => Grant
    readonly Client: { readonly prototype: Record<string, unknown> }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, listener: (...given: readonly unknown[]) => void): this
  }
}
