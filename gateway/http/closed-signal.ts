import type { FastifyReply } from 'fastify'

/** Aborts when the connection of a request closes. */
export const closedSignal = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
