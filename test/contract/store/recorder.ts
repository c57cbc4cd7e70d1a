import { type EventStore, type Filter, START, type Subscription } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'

/** A subscriber that records its events and lets a test wait for them. */
export class Recorder {
  readonly events: StoredEvent[] = []
  readonly caughtUp: string[] = []
  readonly subscription: Subscription
  readonly ended: Promise<Error | undefined>
  /** Set to hold the subscriber up at each event. */
  pause: (() => Promise<void>) | undefined

  constructor(
    store: EventStore,
    after: string = START,
    filter?: Filter,
    pause?: () => Promise<void>,
    interrupted: string[] = [],
  ) {
    this.pause = pause
    const { promise, resolve } = Promise.withResolvers<Error | undefined>()
    this.ended = promise
    const subscriber = {
      event: async (event: StoredEvent) => {
        await this.pause?.()
        this.events.push(event)
      },
      caughtUp: (position: string) => {
        this.caughtUp.push(position)
      },
      interrupted: ({ message }: Error) => {
        interrupted.push(message)
      },
      ended: resolve,
    }
    this.subscription = store.subscribe(after, subscriber, filter)
  }

  async until(condition: (recorder: Recorder) => boolean): Promise<void> {
    while (!condition(this)) await new Promise(resolve => setTimeout(resolve, 5))
  }

  async untilCaughtUp(): Promise<void> {
    await this.until(({ caughtUp }) => caughtUp.length > 0)
  }
}
