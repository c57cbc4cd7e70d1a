/** A JSON value. Event data, flow files and plain block properties consist of it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/**
 * An event as a command hands it to the store: past tense, one fact.
 * Its revision is the number of events its stream then holds, so the first event of a stream is revision 1
 * and 0 means "no stream".
 */
export interface NewEvent {
  /** UUID derived from the command (its idempotency key where it has one), so that a retry cannot write twice. */
  readonly id: string
  /** Past-tense sentence of the business, e.g. `BotStarted`. Never renamed. */
  readonly type: string
  /** Shape version of `data`, from 1; older ones are lifted by `commands/upcasters/`. */
  readonly version: number
  readonly data: JsonObject
  /** UTC, ISO 8601 with milliseconds. */
  readonly time: string
  /** User id, or null for the system itself. Never a name. */
  readonly actor: string | null
  /** Id that is the same from the click to the last event it caused. */
  readonly correlation: string
  /** Id of the event that caused this one, or of the session that did: see schemas/events/session.ts. */
  readonly causation: string | null
  /** Hierarchy level id the entity belonged to when this was recorded; null for what stands outside the tree. */
  readonly level: string | null
  /** SHA-256, lower-case hex, over the previous event's hash in the stream and this event as stored (commands/pipeline/append.ts). */
  readonly hash: string
}

/** An event as the store returns it. */
export interface StoredEvent extends NewEvent {
  readonly stream: string
  /** 1 for the first event of its stream. */
  readonly revision: number
  /** Opaque; compares as a plain string in the order of the whole log. */
  readonly position: string
}
