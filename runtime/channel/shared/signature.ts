import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import { scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { WebhookAnswer, WebhookRequest } from '../channel-port.ts'

/** Compares in constant time for any length. An empty secret never matches. */
export const isSameSecret = (given: string, expected: string): boolean =>
  expected !== '' && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))

interface HmacWay {
  readonly encoding: 'hex' | 'base64'
  readonly prefix: string
}

/** Whether a header has the HMAC of the raw bytes, as a declared protocol says. */
export const isSignedBody = (given: string, body: Uint8Array, secret: string, { encoding, prefix }: HmacWay): boolean =>
  secret !== '' && isSameSecret(given, prefix + createHmac('sha256', secret).update(body).digest(encoding))

type Verified = Result<Record<never, never>>

export const verifiedIf = (isRight: boolean): Verified => (isRight ? accepted({}) : refused('channel.signature'))

const HUB_PREFIX = 'sha256='

/** Meta's `X-Hub-Signature-256`, over the raw bytes: serializing the JSON again would lose its escapes. */
export const hubSignature = (body: string | Uint8Array, secret: string): string =>
  HUB_PREFIX + createHmac('sha256', secret).update(body).digest('hex')

export const verifyHub = ({ headers, body }: WebhookRequest, appSecret: string): Verified => {
  const given = headers['x-hub-signature-256'] ?? ''
  return verifiedIf(appSecret !== '' && isSameSecret(given.toLowerCase(), hubSignature(body, appSecret)))
}

/** Meta's verification of a webhook: returns the challenge if the verify token is right. */
export const hubHandshake = ({ method, query }: WebhookRequest, verifyToken: string): WebhookAnswer | undefined => {
  if (method !== 'GET') return undefined
  const isKnown =
    query.get('hub.mode') === 'subscribe' && isSameSecret(query.get('hub.verify_token') ?? '', verifyToken)
  return isKnown
    ? { status: 200, type: 'text/plain', body: (query.get('hub.challenge') ?? '').slice(0, 1000) }
    : { status: 403, type: 'text/plain', body: '' }
}

const basicPassword = (authorization: string): string => {
  const [, credentials = ''] = authorization.split(' ', 2)
  const [, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':')
  return password.join(':')
}

const BEARER = 'bearer '

/** The last segment of an address's path. */
const lastPart = (url: string): string => {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  try {
    return decodeURIComponent(path.split('/').at(-1) ?? '')
  } catch {
    return ''
  }
}

/** The secrets that a request carries: at the end of its address, in one of our headers, or as credentials. */
const secretsOf = ({ url, headers }: WebhookRequest): readonly string[] => {
  const { authorization = '' } = headers
  const lower = authorization.toLowerCase()
  return [
    lastPart(url),
    headers['x-parley-token'] ?? '',
    lower.startsWith(BEARER) ? authorization.slice(BEARER.length).trim() : authorization,
    lower.startsWith('basic ') ? basicPassword(authorization) : '',
  ]
}

/** For providers that sign nothing: requires the channel's verify token. Without a token all requests are refused. */
export const verifyToken = (request: WebhookRequest, fields: JsonObject): Verified => {
  const expected = scalarText(fields.channel_verify_token)
  return verifiedIf(secretsOf(request).some(given => isSameSecret(given, expected)))
}
