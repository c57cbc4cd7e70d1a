import type { EventStore } from '#commands/store/port.ts'

export interface StoreUnderTest {
  /** The same events, opened again, after the store was closed. */
  open(): Promise<EventStore>
  /** Removes all data of the test. */
  dispose(): Promise<void>
}

/** Input of one part's tests: the open store, and a way to close and reopen it. */
export interface Contract {
  readonly store: () => EventStore
  readonly reopen: () => Promise<EventStore>
  /** A stream name that no other test uses. */
  readonly stream: (entity?: string) => string
}
