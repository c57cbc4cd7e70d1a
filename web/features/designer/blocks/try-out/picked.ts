import { own } from '#domain/flow/document/json.ts'
import type { JsonObject } from '#schemas/event.ts'

/** The members of these names that an object has. */
export const picked = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = own(object, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
