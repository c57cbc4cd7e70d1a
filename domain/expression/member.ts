/** Own member of a value by name or index: members of objects and arrays, characters and length of texts. */
export const ownMember = (value: unknown, name: unknown): unknown => {
  if (typeof name !== 'string' && typeof name !== 'number') return undefined
  if (typeof value === 'string' || Array.isArray(value))
    return Object.getOwnPropertyDescriptor(Object(value), name)?.value
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
