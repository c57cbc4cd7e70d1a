import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields, ReferenceField } from '#schemas/flow/block-field.ts'
import { isObject, own } from '#schemas/json.ts'
import { isSystemSchema } from '#schemas/system-schema.ts'
import type { NodeModel } from '../document/model.ts'

/** Something outside of the flow that a block points to. */
export interface Reference {
  readonly to: Exclude<ReferenceField['to'], 'block' | 'variable'>
  readonly id: string
}

/** A reference and the property that holds it, dotted within groups and lists. */
interface HeldReference extends Reference {
  readonly field: string
}

const collect = (fields: BlockFields, values: JsonObject, within = ''): readonly HeldReference[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = own(values, name)
    if (field.kind === 'group' && isObject(value)) return collect(field.fields, value, `${within}${name}.`)
    if (field.kind === 'list' && Array.isArray(value)) {
      return value.filter(isObject).flatMap(item => collect(field.item, item, `${within}${name}.`))
    }
    if (field.kind !== 'reference' || field.to === 'block' || field.to === 'variable') return []
    if (field.to === 'variableschema' && typeof value === 'string' && isSystemSchema(value)) return []
    return typeof value === 'string' && value !== '' ? [{ to: field.to, id: value, field: within + name }] : []
  })

const known = new WeakMap<NodeModel, readonly HeldReference[]>()

/** Ids that a block references outside of its flow; cached for each state of a block. */
export const referencesOf = (node: NodeModel): readonly HeldReference[] => {
  const held = known.get(node)
  if (held !== undefined) return held
  const found = collect(blockOf(node.type)?.fields ?? {}, node.properties)
  known.set(node, found)
  return found
}

const holdsReference = (field: BlockField): boolean => {
  if (field.kind === 'group') return Object.values(field.fields).some(holdsReference)
  if (field.kind === 'list') return Object.values(field.item).some(holdsReference)
  return field.kind === 'reference' && field.to !== 'block' && field.to !== 'variable'
}

const referenceFields = new Map<string, ReadonlySet<string>>()

/** Properties of a block type that hold, at any depth, a reference to something outside of the flow. */
export const referenceFieldsOf = (type: string): ReadonlySet<string> => {
  const known = referenceFields.get(type)
  if (known !== undefined) return known
  const fields = Object.entries(blockOf(type)?.fields ?? {}).filter(([, field]) => holdsReference(field))
  const names = new Set(fields.map(([name]) => name))
  if (blockOf(type) !== undefined) referenceFields.set(type, names)
  return names
}
