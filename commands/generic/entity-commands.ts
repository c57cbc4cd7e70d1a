import { z } from 'zod'
import type { Behaviour, NamedCommand, NoFacts } from '#domain/behaviour.ts'
import type { DeploymentFacts } from '#domain/bot.ts'
import {
  decideChange,
  decideCreate,
  decideRemove,
  decideReset,
  decideSetting,
  eventOf,
  initialFields,
  singleState,
} from '#domain/entity.ts'
import { mergeLists } from '#domain/field/merge-items.ts'
import { parseInput } from '#domain/field/validate.ts'
import { checkRights, type RightsFacts } from '#domain/people/permission.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { actionInputSchema, type EntityAction, isSingle } from '#schemas/entity.ts'
import type { Step } from '#schemas/events/entity.ts'
import { accepted, type FieldError, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { maskItems, openField, sealChanges } from '../keys/secret.ts'
import { claimFiles, clearLateReferences, referenceErrors } from '../lookup/reference.ts'
import { isClearedOnRemoval, rejectWhileUsed } from '../lookup/used-by.ts'
import {
  type Attempt,
  type CommandContext,
  checkConfirmation,
  decisionContext,
  type EntityCommands,
  type EntityRules,
  type LoadFacts,
  levelOf,
  loadLiveTarget,
  loadTarget,
  lockTree,
  parseChange,
  parseCreate,
  placeOf,
  type RegisteredCommand,
  type Run,
  reaches,
  roomInLevel,
  unusedId,
} from '../pipeline/command-context.ts'
import { commit, type PlannedCommit } from '../pipeline/commit.ts'
import { idempotent, isTakenBack } from '../pipeline/idempotency-key.ts'
import { runProcess } from '../process/process-report.ts'
import { undoRemoval } from '../process/remove-tree.ts'
import { traced } from '../tracer.ts'
import { restore } from './restore.ts'

export type Plan = (context: CommandContext, run: Run) => Promise<Result<PlannedCommit>>

/** Writes what is planned, without references whose target was removed meanwhile. */
export const written =
  (plan: Plan): Attempt =>
  async (context, run) => {
    const planned = await traced(context.tracer, 'parley.decide', {}, () => plan(context, run))
    if (!planned.ok) return planned
    const { target, events, fields } = planned.value
    const committed = await commit(context, run, target, events)
    if (!committed.ok) return committed
    const { cleared, ...outcome } = await clearLateReferences(context, run, target, fields, committed.value)
    return accepted({ id: target.id, ...outcome, ...(cleared.length === 0 ? {} : { result: { cleared } }) })
  }

export const planCreate: Plan = async (context, run) => {
  const { entity, command } = run
  const parsed = await parseCreate(entity, command.input, run.author.seed)
  if (!parsed.ok) return parsed
  const given = { ...initialFields(entity), ...parsed.value.fields }
  const place = await placeOf(context, command.caller, entity, given, parsed.value.hierarchylevel)
  if (!place.ok) return place
  const errors = await referenceErrors(
    context,
    command.caller,
    { entity, id: '', level: place.value, fields: given },
    given,
  )
  if (errors.length > 0) return refused('validation.failed', { errors })
  if (isSingle(entity)) return refused('entity.exists', { params: { entity: entity.name } })

  const { id, loaded } = await unusedId(context, run)
  const level = levelOf(entity, { id, level: place.value })
  if (loaded.state.status === 'removed' && (await isTakenBack(context, run, id))) return refused('entity.parent')
  if (loaded.state.status !== 'none') return accepted({ target: { entity, id, level, loaded }, events: [], fields: {} })
  const room = await roomInLevel(context, entity, level)
  if (!room.ok) return room
  const named = { ...run, command: { ...command, id } }
  const allowed = await context.registry.rulesOf(entity.name).onCreate(context, named, loaded.state, given)
  if (!allowed.ok) return allowed
  const claimed = await claimFiles(context.files, command.caller, entity, {}, allowed.value)
  if (!claimed.ok) return claimed
  const fields = await sealChanges(context.keys, entity, id, {}, claimed.value)
  return accepted({ target: { entity, id, level, loaded }, events: decideCreate(entity, fields), fields })
}

export const create = written(planCreate)

export const planChange: Plan = async (context, run) => {
  const { entity, command } = run
  const target = await loadTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  if (state.status === 'removed') return refused('entity.removed')
  const base = await baseOf(context, run, state.revision)
  if (!base.ok) return base
  const merged = base.value && mergeLists(entity, base.value, state.fields, command.input)
  const parsed = await parseChange(entity, state.fields, merged?.input ?? command.input, run.author.seed)
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
  const decided = withConflicts(decideChange(entity, state, changes, merged?.base), merged?.conflicts ?? [])
  if (!decided.ok) return { ok: false, refusal: await inClear(context, run, decided.refusal) }
  return accepted({ target: { entity, id, level, loaded }, events: decided.value, fields: changes })
}

export const change = written(planChange)

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

const remove: Attempt = async (context, run) => {
  const { entity, command } = run
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  const certain = checkConfirmation(command.input, entity.confirm)
  if (!certain.ok) return certain
  const allowed = await context.registry.rulesOf(entity.name).onRemove(context, run, state)
  if (!allowed.ok) return allowed
  const { id, level } = state
  const isLevel = entity.name === hierarchy.name
  if (isSingle(entity)) {
    const reset = await commit(context, run, { entity, id, level, loaded }, decideReset(entity, state))
    return reset.ok ? accepted({ id, ...reset.value }) : reset
  }
  const isUnused = () => rejectWhileUsed(context, command.caller, [{ entity, id }])
  const unused = await isUnused()
  if (!unused.ok) return unused
  if (allowed.value === null && isClearedOnRemoval(context, entity)) {
    const source = { kind: entity.name, id }
    const steps: Step[] = [
      { do: 'remove', entity: entity.name, id, source, only: state.revision },
      { do: 'clearholders', entity: entity.name, id },
    ]
    const plan = { kind: 'remove', root: id, steps } as const
    return runProcess(context, run, plan, id, undefined, async () => (await isUnused()).ok)
  }
  // Its level was not empty at its removal; a repeated request has the same events.
  if (run.isRepeated && (await isTakenBack(context, run, id))) return refused('entity.conflict')
  const committed = await commit(context, run, { entity, id, level, loaded }, allowed.value ?? decideRemove(entity))
  if (!committed.ok) return committed
  // A reference may have been set since the check: docs/adr/0020.
  const stillUnused = await isUnused()
  // The same of what has come into a level.
  const stillEmpty = isLevel ? await context.registry.rulesOf(entity.name).onRemove(context, run, state) : allowed
  const held = [stillUnused, stillEmpty].find(result => !result.ok)
  if (held === undefined || held.ok) return accepted({ id, ...committed.value })
  await undoRemoval(context, run, id)
  return held
}

const UNDECLARED: EntityAction = { icon: '', on: [] }

/** A command of an entity's own: `start`, `publish`, `lock`. */
export const namedAttempt = <Facts>(command: NamedCommand<Facts>, load: LoadFacts<Facts>): Attempt =>
  idempotent(async (context, run) => {
    const { entity } = run
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { state, loaded } = target.value
    const action = entity.actions[run.command.action] ?? UNDECLARED
    const { confirm, ...rest } = run.command.input
    const certain = checkConfirmation(confirm === undefined ? {} : { confirm }, action.confirm === 'typed')
    if (!certain.ok) return certain
    const input = parseInput(command.input ?? actionInputSchema(action), rest)
    if (!input.ok) return input
    const decided = await traced(context.tracer, 'parley.decide', {}, async () =>
      command.decide(state, input.value, await decisionContext(load, context, run, state, input.value)),
    )
    if (!decided.ok) return decided
    const { id, level } = state
    const committed = await commit(context, run, { entity, id, level, loaded }, decided.value)
    return committed.ok ? accepted({ id, ...committed.value }) : committed
  })

export type GenericName = 'create' | 'change' | 'remove' | 'restore'

/** Commands of every entity. */
export const GENERIC: Readonly<Record<GenericName, RegisteredCommand>> = {
  create: { permission: 'create', attempt: idempotent(create) },
  change: { permission: 'update', attempt: idempotent(change) },
  remove: { permission: 'delete', attempt: idempotent(remove) },
  restore: { permission: 'update', attempt: idempotent(restore) },
}

export const noFacts: LoadFacts<NoFacts> = async () => ({})

/** The behaviour's checks, each behind the loading of its facts. */
const rulesFrom = <Facts>(behaviour: Behaviour<Facts>, load: LoadFacts<Facts>): EntityRules => ({
  async onCreate(context, run, state, fields) {
    const decision = await decisionContext(load, context, run, state, fields)
    return behaviour.onCreate?.(fields, decision) ?? accepted(fields)
  },
  async onChange(context, run, state, changes) {
    const decision = await decisionContext(load, context, run, state, changes)
    return behaviour.onChange?.({ ...state, status: 'live' }, changes, decision) ?? accepted(changes)
  },
  async onRemove(context, run, state) {
    const decision = await decisionContext(load, context, run, state, {})
    return behaviour.onRemove?.(state, decision) ?? accepted(null)
  },
})

/** The behaviour's named commands; each has a permission of the same name. */
const namedFrom = <Facts>(behaviour: Behaviour<Facts>, load: LoadFacts<Facts>) =>
  Object.fromEntries(
    Object.entries(behaviour.commands).map(([name, command]): [string, RegisteredCommand] => [
      name,
      { permission: name, attempt: namedAttempt(command, load) },
    ]),
  )

type Behaving<Facts, Named> = Omit<Behaviour<Facts>, 'commands'> & { readonly commands: Named }

/** Everything that commands do with an entity: the generic commands under its rules, and its named commands. */
export const entityCommands = <Facts, Named extends Behaviour<Facts>['commands']>(
  behaviour: Behaving<Facts, Named>,
  load: LoadFacts<Facts>,
): EntityCommands<GenericName | (keyof Named & string)> => ({
  rules: rulesFrom(behaviour, load),
  // Object.fromEntries forgets the names.
  commands: { ...GENERIC, ...namedFrom(behaviour, load) } as EntityCommands<
    GenericName | (keyof Named & string)
  >['commands'],
})

/** The same commands with `more`, which replace those of the same name. */
export const withCommands = <Name extends string, More extends string>(
  { rules, commands }: EntityCommands<Name>,
  more: Readonly<Record<More, RegisteredCommand>>,
): EntityCommands<Name | More> => ({
  rules,
  commands: { ...commands, ...more } as EntityCommands<Name | More>['commands'],
})

/** Result of the check of a compose file, where one is written. */
export const loadDeploymentFacts: LoadFacts<DeploymentFacts> = async (context, { command }, _state, fields) => {
  const source = fields.compose_file
  return typeof source === 'string' ? { checked: await context.checks.compose(source, command.caller.level) } : {}
}

/** Attempt of a declared action that sets fields and has no own command. */
export const setFields: Attempt = (context, run) => {
  const { entity, command } = run
  const given: NamedCommand = {
    decide: (state, input) => decideSetting(entity, state, entity.actions[command.action]?.sets ?? {}, input),
  }
  return namedAttempt(given, async () => ({}))(context, run)
}

const inputSchema = z.strictObject({ hierarchylevel: z.string().min(1).max(200) })

/**
 * Moves an entity with its contents to another level. An entity's level is that of its newest `Transferred` event; its
 * contents follow. `load`: facts about rights, if moving the entity can grant or revoke them.
 */
export const transfer = (load?: LoadFacts<RightsFacts>): Attempt =>
  idempotent(async (context, run) => {
    const { entity, command } = run
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { state, loaded } = target.value
    const input = parseInput(inputSchema, command.input)
    if (!input.ok) return input
    const level = String(input.value.hierarchylevel)
    await lockTree(context, run, state.id)
    const place = (await context.loader.load(hierarchy, level, { fresh: true })).state
    if (place.status !== 'live' || !reaches(command.caller, level))
      return refused('validation.failed', { errors: [{ path: 'hierarchylevel', code: 'reference' }] })
    const { id } = state
    if (level === state.level) return accepted({ id, revision: state.revision })
    if (load !== undefined) {
      const rights = checkRights(await decisionContext(load, context, run, state, {}))
      if (!rights.ok) return rights
    }
    const events = [eventOf(entity, 'Transferred', { fields: {} })]
    const committed = await commit(context, run, { entity, id, level, loaded }, events)
    return committed.ok ? accepted({ id, ...committed.value }) : committed
  })
