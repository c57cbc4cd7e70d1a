import type { Lookup } from '#domain/lookup.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import type { TestRunner } from './conversation-test/conversation-test-port.ts'
import { levelOfFlow } from './flow/bot-flow.ts'
import { createFlowLog, type FlowLog, type FlowLogOptions } from './flow/flow-log.ts'
import { type FlowReader, flowReader } from './flow/flow-reader.ts'
import { type FlowReview, flowReview } from './flow/flow-review.ts'
import type { Keys } from './keys/secret.ts'
import { openFields } from './lookup/entity-facts.ts'
import { createReservation } from './name/reservation.ts'
import type { Author } from './pipeline/append.ts'
import {
  type Attempt,
  bypassCache,
  type CommandContext,
  type CommandResult,
  chainOf,
  isPermitted,
  type Run,
} from './pipeline/command-context.ts'
import { createCommandRegistry } from './pipeline/command-registry.ts'
import { createIdempotencyGuard, findEarlierResult, type IdempotencyGuard } from './pipeline/idempotency-key.ts'
import { createLoader } from './pipeline/load.ts'
import {
  type Checks,
  type Command,
  type CommandHandler,
  type Files,
  INLINE_CHECKS,
  NO_FILES,
  type Outcome,
} from './port.ts'
import { type BulkCommands, bulkCommands } from './process/bulk.ts'
import { createProcesses } from './process/processes.ts'
import { type EventStore, EventTooLarge, WrongRevision } from './store/port.ts'
import { BUSY, WorkBusy } from './time-slicer.ts'
import { NO_TRACER, type Tracer, traced } from './tracer.ts'
import { type VersionReader, versionReader } from './version/version-reader.ts'
import { INLINE_VERSION_WORK, type VersionWork } from './version/version-work.ts'

/** Attempts at one command before a conflict of revisions becomes an error. */
const MAX_ATTEMPTS = 100

/**
 * One command through the pipeline: authorize, load, decide, append, and again after a conflict. Loading, deciding and
 * appending are the registered attempt's.
 */
const handleCommand = async (
  context: CommandContext,
  command: Command,
  seed: string,
  isRepeated: boolean,
): Promise<Outcome> => {
  const entity = context.entityOf(command.entity)
  if (entity === undefined) return refused('entity.notfound')
  if (!isPermitted(context.registry, command.caller, entity, command.action)) return refused('access.forbidden')
  const registered = context.registry.commandOf(entity.name, command.action)
  if (registered === undefined) return refused('entity.notfound')
  const author: Author = {
    seed,
    actor: command.caller.user,
    time: context.now().toISOString(),
    correlation: command.correlation,
    causation: command.caller.session,
    isSole: command.key === undefined && command.seed === undefined,
  }
  const run: Run = { command, entity, author, reserved: new Map(), isRepeated }
  const result = await orEarlierResult(retryOnConflict(rejectWhileBusy(registered.attempt)))(tracedLoads(context), run)
  for (const [stream, owner] of run.reserved) await context.reservation.release(author, owner, stream)
  return result.ok ? { ok: true, ...result.value } : result
}

/** Opens a span for each load, with that of the command as its parent. */
const tracedLoads = (context: CommandContext): CommandContext => {
  const { loader, tracer } = context
  if (!tracer.isOn) return context
  const parent = tracer.current()
  const load: typeof loader.load = (entity, id, options) => {
    const attributes = { 'parley.entity': entity.name, 'parley.cached': loader.isCached(entity, id) }
    return traced(tracer, 'parley.load', { parent, attributes }, () => loader.load(entity, id, options))
  }
  return { ...context, loader: { ...loader, load } }
}

/**
 * Does not wait: refuses a command while a process works on its target or the target's parents, unless it is the
 * command's own process. Parents never change, so cached states suffice.
 */
const rejectWhileBusy =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const roots = await chainOf(context, run.entity, run.command)
    if (roots.length === 0 || !(await context.processes.isBusy(roots))) return attempt(context, run)
    return (run.isRepeated ? await findEarlierResult(context, run) : undefined) ?? refused('entity.busy')
  }

/** Another node may have carried out the command that is refused here: its result counts. */
const orEarlierResult =
  (attempt: Attempt): Attempt =>
  async (context, run) => {
    const result = await attempt(context, run)
    return (result.ok || run.author.isSole === true ? undefined : await findEarlierResult(context, run)) ?? result
  }

const retryOnConflict =
  (attempt: Attempt): Attempt =>
  async (context, first): Promise<Result<CommandResult>> => {
    let run = first
    for (let left = MAX_ATTEMPTS; ; left -= 1) {
      try {
        return await attempt(context, run)
      } catch (error) {
        if (error instanceof EventTooLarge) return refused('request.toolarge')
        if (error instanceof WorkBusy) return BUSY
        if (!(error instanceof WrongRevision) || left === 0) throw error
        context.tracer.current().set({ 'parley.conflicts': MAX_ATTEMPTS - left + 1 })
        run = { ...run, isRepeated: true }
      }
    }
  }

interface CommandHandlerOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly lookup: Lookup
  /** Uploaded files; without it no field can hold one. */
  readonly files?: Files
  /** Whether the host of an address may be given to people outside; without it every host may. */
  readonly isOpenHost?: (host: string) => Promise<boolean>
  /** Open chats of a queue of the desk; without it there are none. */
  readonly openDeskChats?: (queue: string) => number
  /** Names of nodes whose build does not know Parley's own desk. */
  readonly nodesWithoutDesk?: () => Promise<readonly string[]>
  /** Newest keyframe of a flow at or before a revision; without it flows are read from their start. */
  readonly keyframe?: FlowLogOptions['keyframe']
  /** Runs conversation tests; without it none gates. */
  readonly tests?: TestRunner
  /** Default: on this thread. */
  readonly checks?: Checks
  /** Default: on this thread. */
  readonly versions?: VersionWork
  readonly tracer?: Tracer
  readonly now?: () => Date
  /** Every entity there is; given in by tests alone. */
  readonly entities?: Readonly<Record<string, EntityDeclaration>>
}

/** The writer, and what else of it the rooms and the routes need. */
export interface Commands extends CommandHandler, FlowReader, FlowReview, BulkCommands, VersionReader {
  readonly flows: FlowLog
  /** For what is written beside commands: the same memory of idempotency keys. */
  readonly once: IdempotencyGuard
  /** Fields of a live thing with its secrets decrypted, for calls made on its behalf; undefined when it is not there. */
  openFields(entity: string, id: string, revision?: number): Promise<JsonObject | undefined>
  /** Drops a cached state that another node may have made stale. */
  forget(entity: string, id: string): void
  /** Ends the processes that a crash left unfinished; about one thing, or all. */
  resumeProcesses(root?: string): Promise<void>
}

const createTools = (options: CommandHandlerOptions): CommandContext => {
  const { store, keys, lookup, files = NO_FILES, isOpenHost = async () => true, now = () => new Date() } = options
  const openDeskChats = options.openDeskChats ?? (() => 0)
  const nodesWithoutDesk = options.nodesWithoutDesk ?? (async () => [])
  const entities: Readonly<Record<string, EntityDeclaration>> = options.entities ?? ENTITIES
  const entityOf = (name: string) => (Object.hasOwn(entities, name) ? entities[name] : undefined)
  const loader = createLoader(store, undefined, entities)
  const levelOf = levelOfFlow(loader, entityOf)
  const flows = createFlowLog({ store, keyframe: options.keyframe ?? (async () => undefined), levelOf, now })
  const reservation = createReservation({ store, keys, loader, entityOf })
  const processes = createProcesses(
    () => fresh,
    (command, seed, resumed) => handleCommand(context, command, seed, resumed),
  )
  const context: CommandContext = {
    store,
    keys,
    files,
    lookup,
    isOpenHost,
    openDeskChats,
    nodesWithoutDesk,
    loader,
    flows,
    reservation,
    processes,
    tests: options.tests,
    checks: options.checks ?? INLINE_CHECKS,
    versions: options.versions ?? INLINE_VERSION_WORK,
    entities,
    entityOf,
    registry: createCommandRegistry(entities),
    tracer: options.tracer ?? NO_TRACER,
    now,
  }
  // A process depends on streams of many entities, which its own appends do not check.
  const fresh = bypassCache(context)
  return context
}

/** The only writer of domain events outside flow rooms: authorize, load, decide, append, again on a conflict. */
export const createCommandHandler = (options: CommandHandlerOptions): Commands => {
  const context = createTools(options)
  const once = createIdempotencyGuard(context)
  return {
    ...versionReader(bypassCache(context)),
    ...flowReader(bypassCache(context)),
    ...flowReview(bypassCache(context)),
    ...bulkCommands(bypassCache(context)),
    flows: context.flows,
    once,
    openFields: (entity, id, revision) => openFields(bypassCache(context), entity, id, revision),
    forget: (entity, id) => {
      const declaration = context.entityOf(entity)
      if (declaration !== undefined) context.loader.drop(declaration, id)
    },
    resumeProcesses: root => context.processes.resume(root),
    execute: command =>
      command.seed === undefined
        ? once(command, (seed, resumed) => handleCommand(context, command, seed, resumed))
        : handleCommand(context, command, command.seed, false),
  }
}
