import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A browser that opens a file runs no code of it; it plays a sound or a video, loaded from the same address. */
export const FILE_SANDBOX = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** A name that people gave, safe in a header (RFC 6266). */
export const contentDisposition = (kind: 'attachment' | 'inline', name: string): string => {
  const plain = name.replace(/[^\w.-]+/g, '_')
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percent)}`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Whether the caller has this revision already and says so: `If-None-Match`, one or a list, weak ones as well, or `*`. */
export const isKnownRevision = (request: FastifyRequest, revision: number): boolean => {
  const value = request.headers['if-none-match']
  if (value === undefined) return false
  const tags = value.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${revision}"`) || tags.includes('*')
}

/** The token of an `Authorization` header. */
export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const WILDCARD = ['0.0.0.0', '[::]']

/**
 * Whether an `Origin` is this console's own. `publicUrl` decides; a loopback address goes by any of its names, and a
 * gateway that listens on every address without a PUBLIC_URL takes the name it was called by.
 */
export const isOwnOrigin = (origin: string, publicUrl: string, headers: IncomingHttpHeaders): boolean => {
  const own = new URL(publicUrl)
  const given = URL.parse(origin)
  if (given === null || given.protocol !== own.protocol) return false
  if (given.host === own.host) return true
  if (LOOPBACK.includes(own.hostname)) return LOOPBACK.includes(given.hostname) && given.port === own.port
  return WILDCARD.includes(own.hostname) && given.host === headers.host
}

/** Time that a browser keeps the answer to a preflight, s. */
const PREFLIGHT_MAX_AGE = '600'

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
    .header('access-control-max-age', PREFLIGHT_MAX_AGE)
    .code(204)
    .send()
