import { createHmac } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { isSimulated, simulationConflict } from '#domain/campaign/simulated-number.ts'
import { graphRefusal } from '#domain/meta/account.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, isObject, objectOf, parseJson } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call, OutboundAnswer } from '../../outbound/call.ts'
import { bodyText } from '../../outbound/rest-request.ts'
import type { ProviderAnswer } from '../channel-port.ts'
import { baseUrl, field } from './provider-call.ts'

const SECOND_MS = 1000

/** Address of an installation's Graph API with its version, for channels without an address of their own. */
const USUAL_VERSION = 'v23.0'
const USUAL_URL = `https://graph.facebook.com/${USUAL_VERSION}`
const VERSION = /\/(v\d{1,3}\.\d{1,2})$/u

/** The setting GRAPH_URL, in parts; `graph_url` is set by `openChannels`. */
const usual = (fields: JsonObject): { readonly host: string; readonly version: string } => {
  const url = field(fields, 'graph_url') || USUAL_URL
  const version = VERSION.exec(url)?.[1]
  return version === undefined
    ? { host: url, version: USUAL_VERSION }
    : { host: url.slice(0, -version.length - 1), version }
}

/** Address at Meta's Graph API, in the channel's version. */
export const graphUrl = (fields: JsonObject): string => {
  const { host, version } = usual(fields)
  return `${baseUrl(fields, host)}/${field(fields, 'graph_version') || version}`
}

/** Address of what Meta knows of a token. */
export const debugTokenUrl = (fields: JsonObject, token: string): string =>
  `${graphUrl(fields)}/debug_token?input_token=${encodeURIComponent(token)}`

/** End of a token in ms since 1970, from Meta's answer; undefined: it does not end. */
export const tokenEndOf = (asked: Result<ProviderAnswer>): Result<number | undefined> => {
  if (!asked.ok) return asked
  const { status, body } = asked.value
  const data = objectOf(objectOf(body).data)
  if (status !== 200) return refused('channel.answer', { params: { status, error: '—' } })
  if (data.is_valid === false) return refused('channel.token', { params: { error: '190' } })
  const ends = [data.expires_at, data.data_access_expires_at].map(Number).filter(seconds => seconds > 0)
  return accepted(ends.length === 0 ? undefined : Math.min(...ends) * SECOND_MS)
}

/** Meta's file hosts; tokens are sent nowhere else. */
const MEDIA_HOST = /(?:^|\.)(?:fbsbx\.com|whatsapp\.net|fbcdn\.net|cdninstagram\.com)$/u

/** Whether an address is one of Meta's files, or of the Graph API that the channel calls. */
export const isMetaMedia = (ref: string, fields: JsonObject): boolean => {
  const url = URL.canParse(ref) ? new URL(ref) : undefined
  if (url === undefined) return false
  return (url.protocol === 'https:' && MEDIA_HOST.test(url.hostname)) || url.origin === new URL(graphUrl(fields)).origin
}

/** Graph's error code; undefined for an answer without one. */
export const graphCode = (body: Json | undefined): number | undefined => {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'number' ? code : undefined
}

const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 4_000_000

/** Host of the Graph API of simulated numbers, answered inside of the gateway: no resolver knows it (RFC 2606). */
export const SIMULATED_GRAPH_HOST = 'graph.simulated.invalid'
export const SIMULATED_GRAPH_URL = `https://${SIMULATED_GRAPH_HOST}/${USUAL_VERSION}`

/** Credentials of an account. */
export interface GraphCredentials {
  readonly token: string
  /** Its calls stay inside of the gateway. */
  readonly isSimulated?: boolean
  /** Empty when not known: requests are then unsigned. */
  readonly appSecret: string
}

export interface GraphRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path after the version: `/102290129340398/phone_numbers`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonObject
  /** Binary body with its headers, instead of `body`. */
  readonly bytes?: Uint8Array
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Redirects are not followed, so that nothing is sent twice. */
  readonly isOnce?: boolean
  /** One of many calls: its connection is used again. */
  readonly isFrequent?: boolean
}

/** The Graph API of Meta. */
export interface Graph {
  /** Refusals are `meta.*` when Meta answered and `outbound.*` when it did not. */
  ask(credentials: GraphCredentials, request: GraphRequest): Promise<Result<JsonObject>>
  /** Uploads the bytes of a session that was started before; returns {h}. */
  upload(credentials: GraphCredentials, session: string, content: Uint8Array): Promise<Result<JsonObject>>
}

/** Proof that a token is used by its own app: hex HMAC-SHA256 of the token under the app's secret. */
const appSecretProof = (token: string, appSecret: string): string =>
  createHmac('sha256', appSecret).update(token).digest('hex')

const jsonOf = (answer: OutboundAnswer): Json | undefined => parseJson(bodyText(answer) ?? '')

/** The object of an answer, or the refusal. */
const readGraphAnswer = (answer: Result<OutboundAnswer>, secrets: readonly string[]): Result<JsonObject> => {
  if (!answer.ok) return answer
  const { status, truncated } = answer.value
  const body = jsonOf(answer.value)
  if (status < 200 || status > 299) return graphRefusal(status, body, secrets)
  // Meta returns some errors with status 200.
  if (isObject(body) && isObject(body.error)) return graphRefusal(status, body, secrets)
  return truncated || !isObject(body) ? refused('meta.answer') : accepted(body)
}

/** Reason why a number must not send a message to its recipient. */
const messageConflict = (isInside: boolean, body: JsonObject | undefined): string | undefined => {
  const to = fieldText(body ?? {}, 'to') || fieldText(body ?? {}, 'recipient')
  return to === '' ? undefined : simulationConflict(isInside, to)
}

/** `base`: address of the API with its version. */
export const openGraph = (call: Call, base: string): Graph => ({
  async ask(
    { token, appSecret, isSimulated: isInside = false },
    { method, path, query = {}, body, bytes, headers: given = [], isOnce = false, isFrequent = false },
  ) {
    if (token === '') return refused('meta.credentials')
    const conflict = path.endsWith('/messages') ? messageConflict(isInside, body) : undefined
    if (conflict !== undefined) return refused('meta.simulated', { params: { error: conflict } })
    const proof = appSecret === '' ? {} : { appsecret_proof: appSecretProof(token, appSecret) }
    const parameters = new URLSearchParams({ ...query, ...proof }).toString()
    const headers = [['accept', 'application/json'] as const, ['authorization', `Bearer ${token}`] as const, ...given]
    const answer = await call({
      method,
      url: `${isInside ? SIMULATED_GRAPH_URL : base}${path}${parameters === '' ? '' : `?${parameters}`}`,
      headers: body === undefined ? headers : [...headers, ['content-type', 'application/json'] as const],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { bytes }),
      ...(isOnce ? { maxRedirects: 0 } : {}),
      ...(isFrequent ? { isFrequent } : {}),
      timeout: TIMEOUT_MS,
      most: MAX_ANSWER_BYTES,
    })
    return readGraphAnswer(answer, [token, appSecret])
  },
  async upload({ token, appSecret, isSimulated: isInside = false }, session, content) {
    const answer = await call({
      method: 'POST',
      url: `${isInside ? SIMULATED_GRAPH_URL : base}/${session}`,
      headers: [
        ['authorization', `OAuth ${token}`],
        ['file_offset', '0'],
        ['content-type', 'application/octet-stream'],
      ],
      bytes: content,
      timeout: TIMEOUT_MS,
      most: MAX_ANSWER_BYTES,
    })
    return readGraphAnswer(answer, [token, appSecret])
  },
})

/** The cursor of the next page; undefined on the last page. */
export const nextPage = ({ paging }: JsonObject): string | undefined => {
  if (!isObject(paging) || typeof paging.next !== 'string' || !isObject(paging.cursors)) return undefined
  return typeof paging.cursors.after === 'string' ? paging.cursors.after : undefined
}

/** An account with its app and decrypted secrets. */
export interface OpenAccount {
  readonly id: string
  readonly fields: JsonObject
  readonly app: JsonObject
  readonly credentials: GraphCredentials
}

/** Returns undefined when the account does not exist. */
export const openAccount = async (
  commands: Pick<Commands, 'openFields'>,
  id: string,
): Promise<OpenAccount | undefined> => {
  const fields = await commands.openFields('metaaccount', id)
  const app = fields === undefined ? undefined : await commands.openFields('metaapp', fieldText(fields, 'metaapp'))
  if (fields === undefined || app === undefined) return undefined
  const credentials = {
    token: fieldText(fields, 'access_token'),
    appSecret: fieldText(app, 'app_client_secret'),
    isSimulated: isSimulated(fields),
  }
  return { id, fields, app, credentials }
}
