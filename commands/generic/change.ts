import { BEHAVIOURS } from '#domain/behaviours.ts'
import { decideChange, singleState } from '#domain/entity.ts'
import { accepted, type Refusal, refused } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/single.ts'
import { openField, sealChanges } from '../keys/secret.ts'
import { referenceErrors } from '../lookup/reference.ts'
import type { Attempt } from '../pipeline/attempt.ts'
import type { Tools } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { circumstanceOf } from '../pipeline/decision-context.ts'
import { found } from '../pipeline/load-target.ts'
import { parseChange } from '../pipeline/parse.ts'
import type { Run } from '../pipeline/run.ts'

export const change: Attempt = async (tools, run) => {
  const { entity, command } = run
  const target = await found(tools, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  if (state.status === 'removed') return refused('entity.removed')
  const parsed = parseChange(entity, command.input)
  if (!parsed.ok) return parsed
  const base = await baseOf(tools, run, state.revision)
  if (!base.ok) return base
  const fields = { ...state.fields, ...parsed.value }
  const { id, level } = state
  const errors = await referenceErrors(tools, command.caller, { entity, id, level, fields }, parsed.value)
  if (errors.length > 0) return refused('validation.failed', { errors })

  const circumstance = await circumstanceOf(tools, run, state, parsed.value)
  const allowed = BEHAVIOURS[entity.name]?.onChange?.(state, parsed.value, circumstance) ?? accepted(parsed.value)
  if (!allowed.ok) return allowed
  const changes = await sealChanges(tools.keys, entity, id, state.fields, allowed.value)
  const decided = decideChange(entity, state, changes, base.value)
  if (!decided.ok) return { ok: false, refusal: await inClear(tools, run, decided.refusal) }
  const committed = await commit(tools, run, { entity, id, level, loaded }, decided.value)
  return committed.ok ? accepted({ id, ...committed.value }) : committed
}

/** The fields as they stood at the revision the change was made against; undefined against the present. */
const baseOf = async ({ loader }: Tools, { entity, command }: Run, present: number) => {
  const { revision } = command
  if (revision === undefined || revision === present) return accepted(undefined)
  if (revision < (isSingle(entity) ? 0 : 1) || revision > present) return refused('entity.revision')
  const state = revision === 0 ? singleState(entity, command.id, null) : await loader.at(entity, command.id, revision)
  return accepted(state.status === 'live' || state.status === 'removed' ? state.fields : undefined)
}

/** The values of a conflict as they may be shown: personal ones opened, secrets left out. */
const inClear = async ({ keys }: Tools, { entity, command }: Run, refusal: Refusal): Promise<Refusal> => {
  const errors = []
  for (const error of refusal.errors ?? []) {
    const field = entity.fields[error.path]
    const show = async (value: typeof error.before = null) =>
      field?.secret || field?.secretWhen !== undefined
        ? null
        : ((await openField(keys, entity, command.id, error.path, value)) ?? null)
    const { before, yours, theirs } = error
    errors.push({ ...error, before: await show(before), yours: await show(yours), theirs: await show(theirs) })
  }
  return { ...refusal, errors }
}
