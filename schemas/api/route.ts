import type { z } from 'zod'

/** One call of the HTTP API: its input, and its answer on success. */
export interface Route {
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly status: 200 | 201 | 202 | 204
  readonly answer: z.ZodType
  /** The answer is a file: read as a whole or saved, not as JSON. */
  readonly file?: true
}

/** Routes by method and path, path parameters in braces: `GET /bot/{id}/flow/find`. */
type Routes = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Route>>

export const defineRoutes = <const R extends Routes>(routes: R): R => routes
