import { Readable, Transform, type TransformCallback } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Refusal } from '#schemas/refusal.ts'
import { RequestRefused } from './failure.ts'
import { allowOrigin } from './headers.ts'
import {
  type Counted,
  type Hold,
  type Place,
  type PublicRouteLimits,
  type RateLimit,
  type Scope,
  type SenderLimit,
  sourceOf,
} from './rate-limit.ts'

/** Uploads are stored while they arrive: one that pauses for this long is closed, ms. */
const UPLOAD_PAUSE_MS = 10_000
const BUSY_RETRY_S = 1
/** Memory of a chunk beside its content: a body can come in chunks of one byte. */
const CHUNK_BYTES = 128
/** A refused request with so many bytes closes its connection; so does one that declares no length. */
const LARGE_BODY = 65_536

/**
 * A route without a session. Its checks run in this order, each before the next one costs anything: 1. limits of the
 * address: failures, requests in work 2. `target`: the entity in the path exists and is enabled 3. the declared length
 * of the body 4. `proof`: proof of the caller without a body 5. `counts`: calls within a window 6. the body, streamed
 * with limits of bytes and time 7. `bodyProof`: proof of the caller over the bytes of the body. Parsing and the handler
 * come after them.
 */
export interface PublicRoute {
  /**
   * Refusals of `target`, `proof` and `bodyProof` that one address may cause within a minute. `isPerTarget`: each target
   * counts alone, because systems of other makers call many of them from one address.
   */
  readonly failures?: { readonly name: string; readonly most: number; readonly isPerTarget?: boolean }
  /** Finds what the path names. Throws `Unproven` where it does not exist, or answers the request itself. */
  target?(request: FastifyRequest, reply: FastifyReply): Promise<Omit<Place, 'address'> | undefined>
  /** Throws `Unproven`. */
  proof?(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** Throws `Unproven`. The whole body is in memory before it is parsed. */
  bodyProof?(request: FastifyRequest, body: Buffer): Promise<unknown>
  readonly counts?: Counted
  /** Many people call from one address: its requests in work count until the caller is proven. */
  readonly isShared?: boolean
  /** Called by pages of other origins, which read refusals too. */
  readonly isForPages?: boolean
  /** Its multipart body is stored while it arrives, and is not held in memory. */
  readonly isUpload?: boolean
  /** Answered from memory or files: not counted among the requests in work. */
  readonly isLight?: boolean
}

/** Pages and files of the console that no caller can make expensive. */
export const PUBLIC_PAGE: PublicRoute = { isLight: true }

/** A refusal that counts as a failure of the address. */
export class Unproven extends RequestRefused {
  override readonly name: 'RequestRefused' = 'RequestRefused'
}

const OF_TARGET: readonly Scope[] = ['channel', 'bot']

const toomany = (retryAfter: number): Refusal => ({ code: 'request.toomany', params: { retryAfter } })

/** Value of a request, from its checks to its handler. */
export const requestValue = <T extends object>() => {
  const values = new WeakMap<FastifyRequest, T>()
  return {
    set: (request: FastifyRequest, value: T) => void values.set(request, value),
    /** @throws when no check has set it */
    of(request: FastifyRequest): T {
      const value = values.get(request)
      if (value === undefined) throw new Error(`${request.routeOptions.url} was called without its checks`)
      return value
    },
  }
}

type RegisteredRoute = Pick<RouteOptions, 'method' | 'url' | 'config'>

/** State of one request, until its connection or its answer ends. */
class Visit {
  place: Place
  /** The request in work of its address. */
  ofAddress: Hold | undefined
  readonly #holds = new Set<Hold>()
  #isOver = false

  constructor(place: Place) {
    this.place = place
  }

  /** Releases the hold at the end, or at once when the request has ended while a check was waited for. */
  keep(hold: Hold): Hold {
    if (this.#isOver) hold.release()
    else this.#holds.add(hold)
    return hold
  }

  release(hold: Hold): void {
    hold.release()
    this.#holds.delete(hold)
  }

  end(): void {
    this.#isOver = true
    for (const hold of this.#holds) hold.release()
    this.#holds.clear()
  }
}

interface OpenDoorOptions {
  readonly limits: PublicRouteLimits
  /** Longest time of a body, ms. */
  readonly bodyMs: number
}

interface CountOptions {
  /** Many people call from the address of the request. */
  readonly isShared?: boolean
  readonly amount?: number
}

const failureKey = ({ failures }: PublicRoute, { address = '', channel }: Place): string =>
  failures?.isPerTarget === true && channel !== undefined ? `${address} ${channel}` : address

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Counts the bytes that a request holds in memory, and ends the stream at their limit. */
const measuredBody = (limits: PublicRouteLimits, visit: Visit) => {
  const hold = visit.keep(limits.hold('bodybytes', visit.place))
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      if (hold.take(chunk.length + CHUNK_BYTES)) done(null, chunk)
      else done(new RequestRefused(toomany(BUSY_RETRY_S)))
    },
  })
}

class OpenDoor {
  readonly #limits: PublicRouteLimits
  readonly #bodyMs: number
  readonly #failures = new Map<string, RateLimit>()
  readonly #visits = new WeakMap<FastifyRequest, Visit>()

  constructor({ limits, bodyMs }: OpenDoorOptions) {
    this.#limits = limits
    this.#bodyMs = bodyMs
  }

  /** Makes the limits of a route. */
  prepare(route: PublicRoute): void {
    this.#failuresOf(route)
  }

  async enter(route: PublicRoute, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#limitTime(route, request, reply)
    const address = sourceOf(request.ip)
    const visit = new Visit({ address })
    this.#visits.set(request, visit)
    reply.raw.once('close', () => visit.end())
    try {
      await this.#check(route, request, reply, visit)
    } catch (error) {
      this.#fail(route, request, reply, error)
    }
  }

  async body(route: PublicRoute, request: FastifyRequest, reply: FastifyReply, payload: Readable) {
    const visit = this.#visits.get(request)
    if (visit === undefined || route.isUpload === true) return payload
    if (!hasBody(request) && route.bodyProof === undefined) return payload
    const measured = payload.pipe(measuredBody(this.#limits, visit))
    payload.once('error', error => measured.destroy(error))
    if (route.bodyProof === undefined) return measured
    try {
      const body = await this.#whole(request, measured)
      await route.bodyProof(request, body)
      this.#proven(route, visit)
      return Object.assign(Readable.from(body.length === 0 ? [] : [body]), { receivedEncodedLength: body.length })
    } catch (error) {
      return this.#fail(route, request, reply, error)
    }
  }

  /**
   * Throws when an amount of the request's place is used up.
   */
  count(request: FastifyRequest, kind: Counted, { isShared = false, amount = 1 }: CountOptions = {}): void {
    const { address, ...target } = this.placeOf(request)
    const wait = this.#limits.take(kind, isShared ? target : { ...target, address }, amount)
    if (wait !== undefined) throw new RequestRefused(toomany(wait))
  }

  placeOf(request: FastifyRequest): Place {
    return this.#visits.get(request)?.place ?? {}
  }

  /** The caller is proven to call for many people: the request no longer counts for its address. */
  share(request: FastifyRequest): void {
    const visit = this.#visits.get(request)
    if (visit !== undefined) this.#share(visit)
  }

  /** Counts an amount of a place outside of requests; the seconds to wait when it is used up. */
  take(kind: Counted, place: Place, amount = 1): number | undefined {
    return this.#limits.take(kind, place, amount)
  }

  /** Counts a failure of the address, for a check that answers its request itself. */
  fail(request: FastifyRequest): void {
    const { door } = request.routeOptions.config
    if (door !== undefined) this.#failuresOf(door)?.count(sourceOf(request.ip))
  }

  /** Limits the messages of one person on a channel. */
  get sender(): SenderLimit {
    return this.#limits.sender
  }

  /** A limit of calls of one key within a minute. */
  limit(name: string, most: number): RateLimit {
    return this.#limits.limit(name, most)
  }

  async #check(route: PublicRoute, request: FastifyRequest, reply: FastifyReply, visit: Visit): Promise<void> {
    const { address } = visit.place
    if (route.failures?.isPerTarget !== true) this.#refuseFailed(route, visit)
    if (route.isLight !== true) visit.ofAddress = this.#hold(visit, { address })
    const target = await route.target?.(request, reply)
    if (reply.sent) return
    if (target !== undefined) {
      visit.place = { address, ...target }
      if (route.failures?.isPerTarget === true) this.#refuseFailed(route, visit)
      if (route.isLight !== true) this.#hold(visit, target, OF_TARGET)
    }
    const length = Number(request.headers['content-length'] ?? 0)
    const { bodyLimit } = request.routeOptions
    if (bodyLimit !== undefined && length > bodyLimit) throw new RequestRefused({ code: 'request.toolarge' })
    await route.proof?.(request, reply)
    if (route.proof !== undefined && route.bodyProof === undefined) this.#proven(route, visit)
    if (route.counts !== undefined) this.count(request, route.counts)
  }

  /** An address with too many failures does not learn whether there is a target. */
  #countFailure(route: PublicRoute, request: FastifyRequest): RequestRefused | undefined {
    const failures = this.#failuresOf(route)
    const address = sourceOf(request.ip)
    const key = failureKey(route, this.placeOf(request))
    if (key !== address) failures?.count(key)
    const wait = failures?.take(address)
    return wait === undefined ? undefined : new RequestRefused(toomany(wait))
  }

  #refuseFailed(route: PublicRoute, visit: Visit): void {
    const wait = this.#failuresOf(route)?.wait(failureKey(route, visit.place))
    if (wait !== undefined) throw new RequestRefused(toomany(wait))
  }

  #proven({ isShared }: PublicRoute, visit: Visit): void {
    if (isShared === true) this.#share(visit)
  }

  #share(visit: Visit): void {
    if (visit.ofAddress !== undefined) visit.release(visit.ofAddress)
    const { address: _address, ...target } = visit.place
    visit.place = target
    visit.ofAddress = this.#hold(visit, {})
  }

  #hold(visit: Visit, place: Place, scopes?: readonly Scope[]): Hold {
    const hold = this.#limits.hold('request', place, scopes)
    if (hold.take(1)) return visit.keep(hold)
    throw new RequestRefused(toomany(BUSY_RETRY_S))
  }

  async #whole(request: FastifyRequest, stream: Readable): Promise<Buffer> {
    const { bodyLimit = Number.POSITIVE_INFINITY } = request.routeOptions
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bodyLimit) throw new RequestRefused({ code: 'request.toolarge' })
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  /** A refused body is not read to its end: after the time limit the rest is not awaited. */
  #limitTime({ isUpload }: PublicRoute, request: FastifyRequest, reply: FastifyReply): void {
    if (!hasBody(request)) return
    const { raw } = request
    const { socket } = raw
    let seen = socket.bytesRead
    const close = () => {
      if (isUpload === true && socket.bytesRead !== seen) {
        seen = socket.bytesRead
        return
      }
      stop()
      // A body that has arrived waits for the gateway, not for its sender.
      if (!raw.complete) raw.destroy()
    }
    const timer = setInterval(close, isUpload === true ? UPLOAD_PAUSE_MS : this.#bodyMs).unref()
    function stop() {
      clearInterval(timer)
    }
    raw.once('end', stop)
    raw.once('close', stop)
    reply.raw.once('finish', () => raw.complete && stop())
  }

  #failuresOf({ failures }: PublicRoute): RateLimit | undefined {
    if (failures === undefined) return undefined
    const known = this.#failures.get(failures.name)
    if (known !== undefined) return known
    const limit = this.#limits.limit(failures.name, failures.most)
    this.#failures.set(failures.name, limit)
    return limit
  }

  #fail(route: PublicRoute, request: FastifyRequest, reply: FastifyReply, error: unknown): never {
    // The rest of a large body would be read to its end, and thrown away.
    const isLarge = Number(request.headers['content-length'] ?? LARGE_BODY) >= LARGE_BODY
    if (isLarge && hasBody(request) && route.isUpload !== true) reply.header('connection', 'close')
    const refused = error instanceof Unproven ? this.#countFailure(route, request) : undefined
    const { url } = request.routeOptions
    if (route.isForPages === true && !reply.hasHeader('access-control-allow-origin') && url !== undefined)
      if (error instanceof RequestRefused && error.refusal.code === 'request.toomany') allowOrigin(request, reply)
    throw refused ?? error
  }
}

/**
 * Adds the checks of all routes that need no session, before any of them is registered.
 * @returns the routes registered so far, for `undeclaredRoutes`
 */
export const addPublicRouteChecks = (app: FastifyInstance, options: OpenDoorOptions): readonly RegisteredRoute[] => {
  const door = new OpenDoor(options)
  const routes: RegisteredRoute[] = []
  app.decorate('openDoor', door)
  app.addHook('onRoute', route => {
    // Hooks of plugins add to the config later.
    routes.push(route)
  })
  // A limit hears other nodes only once it is there: before the first call here.
  app.addHook('onReady', async () => {
    for (const { config } of routes) if (config?.door !== undefined) door.prepare(config.door)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { door: route } = request.routeOptions.config
    if (route !== undefined) await door.enter(route, request, reply)
    return reply.sent ? reply : undefined
  })
  app.addHook('preParsing', async (request, reply, payload) => {
    const { door: route } = request.routeOptions.config
    return route === undefined ? payload : ((await door.body(route, request, reply, payload as Readable)) as never)
  })
  return routes
}

/** Routes that need no session and do not declare their checks. */
export const undeclaredRoutes = (routes: readonly RegisteredRoute[]): readonly string[] =>
  routes
    .filter(({ config = {} }) => config.door === undefined && (config.isGuarded !== true || config.open === true))
    .map(({ method, url }) => `${method} ${url}`)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Checks of a route that needs no session. */
    door?: PublicRoute
    /** Behind the guard of the API: needs a session unless it is `open`. */
    isGuarded?: boolean
  }
  interface FastifyInstance {
    readonly openDoor: Pick<OpenDoor, 'count' | 'fail' | 'placeOf' | 'share' | 'take' | 'limit' | 'sender'>
  }
}
