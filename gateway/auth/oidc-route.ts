import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { People } from '#commands/people/authentication.ts'
import type { SeenFrom } from '#commands/people/origin-log.ts'
import { accountOf, type ProviderClaim } from '#commands/people/provider-account.ts'
import type { PendingSignIn, ProviderSignIn, SecondFactor } from '#commands/people/provider-sign-in.ts'
import { appendIfFirst, NO_STREAM } from '#commands/pipeline/append.ts'
import { REQUEST_PREFIX } from '#commands/pipeline/idempotency-key.ts'
import type { EventStore } from '#commands/store/port.ts'
import { readClaims } from '#domain/people/identity-provider.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { exclusiveDrafts } from '#runtime/log/stream-aggregate.ts'
import type { Handshake, SignedInAccount } from '#runtime/oidc/provider-client.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { escaped } from '../chat/chat-page.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import { sourceOf, unmapped } from '../http/rate-limit.ts'
import type { Parts } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { sessionOf } from '../routes/command.ts'
import type { Provider, Providers } from './identity-providers.ts'
import type { PasskeyChallenges } from './passkey-route.ts'
import { DEVICE_COOKIE, type Devices, ownCookie, setDeviceCookie, setSessionCookie } from './session-cookie.ts'

const BASE = '/botadmin/api/auth/oidc'
/** The console's page to sign in. */
const SIGN_IN_PAGE = '/botadmin/login'
const BEGIN_COOKIE = 'parley_oidc'
const BEGIN_MS = 10 * 60_000
/** A person who owes a code. */
const STEP_COOKIE = 'parley_oidc_step'
const STEP_MS = 5 * 60_000
const MAX_COOKIE = 4_000
const MAX_TO = 500

/** Of one address in a minute. Many people share an address. */
const MAX_BEGUN = 300
const MAX_FAILED = 60
const MAX_LOGOUTS = 60
/** Codes of one person in a minute. */
const MAX_CODES = 10
const LOGOUT_BODY = 8_192

export interface OidcParts {
  readonly parts: Parts
  readonly people: People
  readonly devices: Devices
  readonly providers: Providers
  readonly challenges: PasskeyChallenges
}

/** A page of the console; anything else leads to its first page. */
const ownPath = (to: unknown): string => {
  const path = typeof to === 'string' && to.length <= MAX_TO && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to) ? to : '/'
  const url = URL.parse(path.startsWith('/botadmin/') ? path : `/botadmin${path}`, 'http://own.invalid')
  if (url === null || url.origin !== 'http://own.invalid' || !url.pathname.startsWith('/botadmin/')) return '/botadmin/'
  return url.pathname + url.search + url.hash
}

/** True for the first who says it, on any node. Swept with the answers that are kept for idempotency keys. */
export const claimOnce = async (store: EventStore, name: string): Promise<boolean> => {
  const stream = `${REQUEST_PREFIX}once-${hash('sha256', name)}`
  const used = exclusiveDrafts(stream, [{ type: 'ValueUsed', data: {} }])
  return (await appendIfFirst(store, stream, NO_STREAM, used)) !== undefined
}

/** Values in cookies, sealed with the key of the installation, each for its purpose and time. */
export const createSealedCookies = ({ keys }: Pick<Parts, 'keys'>) => ({
  async seal(purpose: string, value: JsonObject, ms: number): Promise<string> {
    const sealed = await keys.secret.encrypt({ ...value, until: Date.now() + ms }, `cookie ${purpose}`)
    return Buffer.from(JSON.stringify(sealed)).toString('base64url')
  },
  /** Undefined when it is not ours or too old. */
  async open(purpose: string, cookie: string | undefined): Promise<JsonObject | undefined> {
    if (cookie === undefined || cookie.length > MAX_COOKIE) return undefined
    try {
      const sealed = JSON.parse(Buffer.from(cookie, 'base64url').toString()) as JsonObject
      const value = await keys.secret.decrypt(sealed, `cookie ${purpose}`)
      return isObject(value) && Number(value.until) > Date.now() ? value : undefined
    } catch {
      return undefined
    }
  },
})

export const originOf = (request: FastifyRequest): SeenFrom => ({
  address: unmapped(request.ip),
  agent: request.headers['user-agent'] ?? null,
})

/**
 * A page that forwards to another one. A browser leaves SameSite=Strict cookies out of a redirect that began at another site,
 * and sends them with the request of this page.
 */
const forward = (request: FastifyRequest, reply: FastifyReply, to: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('referrer-policy', 'no-referrer')
    .send(
      `<!doctype html><html lang="${request.language}"><head><meta charset="utf-8"><title>Parley</title>` +
        `<meta http-equiv="refresh" content="0;url=${escaped(to)}"></head>` +
        `<body><a href="${escaped(to)}">Parley</a></body></html>`,
    )

/** Beginning of the state of a test by an administrator. Other states have no dot. */
export const TEST_STATE = 'test.'
const MAX_TEST_QUERY = 6_000

/** Page of the console that finishes a test with the answer of the provider: the callback keeps its code unspent. */
const testPageOf = ({ params, query, url }: FastifyRequest): string | undefined => {
  const { state } = query as { readonly state?: unknown }
  const answer = url.slice(url.indexOf('?') + 1)
  if (typeof state !== 'string' || !state.startsWith(TEST_STATE) || answer.length > MAX_TEST_QUERY) return undefined
  const { id } = params as { readonly id: string }
  return `/botadmin/identityprovider/${encodeURIComponent(id)}#test=${encodeURIComponent(answer)}`
}

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

const callbackPath = (id: string): string => `${BASE}/${encodeURIComponent(id)}/callback`
export const callbackOf = ({ publicUrl }: Parts, id: string): string => `${publicUrl()}${callbackPath(id)}`

/** Tells a browser on the sign-in page why it failed, any other caller in the answer. */
const failPage = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply => {
  if (!wantsPage(request)) return refuse(reply, refusal)
  const { status } = problemOf(refusal, request.language)
  return forward(request, reply.code(status), `${SIGN_IN_PAGE}?failed=${encodeURIComponent(refusal.code)}`)
}

/** Opens the console for a signed-in person, or asks for the second factor on the sign-in page. */
const openConsole = (given: OidcParts, sealed: ReturnType<typeof createSealedCookies>) => {
  const { parts, devices } = given
  return {
    async done(request: FastifyRequest, reply: FastifyReply, user: string, token: string): Promise<void> {
      setSessionCookie(parts, reply, token)
      setDeviceCookie(parts, reply, await devices.issue(user, await devices.read(request.cookies[DEVICE_COOKIE])))
      reply.clearCookie(STEP_COOKIE, ownCookie(parts, reply, BASE))
      parts.metrics.signIns.inc({ outcome: 'accepted' })
    },
    async pend(reply: FastifyReply, pending: PendingSignIn): Promise<void> {
      const value = await sealed.seal('oidc step', { pending: pending as unknown as JsonObject }, STEP_MS)
      reply.setCookie(STEP_COOKIE, value, { ...ownCookie(parts, reply, BASE), maxAge: STEP_MS / 1000 })
    },
    async pending(request: FastifyRequest): Promise<PendingSignIn | undefined> {
      const opened = await sealed.open('oidc step', request.cookies[STEP_COOKIE])
      return opened?.pending as unknown as PendingSignIn | undefined
    },
  }
}

/** Calls with JSON: the providers for the sign-in page, the second factor, signing out at the provider. */
export const addOidcRoutes = (app: FastifyInstance, given: OidcParts): void => {
  const { parts, people, providers } = given
  const opened = openConsole(given, createSealedCookies(parts))
  const codes = parts.rates.add('oidc code', MAX_CODES)
  const open = { open: true, door: {} }

  handle(app, 'GET /auth/oidc', open, async () => ({
    items: [...(await providers.list())],
    only: parts.settings.OIDC_ONLY,
    origin: parts.publicUrl(),
    passkeys: given.challenges.origin,
  }))

  handle(app, 'POST /auth/oidc/register2fa', open, async (request, reply) => {
    const pending = await opened.pending(request)
    if (pending === undefined) return refuse(reply, { code: 'auth.state' })
    const begun = await people.registerPending(pending.user)
    if (!begun.ok) return refuse(reply, begun.refusal)
    const { default: QRCode } = await import('qrcode')
    return { ...begun.value, qr: await QRCode.toDataURL(begun.value.otpauth, { margin: 1, width: 240 }) }
  })

  const finish = async (request: FastifyRequest, reply: FastifyReply, factor: () => Promise<SecondFactor>) => {
    const pending = await opened.pending(request)
    if (pending === undefined) return refuse(reply, { code: 'auth.state' })
    const wait = codes.take(pending.user)
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    const signed = await people.finishProviderSignIn(pending, await factor(), originOf(request))
    if (!signed.ok) return refuse(reply, signed.refusal)
    if (signed.value.step !== 'done') return refuse(reply, { code: 'auth.state' })
    const { user, token } = signed.value
    await opened.done(request, reply, user, token)
    return { token: { accessToken: token }, twofactorenabled: true, enabletwofactor: true }
  }
  handle(app, 'POST /auth/oidc/code', open, (request, reply) => finish(request, reply, async () => request.body))
  handle(app, 'POST /auth/oidc/passkey', open, (request, reply) =>
    finish(request, reply, async () => ({ passkey: await given.challenges.shown(request, request.body) })),
  )

  handle(app, 'GET /auth/oidc/signout', {}, async request => {
    const { access } = sessionOf(request)
    if (access.way !== 'oidc') return { url: null }
    return { url: await signOutUrl(given, access.session) }
  })
}

/** Address at the provider that ends the session there. */
const signOutUrl = async ({ parts, people, providers }: OidcParts, session: string): Promise<string | null> => {
  const state = await people.sessions.read(session)
  const urlAt = async (id: string): Promise<string | null> => {
    const provider = await providers.find(id)
    const found = await provider?.client.signOutUrl(provider.registration, `${parts.publicUrl()}/botadmin/`)
    if (found === undefined || !found.ok) throw new Error(`identity provider ${id} is unusable`)
    const account = await accountOf(parts.keys, found.value.issuer, { sub: undefined, sid: undefined })
    if (account.provider !== state?.provider) throw new Error(`identity provider ${id} did not begin the session`)
    return found.value.url
  }
  // The person waits for this answer: no other provider that is slow delays it.
  return Promise.any((await providers.list()).map(({ id }) => urlAt(id))).catch(() => null)
}

const providerOf = async (providers: Providers, request: FastifyRequest): Promise<Provider> => {
  const provider = await providers.find((request.params as { readonly id: string }).id)
  if (provider === undefined) throw new RequestRefused({ code: 'entity.notfound' })
  return provider
}

const refuseMany = (wait: number | undefined): void => {
  if (wait !== undefined) throw new RequestRefused({ code: 'request.toomany', params: { retryAfter: wait } })
}

/** The claims of an account with the groups that claims can give. */
export const providerClaim = async (
  { read }: Pick<Parts, 'read'>,
  { id, policy }: Pick<Provider, 'id' | 'policy'>,
  { issuer, sub, sid, claims }: SignedInAccount,
  seen: SeenFrom,
): Promise<ProviderClaim> => {
  const rows = await allRows(read, SYSTEM_SCOPE, 'usergroup')
  const groups = rows.flatMap(({ id: group, hierarchylevel: level, identifiedby: value }) =>
    value && level !== null ? [{ id: group, level, value }] : [],
  )
  return { provider: { id, issuer, policy }, sub, sid, person: readClaims(claims, policy), groups, seen }
}

/** Pages of a sign-in at a provider, and the address at which a provider ends sessions. */
export const addOidcPages = (app: FastifyInstance, given: OidcParts): void => {
  addLogout(app, given)
  const { parts, people, providers } = given
  const sealed = createSealedCookies(parts)
  const opened = openConsole(given, sealed)
  const begun = parts.rates.add('oidc start', MAX_BEGUN)
  const failed = parts.rates.add('oidc callback', MAX_FAILED)
  const config = { door: {} }

  const cookieOf = (reply: FastifyReply, id: string) => ownCookie(parts, reply, callbackPath(id), 'lax')

  app.get(`${BASE}/:id/start`, { config }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    refuseMany(begun.take(sourceOf(request.ip)))
    const provider = await providerOf(providers, request)
    const found = await provider.client.begin(provider.registration, callbackOf(parts, provider.id))
    if (!found.ok) return failPage(request, reply, found.refusal)
    const to = ownPath((request.query as { to?: unknown }).to)
    const value = { ...found.value.handshake, to }
    const cookie = await sealed.seal(`oidc begin ${provider.id}`, value, BEGIN_MS)
    reply.setCookie(BEGIN_COOKIE, cookie, { ...cookieOf(reply, provider.id), maxAge: BEGIN_MS / 1000 })
    return reply.redirect(found.value.url, 302)
  })

  const signIn = async (
    request: FastifyRequest,
    provider: Provider,
    handshake: Handshake | undefined,
  ): Promise<Result<ProviderSignIn>> => {
    const url = new URL(request.url.slice(callbackPath(provider.id).length), callbackOf(parts, provider.id))
    if (handshake === undefined || url.searchParams.get('state') !== handshake.state) return refused('auth.state')
    if (!(await claimOnce(parts.store, `oidc state ${handshake.state}`))) return refused('auth.state')
    const finished = await provider.client.finish(provider.registration, url, handshake)
    if (!finished.ok) return finished
    return people.signInByProvider(await providerClaim(parts, provider, finished.value, originOf(request)))
  }

  app.get(`${BASE}/:id/callback`, { config }, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    const source = sourceOf(request.ip)
    refuseMany(failed.wait(source))
    const tested = testPageOf(request)
    if (tested !== undefined) return forward(request, reply, tested)
    const provider = await providerOf(providers, request)
    const begin = await sealed.open(`oidc begin ${provider.id}`, request.cookies[BEGIN_COOKIE])
    reply.clearCookie(BEGIN_COOKIE, cookieOf(reply, provider.id))
    const signed = await signIn(request, provider, begin as unknown as Handshake | undefined)
    if (!signed.ok) {
      failed.count(source)
      parts.metrics.signIns.inc({ outcome: 'refused' })
      parts.log.warn(`sign-in with identity provider ${provider.id} refused: ${signed.refusal.code}`)
      return failPage(request, reply, signed.refusal)
    }
    if (signed.value.step === 'done') {
      await opened.done(request, reply, signed.value.user, signed.value.token)
      return forward(request, reply, String(begin?.to))
    }
    await opened.pend(reply, signed.value.pending)
    const next = encodeURIComponent(String(begin?.to).replace(/^\/botadmin/u, ''))
    return forward(request, reply, `${SIGN_IN_PAGE}?step=${signed.value.step}&next=${next}`)
  })
}

/** POST …/logout: a provider ends sessions (OpenID Connect Back-Channel Logout 1.0). */
const addLogout = (app: FastifyInstance, { parts, people, providers }: OidcParts): void => {
  const logouts = parts.rates.add('oidc logout', MAX_LOGOUTS)

  app.register(async plugin => {
    plugin.removeAllContentTypeParsers()
    plugin.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    plugin.post(`${BASE}/:id/logout`, { config: { door: {} }, bodyLimit: LOGOUT_BODY }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      refuseMany(logouts.take(sourceOf(request.ip)))
      const provider = await providerOf(providers, request)
      const tokens = request.body instanceof URLSearchParams ? request.body.getAll('logout_token') : []
      const [token = ''] = tokens
      if (tokens.length !== 1) return refuse(reply, { code: 'auth.logout' })
      const wish = await provider.client.readLogout(provider.registration, token)
      if (!wish.ok) return refuse(reply, wish.refusal)
      const { issuer, jti, sub, sid } = wish.value
      const name = `oidc logout ${JSON.stringify([issuer, jti])}`
      if (!(await claimOnce(parts.store, name))) return refuse(reply, { code: 'auth.logout' })
      await people.endProviderSessions(issuer, {
        ...(sub === undefined ? {} : { sub }),
        ...(sid === undefined ? {} : { sid }),
      })
      return reply.send()
    })
  })
}
