import type { Evaluator } from '#domain/expression/interruptible.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf, objectsOf, parseJson, scalarText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call, OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'
import type { ExpiringValues } from '../../outbound/expiring-values.ts'
import { jsonOf } from '../../outbound/rest-request.ts'
import type { Outcome, ProviderAnswer, ProviderRequest, ProviderValues, WebhookRequest } from '../channel-port.ts'

const textOf = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** The JSON of a request; refuses anything else with `channel.body`. */
export const jsonBody = ({ body }: WebhookRequest): Result<Json> => {
  const value = parseJson(textOf(body) ?? '')
  return value === undefined ? refused('channel.body') : accepted(value)
}

/** The form of a request; refuses anything else with `channel.body`. */
export const formBody = ({ body }: WebhookRequest): Result<URLSearchParams> => {
  const written = textOf(body)
  return written?.includes('=') === true ? accepted(new URLSearchParams(written)) : refused('channel.body')
}

/** The request that posts a body; refuses with `channel.message` when the provider has no body for a message. */
export const posting = (url: string, body: JsonObject | URLSearchParams | undefined): Result<ProviderRequest> =>
  body === undefined ? refused('channel.message') : accepted({ method: 'POST', url, headers: [], body })

export const reading = (url: string): ProviderRequest => ({ method: 'GET', url, headers: [] })

/** Adds a header to a request. */
export const withHeader = (request: ProviderRequest, name: string, value: string): ProviderRequest => ({
  ...request,
  headers: [...request.headers, [name, value]],
})

export const withBearer = (request: ProviderRequest, token: string): ProviderRequest =>
  withHeader(request, 'authorization', `Bearer ${token}`)

export const withBasic = (request: ProviderRequest, user: string, password: string): ProviderRequest =>
  withHeader(request, 'authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)

/** The object of a JSON body that passes `isRight`; refuses anything else with `channel.body`. */
export const objectBody = (request: WebhookRequest, isRight: (body: JsonObject) => boolean): Result<JsonObject> => {
  const body = jsonBody(request)
  if (!body.ok) return body
  const held = objectOf(body.value)
  return isRight(held) ? accepted(held) : refused('channel.body')
}

const SECOND_MS = 1000
const MAX_RETRY_MS = 3_600_000

/** Statuses of requests that were certainly not accepted. */
const NOT_TAKEN: ReadonlySet<number> = new Set([408, 425, 429])

/** ms until the next call: from `Retry-After`, in seconds or as a date, at most `most`. Without one: `otherwise`. */
export const retryAfter = (
  { headers }: Pick<ProviderAnswer, 'headers'>,
  otherwise = 0,
  most = MAX_RETRY_MS,
): number => {
  const written = headers.find(([name]) => name === 'retry-after')?.[1]
  if (written === undefined) return otherwise
  const seconds = Number(written)
  const ms = Number.isFinite(seconds) ? seconds * SECOND_MS : Date.parse(written) - Date.now()
  return Number.isFinite(ms) ? Math.min(most, Math.max(0, ms)) : otherwise
}

/** The code of a final outcome when the body has none. */
const httpCode = (status: number): string => `http.${status}`

/**
 * Outcome by status alone: a 2xx is sent with an id, unknown without one. NOT_TAKEN and 503 are retried; any other 5xx
 * may have been accepted, so it is unknown and not retried.
 */
export const byStatus = (
  answer: ProviderAnswer,
  idOf: (body: Json | undefined) => string,
  code = httpCode(answer.status),
): Outcome => {
  const { status, body } = answer
  if (status >= 200 && status < 300) {
    const id = idOf(body)
    return id === '' ? { kind: 'unknown' } : { kind: 'sent', id }
  }
  if (NOT_TAKEN.has(status) || status === 503) return { kind: 'retry', after: retryAfter(answer) }
  return status >= 500 ? { kind: 'unknown' } : { kind: 'final', code }
}

/** The answer of a look-up; one that another attempt may get is `outbound.unreachable`. */
export const lookupAnswer = (asked: Result<ProviderAnswer>): Result<ProviderAnswer> => {
  if (!asked.ok) return asked
  const { status } = asked.value
  const isLate = NOT_TAKEN.has(status) || status >= 500
  return isLate ? refused('outbound.unreachable', { params: { reason: httpCode(status) } }) : asked
}

const MAX_ERROR = 300

/** The error message of a response, from the members that providers use. */
const toldError = (body: Json | undefined): string => {
  const held = objectOf(body)
  const error = objectOf(held.error)
  const service = objectOf(objectOf(held.requestError).serviceException)
  const told = [
    error.message,
    held.message,
    held.error_description,
    held.description,
    service.text,
    objectOf(held.meta).developer_message,
  ]
  const [first = ''] = [...told, objectsOf(held.errors)[0]?.message].map(scalarText).filter(words => words !== '')
  return first.slice(0, MAX_ERROR)
}

/** Result of a connection test: the account's name, or an error of the credentials or of something else. */
export const checked = (asked: Result<ProviderAnswer>, nameOf: (body: Json | undefined) => string): Result<string> => {
  if (!asked.ok) return asked
  const { status, body } = asked.value
  if (status >= 200 && status < 300) return accepted(nameOf(body))
  const params = { status, error: toldError(body) || '—' }
  return refused(status === 401 || status === 403 ? 'channel.token' : 'channel.answer', { params })
}

const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 1_000_000

const contentOf = (
  body: ProviderRequest['body'],
): { readonly type?: string; readonly body?: string; readonly bytes?: Uint8Array } => {
  if (body === undefined) return {}
  if (body instanceof Uint8Array) return { bytes: body }
  if (body instanceof URLSearchParams) return { type: 'application/x-www-form-urlencoded', body: body.toString() }
  return { type: 'application/json', body: JSON.stringify(body) }
}

/** An outbound request of an adapter; `most`: maximum bytes read of the answer. */
export const outboundOf = (
  { method, url, headers, body }: ProviderRequest,
  most = MAX_ANSWER_BYTES,
  timeout = TIMEOUT_MS,
): OutboundRequest => {
  const { type, ...content } = contentOf(body)
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    method,
    url,
    headers: [...headers, ...(type === undefined || hasType ? [] : [['content-type', type] as const])],
    ...content,
    timeout,
    most,
  }
}

export const answerOf = (answer: OutboundAnswer): ProviderAnswer => ({
  status: answer.status,
  headers: answer.headers,
  body: jsonOf(answer),
})

interface ValuesParts {
  readonly call: Call
  readonly values: ExpiringValues
  readonly evaluator: Evaluator
}

/** Values and calls of a channel's adapter. `key`: channel and revision, so that changed secrets get new values. */
export const openValues = ({ call, values, evaluator }: ValuesParts, key: string): ProviderValues => ({
  remember: (name, fetch, stale) => values.get(`${key} ${name}`, fetch, stale),
  async ask(request): Promise<Result<ProviderAnswer>> {
    const answer = await call(outboundOf(request))
    return answer.ok ? accepted(answerOf(answer.value)) : answer
  },
  async download(url, most): Promise<Result<Uint8Array>> {
    const answer = await call(outboundOf(reading(url), most))
    if (!answer.ok) return answer
    const { status, truncated, body } = answer.value
    return status >= 200 && status < 300 && !truncated ? accepted(body) : refused('channel.message')
  },
  async evaluate(source, input): Promise<Result<Json>> {
    const outcome = await evaluator.evaluate({ kind: 'path', parser: 'JsonAta', source, input })
    return outcome.ok
      ? accepted((outcome.value ?? null) as Json)
      : refused('channel.profile', { params: { rule: outcome.fault.code } })
  },
})

/** A trimmed field of a channel. */
export const field = (fields: JsonObject, name: string): string => scalarText(fields[name]).trim()

/** The base address of a provider's API without trailing slashes: the channel's own if it has one. */
export const baseUrl = (fields: JsonObject, usual: string): string =>
  field(fields, 'url').replace(/(?<!\/)\/+$/u, '') || usual
