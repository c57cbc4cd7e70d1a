import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EventStoreDouble, startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'

/** With PARLEY_TEST_STORE=eventstoredb every gateway of the tests has a double of that server behind it. */
const isDoubled = process.env.PARLEY_TEST_STORE === 'eventstoredb'
const KEY = Buffer.alloc(32, 42).toString('base64')
const doubles = new Map<string, Promise<EventStoreDouble>>()

const eventsOf = (folder: string) => `${folder}-events`

/** The settings that name the store of the gateway on this folder; started again on it, it finds the same events. */
export const storeOf = async (folder: string): Promise<Record<string, string>> => {
  if (!isDoubled) return {}
  return { EVENTSTORE_URL: (await doubleOf(folder)).url, PARLEY_KEY: KEY, SINGLE_NODE: 'on', DRAIN_SECONDS: '0' }
}

export const doubleOf = (folder: string): Promise<EventStoreDouble> => {
  const double = doubles.get(folder) ?? startEventStoreDouble({ folder: eventsOf(folder) })
  doubles.set(folder, double)
  return double
}

/** The SQLite file that holds the events of the gateway on this folder: its own, or that of the double behind it. */
export const eventFileOf = (folder: string): string => join(isDoubled ? eventsOf(folder) : folder, 'events.sqlite')

export const dropStore = async (folder: string): Promise<void> => {
  const double = doubles.get(folder)
  if (double === undefined) return
  doubles.delete(folder)
  await (await double).stop()
  rmSync(eventsOf(folder), { recursive: true, force: true })
}
