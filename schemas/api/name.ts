import { z } from 'zod'

/** Schemas that the API's description shows under a name of their own (`components.schemas`). */
export const API_SCHEMAS = z.registry<{ id: string }>()
const names = new Set<string>()

export const isNamed = (id: string): boolean => names.has(id)

export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  names.add(id)
  API_SCHEMAS.add(schema, { id })
  return schema
}
