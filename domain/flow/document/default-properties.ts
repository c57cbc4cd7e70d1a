import type { Block } from '#schemas/block.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import { isObject, own } from '#schemas/json.ts'

const made = new WeakMap<BlockFields, JsonObject>()

const initialOf = (field: BlockField): Json => {
  if (field.kind === 'list') return []
  return field.kind === 'group' ? defaultsOf(field.fields) : field.initial
}

const defaultsOf = (fields: BlockFields): JsonObject => {
  const held = made.get(fields)
  if (held !== undefined) return held
  const defaults = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, initialOf(field)]))
  made.set(fields, defaults)
  return defaults
}

const connectors = (ids: readonly { readonly id: string }[]): JsonObject =>
  Object.fromEntries(ids.map(({ id }) => [id, { label: '' }]))

/** The properties of a new block: every field with the specification's default, and its connectors. */
export const defaultProperties = (block: Block): JsonObject => ({
  inputs: connectors(block.inputs),
  outputs: connectors(block.outputs),
  ...defaultsOf(block.fields),
})

/** Properties with the defaults of what they do not say, in the declaration's order; the rest is left as it is. */
export const withDefaults = (fields: BlockFields, properties: JsonObject): JsonObject => {
  const filled: { [name: string]: Json } = { ...defaultsOf(fields), ...properties }
  for (const [name, field] of Object.entries(fields)) {
    const value = field.kind === 'group' ? own(properties, name) : undefined
    if (field.kind === 'group' && isObject(value)) filled[name] = withDefaults(field.fields, value)
  }
  return filled
}

/** Default value of the field with a dotted name, from `fields` down through groups and lists. */
export const initialNamed = (fields: BlockFields, name: string): Json | undefined => {
  const [first = '', ...rest] = name.split('.')
  const field = own(fields, first)
  if (field === undefined) return undefined
  if (rest.length === 0) return initialOf(field)
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.item : {}
  return initialNamed(inner, rest.join('.'))
}
