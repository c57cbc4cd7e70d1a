import type { EntityState } from '#domain/behaviour.ts'
import { differing } from '#domain/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { permissionFor } from '../pipeline/permission.ts'
import type { Caller } from '../port.ts'
import type { Preview } from './preview.ts'

const MAX_NAMED = 20

const lackingOf = ({ user, permits }: Caller, needed: ReadonlySet<string>): Result<null> => {
  const permissions = user === null ? [] : [...needed].filter(permission => !permits(permission)).sort()
  return permissions.length === 0
    ? accepted(null)
    : refused('access.lacking', { params: { permissions: permissions.slice(0, MAX_NAMED) } })
}

/** Applying a version needs the same permissions as making each of its changes by hand. */
export const checkApply = async (tools: Tools, caller: Caller, steps: readonly Step[]): Promise<Result<null>> => {
  const needed = new Set<string>()
  for (const step of steps) {
    const entity = tools.entityOf(step.entity)
    const action = entity && (await actionOf(step, async () => (await tools.loader.load(entity, step.id)).state))
    if (entity !== undefined && action !== undefined) needed.add(permissionFor(tools.registry, entity, action))
  }
  return lackingOf(caller, needed)
}

/** What a step does to a thing; undefined for a change that changes nothing, and for the version's own records. */
const actionOf = async (step: Step, stateOf: () => Promise<EntityState>): Promise<string | undefined> => {
  switch (step.do) {
    case 'create':
    case 'remove':
    case 'restore':
      return step.do
    case 'applyflow':
      return 'importflow'
    case 'change': {
      const state = await stateOf()
      const isChange = state.status === 'live' && Object.keys(differing(state.fields, step.fields)).length > 0
      return isChange ? 'change' : undefined
    }
    default:
      return undefined
  }
}

const KINDS = ['bot', 'dialogtask', 'dialog', 'handler', 'variable', 'variableschema'] as const

/** Whether somebody may read every kind of thing that a version file can hold. */
export const mayReadAll = (caller: Caller): boolean => KINDS.every(kind => caller.permits(`read${kind}`))

/**
 * A version file, and the preview of one, may be seen by those who may read every kind of thing in it. Nothing is left
 * out instead: applying an incomplete file would remove what it lacks.
 */
export const checkRead = (caller: Caller, file: VersionFile, preview?: Preview): Result<null> => {
  const { dialogtasks, variables, variableschemas } = file
  const present = new Set(preview?.settings.map(({ path }) => path.split('.')[0]))
  const holds: Readonly<Record<(typeof KINDS)[number], boolean>> = {
    bot: true,
    dialogtask: dialogtasks.length > 0,
    dialog: dialogtasks.some(({ dialogs }) => dialogs.length > 0) || (preview?.dialogs.length ?? 0) > 0,
    handler: dialogtasks.some(({ handlers }) => handlers.length > 0) || (preview?.handlers.length ?? 0) > 0,
    variable: variables.length > 0,
    variableschema: variableschemas.length > 0,
  }
  const kinds = KINDS.filter(kind => holds[kind] || present.has(kind))
  return lackingOf(caller, new Set(kinds.map(kind => `read${kind}`)))
}
