import type { JsonObject } from '#schemas/event.ts'

/** A request that a provider got; a form as an object. */
export interface ProviderRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: JsonObject
}

/** A call from a provider: a form if it says so, else JSON. `path`: its callback path, with the query. */
export interface ProviderCall {
  readonly body: JsonObject
  readonly path?: string
}

/** A message as the person sees it. */
export interface ShownMessage {
  readonly to: string
  readonly text: string
  readonly options: readonly { readonly id: string; readonly title: string }[]
  /** Address of a picture; empty: none. */
  readonly picture: string
}

/** Requests, callbacks and answers of one WhatsApp provider. */
export interface Wire {
  readonly type: string
  readonly fields: JsonObject
  /** Calls are forms instead of JSON. */
  readonly isForm?: true
  /** Calls are signed over the address and the form with this secret; without it a token ends the address. */
  readonly signed?: string
  /** The header of each request by which the provider knows its customer. */
  readonly proof: readonly [name: string, value: string]
  said(from: string, id: string, words: string): JsonObject
  /** Left out where nothing can be pressed: options are numbered lines. */
  pressed?(from: string, id: string, option: { readonly id: string; readonly title: string }): JsonObject
  /** A picture from the person at a path of the provider; absent without public documentation of files. */
  picture?(from: string, id: string, file: string): JsonObject
  /** Of a message that was sent, by the provider's id. */
  receipt(request: ProviderRequest, id: string, state: 'delivered' | 'read' | 'failed'): ProviderCall
  answer(id: string): { readonly status: number; readonly body: JsonObject }
  /** The answer to what is never taken, and the code in it. */
  readonly refusal: { readonly status: number; readonly body: JsonObject; readonly code: string }
  /** `content`: returns content stored at the provider, by id. */
  shown(request: ProviderRequest, content: (id: string) => JsonObject): ShownMessage
}

export const digits = (address: unknown): string => String(address).replaceAll(/\D/gu, '')
export const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
export const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.map(object) : [])
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
export const words = (value: unknown): string => (typeof value === 'string' ? value : '')
