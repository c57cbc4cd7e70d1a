import { createHmac } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { graphRefusal } from '#domain/meta/graph-error.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, isObject } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call, OutboundAnswer } from '../../outbound/call.ts'
import { bodyText } from '../../outbound/rest-request.ts'

const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 4_000_000

/** Credentials of an account. */
interface GraphCredentials {
  readonly token: string
  /** Empty when not known: requests are then unsigned. */
  readonly appSecret: string
}

export interface GraphRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path after the version: `/102290129340398/phone_numbers`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonObject
  /** Redirects are not followed, so that nothing is sent twice. */
  readonly isOnce?: boolean
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

const jsonOf = (answer: OutboundAnswer): Json | undefined => {
  try {
    return JSON.parse(bodyText(answer) ?? '') as Json
  } catch {
    return undefined
  }
}

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

/** `base`: address of the API with its version. */
export const openGraph = (call: Call, base: string): Graph => ({
  async ask({ token, appSecret }, { method, path, query = {}, body, isOnce = false }) {
    if (token === '') return refused('meta.credentials')
    const proof = appSecret === '' ? {} : { appsecret_proof: appSecretProof(token, appSecret) }
    const parameters = new URLSearchParams({ ...query, ...proof }).toString()
    const headers = [['accept', 'application/json'] as const, ['authorization', `Bearer ${token}`] as const]
    const answer = await call({
      method,
      url: `${base}${path}${parameters === '' ? '' : `?${parameters}`}`,
      headers: body === undefined ? headers : [...headers, ['content-type', 'application/json'] as const],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(isOnce ? { maxRedirects: 0 } : {}),
      timeout: TIMEOUT_MS,
      most: MAX_ANSWER_BYTES,
    })
    return readGraphAnswer(answer, [token, appSecret])
  },
  async upload({ token, appSecret }, session, content) {
    const answer = await call({
      method: 'POST',
      url: `${base}/${session}`,
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
  const credentials = { token: fieldText(fields, 'access_token'), appSecret: fieldText(app, 'app_client_secret') }
  return { id, fields, app, credentials }
}
