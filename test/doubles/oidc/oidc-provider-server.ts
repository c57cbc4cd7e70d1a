import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Claims of a person by the id of the account: the present ones go into each new token. */
export type Accounts = Map<string, Readonly<Record<string, unknown>>>

export interface OidcProviderServer {
  readonly issuer: string
  readonly accounts: Accounts
  /** Account that the next person who comes signs in as. */
  account: string
  /** Address for its logout tokens; set before the first sign-in. */
  logoutAt: string
  /** Errors of its back-channel calls. */
  readonly failures: readonly unknown[]
  close(): Promise<void>
}

export const CLIENT = { id: 'parley', secret: 'client-secret-of-the-double' }

/** The package `oidc-provider` on the loopback: it signs people in without asking. */
export const startOidcProvider = async (host = '127.0.0.1'): Promise<OidcProviderServer> => {
  const accounts: Accounts = new Map()
  const failures: unknown[] = []
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const double = { issuer, accounts, account: '', logoutAt: '', failures }
  const scopes = { openid: ['sub'], profile: ['preferred_username', 'given_name', 'family_name', 'locale'] }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: ['http://127.0.0.1/callback'],
        post_logout_redirect_uris: ['http://127.0.0.1/botadmin/'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_uri: 'http://127.0.0.1/logout',
        backchannel_logout_session_required: true,
      },
    ],
    claims: { ...scopes, email: ['email', 'email_verified', 'groups', 'amr'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['double'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Calls to the gateway on the loopback, which the dispatcher of the package refuses.
    fetch: (url: string | URL, options: RequestInit & { readonly dispatcher?: unknown }) => {
      const { signal: _signal, dispatcher: _dispatcher, ...rest } = options
      return fetch(String(url) === 'http://127.0.0.1/logout' ? double.logoutAt : url, rest)
    },
  })
  // Addresses of the gateway are known later.
  provider.Client.prototype.redirectUriAllowed = () => true
  provider.Client.prototype.postLogoutRedirectUriAllowed = () => true
  for (const event of ['server_error', 'backchannel.error']) provider.on(event, (...given) => failures.push(given))
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { prompt, params, grantId, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: double.account } })
    if (grantId !== undefined) return provider.interactionFinished(request, response, { consent: { grantId } })
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id })
    grant.addOIDCScope('openid profile email')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  })
  return Object.assign(double, {
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
