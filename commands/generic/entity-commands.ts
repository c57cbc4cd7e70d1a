import { z } from 'zod'
import type { Behaviour, NamedCommand, NoFacts } from '#domain/behaviour.ts'
import type { DeploymentFacts } from '#domain/deployment.ts'
import { decideRemove, decideReset, decideSetting, eventOf } from '#domain/entity.ts'
import { checkRights, type RightsFacts } from '#domain/people/permission.ts'
import { actionInputSchema, type EntityAction } from '#schemas/action.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import type { Step } from '#schemas/events/process.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { isSingle } from '#schemas/versioned.ts'
import { isClearedOnRemoval, rejectWhileUsed } from '../lookup/used-by.ts'
import {
  type Attempt,
  decisionContext,
  type EntityCommands,
  type EntityRules,
  type LoadFacts,
  type RegisteredCommand,
} from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { idempotent } from '../pipeline/idempotency-key.ts'
import { lockTree } from '../pipeline/lock-tree.ts'
import { checkConfirmation, parse } from '../pipeline/parse.ts'
import { loadLiveTarget, reaches } from '../pipeline/target.ts'
import { runProcess } from '../process/process-report.ts'
import { undoRemoval } from '../process/remove-tree.ts'
import { change } from './change.ts'
import { create } from './create.ts'
import { restore } from './restore.ts'

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
    const input = parse(command.input ?? actionInputSchema(action), rest)
    if (!input.ok) return input
    const decision = await decisionContext(load, context, run, state, input.value)
    const decided = command.decide(state, input.value, decision)
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
    const input = parse(inputSchema, command.input)
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
