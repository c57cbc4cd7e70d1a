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
