import { decideChange, singleState } from '#domain/entity.ts'
import { mergeLists } from '#domain/field/merge-items.ts'
import { accepted, type FieldError, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/versioned.ts'
import { claimFiles } from '../file/claim-files.ts'
import { maskItems, openField, sealChanges } from '../keys/secret.ts'
import { clearLateReferences, referenceErrors } from '../lookup/reference.ts'
import type { Attempt, CommandContext, Run } from '../pipeline/command-context.ts'
import { commit, type PlannedCommit } from '../pipeline/commit.ts'
import { parseChange } from '../pipeline/parse.ts'
import { loadTarget } from '../pipeline/target.ts'

export const change: Attempt = async (context, run) => {
  const planned = await planChange(context, run)
  if (!planned.ok) return planned
  const { target, events, fields } = planned.value
  const committed = await commit(context, run, target, events)
  if (!committed.ok) return committed
  const { cleared, ...written } = await clearLateReferences(context, run, target, fields, committed.value)
  return accepted({ id: target.id, ...written, ...(cleared.length === 0 ? {} : { result: { cleared } }) })
}

/** Events to write, and their stream. */
export const planChange = async (context: CommandContext, run: Run): Promise<Result<PlannedCommit>> => {
  const { entity, command } = run
  const target = await loadTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  if (state.status === 'removed') return refused('entity.removed')
  const base = await baseOf(context, run, state.revision)
  if (!base.ok) return base
  const merged = mergeLists(entity, base.value ?? state.fields, state.fields, command.input)
  const parsed = await parseChange(entity, state.fields, merged.input, run.author.seed)
  if (!parsed.ok) return parsed
  const fields = { ...state.fields, ...parsed.value }
  const { id, level } = state
  const errors = await referenceErrors(context, command.caller, { entity, id, level, fields }, parsed.value)
  if (errors.length > 0) return refused('validation.failed', { errors })

  const allowed = await context.registry.rulesOf(entity.name).onChange(context, run, state, parsed.value)
  if (!allowed.ok) return allowed
  const claimed = await claimFiles(context.files, command.caller, entity, state.fields, allowed.value)
  if (!claimed.ok) return claimed
  const changes = await sealChanges(context.keys, entity, id, state.fields, claimed.value)
  const decided = withConflicts(decideChange(entity, state, changes, merged.base), merged.conflicts)
  if (!decided.ok) return { ok: false, refusal: await inClear(context, run, decided.refusal) }
  return accepted({ target: { entity, id, level, loaded }, events: decided.value, fields: changes })
}

/** The fields as they stood at the revision the change was made against; undefined against the present. */
const baseOf = async ({ loader }: CommandContext, { entity, command }: Run, present: number) => {
  const { revision } = command
  if (revision === undefined || revision === present) return accepted(undefined)
  if (revision < (isSingle(entity) ? 0 : 1) || revision > present) return refused('entity.revision')
  const state = revision === 0 ? singleState(entity, command.id, null) : await loader.at(entity, command.id, revision)
  return accepted(state.status === 'live' || state.status === 'removed' ? state.fields : undefined)
}

const withConflicts = <T>(decided: Result<T>, conflicts: readonly FieldError[]): Result<T> => {
  if (conflicts.length === 0) return decided
  const others = decided.ok ? [] : (decided.refusal.errors ?? [])
  return refused('entity.conflict', { errors: [...others, ...conflicts] })
}

/** The values of a conflict as they may be shown: personal ones opened, secrets left out. */
const inClear = async ({ keys }: CommandContext, { entity, command }: Run, refusal: Refusal): Promise<Refusal> => {
  const errors = []
  for (const error of refusal.errors ?? []) {
    const field = entity.fields[error.path]
    const show = async (value: typeof error.before = null) => {
      if (field?.secret || field?.secretWhen !== undefined) return null
      if (field?.kind === 'list') return maskItems(value)
      return (await openField(keys, entity, command.id, error.path, value)) ?? null
    }
    const { before, yours, theirs } = error
    errors.push({ ...error, before: await show(before), yours: await show(yours), theirs: await show(theirs) })
  }
  return { ...refusal, errors }
}
