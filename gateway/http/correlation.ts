import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Parts } from '../port.ts'

/** Links a click, its request, the resulting events and their log lines. */
const CORRELATION_HEADER = 'x-correlation-id'

/** As the caller chose it, else a new one. */
export const correlationOf = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): string => {
  const given = headers[CORRELATION_HEADER]
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

/** Each answer tells its correlation, and the log who asked what and how it was answered, never what was in it. */
export const addCorrelation = (app: FastifyInstance, { log }: Parts): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(CORRELATION_HEADER, request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply
    const level = status >= 500 ? 'warn' : status >= 400 && request.method !== 'GET' ? 'info' : 'debug'
    const user = request.session?.access.user
    const route = request.routeOptions.url
    log[level](
      { correlation: request.id, user, method: request.method, route, status, ms: Math.round(elapsedTime) },
      'answered',
    )
  })
}
