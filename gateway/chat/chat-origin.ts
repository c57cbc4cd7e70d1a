import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOwnOrigin } from '../http/headers.ts'
import type { ChatChannel } from './chat-port.ts'

const MAX_AGE_S = '600'

/** Whether a page may talk to a channel: one of its origins, or a page of Parley's own. Callers without a page name none. */
export const isChatOrigin = (channel: ChatChannel, baseUrl: string, headers: IncomingHttpHeaders): boolean => {
  const { origin } = headers
  return origin === undefined || channel.origins.includes(origin) || isOwnOrigin(origin, baseUrl, headers)
}

/** Lets the page that asks read the answer. No cookie goes along. */
export const allowOrigin = ({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void => {
  if (origin === undefined) return
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', 'retry-after, link')
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** The answer to a preflight. */
export const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply
    .header('access-control-allow-methods', 'GET, POST, DELETE')
    .header(
      'access-control-allow-headers',
      'authorization, content-type, last-event-id, x-requested-with, x-ms-bot-agent',
    )
    .header('access-control-max-age', MAX_AGE_S)
    .code(204)
    .send()
