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
/** Requests of one token that are in work at one time. */
const MAX_AT_ONCE = 20

/** Bounds the memory that the requests of one token hold. */
const limitAtOnce = (app: FastifyInstance): void => {
  const running = new Map<string, number>()
  /** The session as it was: the request may outlive it. */
  const counted = new WeakMap<FastifyRequest, string>()
  app.addHook('onRequest', async request => {
    const { session } = sessionOf(request).access
    const count = running.get(session) ?? 0
    if (count >= MAX_AT_ONCE) throw new RequestRefused({ code: 'request.toomany', params: { retryAfter: 1 } })
    running.set(session, count + 1)
    counted.set(request, session)
  })
  const leave = async (request: FastifyRequest) => {
    const session = counted.get(request)
    if (session === undefined) return
    counted.delete(request)
    const left = (running.get(session) ?? 1) - 1
    if (left === 0) running.delete(session)
    else running.set(session, left)
  }
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
