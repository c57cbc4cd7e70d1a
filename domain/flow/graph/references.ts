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

/** Of a block: the dialog that it runs and comes back from. */
interface Calling {
  readonly type: string
  readonly targets: readonly Reference[]
}

/** Dialogs that a block runs and comes back from, by id. */
export const calledBy = ({ type, targets }: Calling): readonly string[] =>
  type === 'subdialog' ? targets.flatMap(({ to, id }) => (to === 'dialog' ? [id] : [])) : []

/** All dialogs that run this one, directly or through others; `calls`: dialogs that each runs. */
export const callersOf = (calls: ReadonlyMap<string, Iterable<string>>, dialog: string): ReadonlySet<string> => {
  const direct = new Map<string, string[]>()
  for (const [caller, called] of calls) {
    for (const id of called) {
      const held = direct.get(id)
      if (held === undefined) direct.set(id, [caller])
      else held.push(caller)
    }
  }
  const found = new Set<string>()
  const open = [dialog]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const caller of direct.get(id) ?? []) {
      if (found.has(caller)) continue
      found.add(caller)
      open.push(caller)
    }
  }
  return found
}

/** Task and bot of an entity; a member is left out if it is missing or unknown. */
export interface FlowScope {
  readonly dialogtask?: string | undefined
  readonly bot?: string | undefined
}

/**
 * Whether a flow may reference an existing entity: content of another bot and handlers of another task are not allowed.
 * Unknown tasks and bots of a target are allowed.
 */
export const isWithinReach = (to: Reference['to'], target: FlowScope, flow: FlowScope): boolean => {
  if (to === 'bot') return true
  if (to === 'handler') return target.dialogtask === flow.dialogtask
  return target.bot === undefined || flow.bot === undefined || target.bot === flow.bot
}
