import type { Json, JsonObject } from '#schemas/event.ts'

/** Whether two values are the same JSON, in any order of members. */
export const same = (a: Json, b: Json): boolean => {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (isList(a) || isList(b)) {
    return isList(a) && isList(b) && a.length === b.length && a.every((item, index) => same(item, b[index] ?? null))
  }
  return sameMembers(a, b)
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const sameMembers = (a: JsonObject, b: JsonObject): boolean => {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(name => Object.hasOwn(b, name) && same(a[name] ?? null, b[name] ?? null))
}
