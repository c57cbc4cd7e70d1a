import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { BlockFields, ReferenceField } from '#schemas/flow/block-field.ts'
import { isSystemSchema } from '#schemas/system-schema.ts'
import { isObject, own } from '../document/json.ts'
import type { NodeModel } from '../document/model.ts'

/** Something outside of the flow that a block points to. */
export interface Reference {
  readonly to: Exclude<ReferenceField['to'], 'block' | 'variable'>
  readonly id: string
}

const collect = (fields: BlockFields, values: JsonObject): readonly Reference[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = own(values, name)
    if (field.kind === 'group' && isObject(value)) return collect(field.fields, value)
    if (field.kind === 'list' && Array.isArray(value)) {
      return value.filter(isObject).flatMap(item => collect(field.item, item))
    }
    if (field.kind !== 'reference' || field.to === 'block' || field.to === 'variable') return []
    if (field.to === 'variableschema' && typeof value === 'string' && isSystemSchema(value)) return []
    return typeof value === 'string' && value !== '' ? [{ to: field.to, id: value }] : []
  })

const known = new WeakMap<NodeModel, readonly Reference[]>()

/** What a block points to outside of its flow, by id; remembered for each state of a block. */
export const referencesOf = (node: NodeModel): readonly Reference[] => {
  const held = known.get(node)
  if (held !== undefined) return held
  const found = collect(blockOf(node.type)?.fields ?? {}, node.properties)
  known.set(node, found)
  return found
}
