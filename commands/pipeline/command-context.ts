import type { DecisionContext, DomainEvent, EntityState, Live } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import type { Lookup } from '#domain/lookup.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Checks } from '../checks.ts'
import type { TestRunner } from '../conversation-test/conversation-test-port.ts'
import type { Files } from '../file/file-port.ts'
import type { FlowLog } from '../flow/flow-log.ts'
import type { Keys } from '../keys/secret.ts'
import type { Owner, Reservation } from '../name/reservation.ts'
import type { Command } from '../port.ts'
import type { Processes } from '../process/process-port.ts'
import type { EventStore } from '../store/port.ts'
import type { VersionWork } from '../version/version-work.ts'
import type { Author } from './author.ts'
import type { Loader } from './load.ts'

/** One command on its way, kept over all its attempts. */
export interface Run {
  readonly command: Command
  readonly entity: EntityDeclaration
  readonly author: Author
  /** Names reserved so far and not yet confirmed: given back in the end. */
  readonly reserved: Map<string, Owner>
  /** Something of it may have been written: by an earlier attempt, or by another node that carries it out. */
  readonly isRepeated: boolean
}

export interface Committed {
  readonly revision: number
  /** Absent when there was nothing to write. */
  readonly position?: string
}

export interface CommandResult extends Committed {
  readonly id: string
  readonly result?: JsonObject
}

/** Dependencies of every command. */
export interface CommandContext {
  readonly store: EventStore
  readonly keys: Keys
  readonly files: Files
  readonly lookup: Lookup
  readonly isOpenHost: (host: string) => Promise<boolean>
  /** Open chats of a queue of the desk. */
  readonly openDeskChats: (queue: string) => number
  readonly loader: Loader
  readonly flows: FlowLog
  readonly reservation: Reservation
  readonly processes: Processes
  /** Absent where no conversation can be run: no test gates then. */
  readonly tests: TestRunner | undefined
  readonly checks: Checks
  readonly versions: VersionWork
  readonly entities: Readonly<Record<string, EntityDeclaration>>
  readonly entityOf: (name: string) => EntityDeclaration | undefined
  readonly registry: CommandRegistry
  readonly now: () => Date
}

/** One attempt at a command; throws `WrongRevision` to be tried again from the start. */
export type Attempt = (context: CommandContext, run: Run) => Promise<Result<CommandResult>>

/** Loads facts about other entities for a decision. `fields`: those of the command. */
export type LoadFacts<Facts> = (context: CommandContext, run: Run, state: EntityState, fields: Fields) => Promise<Facts>

/** One command as the registry has it. */
export interface RegisteredCommand {
  /** Verb of the permission, before the entity's name: `update`, `publish`. */
  readonly permission: string
  readonly attempt: Attempt
}

type ExistingState = Exclude<EntityState, { status: 'none' } | { status: 'abandoned' }>

/** An entity's own rules for the generic commands, each with the facts that it needs. */
export interface EntityRules {
  onCreate(context: CommandContext, run: Run, state: EntityState, fields: Fields): Promise<Result<Fields>>
  onChange(context: CommandContext, run: Run, state: ExistingState, changes: Fields): Promise<Result<Fields>>
  /** Events that replace the removal; null for an ordinary one. */
  onRemove(context: CommandContext, run: Run, state: Live): Promise<Result<readonly DomainEvent[] | null>>
}

/** Everything that commands do with one entity. `Name`: its commands beyond the generic ones. */
export interface EntityCommands<Name extends string = string> {
  readonly rules: EntityRules
  readonly commands: Readonly<Record<Name, RegisteredCommand>>
}

export interface CommandRegistry {
  rulesOf(entity: string): EntityRules
  /** Undefined for an action that the entity does not have. */
  commandOf(entity: string, action: string): RegisteredCommand | undefined
}

/** Time, actor and the facts that deciding a command needs. */
export const decisionContext = async <Facts>(
  load: LoadFacts<Facts>,
  context: CommandContext,
  run: Run,
  state: EntityState,
  fields: Fields,
): Promise<DecisionContext<Facts>> => ({
  time: run.author.time,
  actor: run.author.actor,
  facts: await load(context, run, state, fields),
})
