import type { Fields } from '#domain/entity.ts'
import type { Supposition } from '#domain/people/directory.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Run } from '../run.ts'
import type { Tools } from '../tools.ts'

const NO_PERMISSIONS: ReadonlySet<string> = new Set()

export interface Effect {
  /** Permissions that the thing gives as it is and as it would be. */
  readonly before?: ReadonlySet<string>
  readonly after?: ReadonlySet<string>
  /** How things would be, where that can take somebody's right to administer people. */
  readonly supposing?: Supposition
}

/** The facts of `domain/people/right.ts`. The system grants what it likes. */
export const rightsFacts = async ({ lookup }: Tools, { command }: Run, effect: Effect): Promise<JsonObject> => {
  const { before = NO_PERMISSIONS, after = NO_PERMISSIONS, supposing } = effect
  const { caller } = command
  const lacking =
    caller.user === null ? [] : [...after.difference(before)].filter(permission => !caller.permits(permission)).sort()
  const ends =
    supposing !== undefined &&
    (await lookup.administrators(supposing)).length === 0 &&
    (await lookup.administrators()).length > 0
  return { lacking, lastadministrator: ends }
}

export const idsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(id => typeof id === 'string') : []

/** Whether following `parent` from a thing's wanted parent leads back to the thing. */
export const closesCycle = async (
  { loader }: Tools,
  { entity }: Run,
  id: string,
  parent: Json | undefined,
): Promise<boolean> => {
  const seen = new Set<string>()
  for (let above = parent ?? null; typeof above === 'string' && !seen.has(above); ) {
    if (above === id) return true
    seen.add(above)
    const { state } = await loader.load(entity, above)
    above = state.status === 'live' ? (state.fields.parent ?? null) : null
  }
  return false
}

/** Nothing of a thing that is not there counts as had before. */
export const presentFields = (state: { readonly status: string; readonly fields?: Fields }): Fields =>
  state.status === 'live' ? (state.fields ?? {}) : {}
