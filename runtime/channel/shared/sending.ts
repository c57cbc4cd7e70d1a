import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderRequest, WebhookRequest } from '../channel-port.ts'
import { group } from './json-reader.ts'

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
  const held = group(body.value)
  return isRight(held) ? accepted(held) : refused('channel.body')
}
