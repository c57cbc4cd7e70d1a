import type { Json } from '#schemas/event.ts'

const MAX_ERRORS = 20

/** Dotted paths of strings that are not well-formed Unicode, keys included. */
export const illFormed = (root: Json): readonly string[] => {
  const found: string[] = []
  const open: { value: Json; path: string }[] = [{ value: root, path: '' }]
  for (let place = open.pop(); place !== undefined && found.length < MAX_ERRORS; place = open.pop()) {
    const { value, path } = place
    if (typeof value === 'string' && !value.isWellFormed()) found.push(path)
    if (value === null || typeof value !== 'object') continue
    for (const [key, member] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (!key.isWellFormed()) found.push(inner.toWellFormed())
      open.push({ value: member as Json, path: inner })
    }
  }
  return found
}
