import type { Json, JsonObject } from '#schemas/event.ts'
import { variableScope } from '../upcasters/variable-scope.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts a version file to the present format. Any other input stays unchanged. */
export const upcastFile = (file: Json): Json => {
  if (!isObject(file) || !Array.isArray(file.variables)) return file
  const variables = file.variables.map(thing => (isObject(thing) ? variableScope({ fields: thing }).fields : thing))
  return { ...file, variables } as JsonObject
}
