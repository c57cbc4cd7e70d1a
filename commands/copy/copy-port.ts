import type { NewEvent } from '#schemas/event.ts'
import type { EventStore, Mark } from '../store/port.ts'

/** Source of the copy and of the comparison afterwards. No other process writes to it meanwhile. */
export interface Source {
  readonly store: EventStore
  marks(): AsyncIterable<Mark> | Iterable<Mark>
}

export interface Target {
  readonly store: EventStore
  /** As a message names it. */
  readonly name: string
  /** Bytes of an event as this store counts them, of the `most` that it takes in one append. */
  sizeOf(event: NewEvent): number
  readonly most: number
  /** Concurrent appends: above one only if appends to all streams are written in call order. */
  readonly atOnce: number
}

/** The keys of a copy. */
export interface KeyCopy {
  /** Before the first event is written. @throws KeyRefused when the target has others */
  begin(): Promise<void> | void
  /** Once the copy is verified: from now on gateways open it. */
  finish(): Promise<void> | void
}

/** Time limit for retries of an unavailable store, ms. */
export type Patience = number

/** The copy cannot be made or gone on with. The message is what to print. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}
