import type { z } from 'zod'

/** A route's schema that is built on its first use: most of the hundreds of routes are never called in a process. */
class DeferredSchema {
  readonly #build: () => z.ZodType
  #schema: z.ZodType | undefined

  constructor(build: () => z.ZodType) {
    this.#build = build
  }

  get schema(): z.ZodType {
    this.#schema ??= this.#build()
    return this.#schema
  }
}

export type RouteSchema = z.ZodType | DeferredSchema

export const deferSchema = (build: () => z.ZodType): DeferredSchema => new DeferredSchema(build)

export const builtSchema = (schema: RouteSchema): z.ZodType =>
  schema instanceof DeferredSchema ? schema.schema : schema
