import type { EventStore } from '#commands/store/port.ts'

export interface StoreUnderTest {
  /** The same events, opened again, after the store was closed. */
  open(): Promise<EventStore>
  /** Removes whatever the test left behind. */
  dispose(): Promise<void>
}

/** What the tests of one part are given: the open store, and how to close and open it again. */
export interface Contract {
  readonly store: () => EventStore
  readonly reopen: () => Promise<EventStore>
  /** A stream name that no other test uses. */
  readonly stream: (entity?: string) => string
}
