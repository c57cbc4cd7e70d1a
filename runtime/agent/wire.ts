import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call } from '../outbound/call.ts'
import type { ExpiringValues } from '../outbound/expiring-values.ts'
import { jsonOf, NOT_TAKEN, retryWait } from '../outbound/rest-request.ts'
import type { AgentAnswer, AgentCall, AgentPerson, AgentWire } from './agent-port.ts'

const MAX_ANSWER_BYTES = 1_000_000
const MAX_ERROR_LENGTH = 300
const MAX_RETRY_WAIT_MS = 2_000

interface WireParts {
  readonly call: Call
  readonly values: ExpiringValues
  /** Channel and its revision: a changed address or key uses no cached values. */
  readonly key: string
  /** ms of one request. */
  readonly timeout: number
  /** Never part of a returned error. */
  readonly secrets: readonly string[]
}

const NAMES = ['error_description', 'message', 'error', 'errorMessage', 'reason', 'detail', 'msg']

/** Error text in a system's answer; never contains a secret of the channel. */
const errorOf = (body: Json | undefined, secrets: readonly string[]): string => {
  const texts = isObject(body) ? NAMES.map(name => body[name]) : []
  const told = texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '—'
  return secrets.some(secret => secret !== '' && told.includes(secret)) ? '—' : told.slice(0, MAX_ERROR_LENGTH)
}

const refusalOf = ({ status, body }: AgentAnswer, secrets: readonly string[]): Result<never> => {
  const params = { status, error: errorOf(body, secrets) }
  if (status >= 200 && status < 300) return refused('agent.answer')
  if (status === 401 || status === 403) return refused('agent.unauthorized', { params })
  if (status === 404 || status === 410) return refused('agent.notfound', { params })
  if (status === 429) return refused('agent.toomany', { params })
  return refused(status >= 500 ? 'agent.failed' : 'agent.refused', { params })
}

/** Opens the calls to a channel's system. */
export const openWire = ({ call, values, key, timeout, secrets }: WireParts): AgentWire => {
  const attempt = ({ method, url, headers = [], body, timeout: ms = timeout }: AgentCall) =>
    call({
      method,
      url,
      headers: [
        ['accept', 'application/json'],
        ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...headers,
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeout: ms,
      most: MAX_ANSWER_BYTES,
    })
  const wire: AgentWire = {
    async call(request) {
      let answer = await attempt(request)
      if (answer.ok && NOT_TAKEN.has(answer.value.status) && retryWait(answer.value) <= MAX_RETRY_WAIT_MS) {
        await pause(retryWait(answer.value))
        answer = await attempt(request)
      }
      return answer.ok ? accepted({ status: answer.value.status, body: jsonOf(answer.value) }) : answer
    },
    async ask(request) {
      const answer = await wire.call(request)
      if (!answer.ok) return answer
      const { status, body } = answer.value
      return status >= 200 && status < 300 && body !== undefined ? accepted(body) : wire.refusal(answer.value)
    },
    refusal: answer => refusalOf(answer, secrets),
    remember: (name, fetch, stale) => values.get(`${key} ${name}`, fetch, stale),
  }
  return wire
}

/** Parses an answer in the expected form; other members are dropped. */
export const readAnswer = <T>(schema: z.ZodType<T>, answer: Result<Json>): Result<T> => {
  if (!answer.ok) return answer
  const read = schema.safeParse(answer.value)
  return read.success ? accepted(read.data) : refused('agent.answer')
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')

export const numberOf = (fields: JsonObject, name: string, otherwise: number): number => {
  const value = fields[name]
  return typeof value === 'number' ? value : otherwise
}

/** An address without trailing slashes. */
export const baseOf = (value: Json | undefined): string => textOf(value).replace(/(?<!\/)\/+$/u, '')

export const agentOf = (name: string | null | undefined, avatar = ''): AgentPerson => ({ name: name ?? '', avatar })

/** A text with its files as addresses, for systems that take no files. */
export const withFiles = (text: string, files: readonly { readonly name: string; readonly url: string }[]): string =>
  [text, ...files.map(({ name, url }) => `${name}: ${url}`)].filter(line => line !== '').join('\n')
