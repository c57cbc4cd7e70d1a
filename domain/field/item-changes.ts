import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual } from '#schemas/json.ts'
import { itemsOf } from './stored-items.ts'

interface ItemChange {
  /** `headers`, `headers.0` or `headers.0.value`: positions are those after the change, of a removed item before it. */
  readonly path: string
  readonly before: Json
  readonly after: Json
  /** A secret changed: before and after are null. */
  readonly secret?: true
}

const isSecret = (value: Json | undefined): boolean => typeof value === 'object' && value !== null && 'set' in value

/** Changes of a list of groups, item by item; the whole list if it was or becomes empty, or only its order changed. */
export const itemChanges = (path: string, before: Json, after: Json): readonly ItemChange[] => {
  const old = new Map(itemsOf(before).map((item, index) => [item.id, { item, index }]))
  const items = itemsOf(after)
  if (old.size === 0 || items.length === 0) return [{ path, before, after }]
  const ids = new Set(items.map(({ id }) => id))
  const removed = [...old.values()].filter(({ item }) => !ids.has(item.id))
  const changes = [
    ...removed.map(({ item, index }) => ({ path: `${path}.${index}`, before: masked(item), after: null })),
    ...items.flatMap((item, index) => {
      const known = old.get(item.id)
      if (known === undefined) return [{ path: `${path}.${index}`, before: null, after: masked(item) }]
      return memberChanges(`${path}.${index}`, known.item, item)
    }),
  ]
  return changes.length === 0 ? [{ path, before, after }] : changes
}

const memberChanges = (path: string, before: JsonObject, after: JsonObject): readonly ItemChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): readonly ItemChange[] => {
    const [old, value] = [before[name] ?? null, after[name] ?? null]
    if (jsonEqual(old, value)) return []
    if (isSecret(old) || isSecret(value)) return [{ path: `${path}.${name}`, before: null, after: null, secret: true }]
    return [{ path: `${path}.${name}`, before: old, after: value }]
  })

const masked = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, isSecret(value) ? { set: true } : value]))
