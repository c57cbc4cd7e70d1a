import type { Lookup } from '#domain/lookup.ts'
import { createCommandHandler } from '../command-handler.ts'
import type { FileKeys } from '../keys/open-keys.ts'
import type { EventStore } from '../store/port.ts'
import { firstIds, granted, systemOf } from './bootstrap.ts'

interface Restored {
  readonly store: EventStore
  readonly keys: FileKeys
  readonly lookup: Lookup
}

/**
 * Records in a restored log that people were forgotten after the backup: their keys are already destroyed. @returns the
 * position to wait for; undefined when the log contains all of them
 */
export const forgetListed = async ({ store, keys, lookup }: Restored): Promise<string | undefined> => {
  const missing = new Set(keys.personal.forgotten())
  const told = store.readAll({ filter: { streamPrefixes: ['user-'], types: ['UserForgotten'] } })
  for await (const { stream } of told) missing.delete(stream.slice('user-'.length))
  const system = systemOf(createCommandHandler({ store, keys, lookup }), firstIds(store).level)
  let position: string | undefined
  for (const user of missing) {
    // Users created after the backup are only on the list.
    if ((await store.revision(`user-${user}`)) === 0) continue
    position = granted(await system('user', 'forget', user, { confirm: 'CONFIRM' })).position
  }
  return position
}

interface ForgettingKeys {
  readonly personal: {
    forget(user: string): Promise<void> | void
    forgotten(): Promise<ReadonlySet<string>> | ReadonlySet<string>
  }
}

/** Destroys the keys of users whose stream says that they were forgotten, where a crash came between the two. */
export const finishForgetting = async (store: EventStore, { personal }: ForgettingKeys): Promise<void> => {
  const done = await personal.forgotten()
  const told = store.readAll({ filter: { streamPrefixes: ['user-'], types: ['UserForgotten'] } })
  for await (const { stream } of told) {
    const user = stream.slice('user-'.length)
    if (!done.has(user)) await personal.forget(user)
  }
}
