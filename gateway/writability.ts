import { type EventStore, StoreReadOnly } from '#commands/store/port.ts'

/** While writes are refused, how often it is looked whether they are taken again. */
const LOOK_MS = 1_000

/** Whether the store takes writes, by its newest append: recovers automatically from a full or read-only disk. */
export class Writability {
  readonly #store: Pick<EventStore, 'probe'>
  #timer: NodeJS.Timeout | undefined

  constructor(store: Pick<EventStore, 'probe'>) {
    this.#store = store
  }

  /** Undefined while writes are taken, else one line. */
  reason(): string | undefined {
    return this.#timer === undefined ? undefined : 'the event store takes no writes'
  }

  /** Records an append's outcome. */
  observe(error?: unknown): void {
    if (error === undefined) this.stop()
    else if (error instanceof StoreReadOnly) this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    try {
      await this.#store.probe()
      this.stop()
    } catch {
      // It is looked again.
    }
  }
}
