import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import type { HypotheticalChange } from '#domain/people/directory.ts'
import { neededToGive, type RightsFacts } from '#domain/people/permission.ts'
import type { Json } from '#schemas/event.ts'
import { awaitLookup, type CommandContext, type Run } from '../pipeline/command-context.ts'

const NO_PERMISSIONS: ReadonlySet<string> = new Set()

export interface Effect {
  /** Permissions that the thing gives as it is and as it would be. */
  readonly before?: ReadonlySet<string>
  readonly after?: ReadonlySet<string>
  /** State after the command, if it can revoke a user's right to administer people. */
  readonly supposing?: HypotheticalChange
}

/** The system may grant every permission. */
export const loadRightsFacts = async (context: CommandContext, run: Run, effect: Effect): Promise<RightsFacts> => {
  const { before = NO_PERMISSIONS, after = NO_PERMISSIONS, supposing } = effect
  const { caller } = run.command
  const lacking =
    caller.user === null
      ? []
      : [...neededToGive(after.difference(before))].filter(permission => !caller.permits(permission)).sort()
  return { lacking, lastadministrator: supposing !== undefined && (await endsAdministration(context, run, supposing)) }
}

/** Lock stream for revoking rights; a command locks it from its decision to its append. */
const ADMINISTRATION = 'name-administration'

/**
 * Whether no user could administer people any more. Two nodes that revoke the rights of the last two would each find
 * the other: revoking takes a lock and decides on the previous holder's writes.
 */
const endsAdministration = async (
  context: CommandContext,
  run: Run,
  supposing: HypotheticalChange,
): Promise<boolean> => {
  const { author, reserved } = run
  const owner = { entity: supposing.entity, id: supposing.id }
  const { present, supposed } = await administratorsNow(context, supposing)
  if (present.every(id => supposed.includes(id))) return false
  reserved.set(ADMINISTRATION, owner)
  await context.reservation.reserve(author, owner, ADMINISTRATION)
  const held = await administratorsNow(context, supposing)
  return held.supposed.length === 0 && held.present.length > 0
}

/** Lets the next one decide; does nothing where the lock was not needed. */
export const releaseAdministration = async (
  { reservation }: CommandContext,
  { author, reserved }: Run,
): Promise<void> => {
  const owner = reserved.get(ADMINISTRATION)
  if (owner === undefined) return
  await reservation.release(author, owner, ADMINISTRATION)
  reserved.delete(ADMINISTRATION)
}

const administratorsNow = async (context: CommandContext, supposing: HypotheticalChange) => {
  await awaitLookup(context)
  const present = await context.lookup.administrators()
  return { present, supposed: await context.lookup.administrators(supposing) }
}

export const idsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(id => typeof id === 'string') : []

/** Whether following the reference `field` from a thing's wanted parent leads back to the thing. */
export const closesCycle = async (
  { loader }: CommandContext,
  { entity }: Run,
  id: string,
  parent: Json | undefined,
  field = 'parent',
): Promise<boolean> => {
  const seen = new Set<string>()
  for (let above = parent ?? null; typeof above === 'string' && !seen.has(above); ) {
    if (above === id) return true
    seen.add(above)
    const { state } = await loader.load(entity, above)
    above = state.status === 'live' ? (state.fields[field] ?? null) : null
  }
  return false
}

/** Fields of a live thing; a removed one grants nothing. */
export const presentFields = (state: EntityState): Fields => (state.status === 'live' ? state.fields : {})

/**
 * All fields as the command leaves them, null where it removes the thing. A removed thing comes back with every field that
 * it had, not only with those that the command names.
 */
export const fieldsAfter = ({ command }: Run, state: EntityState, changes: Fields): Fields | null =>
  command.action === 'remove' ? null : { ...('fields' in state ? state.fields : {}), ...changes }
