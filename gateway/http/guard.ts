import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, languageOf } from '#schemas/language.ts'
import { isOwnOrigin } from '../origin.ts'
import type { Parts } from '../port.ts'
import type { Sessions } from '../session.ts'
import { RequestRefused } from './failure.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Checks of every API call: readable address, session, origin, permission; session and permission again after the body.
 */
export const addGuard = (app: FastifyInstance, parts: Parts, sessions: Sessions): void => {
  app.addHook('onRequest', async request => {
    const asked = languageOf(request.headers['accept-language'])
    request.language = asked ?? DEFAULT_LANGUAGE
    const { config } = request.routeOptions
    if (!isReadable(request.raw.url ?? '')) throw new RequestRefused({ code: 'request.unreadable' })
    const writes = !READS.has(request.method)
    const closed = writes && effectOf(request) === 'writes' ? parts.readiness.writeRefusal : undefined
    if (closed !== undefined) throw new RequestRefused({ code: closed })
    request.session = await sessions.ofRequest(request)
    const { session } = request
    if (session !== undefined && asked === undefined) request.language = await sessions.languageOf(session)
    if (session === undefined && config.open !== true) throw new RequestRefused({ code: 'auth.required' })
    if (writes && !isOriginFine(request, parts)) throw new RequestRefused({ code: 'auth.origin' })
    refuseWhileViewing(request)
    requirePermission(request)
  })
  // A body may take minutes to arrive: the session and its rights are asked again before anything is done with it.
  app.addHook('preValidation', async request => {
    const { session } = request
    if (session === undefined || READS.has(request.method)) return
    request.session = await sessions.refreshed(session.access.session, session.via)
    if (request.session === undefined) throw new RequestRefused({ code: 'auth.required' })
    refuseWhileViewing(request)
    requirePermission(request)
  })
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
