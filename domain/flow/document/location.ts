import * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { own } from '#schemas/json.ts'
import { nodeOf, propertiesOf } from './document.ts'
import { escapeKey } from './shape.ts'
import type { SharedMap } from './shared.ts'

/**
 * Path of a field: names from `properties` down, a list's item by its id, e.g. `['data', 'text']` or `['conditions',
 * branch, 'rules', rule, 'values']`.
 */
export type FieldPath = readonly [string, ...string[]]

interface Location {
  /** The map that holds the entry. */
  readonly map: SharedMap
  readonly key: string
  /** Undefined for what no declaration knows. */
  readonly field: BlockField | undefined
}

const declared = (fields: BlockFields, path: readonly string[]): BlockField | undefined => {
  const [name, ...rest] = path
  const field = name === undefined ? undefined : own(fields, name)
  if (field === undefined || rest.length === 0) return field
  if (field.kind === 'group') return declared(field.fields, rest)
  return field.kind === 'list' && rest.length > 1 ? declared(field.item, rest.slice(1)) : undefined
}

/** The declaration of the field at a path of a type; undefined for an item itself and for the unknown. */
export const fieldAt = (type: string, path: readonly string[]): BlockField | undefined => {
  const block = blockOf(type)
  return block === undefined ? undefined : declared(block.fields, path)
}

/** The place of a path in a block; groups on the way are made if absent, items are not. Undefined if there is none. */
export const locate = (doc: Y.Doc, id: string, path: FieldPath): Location | undefined => {
  const type = nodeOf(doc, id)?.get('type')
  let map = propertiesOf(doc, id)
  let inItem = false
  for (const [index, name] of path.slice(0, -1).entries()) {
    if (map === undefined) return undefined
    const field = typeof type === 'string' ? fieldAt(type, path.slice(0, index + 1)) : undefined
    const key: string = field === undefined && isItemStep(type, path, index) ? name : escapeKey(name, inItem)
    inItem = isItemStep(type, path, index)
    if (!map.has(key) && (field?.kind === 'group' || field?.kind === 'list')) map.set(key, new Y.Map())
    const next: unknown = map.get(key)
    map = next instanceof Y.Map ? next : undefined
  }
  const last = path.at(-1)
  if (map === undefined || last === undefined) return undefined
  const field = typeof type === 'string' ? fieldAt(type, path) : undefined
  const itself = isItemStep(type, path, path.length - 1)
  return { map, key: itself ? last : escapeKey(last, inItem), field }
}

const isItemStep = (type: unknown, path: readonly string[], index: number): boolean =>
  typeof type === 'string' && index > 0 && fieldAt(type, path.slice(0, index))?.kind === 'list'
