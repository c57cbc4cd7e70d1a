import type { Json } from '#schemas/event.ts'
import type { Outcome, ProviderAnswer } from './channel-port.ts'

const SECOND_MS = 1000
const MAX_RETRY_MS = 3_600_000

/** Statuses of requests that were certainly not accepted. */
const NOT_TAKEN: ReadonlySet<number> = new Set([408, 425, 429])

/** ms until the next call: from `Retry-After`, in seconds or as a date, at most an hour. Without one: `otherwise`. */
export const retryAfter = ({ headers }: ProviderAnswer, otherwise = 0): number => {
  const written = headers.find(([name]) => name === 'retry-after')?.[1]
  if (written === undefined) return otherwise
  const seconds = Number(written)
  const ms = Number.isFinite(seconds) ? seconds * SECOND_MS : Date.parse(written) - Date.now()
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_MS, Math.max(0, ms)) : otherwise
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
