import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { awaitLookup } from '../process/descendants.ts'
import { isVisible } from './parent-level.ts'

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
  context: CommandContext,
  caller: Caller,
  referrer: Referrer,
  given: Fields,
): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(given)) {
    const to = referrer.entity.fields[name]?.to
    if (to === undefined) continue
    for (const { id, path } of idsIn(name, value)) {
      if (!(await mayPointAt(context, caller, referrer, to, id))) errors.push({ path, code: 'reference' })
    }
  }
  return errors
}

const idsIn = (name: string, value: Json): { id: string; path: string }[] => {
  if (typeof value === 'string') return [{ id: value, path: name }]
  if (!Array.isArray(value)) return []
  return value.map((id, index) => ({ id: String(id), path: `${name}.${index}` }))
}

const mayPointAt = async (context: CommandContext, caller: Caller, referrer: Referrer, to: string, id: string) => {
  const target = context.entityOf(to)
  if (target === undefined) return false
  const { state } = await context.loader.load(target, id)
  if (state.status !== 'live' || !(await isInSamePlace(context, referrer, target, state))) return false
  if (isVisible(caller, target, state)) return true
  if (!ASSIGNED_FROM_ABOVE.has(to) || referrer.level === null || state.level === null) return false
  await awaitLookup(context)
  return (await context.lookup.ancestors(referrer.level)).includes(state.level)
}

/**
 * A nested entity may be referenced only from its own parent's contents, at any depth: a dialog of a task, from
 * entities in the bot of that task.
 */
const isInSamePlace = async (
  context: CommandContext,
  { entity, id, fields }: Referrer,
  target: EntityDeclaration,
  state: EntityState,
): Promise<boolean> => {
  const beside = parentField(entity)
  for (let at: EntityDeclaration | undefined = target, found = state; at !== undefined && found.status === 'live'; ) {
    const parent = parentField(at)
    if (parent === undefined) return true
    const parentId: Json = found.fields[parent] ?? null
    if (parent === entity.name) return parentId === id
    if (parent === beside) return parentId === fields[parent]
    at = context.entityOf(parent)
    if (at === undefined || typeof parentId !== 'string') return true
    found = (await context.loader.load(at, parentId)).state
  }
  return true
}
