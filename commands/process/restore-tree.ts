import type { JsonObject } from '#schemas/event.ts'
import type { Step } from '#schemas/events/process.ts'
import { restore } from '../generic/restore.ts'
import { type Cleared, withoutDangling } from '../lookup/dangling-reference.ts'
import { isVisible } from '../lookup/visibility.ts'
import type { Attempt } from '../pipeline/command-context.ts'
import { loadTarget } from '../pipeline/load-target.ts'
import { concluded } from './conclude.ts'

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
      const whole = await withoutDangling(context, child, state, {}, returning)
      cleared.push(...whole.cleared.map(one => ({ ...one, of: { entity: step.entity, id: step.id } })))
      back.push({ do: 'restore', entity: step.entity, id: step.id, fields: whole.fields, source })
    }
  }
  const first: Step = { do: 'bringback', entity: entity.name, id, input: command.input }
  return concluded(context, run, { kind: 'restore', root: id, steps: [first, ...back] }, id, told =>
    clearedBy(told, cleared),
  )
}

/** References cleared by the root's restore, and in the entities restored with it. */
const clearedBy = (told: readonly JsonObject[], inside: readonly Cleared[]): JsonObject => {
  const all = [...told.flatMap(({ cleared }) => (Array.isArray(cleared) ? cleared : [])), ...inside]
  return all.length === 0 ? {} : { cleared: all }
}
