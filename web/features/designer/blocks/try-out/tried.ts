import type { Json } from '#schemas/event.ts'

/** Answers of `POST /dialog/{id}/try/…`, as the OpenAPI description has them. */
export interface Failure {
  readonly code: string
  readonly detail: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}
export interface CallAnswer {
  readonly status: number
  readonly url: string
  readonly redirects: number
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body: string
  readonly binary: boolean
  readonly size: number
  readonly truncated: boolean
}
export interface TriedCall {
  readonly time: number
  readonly request?: { readonly method: string; readonly url: string }
  readonly answer?: CallAnswer
  readonly failure?: Failure
}
export interface TriedScript {
  readonly time: number
  readonly value?: Json
  readonly console?: readonly { readonly level: string; readonly text: string }[]
  readonly error?: { readonly message: string; readonly line?: number; readonly column?: number }
  readonly ended?: 'time' | 'memory' | 'stack' | 'busy'
  readonly failure?: Failure
}
export interface TriedFeed {
  readonly time: number
  readonly status?: number
  readonly feed?: {
    readonly title: string
    readonly items: readonly {
      readonly title: string
      readonly description: string
      readonly link: string
      readonly image: string
    }[]
  }
  readonly failure?: Failure
}
