import type { Json } from '#schemas/event.ts'

/** The same value with every string that is one of these ids replaced: a copy refers to copies. */
export const withIds = <T>(value: T, ids: Readonly<Record<string, string>>): T =>
  Object.keys(ids).length === 0 ? value : (replaced(value as Json, ids) as T)

const replaced = (value: Json, ids: Readonly<Record<string, string>>): Json => {
  if (typeof value === 'string') return Object.hasOwn(ids, value) ? (ids[value] ?? value) : value
  if (value === null || typeof value !== 'object') return value
  if (isList(value)) return value.map(item => replaced(item, ids))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, ids)]))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
