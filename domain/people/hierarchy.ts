import { hierarchy } from '#schemas/entities/hierarchy.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from '../behaviour.ts'
import { eventOf } from '../entity.ts'

/** Facts about the wanted place of a level. */
interface PlaceFacts {
  /** The wanted parent is inside the level. */
  readonly cycle?: boolean
  /** The parent is not live. */
  readonly orphan?: boolean
  /** The wanted parent does not exist for the caller. */
  readonly unknown?: boolean
  /** The present parent does not exist for the caller: the level is the top of what they see. */
  readonly top?: boolean
  /** The caller may move levels. */
  readonly mover?: boolean
}

export interface HierarchyFacts extends PlaceFacts {
  /** Parent of a new level that names none. */
  readonly level?: string
  /** No level exists yet. */
  readonly rootless?: boolean
  /** Things, people and levels in it. */
  readonly occupants?: number
}

/** Permission to move a level to another parent, for every command. */
export const MOVE_PERMISSION = 'movehierarchy'

export const hierarchyBehaviour = {
  commands: {
    move: {
      decide(state, { parent = null }, { facts }) {
        const placed = checkPlace(state, parent, facts)
        if (!placed.ok) return placed
        return accepted(parent === state.fields.parent ? [] : [eventOf(hierarchy, 'Moved', { fields: { parent } })])
      },
    },
  },
  onCreate(fields, { facts }) {
    if (facts.rootless === true) return accepted({ ...fields, parent: null })
    const parent: Json = fields.parent ?? facts.level ?? null
    const errors = [...(parent === null ? [PARENT_MISSING] : []), ...alertErrors(fields)]
    return errors.length > 0 ? refused('validation.failed', { errors }) : accepted({ ...fields, parent })
  },
  onChange(state, changes, { facts }) {
    const { parent = state.fields.parent ?? null } = changes
    const placed = checkPlace(state, parent, facts)
    if (!placed.ok) return placed
    const errors = alertErrors({ ...state.fields, ...changes })
    return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(changes)
  },
  onRemove(state, { facts }) {
    const { occupants: count = 0 } = facts
    if (count > 0 || state.fields.parent === null) return refused('entity.occupied', { params: { count } })
    return accepted(null)
  },
} satisfies Behaviour<HierarchyFacts>

/** Alerts are always signed. */
const alertErrors = ({ alert_url: url = null, alert_secret: secret = null }: Live['fields']): readonly FieldError[] =>
  url !== null && url !== '' && secret === null ? [{ path: 'alert_secret', code: 'required' }] : []

const PARENT_MISSING = { path: 'parent', code: 'required' } as const

/** Whether a level may be below this parent; its present place stays allowed. */
const checkPlace = ({ fields }: Pick<Live, 'fields'>, parent: Json, facts: PlaceFacts): Result<null> => {
  if (facts.orphan === true) return refused('entity.parent')
  const isRoot = fields.parent === null
  if (facts.cycle === true || (isRoot && parent !== null))
    return refused('validation.failed', { errors: [{ path: 'parent', code: 'cycle' }] })
  if (!isRoot && parent === null) return refused('validation.failed', { errors: [PARENT_MISSING] })
  if (parent === fields.parent) return accepted(null)
  if (facts.unknown === true) return refused('validation.failed', { errors: [{ path: 'parent', code: 'reference' }] })
  if (facts.mover === false) return refused('access.lacking', { params: { permissions: [MOVE_PERMISSION] } })
  return facts.top === true ? refused('access.forbidden') : accepted(null)
}
