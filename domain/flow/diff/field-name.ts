import * as Y from 'yjs'
import { fieldAt } from '../document/location.ts'
import { unescapeKey } from '../document/shape.ts'

/** The dotted name for display: a list's name covers changes in its items. */
const propertyName = (type: string, keys: readonly string[]): string | undefined => {
  const names: string[] = []
  for (const key of keys) {
    const name = unescapeKey(key, false)
    if (name === undefined) return names.length === 0 ? undefined : names.join('.')
    names.push(name)
    const field = fieldAt(type, names)
    if (field === undefined || field.kind !== 'group') break
  }
  const name = names.join('.')
  return ['type', 'title', 'pos'].includes(name) ? `properties.${name}` : name
}

/**
 * The field that a place in a block belongs to: `title`, `pos`, or a property's dotted name. `keys` lead down from the
 * block's map; undefined for what no person knows.
 */
export const fieldName = (type: string, keys: readonly string[]): string | undefined => {
  const [first, ...names] = keys
  if (first !== 'properties') return first
  return names.length === 0 ? 'properties' : propertyName(type, names)
}

/** The type of a block's map, '' where it has none. */
export const typeOf = (node: unknown): string => {
  const type = node instanceof Y.Map ? node.get('type') : undefined
  return typeof type === 'string' ? type : ''
}
