import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import type * as Client from 'openid-client'
import type { JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import type { Call } from '../outbound/call.ts'
import type { LogoutWish } from './verify-token.ts'

/** Registration of Parley at a provider. */
export interface Registration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scopes: string
}

/** Values of one sign-in that only the browser which began it has. */
export interface Handshake {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface SignedInAccount {
  /** As the provider writes it. */
  readonly issuer: string
  readonly sub: string
  readonly sid: string | undefined
  readonly claims: JsonObject
}

/** One part of the test of a provider. */
interface ProviderCheck {
  readonly part: 'discovery' | 'keys' | 'pkce'
  readonly result: Result<string>
}

export interface ProviderClient {
  /**
   * Address at the provider where a sign-in begins, and what its end is checked with. `purpose`: beginning of its state,
   * by which the callback distinguishes sign-ins.
   */
  begin(
    registration: Registration,
    callback: string,
    purpose?: string,
  ): Promise<Result<{ url: string; handshake: Handshake }>>
  /** `url`: the callback with its query. */
  finish(registration: Registration, url: URL, handshake: Handshake): Promise<Result<SignedInAccount>>
  readLogout(registration: Registration, token: string): Promise<Result<LogoutWish & { readonly issuer: string }>>
  /** The issuer as the provider writes it, and where people sign out there, if it has such an address. */
  signOutUrl(
    registration: Registration,
    returnTo: string,
  ): Promise<Result<{ readonly issuer: string; readonly url: string | null }>>
  test(registration: Registration): Promise<readonly ProviderCheck[]>
}

/** The packages are loaded with the first provider that is used: `jose` and `openid-client` hold 20 MB. */
const loadVerification = () => import('./verify-token.ts')

const TIMEOUT_MS = 10_000
const MAX_BYTES = 200_000
const DISCOVERY_MS = 24 * 3_600_000
const MAX_PROVIDERS = 20

class ProviderFailed extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

/** `fetch` of the packages, over the one way to addresses outside. A redirect is an error. */
const fetchBy =
  (call: Call, timeout: number): Client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await call({
      method,
      url,
      headers: Object.entries(headers).filter(([name]) => !['content-length', 'host'].includes(name.toLowerCase())),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      maxRedirects: 0,
      timeout,
      most: MAX_BYTES,
    })
    if (!answer.ok) throw new ProviderFailed(answer.refusal)
    if (answer.value.truncated) throw new ProviderFailed({ code: 'outbound.answer', params: { reason: 'length' } })
    const kept = answer.value.headers.filter(([name]) => !/^content-(encoding|length)$|^transfer-encoding$/u.test(name))
    const { status, body: bytes } = answer.value
    return new Response(bytes.length === 0 ? null : Buffer.from(bytes), {
      status,
      headers: kept.map(pair => [...pair]),
    })
  }

/** The refusal of a call at the bottom of an error of the packages. */
const failureIn = (error: unknown): Refusal | undefined => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (cause instanceof ProviderFailed) return cause.refusal
  return undefined
}

const unusable = (error: unknown): Result<never> => {
  const { code, params } = failureIn(error) ?? { code: undefined, params: undefined }
  const reason = code === undefined ? (error instanceof Error ? error.message.slice(0, 200) : '') : code
  return refused('auth.provider', { params: { ...params, reason } })
}

/** Why a call failed, in its own words where it has some. */
const faultOf = (error: unknown): Result<never> => {
  const refusal = failureIn(error)
  return refusal === undefined ? unusable(error) : { ok: false, refusal }
}

interface Connected {
  readonly config: Client.Configuration
  readonly issuer: string
  readonly keys: JWTVerifyGetKey
  readonly jwks: string
}

interface ClientOptions {
  readonly call: Call
  /** Why a token was refused, for the operator. */
  readonly warn: (line: string) => void
  /** ms of each call. Default 10,000. */
  readonly timeout?: number
  readonly now?: () => number
}

/** Discovery documents and keys of providers. Documents are fetched again after a day, keys after an hour. */
const openConnections = ({ call, timeout, now }: Required<Omit<ClientOptions, 'warn'>>) => {
  const fetchIt = fetchBy(call, timeout)
  const known = new Map<string, { readonly at: number; readonly connecting: Promise<Connected> }>()

  const discover = async ({ issuer, clientId, clientSecret }: Registration): Promise<Connected> => {
    const [oidc, { createSigningKeys }, { TOLERANCE_S }] = await Promise.all([
      import('openid-client'),
      import('./verify-token.ts'),
      loadVerification(),
    ])
    const isPlain = issuer.startsWith('http:')
    const config = await oidc.discovery(
      new URL(issuer),
      clientId,
      // The verification by the keys below is the strict one.
      { [oidc.clockTolerance]: 2 * TOLERANCE_S },
      clientSecret === undefined ? oidc.None() : oidc.ClientSecretPost(clientSecret),
      { [oidc.customFetch]: fetchIt, ...(isPlain ? { execute: [oidc.allowInsecureRequests] } : {}) },
    )
    config.timeout = timeout / 1000
    const { issuer: named, jwks_uri: jwks, authorization_endpoint: authorize } = config.serverMetadata()
    if (jwks === undefined || authorize === undefined) throw new Error('the discovery document is incomplete')
    // No token could be of this issuer: each one is of one tenant. One person has another id in each.
    if (named.includes('{')) throw new Error('the issuer is for several tenants: give that of one')
    if (!isPlain && !jwks.startsWith('https:')) throw new Error('jwks_uri is not https')
    const keys = createSigningKeys(() => fetchKeys(jwks), now)
    return { config, issuer: named, keys, jwks }
  }

  const fetchKeys = async (jwks: string): Promise<JSONWebKeySet> => {
    const headers = { accept: 'application/json' }
    const answer = await fetchIt(jwks, { method: 'GET', headers, body: undefined, redirect: 'manual' })
    const read: unknown = answer.status === 200 ? await answer.json().catch(() => undefined) : undefined
    if (!isObject(read) || !Array.isArray(read.keys)) throw new Error('the keys cannot be read')
    return read as unknown as JSONWebKeySet
  }

  const connect = (registration: Registration): Promise<Connected> => {
    const key = JSON.stringify([registration.issuer, registration.clientId, registration.clientSecret])
    const present = known.get(key)
    if (present !== undefined && now() - present.at < DISCOVERY_MS) return present.connecting
    if (known.size >= MAX_PROVIDERS) known.clear()
    const connecting = discover(registration)
    known.set(key, { at: now(), connecting })
    connecting.catch(() => known.delete(key))
    return connecting
  }

  return { connect, discover, fetchKeys }
}

/** Tests the discovery document, the keys and the offered methods of PKCE. */
const checkProvider = async (
  { discover, fetchKeys }: Pick<ReturnType<typeof openConnections>, 'discover' | 'fetchKeys'>,
  registration: Registration,
): Promise<readonly ProviderCheck[]> => {
  let found: Connected
  try {
    found = await discover(registration)
  } catch (error) {
    return [{ part: 'discovery', result: faultOf(error) }]
  }
  const methods = found.config.serverMetadata().code_challenge_methods_supported ?? []
  const keys = await fetchKeys(found.jwks).then(
    ({ keys: listed }) => accepted(String(listed.length)),
    error => faultOf(error),
  )
  const pkce = methods.includes('S256') ? accepted('S256') : refused('auth.provider', { params: { reason: 'S256' } })
  return [
    { part: 'discovery', result: accepted(found.issuer) },
    { part: 'keys', result: keys },
    { part: 'pkce', result: pkce },
  ]
}

/** Client of identity providers. */
export const createProviderClient = ({
  call,
  warn,
  timeout = TIMEOUT_MS,
  now = Date.now,
}: ClientOptions): ProviderClient => {
  const connections = openConnections({ call, timeout, now })

  const connected = async (registration: Registration): Promise<Result<Connected>> => {
    try {
      return accepted(await connections.connect(registration))
    } catch (error) {
      return unusable(error)
    }
  }

  /** Logs the cause, which the person does not see. */
  const unverified = (code: 'auth.answer' | 'auth.logout', { issuer }: Registration, error: unknown) => {
    const failure = failureIn(error)
    if (failure !== undefined) return unusable(error)
    const why = error instanceof Error ? `${error.name} ${error.message}`.slice(0, 300) : ''
    warn(`identity provider ${issuer}: ${code}: ${why}`)
    return refused(code)
  }

  const expected = ({ keys, issuer }: Connected, { clientId }: Registration) => ({ keys, issuer, clientId, now })

  return {
    async begin(registration, callback, purpose = '') {
      const found = await connected(registration)
      if (!found.ok) return found
      const oidc = await import('openid-client')
      const handshake = {
        state: purpose + oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(found.value.config, {
        redirect_uri: callback,
        scope: registration.scopes,
        state: handshake.state,
        nonce: handshake.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(handshake.verifier),
        code_challenge_method: 'S256',
      })
      return accepted({ url: url.href, handshake })
    },

    async finish(registration, url, { state, nonce, verifier }) {
      const found = await connected(registration)
      if (!found.ok) return found
      const { config } = found.value
      const oidc = await import('openid-client')
      try {
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const token = tokens.id_token ?? ''
        const { verifyIdToken } = await loadVerification()
        const { sub, sid, ...claims } = await verifyIdToken(token, nonce, expected(found.value, registration))
        return accepted({ issuer: found.value.issuer, sub, sid, claims: { ...claims, sub } as JsonObject })
      } catch (error) {
        if (error instanceof oidc.AuthorizationResponseError)
          return refused('auth.denied', { params: { error: error.error.slice(0, 100) } })
        return unverified('auth.answer', registration, error)
      }
    },

    async readLogout(registration, token) {
      const found = await connected(registration)
      if (!found.ok) return found
      try {
        const { verifyLogoutToken } = await loadVerification()
        const wish = await verifyLogoutToken(token, expected(found.value, registration))
        return accepted({ ...wish, issuer: found.value.issuer })
      } catch (error) {
        return unverified('auth.logout', registration, error)
      }
    },

    async signOutUrl(registration, returnTo) {
      const found = await connected(registration)
      if (!found.ok) return found
      const { config, issuer } = found.value
      if (config.serverMetadata().end_session_endpoint === undefined) return accepted({ issuer, url: null })
      const oidc = await import('openid-client')
      return accepted({ issuer, url: oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href })
    },

    test: registration => checkProvider(connections, registration),
  }
}
