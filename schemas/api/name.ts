import { z } from 'zod'

/** Schemas that the API's description shows under a name of their own (`components.schemas`). */
export const API_SCHEMAS = z.registry<{ id: string }>()
const schemas = new Map<string, z.ZodType>()

export const isNamed = (id: string): boolean => schemas.has(id)

export const namedSchemas = (): readonly (readonly [string, z.ZodType])[] => [...schemas]

export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  schemas.set(id, schema)
  API_SCHEMAS.add(schema, { id })
  return schema
}
