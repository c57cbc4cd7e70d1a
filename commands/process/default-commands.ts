import type { EntityState, Live } from '#domain/behaviour.ts'
import { parseInput } from '#domain/field/validate.ts'
import { mayPublishAll } from '#domain/publishing.ts'
import { UNTESTED } from '#schemas/entities/flow-action.ts'
import { actionInputSchema } from '#schemas/entity.ts'
import { entityStream, type Step } from '#schemas/events/entity.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import { runGatingTests } from '../conversation-test/conversation-test-facts.ts'
import { reviewFlow } from '../flow/flow-review.ts'
import { change, create, type GenericName } from '../generic/entity-commands.ts'
import { restore } from '../generic/restore.ts'
import {
  type Attempt,
  awaitLookup,
  bypassCache,
  bypassCacheOnce,
  type CommandContext,
  chainOf,
  checkConfirmation,
  loadLiveTarget,
  loadThing,
  type RegisteredCommand,
  type Run,
} from '../pipeline/command-context.ts'
import { idempotent } from '../pipeline/idempotency-key.ts'
import { liveChildren } from '../version/capture-version.ts'
import { runProcess } from './process-report.ts'

/**
 * Runs processes only if the command's target is still at the plan's revision and none of its parents is busy. Checks
 * both once the process itself blocks others.
 */
export const withPlanRevisionCheck = (context: CommandContext, { entity, command }: Run): CommandContext => {
  const { store, loader, processes } = context
  let revision: number | undefined
  const load: typeof loader.load = async (of, id, options) => {
    const loaded = await loader.load(of, id, options)
    if (of.name === entity.name && id === command.id) revision ??= loaded.tail.revision
    return loaded
  }
  const isUnmoved = async () =>
    revision === undefined || (await store.revision(entityStream(entity.name, command.id))) === revision
  return {
    ...context,
    loader: { ...loader, load },
    processes: {
      ...processes,
      carryOut: (author, plan, isCurrent = async () => true) =>
        processes.carryOut(author, plan, async () => {
          const others = (await chainOf(context, entity, command)).filter(id => id !== plan.root)
          return (await isUnmoved()) && !(await processes.isBusy(others)) && (await isCurrent())
        }),
    },
  }
}

const PARENT = 'bot'
const FLAG = 'default'

const isDefault = (state: EntityState): state is Live => state.status === 'live' && state.fields[FLAG] === true

/** Things of the same bot that are its default, but for this one, as the store has them now. */
const otherDefaults = async (given: CommandContext, { entity }: Run, bot: string, id: string) => {
  const context = bypassCache(given)
  await awaitLookup(context)
  const siblings = await liveChildren(context, PARENT, bot, entity.name)
  return siblings.filter(state => state.id !== id && isDefault(state)).map(state => state.id)
}

/** Makes a thing the default of its bot: in one process it is taken from the one that has it. */
const take = async (context: CommandContext, run: Run, id: string) => {
  const { entity, command } = run
  const { state } = await loadThing(context, entity, id)
  if (state.status !== 'live') return refused('entity.removed')
  const bot = String(state.fields[PARENT])
  const others = await otherDefaults(context, run, bot, id)
  if (others.length > 0 && !command.caller.permits(`update${entity.name}`)) return refused('access.forbidden')
  const source = { kind: entity.name, id }
  const steps = [...others.map(other => [other, false] as const), [id, true] as const].map(
    ([on, value]): Step => ({ do: 'change', entity: entity.name, id: on, fields: { [FLAG]: value }, source }),
  )
  const isCurrent = async () => String(await otherDefaults(context, run, bot, id)) === String(others)
  return runProcess(context, run, { kind: 'default', root: bot, steps }, id, undefined, isCurrent)
}

/** The command without the default flag, under its own seed: a repetition finds the process. */
const withoutFlag = (run: Run): Run => {
  const { [FLAG]: _flag, ...input } = run.command.input
  return { ...run, command: { ...run.command, input }, author: { ...run.author, seed: `${run.author.seed}:fields` } }
}

/** Of two that became the default at once, and each saw none before, the later one takes it from the other. */
const takingAfter =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const written = await attempt(context, run)
    if (!written.ok) return written
    const { state } = await loadThing(bypassCacheOnce(context), run.entity, written.value.id)
    if (!isDefault(state)) return written
    const others = await otherDefaults(context, run, String(state.fields[PARENT]), state.id)
    return others.length === 0 ? written : take(withPlanRevisionCheck(bypassCacheOnce(context), run), run, state.id)
  }

/** The command's bot, present or future. */
const botOf = async (context: CommandContext, { entity, command }: Run): Promise<string> => {
  if (command.id === '') return String(command.input[PARENT] ?? '')
  const { state } = await loadThing(bypassCacheOnce(context), entity, command.id)
  return state.status === 'live' ? String(state.fields[PARENT]) : ''
}

const taking =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    if (run.command.input[FLAG] !== true) return attempt(context, run)
    const others = await otherDefaults(context, run, await botOf(context, run), run.command.id)
    if (others.length === 0) return takingAfter(attempt)(context, run)
    const written = await attempt(context, withoutFlag(run))
    if (!written.ok) return written
    const taken = await take(withPlanRevisionCheck(bypassCacheOnce(context), run), run, written.value.id)
    if (!taken.ok || written.value.result === undefined) return taken
    return accepted({ ...taken.value, result: written.value.result })
  }

/** Generic commands of things of a bot of which one at most is its `default`. */
export const DEFAULT_COMMANDS = {
  create: { permission: 'create', attempt: idempotent(taking(create)) },
  change: { permission: 'update', attempt: idempotent(taking(change)) },
  restore: { permission: 'update', attempt: idempotent(takingAfter(restore)) },
} as const satisfies Partial<Record<GenericName, RegisteredCommand>>

/** Errors of all flows that are named one by one. */
const MAX_FAULTS = 50

const reasonSchema = actionInputSchema({ icon: '', on: [], input: { reason: UNTESTED } })

/** Publishes all dialogs and handlers of a task as they are now; `untested`: with a reason, regardless of its tests. */
const publishAllOf =
  (untested: boolean): Attempt =>
  async (context, run) => {
    const target = await loadLiveTarget(context, run)
    if (!target.ok) return target
    const { state } = target.value
    const { reason, ...rest } = run.command.input
    const body = checkConfirmation(untested ? rest : run.command.input, false)
    if (!body.ok) return body
    const why = untested ? parseInput(reasonSchema, { reason: reason ?? null }) : undefined
    if (why?.ok === false) return why
    await awaitLookup(context)
    const steps: Step[] = []
    const becomes: Record<string, Record<string, number>> = { dialogs: {}, handlers: {} }
    const dialogs: string[] = []
    let errors = 0
    const faults: FieldError[] = []
    for (const kind of ['dialog', 'handler']) {
      for (const { id } of await liveChildren(context, 'dialogtask', state.id, kind)) {
        const review = await reviewFlow(context, run.command.caller, kind, id)
        errors += review.errors
        const within = review.faults.map(fault => ({ ...fault, path: `${kind}s.${id}.${fault.path}` }))
        faults.push(...within.slice(0, MAX_FAULTS - faults.length))
        if (kind === 'dialog') dialogs.push(id)
        becomes[`${kind}s`] = { ...becomes[`${kind}s`], [id]: review.flowrevision }
        steps.push({ do: 'publish', entity: kind, id, flowrevision: review.flowrevision })
      }
    }
    const allowed = mayPublishAll(state, dialogs, errors, faults)
    if (!allowed.ok) return allowed
    const failed = untested ? [] : await runGatingTests(context, String(state.fields.bot), becomes)
    if (failed.length > 0) return refused('test.failed', { params: { count: failed.length }, errors: failed })
    const only = state.revision
    const told = untested ? String(reason) : null
    const fields = told === (state.fields.untestedreason ?? null) ? {} : { untestedreason: told }
    const first: Step = { do: 'record', entity: 'dialogtask', id: state.id, verb: 'Published', fields, only }
    return runProcess(context, run, { kind: 'publishall', root: state.id, steps: [first, ...steps] }, state.id)
  }

export const publishAll = publishAllOf(false)
export const publishAllUntested = publishAllOf(true)
