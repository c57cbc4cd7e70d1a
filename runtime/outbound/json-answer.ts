import type { Json } from '#schemas/event.ts'
import { bodyText } from './body-text.ts'
import type { OutboundAnswer } from './call.ts'

const FIRST_RETRY_MS = 300

/** Requests answered with these were not accepted and can be repeated. */
export const NOT_TAKEN: ReadonlySet<number> = new Set([429, 503])

/** The JSON of a response; undefined when it is invalid or truncated. */
export const jsonOf = (answer: OutboundAnswer): Json | undefined => {
  if (answer.truncated) return undefined
  try {
    return JSON.parse(bodyText(answer) ?? '') as Json
  } catch {
    return undefined
  }
}

/** ms until a request that was not accepted may be repeated. */
export const retryWait = ({ headers }: OutboundAnswer): number => {
  const seconds = Number(headers.find(([name]) => name === 'retry-after')?.[1])
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_RETRY_MS
}
