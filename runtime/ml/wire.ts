import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call, OutboundAnswer } from '../outbound/call.ts'
import type { ExpiringValues } from '../outbound/expiring-values.ts'
import { jsonOf, NOT_TAKEN, retryWait } from '../outbound/rest-request.ts'
import type { MlRequest, MlWire } from './ml-port.ts'

const MAX_ANSWER_BYTES = 1_000_000
const MAX_ERROR_LENGTH = 300
/** Maximum wait before a retry that the system requests. */
const MAX_RETRY_WAIT_MS = 2_000

interface WireParts {
  readonly call: Call
  readonly values: ExpiringValues
  /** Channel and revision: a changed address or key gets new values. */
  readonly key: string
  /** ms for all requests of the call together. */
  readonly timeout: number
  /** Removed from all error texts. */
  readonly secrets: readonly string[]
}

const stringAt = (value: Json | undefined, name: string): string => {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === 'string' ? member : ''
}

/** Error message from the members that the four systems use; never contains a secret of the channel. */
const errorOf = (body: Json | undefined, secrets: readonly string[]): string => {
  const nested = isObject(body) ? body.error : undefined
  const names = ['message', 'error', 'detail', 'reason', 'errorMessage']
  const told = stringAt(nested, 'message') || names.map(name => stringAt(body, name)).find(text => text !== '') || '—'
  return secrets.some(secret => secret !== '' && told.includes(secret)) ? '—' : told.slice(0, MAX_ERROR_LENGTH)
}

const statusRefusal = (status: number, body: Json | undefined, secrets: readonly string[]): Result<never> => {
  const params = { status, error: errorOf(body, secrets) }
  if (status === 401 || status === 403) return refused('ml.unauthorized', { params })
  if (status === 404) return refused('ml.notfound', { params })
  if (status === 429) return refused('ml.toomany', { params })
  return refused(status >= 500 ? 'ml.failed' : 'ml.refused', { params })
}

const outboundOf = ({ method, url, headers = [], body }: MlRequest, timeout: number) => {
  const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method,
    url,
    headers: [
      ['accept', 'application/json'],
      ...(body === undefined ? [] : [['content-type', type] as const]),
      ...headers,
    ] as const,
    ...(body === undefined ? {} : { body: body instanceof URLSearchParams ? body.toString() : JSON.stringify(body) }),
    timeout,
    most: MAX_ANSWER_BYTES,
  }
}

/** Requests of one call of a channel. */
export const openWire = ({ call, values, key, timeout, secrets }: WireParts): MlWire => {
  const until = performance.now() + timeout
  const left = () => Math.round(until - performance.now())

  const attempt = async (request: MlRequest): Promise<Result<OutboundAnswer>> => {
    const ms = left()
    return ms <= 0 ? refused('outbound.timeout', { params: { ms: timeout } }) : call(outboundOf(request, ms))
  }
  /** Retries once if the request was certainly not accepted and there is time. */
  const attempts = async (request: MlRequest): Promise<Result<OutboundAnswer>> => {
    const first = await attempt(request)
    if (!first.ok || !NOT_TAKEN.has(first.value.status)) return first
    const wait = retryWait(first.value)
    if (wait > MAX_RETRY_WAIT_MS || wait >= left()) return first
    await pause(wait)
    return attempt(request)
  }
  const read = async <T>(request: MlRequest, readOf: (answer: OutboundAnswer) => Result<T>): Promise<Result<T>> => {
    const answer = await attempts(request)
    return answer.ok ? readOf(answer.value) : answer
  }
  return {
    ask: request =>
      read(request, answer => {
        const body = jsonOf(answer)
        if (answer.status < 200 || answer.status > 299) return statusRefusal(answer.status, body, secrets)
        if (answer.truncated) return refused('ml.toolarge', { params: { max: MAX_ANSWER_BYTES } })
        return body === undefined ? refused('ml.answer') : accepted(body)
      }),
    reach: (request, statuses) =>
      read(request, ({ status }) => (statuses.includes(status) ? accepted('') : statusRefusal(status, undefined, []))),
    remember: (name, fetch, stale) => values.get(`${key} ${name}`, fetch, stale),
  }
}

/** Validates an answer; unknown members are dropped. */
export const readAnswer = <T>(schema: z.ZodType<T>, answer: Result<Json>): Result<T> => {
  if (!answer.ok) return answer
  const read = schema.safeParse(answer.value)
  return read.success ? accepted(read.data) : refused('ml.answer')
}

/** Clamped to 0…1, because systems use different scales. */
export const confidenceOf = (value: number | null | undefined): number => Math.min(1, Math.max(0, value ?? 0))

/** A text with its options, one line each. */
export const withOptions = (text: string, options: readonly string[]): string =>
  [text, ...options.map(option => `- ${option}`)].filter(line => line !== '').join('\n')

export const fieldText = (fields: JsonObject, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** A base address from a form, without trailing slashes. */
export const baseOf = (fields: JsonObject): string => fieldText(fields, 'url').replace(/(?<!\/)\/+$/u, '')

/** At most `max` UTF-16 units, without half a surrogate pair at the end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
