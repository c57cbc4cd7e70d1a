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

/** What a decider yields: the envelope is made around it by the command handler. */
export interface DomainEvent {
  readonly type: string
  readonly version: number
  readonly data: EntityEvent & JsonObject
}

/** Everything a pure decision may need that is not in its state. */
export interface Circumstance {
  /** ISO time of the command. */
  readonly time: string
  readonly actor: string | null
  /** What was looked up for it beforehand (`gather` in commands/). */
  readonly facts: JsonObject
}

/** A named command of an entity that behaves: `start`, `publish`, `lock`. No events: already satisfied. */
export interface NamedCommand {
  readonly input: z.ZodType
  /** Needs {confirm: "CONFIRM"} in its body. */
  readonly confirm?: boolean
  decide(state: Live, input: JsonObject, circumstance: Circumstance): Result<readonly DomainEvent[]>
}

/**
 * What an entity does beyond being made, changed, removed and restored. The checks run before the declared decider's
 * own events are accepted; a refusal of theirs ends the command.
 */
export interface Behaviour {
  readonly commands: Readonly<Record<string, NamedCommand>>
  readonly onCreate?: (fields: Live['fields'], circumstance: Circumstance) => Result<Live['fields']>
  readonly onChange?: (state: Live, changes: Live['fields'], circumstance: Circumstance) => Result<Live['fields']>
  /** With events: these instead of its removal, where something of it has to stay. */
  readonly onRemove?: (state: Live, circumstance: Circumstance) => Result<readonly DomainEvent[] | null>
}
