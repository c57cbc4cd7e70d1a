import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { WebhookRequest } from '../port.ts'

const textOf = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** The JSON of a request; refuses anything else with `channel.body`. */
export const jsonBody = ({ body }: WebhookRequest): Result<Json> => {
  try {
    return accepted(JSON.parse(textOf(body) ?? '') as Json)
  } catch {
    return refused('channel.body')
  }
}

/** The form of a request; refuses anything else with `channel.body`. */
export const formBody = ({ body }: WebhookRequest): Result<URLSearchParams> => {
  const written = textOf(body)
  return written?.includes('=') === true ? accepted(new URLSearchParams(written)) : refused('channel.body')
}
