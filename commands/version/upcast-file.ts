import type { Json, JsonObject } from '#schemas/event.ts'
import { variableScope } from '../upcasters/variable-scope.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A version file in today's shape. What is no version file at all is left as it is. */
export const upcastFile = (file: Json): Json => {
  if (!isObject(file) || !Array.isArray(file.variables)) return file
  const variables = file.variables.map(thing => (isObject(thing) ? variableScope({ fields: thing }).fields : thing))
  return { ...file, variables } as JsonObject
}
