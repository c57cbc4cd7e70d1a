import type { JsonObject } from '#schemas/event.ts'
import type { Step } from '#schemas/events/entity.ts'
import { restore } from '../generic/restore.ts'
import { type Cleared, clearDanglingReferences } from '../lookup/reference.ts'
import { isClearedOnRemoval, rejectWhileUsed } from '../lookup/used-by.ts'
import { undoneSeed } from '../pipeline/append.ts'
import {
  type Attempt,
  awaitLookup,
  type CommandContext,
  checkConfirmation,
  isVisible,
  listDescendants,
  loadLiveTarget,
  loadTarget,
  type Run,
} from '../pipeline/command-context.ts'
import { WrongRevision } from '../store/port.ts'
import { perform } from './perform.ts'
import { runProcess } from './process-report.ts'

/** Removes an entity and its contents: itself first, so that no new contents are added. */
export const removeTree: Attempt = async (context, run) => {
  const { entity, command } = run
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state } = target.value
  const certain = checkConfirmation(command.input, entity.confirm)
  if (!certain.ok) return certain
  const allowed = await context.registry.rulesOf(entity.name).onRemove(context, run, state)
  if (!allowed.ok) return allowed
  await awaitLookup(context)
  const source = { kind: entity.name, id: state.id }
  const contents = await listDescendants(context, { entity, id: state.id })
  const things = [{ entity, id: state.id }, ...contents]
  const unused = await rejectWhileUsed(context, command.caller, things)
  if (!unused.ok) return unused
  const steps: Step[] = [
    { do: 'remove', entity: entity.name, id: state.id, source, only: state.revision },
    ...contents.map((thing): Step => ({ do: 'remove', entity: thing.entity.name, id: thing.id, source })),
    { do: 'sweep', entity: entity.name, id: state.id },
    ...things
      .filter(thing => isClearedOnRemoval(context, thing.entity))
      .map((thing): Step => ({ do: 'clearholders', entity: thing.entity.name, id: thing.id })),
  ]
  // A reference may have been set since the check; from here on the process makes those who set one wait for its end.
  const isStillUnused = async () => (await rejectWhileUsed(context, command.caller, things)).ok
  return runProcess(context, run, { kind: 'remove', root: state.id, steps }, state.id, undefined, isStillUnused)
}

/** Restores a removed entity with all contents removed with it; a live one is restored like any other. */
export const restoreTree: Attempt = async (context, run) => {
  const { entity, command } = run
  const target = await loadTarget(context, run)
  if (!target.ok || target.value.state.status === 'live') return restore(context, run)
  const { id } = target.value.state
  const removal = await context.processes.latest(id, 'remove')
  const source = { kind: entity.name, id }
  const back: Step[] = []
  const cleared: Cleared[] = []
  const returning = new Set(removal?.steps.map(step => step.id))
  for (const step of removal?.steps ?? []) {
    if (step.do !== 'remove' || step.id === id) continue
    const child = context.entityOf(step.entity)
    const state = child && (await context.loader.load(child, step.id, { fresh: true })).state
    if (child && state?.status === 'removed' && isVisible(command.caller, child, state)) {
      const whole = await clearDanglingReferences(context, child, state, {}, returning)
      cleared.push(...whole.cleared.map(one => ({ ...one, of: { entity: step.entity, id: step.id } })))
      back.push({ do: 'restore', entity: step.entity, id: step.id, fields: whole.fields, source })
    }
  }
  const first: Step = { do: 'bringback', entity: entity.name, id, input: command.input }
  return runProcess(context, run, { kind: 'restore', root: id, steps: [first, ...back] }, id, told =>
    clearedBy(told, cleared),
  )
}

/** References cleared by the root's restore, and in the entities restored with it. */
const clearedBy = (told: readonly JsonObject[], inside: readonly Cleared[]): JsonObject => {
  const all = [...told.flatMap(({ cleared }) => (Array.isArray(cleared) ? cleared : [])), ...inside]
  return all.length === 0 ? {} : { cleared: all }
}

const runsNoCommand = () => Promise.reject(new Error('bringing a thing back runs no command'))

/** Brings a thing back that this command has just removed. A name that was taken meanwhile gets a number. */
export const undoRemoval = async (context: CommandContext, { author, entity }: Run, id: string): Promise<void> => {
  const source = { kind: entity.name, id }
  const undo = { ...author, seed: undoneSeed(author.seed) }
  for (let resumed = false; ; resumed = true) {
    try {
      const step = { do: 'restore', entity: entity.name, id, fields: {}, source } as const
      await perform(context, undo, step, { ids: {}, resumed, execute: runsNoCommand })
      return
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}
