import type { FastifyInstance } from 'fastify'
import type { Parts } from '../port.ts'

const OPEN = { open: true }

/** For whoever watches the gateway: plain text, no sign-in, nobody's data. */
export const addHealth = (app: FastifyInstance, { readiness, metrics }: Parts): void => {
  const schema = { tags: ['health'] }
  metrics.observe('parley_ready', 'Whether this node should be given requests: 1 or 0', () =>
    readiness.reason() === undefined ? 1 : 0,
  )
  app.get('/health/live', { config: OPEN, schema }, async (_request, reply) => reply.type('text/plain').send('live\n'))
  app.get('/health/ready', { config: OPEN, schema }, async (_request, reply) => {
    const reason = readiness.reason()
    if (reason === undefined) return reply.type('text/plain').send('ready\n')
    return reply.code(503).header('retry-after', '5').type('text/plain').send(`${reason}\n`)
  })
  app.get('/metrics', { config: OPEN, schema }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
