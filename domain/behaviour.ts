import type { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { EntityEvent } from '#schemas/events/entity.ts'
import type { Result } from '#schemas/refusal.ts'

/** An entity folded from its stream. `abandoned`: fenced by another taker of its name before it came to be. */
export type EntityState =
  | { readonly status: 'none'; readonly revision: number }
  | { readonly status: 'abandoned'; readonly revision: number }
  | Live
  | (Omit<Live, 'status'> & { readonly status: 'removed' })

export interface Live {
  readonly status: 'live'
  readonly id: string
  readonly revision: number
  readonly level: string | null
  /** Every declared field, initial values filled in. */
  readonly fields: Readonly<Record<string, Json>>
}

/** Result of a decider; the command handler adds the envelope. */
export interface DomainEvent {
  readonly type: string
  readonly version: number
  readonly data: EntityEvent & JsonObject
}

/** Everything a pure decision needs that is not in its state. */
export interface DecisionContext<Facts> {
  /** ISO time of the command. */
  readonly time: string
  readonly actor: string | null
  /** Facts about other things, loaded before the decision (`commands/`). */
  readonly facts: Facts
}

/** For rules that depend on no other thing. */
export type NoFacts = Readonly<Record<never, never>>

/**
 * A named command: `start`, `publish`, `lock`. Its input and its confirmation are declared with the entity's action. No
 * events: the wanted state is there already.
 */
export interface NamedCommand<Facts = NoFacts> {
  /** Of a command that the server alone gives, and no declaration names. */
  readonly input?: z.ZodType
  decide(state: Live, input: JsonObject, context: DecisionContext<Facts>): Result<readonly DomainEvent[]>
}

/**
 * Rules of an entity beyond its declaration. The checks run before the generic decider's events are accepted; their
 * refusal ends the command.
 */
export interface Behaviour<Facts = NoFacts> {
  readonly commands: Readonly<Record<string, NamedCommand<Facts>>>
  readonly onCreate?: (fields: Live['fields'], context: DecisionContext<Facts>) => Result<Live['fields']>
  readonly onChange?: (state: Live, changes: Live['fields'], context: DecisionContext<Facts>) => Result<Live['fields']>
  /** Answers events that replace the removal, where part of the thing has to stay; null for an ordinary removal. */
  readonly onRemove?: (state: Live, context: DecisionContext<Facts>) => Result<readonly DomainEvent[] | null>
}
