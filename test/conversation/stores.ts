import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { NewEvent } from '#schemas/event.ts'
import { startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'

let double: { stop(): Promise<void> } | undefined

/** Both kinds of store, by name. */
export const STORES: Readonly<Record<string, (folder: string) => Promise<EventStore>>> = {
  'the embedded store': folder => openEmbeddedStore({ folder }),
  'a server of events': async folder => {
    const started = await startEventStoreDouble({ folder })
    double = started
    return openEventStoreDb({ url: started.url })
  },
}

/** Ends the server of a test that had one. */
export const stopServer = async (): Promise<void> => {
  await double?.stop()
  double = undefined
}

export const allOf = async <T>(given: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const one of given) all.push(one)
  return all
}

/** A store of which appends of this type go through `append`. */
export const withAppend = (
  store: EventStore,
  type: string,
  append: (
    write: () => ReturnType<EventStore['append']>,
    events: readonly NewEvent[],
  ) => ReturnType<EventStore['append']>,
): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'append') return typeof value === 'function' ? value.bind(target) : value
      return (stream: string, expected: number, events: readonly NewEvent[]) => {
        const write = () => target.append(stream, expected, events)
        return events.some(event => event.type === type) ? append(write, events) : write()
      }
    },
  })

/** Appends of a type of event, or of some of them, that wait from `hold` until `release`. */
export class HeldAppends {
  readonly #type: string
  readonly #isOf: (event: NewEvent) => boolean
  #gate: PromiseWithResolvers<void> | undefined
  #reached = Promise.withResolvers<void>()

  constructor(type: string, isOf: (event: NewEvent) => boolean = () => true) {
    this.#type = type
    this.#isOf = isOf
  }

  hold(): void {
    this.#gate = Promise.withResolvers()
    this.#reached = Promise.withResolvers()
  }

  /** Resolves when an append waits. */
  get reached(): Promise<void> {
    return this.#reached.promise
  }

  release(): void {
    this.#gate?.resolve()
    this.#gate = undefined
  }

  /** The store for a node. */
  of(store: EventStore): EventStore {
    return withAppend(store, this.#type, async (write, events) => {
      if (this.#gate !== undefined && events.some(event => event.type === this.#type && this.#isOf(event))) {
        this.#reached.resolve()
        await this.#gate.promise
      }
      return write()
    })
  }
}

/** A store that delivers no events to subscribers. */
export const silentStore = (store: EventStore): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'subscribe') return typeof value === 'function' ? value.bind(target) : value
      const subscribe: EventStore['subscribe'] = (after, subscriber, filter) =>
        target.subscribe(after, { ...subscriber, event: () => undefined }, filter)
      return subscribe
    },
  })
