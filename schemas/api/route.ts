import { z } from 'zod'

/** One call of the HTTP API: its input, and its answer on success. */
export interface Route {
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly status: 200 | 201 | 202 | 204
  readonly answer: z.ZodType
  /** The answer is a file: read as a whole or saved, not as JSON. */
  readonly file?: true
  /** Path parameters that differ from {@link PATH_PARAMS}. */
  readonly params?: z.ZodObject
  /** Group in the OpenAPI document. Default: first part of the path. */
  readonly tag?: string
  /** Media type of a body that is not JSON. */
  readonly consumes?: 'multipart/form-data' | 'text/csv'
  /** Media type of an answer that is not JSON, in the OpenAPI document. */
  readonly produces?: 'text/csv'
}

const key = z.string().max(200)

/** Path parameters by their name in braces. */
export const PATH_PARAMS = {
  id: key,
  /** Of a template of a bot. */
  key,
  level: key,
  message: key,
  /** Of a simulated number. */
  persona: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().max(199)),
  revision: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int()),
}

/** Routes by method and path, path parameters in braces: `GET /bot/{id}/flow/find`. */
type Routes = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Route>>

export const defineRoutes = <const R extends Routes>(routes: R): R => routes
