import type { JsonObject } from '#schemas/event.ts'

/** Version 1 named the scope `user` of a variable `userdata`. */
export const variableScope = (data: JsonObject): JsonObject => {
  const fields = data.fields as JsonObject
  return fields.scope === 'userdata' ? { ...data, fields: { ...fields, scope: 'user' } } : data
}
