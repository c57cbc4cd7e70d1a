import type { Lookup } from '#domain/lookup.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { createFlowLog, type FlowLog, type FlowLogOptions } from '../flow/flow-log.ts'
import { type FlowReader, flowReader } from '../flow/flow-reader.ts'
import { levelOfFlow } from '../flow/level-of-flow.ts'
import { change } from '../generic/change.ts'
import { create } from '../generic/create.ts'
import { named } from '../generic/named-command.ts'
import { remove } from '../generic/remove.ts'
import { restore } from '../generic/restore.ts'
import type { Keys } from '../keys/secret.ts'
import { type UsedByReader, usedByReader } from '../lookup/used-by.ts'
import { createReservation } from '../name/reservation.ts'
import type { Command, CommandHandler, Outcome } from '../port.ts'
import { chainOf } from '../process/chain.ts'
import { isTree } from '../process/contents.ts'
import { createProcesses } from '../process/processes.ts'
import { type EventStore, EventTooLarge, WrongRevision } from '../store/port.ts'
import type { Preview } from '../version/preview.ts'
import { versionReader } from '../version/version-reader.ts'
import type { Attempt, Done } from './attempt.ts'
import type { Author } from './author.ts'
import { freshly } from './bypass-cache.ts'
import type { Tools } from './command-context.ts'
import { OF_A_TREE, OWN } from './command-registry.ts'
import { alreadyDone } from './find-earlier-result.ts'
import { unlessDone } from './idempotent.ts'
import { createLoader } from './load.ts'
import { createOnce, type Once } from './once.ts'
import { isPermitted } from './permission.ts'
import type { Run } from './run.ts'

export interface CommandHandlerOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly lookup: Lookup
  /** Newest keyframe of a flow at or before a revision; without it flows are read from their start. */
  readonly keyframe?: FlowLogOptions['keyframe']
  readonly now?: () => Date
  /** Every entity there is; given in by tests alone. */
  readonly entities?: Readonly<Record<string, EntityDeclaration>>
}

/** The writer, and what else of it the rooms and the routes need. */
export interface Commands extends CommandHandler, FlowReader, UsedByReader {
  readonly flows: FlowLog
  /** For what is written beside commands: the same memory of idempotency keys. */
  readonly once: Once
  /** A version's file; undefined when there is no such version. */
  versionFile(id: string): Promise<VersionFile | undefined>
  /** The same as JSON. */
  versionText(id: string): Promise<string | undefined>
  /** What applying a version would change; undefined when it or its bot is not there. */
  versionPreview(id: string): Promise<Preview | undefined>
  /** Ends the processes that a crash left unfinished; about one thing, or all. */
  resumeProcesses(root?: string): Promise<void>
}

const ATTEMPTS = 100

export const createTools = (options: CommandHandlerOptions): Tools => {
  const { store, keys, lookup, now = () => new Date() } = options
  const entities: Readonly<Record<string, EntityDeclaration>> = options.entities ?? ENTITIES
  const entityOf = (name: string) => (Object.hasOwn(entities, name) ? entities[name] : undefined)
  const loader = createLoader(store)
  const levelOf = levelOfFlow(loader, entityOf)
  const flows = createFlowLog({ store, keyframe: options.keyframe ?? (async () => undefined), levelOf, now })
  const reservation = createReservation({ store, keys, loader, entityOf })
  const processes = createProcesses(() => fresh)
  const tools: Tools = {
    store,
    keys,
    lookup,
    loader,
    flows,
    reservation,
    processes,
    entities,
    entityOf,
    now,
  }
  // What a process does follows from the streams of many things, none of which its own appends check.
  const fresh = freshly(tools)
  return tools
}

/** The only writer of domain events outside flow rooms: authorize, load, decide, append, again on a conflict. */
export const createCommandHandler = (options: CommandHandlerOptions): Commands => {
  const tools = createTools(options)
  const once = createOnce(tools)
  return {
    ...versionReader(freshly(tools)),
    ...flowReader(freshly(tools)),
    ...usedByReader(freshly(tools)),
    flows: tools.flows,
    once,
    resumeProcesses: root => tools.processes.resume(root),
    execute: command =>
      command.seed === undefined
        ? once(command, (seed, resumed) => execute(tools, command, seed, resumed))
        : execute(tools, command, command.seed, false),
  }
}

const execute = async (tools: Tools, command: Command, seed: string, isRepeated: boolean): Promise<Outcome> => {
  const entity = tools.entityOf(command.entity)
  if (entity === undefined) return refused('entity.notfound')
  if (!isPermitted(command.caller, entity, command.action)) return refused('access.forbidden')
  const author: Author = {
    seed,
    actor: command.caller.user,
    time: tools.now().toISOString(),
    correlation: command.correlation,
    causation: null,
    isSole: command.key === undefined && command.seed === undefined,
  }
  const run: Run = { command, entity, author, reserved: new Map(), isRepeated }
  const attempt = unlessBusy(attemptOf(tools, entity, command.action))
  const result = await unlessCarriedOut(tools, run, attempt)
  for (const [stream, owner] of run.reserved) await tools.reservation.release(author, owner, stream)
  return result.ok ? { ok: true, ...result.value } : result
}

/**
 * What a process is about, or lies in, waits for its end; unless this very command began it. What a thing lies in never
 * changes, so that a cached state tells it.
 */
const unlessBusy =
  (attempt: Attempt): Attempt =>
  async (tools, run) => {
    const roots = await chainOf(tools, run.entity, run.command)
    if (roots.length === 0 || !(await tools.processes.isBusy(roots))) return attempt(tools, run)
    return (run.isRepeated ? await alreadyDone(tools, run) : undefined) ?? refused('entity.busy')
  }

/** What is refused may be done already, by another node that carries the same command out. */
const unlessCarriedOut = async (tools: Tools, run: Run, attempt: Attempt): Promise<Result<Done>> => {
  const result = await insistently(tools, run, attempt)
  return (result.ok || run.author.isSole === true ? undefined : await alreadyDone(tools, run)) ?? result
}

const repeated = (run: Run): Run => ({ ...run, isRepeated: true })

const insistently = async (tools: Tools, first: Run, attempt: Attempt): Promise<Result<Done>> => {
  let run = first
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt(tools, run)
    } catch (error) {
      if (error instanceof EventTooLarge) return refused('request.toolarge')
      if (!(error instanceof WrongRevision) || left === 0) throw error
      run = repeated(run)
    }
  }
}

const GENERIC: Readonly<Record<string, Attempt>> = { create, change, remove, restore }

const attemptOf = ({ entities }: Tools, entity: EntityDeclaration, action: string): Attempt => {
  const own = `${entity.name}.${action}`
  if (Object.hasOwn(OWN, own)) return OWN[own] ?? unlessDone(named)
  const ofTree = Object.hasOwn(OF_A_TREE, action) ? OF_A_TREE[action] : undefined
  if (ofTree !== undefined && isTree(entities, entity)) return ofTree
  return unlessDone(Object.hasOwn(GENERIC, action) ? (GENERIC[action] ?? named) : named)
}
