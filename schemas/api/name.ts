import { z } from 'zod'

/** Schemas that the API's description shows under a name of their own (`components.schemas`). */
export const API_SCHEMAS = z.registry<{ id: string }>()

export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  API_SCHEMAS.add(schema, { id })
  return schema
}
