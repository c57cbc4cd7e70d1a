import { type EntityDeclaration, isSingle, parentField, singleParent } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { EntityEvent } from '#schemas/events/entity.ts'
import { jsonEqual } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { DomainEvent, EntityState, Live } from './behaviour.ts'
import { initialValues } from './field/stored-items.ts'

export type Fields = Live['fields']
type ExistingState = Exclude<EntityState, { status: 'none' } | { status: 'abandoned' }>

/** Parts of a stored event for a state. */
interface Recorded {
  readonly type: string
  readonly revision: number
  readonly level: string | null
  readonly data: EntityEvent
}

export const NONE: EntityState = { status: 'none', revision: 0 }

export const evolve = (entity: EntityDeclaration, id: string, state: EntityState, event: Recorded): EntityState => {
  const { revision, level } = event
  if (isSingle(entity) && state.status === 'none') return merged(singleState(entity, id, level), 'live', event)
  switch (event.type) {
    case `${entity.type}Created`:
      return { status: 'live', id, revision, level, fields: { ...initialFields(entity), ...event.data.fields } }
    case `${entity.type}Abandoned`:
      return { status: 'abandoned', revision }
    case `${entity.type}Removed`:
      return isKnown(state) ? merged(state, 'removed', event) : state
    case `${entity.type}Restored`:
      return isKnown(state) ? merged(state, 'live', event) : state
    case `${entity.type}Transferred`:
      return isKnown(state) ? merged({ ...state, level }, state.status, event) : state
    default:
      return isKnown(state) ? merged(state, state.status, event) : state
  }
}

/** The only one in its parent, before its first change. */
export const singleState = (entity: EntityDeclaration, id: string, level: string | null): Live => ({
  status: 'live',
  id,
  revision: 0,
  level,
  fields: { ...initialFields(entity), ...singleParent(entity, id) },
})

const isKnown = (state: EntityState): state is ExistingState => state.status === 'live' || state.status === 'removed'

const merged = (state: ExistingState, status: ExistingState['status'], event: Recorded): EntityState => ({
  ...state,
  status,
  revision: event.revision,
  fields: { ...state.fields, ...event.data.fields },
})

/** Every field with its initial value. */
export const initialFields = (entity: EntityDeclaration): Fields => initialValues(entity.fields)

export const eventOf = (entity: EntityDeclaration, verb: string, data: EntityEvent): DomainEvent => ({
  type: entity.type + verb,
  version: 1,
  data: data as DomainEvent['data'],
})

/** The same event, with what caused it besides the caller. */
export const withSource = (event: DomainEvent, source: EntityEvent['source']): DomainEvent => ({
  ...event,
  data: { ...event.data, source } as DomainEvent['data'],
})

/** The same event with these fields. */
export const withFields = (event: DomainEvent, fields: Fields): DomainEvent => ({
  ...event,
  data: { ...event.data, fields } as DomainEvent['data'],
})

export const decideCreate = (entity: EntityDeclaration, fields: Fields): readonly DomainEvent[] => [
  eventOf(entity, 'Created', { fields: { ...initialFields(entity), ...fields } }),
]

/**
 * A change made against `base`, the fields as its author saw them (absent: against the present). Concurrent changes
 * merge; the same field with another value is `entity.conflict`.
 */
export const decideChange = (
  entity: EntityDeclaration,
  state: Live,
  changes: Fields,
  base?: Fields,
): Result<readonly DomainEvent[]> => {
  const conflicts = base === undefined ? [] : conflictsOf(state.fields, changes, base)
  if (conflicts.length > 0) return refused('entity.conflict', { errors: conflicts })
  const fields = differing(state.fields, changes)
  return accepted(Object.keys(fields).length === 0 ? [] : [eventOf(entity, 'Changed', { fields })])
}

/** An action's values, and of its input what has the name of a field. */
export const decideSetting = (
  entity: EntityDeclaration,
  state: Live,
  values: Fields,
  input: Fields,
): Result<readonly DomainEvent[]> => {
  const kept = Object.entries(input).filter(([name]) => Object.hasOwn(entity.fields, name))
  const fields = differing(state.fields, { ...values, ...Object.fromEntries(kept) })
  return accepted(Object.keys(fields).length === 0 ? [] : [eventOf(entity, 'Changed', { fields })])
}

/** The fields of `wanted` whose value is another than in `present`. */
export const differing = (present: Fields, wanted: Fields): Fields =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !jsonEqual(present[name] ?? null, value)))

const conflictsOf = (present: Fields, changes: Fields, base: Fields): FieldError[] =>
  Object.entries(changes).flatMap(([path, yours]) => {
    const before: Json = base[path] ?? null
    const theirs: Json = present[path] ?? null
    return jsonEqual(before, theirs) || jsonEqual(theirs, yours)
      ? []
      : [{ path, code: 'conflict', before, yours, theirs }]
  })

export const decideRemove = (entity: EntityDeclaration, fields: Fields = {}): readonly DomainEvent[] => [
  eventOf(entity, 'Removed', { fields }),
]

/** Brings every field that people can change back to its default. */
export const decideReset = (entity: EntityDeclaration, state: Live): readonly DomainEvent[] => {
  const initial = initialFields(entity)
  const wanted = Object.fromEntries(resettable(entity).map(name => [name, initial[name] ?? null]))
  const fields = differing(state.fields, wanted)
  return Object.keys(fields).length === 0 ? [] : [eventOf(entity, 'Changed', { fields })]
}

const resettable = (entity: EntityDeclaration): readonly string[] =>
  Object.entries(entity.fields).flatMap(([name, { readonly, fixed }]) => (readonly || fixed ? [] : [name]))

/** Brings `fields`, as they stood at revision `from`, back; a removed thing comes back with them. */
export const decideRestore = (
  entity: EntityDeclaration,
  state: ExistingState,
  fields: Fields,
  from: number,
): readonly DomainEvent[] => {
  if (state.status === 'removed') {
    return [eventOf(entity, 'Restored', { fields: { ...state.fields, ...fields }, from })]
  }
  const changed = differing(state.fields, fields)
  return Object.keys(changed).length === 0 ? [] : [eventOf(entity, 'Restored', { fields: changed, from })]
}

/** Names of the fields that restoring may touch: not what only named commands set, nor what never changes. */
export const restorable = (entity: EntityDeclaration): readonly string[] =>
  Object.entries(entity.fields)
    .filter(([, field]) => !field.readonly && !field.fixed && field.kind !== 'password')
    .map(([name]) => name)

/** Parent entity of these fields; undefined if the parent field is optional and empty. */
export const parentIn = (entity: EntityDeclaration, fields: Readonly<Record<string, Json>>): string | undefined => {
  const parent = parentField(entity)
  if (parent === undefined || entity.withoutParent === undefined) return parent
  return typeof fields[parent] === 'string' ? parent : undefined
}

/** Whether its entities are removed, by separate events, with their parent. */
export const isRemovedWithParent = ({ cardinality, onParentRemoved }: EntityDeclaration): boolean =>
  cardinality !== 'one' && onParentRemoved !== 'refuse'

/** Whether things of an entity are removed with one of another: by their parent field, or by `onTargetRemoved`. */
export const isRemovedWith = (child: EntityDeclaration, entity: string): boolean =>
  (parentField(child) === entity && isRemovedWithParent(child)) || child.fields[entity]?.onTargetRemoved === 'remove'
