import type { z } from 'zod'
import type { fieldProblemSchema, problemSchema } from '#schemas/api/common.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { ItemConflict } from '#schemas/refusal.ts'

/** A record of an imported file that was refused, counted from 1 after the header. */
export type RefusedRecord = AnswerOf<'POST /{entity}/import'>['refused'][number]

type Described = z.output<typeof problemSchema>

/** `refused`: of an import. */
export interface ProblemBody extends Partial<Omit<Described, 'code'>> {
  readonly code?: Described['code'] | 'network' | (string & {})
  readonly refused?: readonly RefusedRecord[]
}

/** With the text in the caller's language. */
export type LocalizedFieldProblem = Omit<z.output<typeof fieldProblemSchema>, 'message' | 'items'> & {
  readonly message?: string | undefined
  readonly items?: readonly ItemConflict[] | undefined
}

/** A refusal of the API (problem+json), or status 0 with code `network` when the server did not answer. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly params: Readonly<Record<string, unknown>>
  readonly errors: readonly LocalizedFieldProblem[]
  /** Of an import. */
  readonly refused: readonly RefusedRecord[]
  readonly time: string
  /** Request id in the server's log. */
  readonly correlation: string | undefined

  constructor(status: number, body: ProblemBody, correlation?: string) {
    super(body.detail ?? body.title ?? `HTTP ${status}`)
    this.status = status
    this.code = body.code ?? 'server.error'
    this.params = body.params ?? {}
    this.errors = body.errors ?? []
    this.refused = body.refused ?? []
    this.time = new Date().toISOString()
    this.correlation = correlation
  }
}

export const isProblem = (error: unknown, status?: number): error is Problem =>
  error instanceof Problem && (status === undefined || error.status === status)

/** Message of a failure. A 4xx problem states its own reason; others get `couldNot`, with the reason if known. */
export const failureOf = (error: unknown, couldNot: string): string => {
  if (!isProblem(error)) return couldNot
  if (error.status >= 400 && error.status < 500) return error.message
  return error.status === 0 || error.code === 'server.error' ? couldNot : `${couldNot} (${error.message})`
}

/** Message of a failure below a form with one field: that of the first field, else as above. */
export const fieldFailureOf = (error: unknown, couldNot: string): string =>
  (isProblem(error) ? error.errors[0]?.message : undefined) ?? failureOf(error, couldNot)
