import type { Json } from '#schemas/event.ts'

/** JSON with members in code-unit order and no white space: the same text for the same value, for hashing. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
