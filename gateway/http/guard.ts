import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TOKEN_PREFIX } from '#commands/people/token-text.ts'
import { personColor } from '#domain/color.ts'
import { scopeOf } from '#projections/access-model.ts'
import type { Access, Applied, ReadModels, Scope } from '#projections/port.ts'
import type { RoomAuthorizer, Rooms } from '#realtime/port.ts'
import { DEFAULT_LANGUAGE, type Language } from '#schemas/language.ts'
import { type Authentication, type Parts, SESSION_COOKIE, type Session } from '../port.ts'
import { createCallLimit } from './call-limit.ts'
import { RequestRefused } from './failure.ts'
import { bearerOf, isOwnOrigin } from './headers.ts'
import { sourceOf, unmapped } from './rate-limit.ts'

/** The levels below each home level, with itself, until a level changes. */
export class Subtrees {
  readonly #read: ReadModels
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>()
  /** Stops the eviction. */
  readonly close: () => void

  constructor(read: ReadModels) {
    this.#read = read
    this.close = read.onTouched(['hierarchy'], () => this.#known.clear())
  }

  of(home: string, scope: Scope): Promise<ReadonlySet<string>> {
    const known = this.#known.get(home)
    if (known !== undefined) return known
    const asked = this.#read.levels(scope).then(levels => new Set([home, ...levels.map(level => level.id)]))
    this.#known.set(home, asked)
    asked.catch(() => this.#known.delete(home))
    return asked
  }
}

/** Turns the token of a request into who makes it. */
export class Sessions {
  readonly #read: ReadModels
  readonly #authentication: Authentication
  readonly #subtrees: Subtrees
  readonly #languages = new Map<string, Language>()
  readonly #stop: () => void

  constructor(read: ReadModels, authentication: Authentication) {
    this.#read = read
    this.#authentication = authentication
    this.#subtrees = new Subtrees(read)
    this.#stop = read.onTouched(['user'], touched => {
      for (const { id } of touched) this.#languages.delete(id)
    })
  }

  /** With an `Authorization` header, cookies are ignored. An API token is accepted from that header alone. */
  async ofRequest(request: FastifyRequest): Promise<Session | undefined> {
    const bearer = request.headers.authorization === undefined ? undefined : (bearerOf(request.headers) ?? '')
    if (bearer !== undefined && isApiToken(bearer)) {
      const access = await this.#authentication.token(bearer, request.ip)
      return access && this.of(access, 'bearer')
    }
    const token = bearer ?? request.cookies[SESSION_COOKIE]
    if (token === undefined || token === '') return undefined
    const access = await this.#authentication.session(token)
    return access === undefined ? undefined : this.of(access, bearer === undefined ? 'cookie' : 'bearer')
  }

  async of(access: Access, via: Session['via']): Promise<Session> {
    const scope = scopeOf(access)
    const subtree = await this.#subtrees.of(access.home, scope)
    const { user, session, level, permissions } = access
    const language = await this.#languageOf(access, scope)
    const permits = (permission: string) => permissions.has(permission)
    const refresh = async () => (await this.refreshed(session, via))?.caller
    return { access, scope, via, language, caller: { user, session, level, subtree, permits, refresh } }
  }

  /** A session as it is now: rights may have changed since its request began. Undefined once it has ended. */
  async refreshed(session: string, via: Session['via']): Promise<Session | undefined> {
    const access = this.#read.access(session)
    return access === undefined ? undefined : this.of(access, via)
  }

  close(): void {
    this.#stop()
    this.#subtrees.close()
  }

  async #languageOf({ user }: Access, scope: Scope): Promise<Language> {
    const known = this.#languages.get(user)
    if (known !== undefined) return known
    const row = await this.#read.detail(scope, 'user', user)
    const language = row?.language ?? DEFAULT_LANGUAGE
    this.#languages.set(user, language)
    return language
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refused API tokens a minute from one address, as for passwords. */
const MAX_TOKEN_FAILURES = 60

/** Whether a caller wants to be known by an API token, good or not. */
export const isApiToken = (text: string): boolean => text.startsWith(TOKEN_PREFIX)

const hasApiToken = ({ headers }: FastifyRequest): boolean => isApiToken(bearerOf(headers) ?? '')

const tooMany = (retryAfter: number) => new RequestRefused({ code: 'request.toomany', params: { retryAfter } })

/** Adds the checks to all routes that are registered after it. */
export type AddGuard = (app: FastifyInstance) => void

/**
 * Checks of every API call: readable address, session, origin, permission; session and permission again after the body.
 */
export const createGuard = (parts: Parts, sessions: Sessions): AddGuard => {
  const failures = parts.rates.add('token address', MAX_TOKEN_FAILURES)
  const waitOf = createCallLimit(parts.settings)
  /** Counts a refused token by its address. Accepted ones are not limited by that count. */
  const refuseToken = (source: string): never => {
    const wait = failures.wait(source)
    failures.count(source)
    parts.metrics.refusedTokens.inc()
    throw wait === undefined ? new RequestRefused({ code: 'auth.token' }) : tooMany(wait)
  }
  const limitCalls = (request: FastifyRequest): void => {
    const { session } = request
    if (session === undefined) return
    const { access } = session
    const isScim = request.routeOptions.config.isScim === true
    const wait = isScim ? waitOf.scim(access) : waitOf.api(access, effectOf(request) !== 'reads')
    if (wait !== undefined) {
      parts.metrics.limited.inc({ limit: 'calls', scope: access.token === undefined ? 'session' : 'token' })
      throw tooMany(wait)
    }
    if (access.token !== undefined) parts.tokenUses.used(access.token.id, unmapped(request.ip))
  }
  const check = async (request: FastifyRequest): Promise<void> => {
    const { config } = request.routeOptions
    if (!isReadable(request.raw.url ?? '')) throw new RequestRefused({ code: 'request.unreadable' })
    const writes = !READS.has(request.method)
    const closed = writes && effectOf(request) === 'writes' ? parts.readiness.writeRefusal : undefined
    if (closed !== undefined) throw new RequestRefused({ code: closed })
    request.session = await sessions.ofRequest(request)
    const { session } = request
    if (session === undefined && hasApiToken(request)) refuseToken(sourceOf(request.ip))
    if (session === undefined && config.open !== true) throw new RequestRefused({ code: 'auth.required' })
    limitCalls(request)
    if (writes && !isOriginFine(request, parts)) throw new RequestRefused({ code: 'auth.origin' })
    refuseWhileViewing(request)
    requireSignIn(request)
    requirePermission(request)
  }
  // A body may take minutes to arrive: the session and its rights are asked again before anything is done with it.
  const checkAgain = async (request: FastifyRequest): Promise<void> => {
    const { session } = request
    if (session === undefined || READS.has(request.method)) return
    request.session = await sessions.refreshed(session.access.session, session.via)
    if (request.session === undefined)
      throw new RequestRefused({ code: hasApiToken(request) ? 'auth.token' : 'auth.required' })
    refuseWhileViewing(request)
    requirePermission(request)
  }
  return app => {
    app.addHook('onRequest', check)
    app.addHook('preValidation', checkAgain)
  }
}

const effectOf = ({ method, routeOptions: { config } }: FastifyRequest) =>
  config.effect ?? (READS.has(method) ? 'reads' : 'writes')

/** Nothing is written or called in the name of a person whose view is shown, nor by their rights. */
function refuseWhileViewing(request: FastifyRequest): void {
  const { routeOptions, session } = request
  if (session?.access.seenBy === undefined || routeOptions.config.whileViewing === true) return
  if (effectOf(request) !== 'reads')
    throw new RequestRefused({ code: 'access.viewing', params: { name: session.access.username } })
}

function requireSignIn({ routeOptions: { config }, session }: FastifyRequest): void {
  if (config.sessionOnly === true && session?.access.token !== undefined)
    throw new RequestRefused({ code: 'access.token' })
}

function requirePermission({ routeOptions: { config }, session }: FastifyRequest): void {
  const { permission, anyPermission = permission === undefined ? undefined : [permission] } = config
  if (anyPermission === undefined || anyPermission.some(one => session?.caller.permits(one))) return
  throw new RequestRefused({ code: 'access.forbidden' })
}

function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url.replaceAll('+', ' '))
    return true
  } catch {
    return false
  }
}

/**
 * Browsers send cookies automatically, so they need a proof of origin; a sign-in may have no origin, but not a foreign
 * one.
 */
function isOriginFine(request: FastifyRequest, parts: Parts): boolean {
  if (request.session?.via === 'bearer') return true
  const { origin } = request.headers
  if (origin === undefined) return request.session === undefined
  return isOwnOrigin(origin, parts.publicUrl(), request.headers)
}

/** Sockets of callers that nobody has identified, at one time: from one address or IPv6 network, and in all. */
export const MAX_PER_SOURCE = 100
const MAX_IN_ALL = 1_000

/** Bounds how many sockets are open before their session is known. */
interface SocketLimit {
  /** Counts one in; answers how to count it out, which may be called more than once. Undefined: too many. */
  take(source: string): (() => void) | undefined
}

export const createSocketLimit = (perSource = MAX_PER_SOURCE, inAll = MAX_IN_ALL): SocketLimit => {
  const open = new Map<string, number>()
  let total = 0
  return {
    take(source) {
      const count = open.get(source) ?? 0
      if (count >= perSource || total >= inAll) return undefined
      open.set(source, count + 1)
      total += 1
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        total -= 1
        const left = (open.get(source) ?? 1) - 1
        if (left === 0) open.delete(source)
        else open.set(source, left)
      }
    },
  }
}

/** Access token of an upgrade or socket request: an `Authorization` header counts alone, else the cookie. */
export const tokenOf = ({ headers }: IncomingMessage): string | undefined => {
  if (headers.authorization !== undefined) return bearerOf(headers)
  return headers.cookie === undefined ? undefined : cookie.parse(headers.cookie)[SESSION_COOKIE]
}

/** Whether a session may enter a flow's room, and whether as an editor: asked at the upgrade and on every change of access. */
export const openRoomAuthorizer =
  (read: ReadModels): RoomAuthorizer =>
  async (kind, id, session) => {
    const access = read.access(session)
    if (access === undefined || access.expires <= new Date().toISOString()) return { close: 4401 }
    if (access.token !== undefined) return { close: 4403 }
    if (!access.permissions.has(`read${kind}`)) return { close: 4403 }
    const scope = scopeOf(access)
    if ((await read.detail(scope, kind, id)) === undefined) return { close: 4404 }
    // Others meet who looks, not the person whose view is shown.
    const member = access.seenBy ?? access
    const [person] = await read.people(scope, [member.user])
    const name = [person?.firstname, person?.lastname].filter(Boolean).join(' ')
    return {
      user: member.user,
      session,
      name: name === '' ? member.username : name,
      color: personColor(member.user),
      mayEdit: access.seenBy === undefined && access.permissions.has(`update${kind}`),
    }
  }

/** Entities that may change anyone's rights. */
const FOR_ALL = new Set(['usergroup', 'role', 'hierarchy', 'dialogtask', 'bot'])

/** Sessions whose access may have changed: ids, or all. */
const concerned = ({ touched }: Applied, read: ReadModels, rooms: Rooms): readonly string[] | 'all' => {
  if (touched.some(({ entity }) => FOR_ALL.has(entity))) return 'all'
  const sessions = new Set<string>()
  for (const { entity, id } of touched) {
    if (entity === 'session') sessions.add(id)
    if (entity === 'user') for (const access of read.sessionsOf(id)) sessions.add(access.session)
    if (entity === 'user' || entity === 'dialog' || entity === 'handler')
      for (const session of rooms.sessions((flow, { user }) => user === id || flow === id)) sessions.add(session)
  }
  return [...sessions]
}

const RETRY_MS = 250

/** Repeats a failed recheck until it succeeds, so that no revoked user stays. */
const recheck = (rooms: Rooms, sessions: readonly string[] | undefined): void => {
  rooms.recheck(sessions).catch(() => setTimeout(() => recheck(rooms, sessions), RETRY_MS).unref())
}

/** Has rooms and sockets ask again as soon as a right changes, so that a revoked editor is out at once. */
export const watchAccess = (read: ReadModels, rooms: Rooms, ended: () => void): (() => void) =>
  read.onApplied(applied => {
    const sessions = concerned(applied, read, rooms)
    if (sessions !== 'all' && sessions.length === 0) return
    recheck(rooms, sessions === 'all' ? undefined : sessions)
    ended()
  })
