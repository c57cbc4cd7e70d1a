import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { Tools } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { lookedUp } from '../process/contents.ts'
import { isVisible } from './visibility.ts'

/** Assigned to things of the levels below theirs, though not opened from there. */
const ASSIGNED_FROM_ABOVE: ReadonlySet<string> = new Set(['role', 'usergroup'])

interface Referrer {
  readonly entity: EntityDeclaration
  /** Empty for what is about to be made. */
  readonly id: string
  readonly level: string | null
  /** All fields as they will be. */
  readonly fields: Fields
}

/** The references among `given` that do not point at something live which this thing may point at. */
export const referenceErrors = async (
  tools: Tools,
  caller: Caller,
  referrer: Referrer,
  given: Fields,
): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(given)) {
    const to = referrer.entity.fields[name]?.to
    if (to === undefined) continue
    for (const { id, path } of idsIn(name, value)) {
      if (!(await mayPointAt(tools, caller, referrer, to, id))) errors.push({ path, code: 'reference' })
    }
  }
  return errors
}

const idsIn = (name: string, value: Json): { id: string; path: string }[] => {
  if (typeof value === 'string') return [{ id: value, path: name }]
  if (!Array.isArray(value)) return []
  return value.map((id, index) => ({ id: String(id), path: `${name}.${index}` }))
}

const mayPointAt = async (tools: Tools, caller: Caller, referrer: Referrer, to: string, id: string) => {
  const target = tools.entityOf(to)
  if (target === undefined) return false
  const { state } = await tools.loader.load(target, id)
  if (state.status !== 'live' || !isInSamePlace(referrer, target, state)) return false
  if (isVisible(caller, target, state)) return true
  if (!ASSIGNED_FROM_ABOVE.has(to) || referrer.level === null || state.level === null) return false
  await lookedUp(tools)
  return (await tools.lookup.ancestors(referrer.level)).includes(state.level)
}

/** What lies in something is pointed at from there, or from what lies beside it. */
const isInSamePlace = ({ entity, id, fields }: Referrer, target: EntityDeclaration, state: EntityState): boolean => {
  const parent = parentField(target)
  if (parent === undefined || state.status !== 'live') return true
  if (parent === entity.name) return state.fields[parent] === id
  return parent === parentField(entity) ? state.fields[parent] === fields[parent] : true
}
