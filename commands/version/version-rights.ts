import { differing, initialFields } from '#domain/entity.ts'
import { withWholeItems } from '#domain/field/stored-items.ts'
import { thingsIn, versionedValues } from '#domain/version.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/entity.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { VersionFile, VersionThing } from '#schemas/version-file.ts'
import { isVersioned, VERSION_ROOT } from '#schemas/versioned.ts'
import { type CommandContext, loadThing, permissionFor } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { TimeSlicer } from '../time-slicer.ts'
import type { Preview } from './preview.ts'

const MAX_NAMED = 20

const lackingOf = ({ user, permits }: Caller, needed: ReadonlySet<string>): Result<null> => {
  const permissions = user === null ? [] : [...needed].filter(permission => !permits(permission)).sort()
  return permissions.length === 0
    ? accepted(null)
    : refused('access.lacking', { params: { permissions: permissions.slice(0, MAX_NAMED) } })
}

/** Applying a version needs the same permissions as making each of its changes by hand. */
export const checkApply = async (
  context: CommandContext,
  caller: Caller,
  steps: readonly Step[],
): Promise<Result<null>> => {
  const needed = new Set<string>()
  const slices = new TimeSlicer()
  for (const step of steps) {
    await slices.pause()
    const entity = context.entityOf(step.entity)
    const action = entity && (await actionOf(context, step, entity))
    if (entity !== undefined && action !== undefined) needed.add(permissionFor(context.registry, entity, action))
  }
  return lackingOf(caller, needed)
}

/** Action of a step on an entity; undefined for an empty change, and for the version's own records. */
const actionOf = async (
  context: CommandContext,
  step: Step,
  entity: EntityDeclaration,
): Promise<string | undefined> => {
  switch (step.do) {
    case 'create':
    case 'remove':
    case 'restore':
      return step.do
    case 'applyflow':
      return 'importflow'
    case 'publishapplied':
      return 'publish'
    case 'change': {
      const { state } = await loadThing(context, entity, step.id)
      if (state.status !== 'live') return undefined
      // Stored items have members that a version leaves out.
      const fields = withWholeItems(entity.fields, state.fields, step.fields, path => path)
      return Object.keys(differing(state.fields, fields)).length > 0 ? 'change' : undefined
    }
    default:
      return undefined
  }
}

/** Entities readable through their parent have no own read permission. */
const readOf = (entities: readonly EntityDeclaration[]): ReadonlySet<string> =>
  new Set(entities.flatMap(({ name, rights }) => (rights === undefined ? [`read${name}`] : [])))

/** A singleton is in every file and carries no information until it is set. */
const isAtDefaults = (entity: EntityDeclaration, thing: VersionThing): boolean =>
  isSingle(entity) && Object.keys(differing(initialFields(entity), versionedValues(entity, thing))).length === 0

const VERSIONED: readonly EntityDeclaration[] = Object.values<EntityDeclaration>(ENTITIES).filter(isVersioned)

/** Whether the caller may read every kind of entity in a version file. */
export const mayReadAll = (caller: Caller): boolean => [...readOf(VERSIONED)].every(caller.permits)

/**
 * A version file, and the preview of one, may be seen by those who may read every kind of thing in it. Nothing is left
 * out instead: applying an incomplete file would remove what it lacks.
 */
export const checkRead = (caller: Caller, file: VersionFile, preview?: Preview): Result<null> => {
  const present = new Set([
    VERSION_ROOT,
    ...thingsIn(ENTITIES, file).flatMap(({ entity, thing }) => (isAtDefaults(entity, thing) ? [] : [entity.name])),
    ...(preview?.things ?? []).map(({ entity }) => entity),
  ])
  return lackingOf(caller, readOf(VERSIONED.filter(({ name }) => present.has(name))))
}
