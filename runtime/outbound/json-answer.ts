import type { Json } from '#schemas/event.ts'
import { bodyText } from './body-text.ts'
import type { OutboundAnswer } from './call.ts'

const FIRST_RETRY_MS = 300

/** A request that was answered so was not taken, so that it can be sent again. */
export const NOT_TAKEN: ReadonlySet<number> = new Set([429, 503])

/** The JSON of an answer; undefined where it is none, or where it was cut off. */
export const jsonOf = (answer: OutboundAnswer): Json | undefined => {
  if (answer.truncated) return undefined
  try {
    return JSON.parse(bodyText(answer) ?? '') as Json
  } catch {
    return undefined
  }
}

/** ms until a request that was not taken may be sent again. */
export const retryWait = ({ headers }: OutboundAnswer): number => {
  const seconds = Number(headers.find(([name]) => name === 'retry-after')?.[1])
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_RETRY_MS
}
