import { setTimeout as pause } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { Json } from '#schemas/event.ts'
import { isObject, trimmedText } from '#schemas/json.ts'
import { accepted, type RefusalCode, type Result, refused } from '#schemas/refusal.ts'
import type { Call, OutboundAnswer } from './call.ts'
import type { ExpiringValues } from './expiring-values.ts'
import { jsonOf, NOT_TAKEN, retryWait } from './rest-request.ts'
import type { OpenSocket } from './socket.ts'

const MAX_ANSWER_BYTES = 1_000_000
const MAX_ERROR_LENGTH = 300
/** Maximum wait before a retry that the system requests. */
const MAX_RETRY_WAIT_MS = 2_000

export interface SystemRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** JSON, or a form. */
  readonly body?: Json | URLSearchParams
  /** ms; default: the timeout of the wire. */
  readonly timeout?: number
  readonly maxRedirects?: number
  /** Bytes of the answer; default 1 MB. */
  readonly most?: number
  /** PEM of the certificate or authority to trust, where it is not a public one. */
  readonly ca?: string
}

/** Answer of a system, with any status. */
export interface SystemAnswer {
  readonly status: number
  /** Undefined: the body is not JSON, or was truncated. */
  readonly body: Json | undefined
  /** Bytes of the body that were read. */
  readonly size?: number
  /** More bytes followed. */
  readonly isTruncated?: boolean
  /** ms that the system asks to wait before another request. */
  readonly retryAfter?: number
}

/** Sends the requests of an adapter to its outside system. */
export interface SystemWire {
  /** Retries once where the request was surely not taken; refuses with an outbound code without an answer. */
  call(request: SystemRequest): Promise<Result<SystemAnswer>>
  /** The JSON of a 2xx answer, else a refusal by class. */
  ask(request: SystemRequest): Promise<Result<Json>>
  /** Whether an address answers with one of these statuses; the body is ignored. */
  reach(request: SystemRequest, statuses: readonly number[]): Promise<Result<string>>
  /** The bytes of a 2xx answer, else a refusal by class. */
  download(request: SystemRequest): Promise<Result<Uint8Array>>
  /** Opens a WebSocket under the rules of calls: public addresses only, and no redirects. */
  socket(address: string, ca?: string): Promise<Result<WebSocket>>
  /** The refusal for an unexpected answer. */
  refusal(answer: SystemAnswer): Result<never>
  /** Caches a value that expires, such as a token or a session. Never returns `stale` again. */
  remember(
    name: string,
    fetch: () => Promise<Result<{ readonly value: string; readonly seconds: number }>>,
    stale?: string,
  ): Promise<Result<string>>
}

/** Differences between agent systems and ML systems. */
export interface SystemKind {
  /** Prefix of the refusal codes. */
  readonly name: 'agent' | 'ml'
  /** Statuses for something that does not exist. */
  readonly notFound: readonly number[]
  /** Paths of the message in an error's body; the first that is a text. */
  readonly messages: readonly (readonly string[])[]
  /** The refusal for a truncated answer, where it is not that for an answer that is not JSON. */
  readonly tooLarge?: RefusalCode
  /** The timeout is for all requests of a wire together. */
  readonly isDeadline: boolean
}

interface WireParts {
  readonly call: Call
  /** Absent for systems without sockets. */
  readonly openSocket?: OpenSocket
  readonly values: ExpiringValues
  /** Channel and its revision: a changed address or key uses no cached values. */
  readonly key: string
  /** ms. */
  readonly timeout: number
  /** Never part of a returned error. */
  readonly secrets: readonly string[]
}

const at = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((member, name) => (isObject(member) ? member[name] : undefined), value)

/** Error text in a system's answer; never contains a secret of the channel. */
const errorOf = (body: Json | undefined, { messages }: SystemKind, secrets: readonly string[]): string => {
  const texts = messages.map(path => at(body, path))
  const message = texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '—'
  return secrets.some(secret => secret !== '' && message.includes(secret)) ? '—' : message.slice(0, MAX_ERROR_LENGTH)
}

const isTaken = (status: number): boolean => status >= 200 && status < 300

/** The refusal for a status that was not expected. */
const statusRefusal = ({ status, body }: SystemAnswer, kind: SystemKind, secrets: readonly string[]): Result<never> => {
  const { name } = kind
  const params = { status, error: errorOf(body, kind, secrets) }
  if (status === 401 || status === 403) return refused(`${name}.unauthorized`, { params })
  if (kind.notFound.includes(status)) return refused(`${name}.notfound`, { params })
  if (status === 429) return refused(`${name}.toomany`, { params })
  return refused(status >= 500 ? `${name}.failed` : `${name}.refused`, { params })
}

const outboundOf = (
  { method, url, headers = [], body, maxRedirects, most = MAX_ANSWER_BYTES, ca }: SystemRequest,
  timeout: number,
) => {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method,
    url,
    headers: [
      ['accept', 'application/json'],
      ...(body === undefined ? [] : [['content-type', type] as const]),
      ...headers,
    ] as const,
    ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
    timeout,
    most,
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
    ...(ca === undefined ? {} : { ca }),
  }
}

const answerOf = (answer: OutboundAnswer): SystemAnswer => ({
  status: answer.status,
  body: jsonOf(answer),
  size: answer.body.length,
  isTruncated: answer.truncated,
  ...(answer.headers.some(([name]) => name === 'retry-after') ? { retryAfter: retryWait(answer) } : {}),
})

/** Opens the requests to a channel's system. */
export const openSystemWire = (
  kind: SystemKind,
  { call, openSocket, values, key, timeout, secrets }: WireParts,
): SystemWire => {
  const until = performance.now() + timeout
  const left = () => Math.round(until - performance.now())
  const refusal = (answer: SystemAnswer): Result<never> =>
    isTaken(answer.status) ? refused(`${kind.name}.answer`) : statusRefusal(answer, kind, secrets)
  const attempt = async (request: SystemRequest): Promise<Result<OutboundAnswer>> => {
    const ms = request.timeout ?? (kind.isDeadline ? left() : timeout)
    return ms <= 0 ? refused('outbound.timeout', { params: { ms: timeout } }) : call(outboundOf(request, ms))
  }
  /** Retries once if the request was certainly not accepted and there is time. */
  const attempts = async (request: SystemRequest): Promise<Result<OutboundAnswer>> => {
    const first = await attempt(request)
    if (!first.ok || !NOT_TAKEN.has(first.value.status)) return first
    const wait = retryWait(first.value)
    if (wait > MAX_RETRY_WAIT_MS || (kind.isDeadline && wait >= left())) return first
    await pause(wait)
    return attempt(request)
  }
  return {
    async call(request) {
      const answer = await attempts(request)
      return answer.ok ? accepted(answerOf(answer.value)) : answer
    },
    async ask(request) {
      const answer = await attempts(request)
      if (!answer.ok) return answer
      const { status, body } = answerOf(answer.value)
      if (!isTaken(status) || body === undefined)
        return answer.value.truncated && isTaken(status) && kind.tooLarge !== undefined
          ? refused(kind.tooLarge, { params: { max: MAX_ANSWER_BYTES } })
          : refusal({ status, body })
      return accepted(body)
    },
    async reach(request, statuses) {
      const answer = await attempts(request)
      if (!answer.ok) return answer
      const { status } = answer.value
      return statuses.includes(status) ? accepted('') : statusRefusal({ status, body: undefined }, kind, [])
    },
    async download(request) {
      const answer = await attempts(request)
      if (!answer.ok) return answer
      const { status, body, truncated } = answer.value
      return isTaken(status) && !truncated ? accepted(body) : refusal({ status, body: undefined })
    },
    socket: async (address, ca) =>
      openSocket === undefined
        ? refused('outbound.address')
        : openSocket(address, { timeout, ...(ca === undefined ? {} : { ca }) }),
    refusal,
    remember: (name, fetch, stale) => values.get(`${key} ${name}`, fetch, stale),
  }
}

/** Reads answers in an expected form, else refuses with `code`; unknown members are dropped. */
export const answerReader =
  (code: 'agent.answer' | 'ml.answer') =>
  <T>(schema: z.ZodType<T>, answer: Result<Json>): Result<T> => {
    if (!answer.ok) return answer
    const read = schema.safeParse(answer.value)
    return read.success ? accepted(read.data) : refused(code)
  }

/** A base address from a form, without trailing slashes. */
export const baseOf = (value: Json | undefined): string => trimmedText(value).replace(/(?<!\/)\/+$/u, '')
