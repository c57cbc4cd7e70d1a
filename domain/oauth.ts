import type { JsonObject } from '#schemas/event.ts'
import { isObject, parseJson, textOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'

/** A request for an access token (RFC 6749 §4). */
interface TokenRequest {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** application/x-www-form-urlencoded. */
  readonly body: string
}

/** Reported token data: never the token itself. */
interface TokenReceipt {
  readonly token_type: string | null
  /** Seconds. */
  readonly expires_in: number | null
  readonly scope: string | null
}

/** Parameters that each grant sends beside `grant_type` and `scope`; undefined where a person has to consent first. */
const parametersOf = (fields: JsonObject): Readonly<Record<string, string>> | undefined => {
  const username = textOf(fields.username)
  const password = textOf(fields.password)
  switch (fields.grant_type) {
    case 'client_credentials':
      return {}
    case 'password':
      return { username, password }
    case 'refresh_token':
      return { refresh_token: password }
    default:
      return undefined
  }
}

/**
 * The request for a token with a configuration whose secrets are in clear. Client id and secret go into the Authorization
 * header, each form-encoded (§2.3.1); without a secret the id goes into the body.
 */
export const tokenRequest = (fields: JsonObject): Result<TokenRequest> => {
  const parameters = parametersOf(fields)
  if (parameters === undefined) return refused('oauth.consent')
  const id = textOf(fields.client_id)
  const secret = textOf(fields.secret)
  const scope = textOf(fields.scope)
  const body = new URLSearchParams({
    grant_type: textOf(fields.grant_type),
    ...parameters,
    ...(scope === '' ? {} : { scope }),
    ...(id !== '' && secret === '' ? { client_id: id } : {}),
  })
  const own = (Array.isArray(fields.headers) ? fields.headers : []).filter(isObject)
  return accepted({
    url: textOf(fields.access_token_url),
    headers: [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['accept', 'application/json'],
      ...(secret === '' ? [] : [['authorization', basic(id, secret)] as const]),
      ...own.map(({ name, value }) => [textOf(name), textOf(value)] as const),
    ],
    body: body.toString(),
  })
}

const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
const basic = (id: string, secret: string) => `Basic ${btoa(`${encoded(id)}:${encoded(secret)}`)}`

const parsed = (text: string): JsonObject | undefined => {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

const MAX_ERROR_LENGTH = 300

/** Reads a server's answer to a token request. Reports its error only by code and description (§5.2). */
export const readToken = (
  status: number,
  text: string,
): Result<{ readonly token: string; readonly receipt: TokenReceipt }> => {
  const answer = parsed(text)
  if (status < 200 || status > 299 || answer?.error !== undefined) {
    const error = [textOf(answer?.error), textOf(answer?.error_description)].filter(part => part !== '').join(': ')
    return refused('oauth.refused', { params: { status, error: error.slice(0, MAX_ERROR_LENGTH) || '—' } })
  }
  const token = textOf(answer?.access_token)
  if (token === '') return refused('oauth.answer')
  const expires = Number(answer?.expires_in ?? Number.NaN)
  const receipt = {
    token_type: textOf(answer?.token_type) || null,
    expires_in: Number.isFinite(expires) ? expires : null,
    scope: textOf(answer?.scope) || null,
  }
  return accepted({ token, receipt })
}

/** The same without the token. */
export const readTokenAnswer = (status: number, text: string): Result<TokenReceipt> => {
  const received = readToken(status, text)
  return received.ok ? accepted(received.value.receipt) : received
}
