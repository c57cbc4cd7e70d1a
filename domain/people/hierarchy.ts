import type { Json } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from '../behaviour.ts'

export interface HierarchyFacts {
  /** Parent of a new level that names none. */
  readonly level?: string
  /** No level exists yet. */
  readonly rootless?: boolean
  /** The wanted parent lies in the level itself. */
  readonly cycle?: boolean
  /** The parent is not live. */
  readonly orphan?: boolean
  /** Things, people and levels in it. */
  readonly occupants?: number
}

export const hierarchyBehaviour: Behaviour<HierarchyFacts> = {
  commands: {},
  onCreate(fields, { facts }) {
    if (facts.rootless === true) return accepted({ ...fields, parent: null })
    const parent: Json = fields.parent ?? facts.level ?? null
    return parent === null
      ? refused('validation.failed', { errors: [PARENT_MISSING] })
      : accepted({ ...fields, parent })
  },
  onChange(state, changes, { facts }) {
    if (facts.orphan === true) return refused('entity.parent')
    if (facts.cycle === true) return refused('validation.failed', { errors: [{ path: 'parent', code: 'cycle' }] })
    const isRoot = state.fields.parent === null
    const uprooted = 'parent' in changes && (changes.parent === null) !== isRoot
    if (!uprooted) return accepted(changes)
    const errors = [isRoot ? ({ path: 'parent', code: 'cycle' } as const) : PARENT_MISSING]
    return refused('validation.failed', { errors })
  },
  onRemove(state, { facts }) {
    const { occupants: count = 0 } = facts
    if (count > 0 || state.fields.parent === null) return refused('entity.occupied', { params: { count } })
    return accepted(null)
  },
}

const PARENT_MISSING = { path: 'parent', code: 'required' } as const
