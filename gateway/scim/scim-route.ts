import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openProvisionedPeople } from '#commands/people/provision.ts'
import { SCIM } from '#domain/people/permission.ts'
import { ScimFault } from '#domain/scim/syntax.ts'
import { jsonFault, readJsonBody } from '#schemas/json.ts'
import { RequestRefused, refusalOf } from '../http/failure.ts'
import type { AddGuard } from '../http/guard.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from '../routes/command.ts'
import { discoveryOf } from './discovery.ts'
import { answer, listAnswer, refuseFault, refuseScim } from './scim-answer.ts'
import { addScimGroups } from './scim-groups.ts'
import { addScimUsers } from './scim-users.ts'

/** SCIM 2.0 (RFC 7643 and 7644). */
export const SCIM_BASE = '/botadmin/scim/v2'

/** Objects and lists within each other, and values, of a body. */
const BODY = { depth: 10, values: 50_000 }
/** Requests of one token that are in work, and that wait for it. */
const MAX_AT_ONCE = 20
const MAX_WAITING = 100

interface Waiter {
  readonly request: FastifyRequest
  readonly resolve: () => void
  readonly reject: (refused: RequestRefused) => void
}

/** Requests of one token. */
interface Slots {
  readonly waiting: Waiter[]
  running: number
}

/**
 * Bounds the work and the memory of each token: further requests wait in their order, before their bodies are read. A
 * provider sends many at once, and one more refusal costs it a whole cycle.
 */
class RequestQueue {
  readonly #of = new Map<string, Slots>()
  readonly #entered = new WeakMap<FastifyRequest, { readonly session: string; readonly slots: Slots }>()
  readonly #running = new WeakSet<FastifyRequest>()

  /** @throws RequestRefused where too many wait */
  async enter(request: FastifyRequest, session: string): Promise<void> {
    const slots = this.#of.get(session) ?? { waiting: [], running: 0 }
    if (slots.waiting.length >= MAX_WAITING)
      throw new RequestRefused({ code: 'request.toomany', params: { retryAfter: 1 } })
    this.#of.set(session, slots)
    this.#entered.set(request, { session, slots })
    if (slots.running < MAX_AT_ONCE) {
      slots.running += 1
      this.#running.add(request)
    } else await new Promise<void>((resolve, reject) => slots.waiting.push({ request, resolve, reject }))
  }

  /** May be called more than once, and for a request that still waits. */
  leave(request: FastifyRequest): void {
    const entered = this.#entered.get(request)
    if (entered === undefined) return
    this.#entered.delete(request)
    const { session, slots } = entered
    if (!this.#running.delete(request)) {
      const at = slots.waiting.findIndex(one => one.request === request)
      const [waiter] = slots.waiting.splice(at, 1)
      waiter?.reject(new RequestRefused({ code: 'request.unreadable' }))
      return
    }
    const next = slots.waiting.shift()
    if (next === undefined) slots.running -= 1
    else {
      this.#running.add(next.request)
      next.resolve()
    }
    if (slots.running === 0) this.#of.delete(session)
  }
}

const limitAtOnce = (app: FastifyInstance): void => {
  const queue = new RequestQueue()
  const leave = async (request: FastifyRequest) => queue.leave(request)
  app.addHook('onRequest', async request => queue.enter(request, sessionOf(request).access.session))
  app.addHook('onResponse', leave)
  app.addHook('onRequestAbort', leave)
}

const addBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  for (const type of ['application/scim+json', 'application/json'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      // Packed bodies are not unpacked: a small one can hold more than memory does.
      if (!/^(?:identity)?$/iu.test(request.headers['content-encoding'] ?? ''))
        return done(new RequestRefused({ code: 'request.mediatype' }))
      const read = readJsonBody(body as Buffer, BODY)
      if (!read.ok) return done(new RequestRefused(read.refusal))
      const fault = read.value === undefined ? null : jsonFault(read.value, BODY.depth)
      if (fault !== null) return done(new RequestRefused({ code: 'request.unreadable' }))
      done(null, read.value)
    })
}

const addDiscovery = (app: FastifyInstance, base: () => string): void => {
  const whole = { offset: 0, count: 100 }
  const lists = { Schemas: 'schemas', ResourceTypes: 'resourceTypes' } as const
  app.get('/ServiceProviderConfig', async (_request, reply) => answer(reply, 200, discoveryOf(base()).config))
  for (const [path, list] of Object.entries(lists) as [string, 'schemas' | 'resourceTypes'][]) {
    app.get(`/${path}`, async (_request, reply) => {
      const all = discoveryOf(base())[list]
      return answer(reply, 200, listAnswer(whole, all, all.length))
    })
    app.get(`/${path}/:id`, async (request, reply) => {
      const { id } = request.params as { readonly id: string }
      const found = discoveryOf(base())[list].find(one => one.id === id)
      if (found === undefined) throw new RequestRefused({ code: 'entity.notfound' })
      return answer(reply, 200, found)
    })
  }
}

const refuseThrown = (parts: Parts, reply: FastifyReply, error: Error): FastifyReply =>
  error instanceof ScimFault ? refuseFault(reply, error) : refuseScim(reply, refusalOf(error, parts.log))

/** People and groups for identity providers. Not in the OpenAPI document: SCIM describes itself at /Schemas. */
export const addScim = (
  app: FastifyInstance,
  { parts, addGuard }: { readonly parts: Parts; readonly addGuard: AddGuard },
): void => {
  const base = () => `${parts.publicUrl()}${SCIM_BASE}`
  app.setErrorHandler((error, _request, reply) => refuseThrown(parts, reply, error as Error))
  app.addHook('onRoute', route => {
    route.config = { ...route.config, isGuarded: true, isScim: true, permission: SCIM }
  })
  addBodies(app)
  addGuard(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (sessionOf(request).access.token?.kind !== 'service') throw new RequestRefused({ code: 'access.forbidden' })
  })
  limitAtOnce(app)
  addDiscovery(app, base)
  // Else the pages of the console answer.
  app.get('/*', async () => {
    throw new RequestRefused({ code: 'entity.notfound' })
  })
  const given = { parts, people: openProvisionedPeople(parts), base }
  addScimUsers(app, given)
  addScimGroups(app, given)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of SCIM, which has its own limit of requests. */
    isScim?: boolean
  }
}
