import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AUDIENCE_PREFIX, audienceHolder } from '#schemas/events/campaign.ts'
import { CONVERSATION_PREFIX } from '#schemas/events/conversation.ts'
import {
  dataBinding,
  fittingKey,
  type GivenKeys,
  type KeyPlace,
  KeyTable,
  keyFormat,
  userBinding,
} from '../keys/key-ring.ts'
import { wrappingKey } from '../keys/master-key.ts'
import { ForgottenList } from '../keys/open-keys.ts'
import { SharedUserKeys } from '../keys/open-shared-keys.ts'
import { decrypt, KeyRefused, maskedHolder } from '../keys/secret.ts'
import { SharedRing } from '../keys/shared-ring.ts'
import { ensureSqliteFile } from '../store/embedded/sqlite-file.ts'
import type { EventStore } from '../store/port.ts'
import { CopyRefused, type KeyCopy, type Patience, retryUntilAvailable } from './copy-checkpoints.ts'

type Place = Required<KeyPlace> & { readonly key: string }

const PURPOSES = ['secret', 'index'] as const
const fileIn = (folder: string) => join(folder, 'keys.sqlite')

/**
 * All keys of an embedded store, unwrapped, and who was forgotten.
 * @throws KeyRefused with one line
 */
export const readFolderKeys = (place: Place): GivenKeys => {
  const table = new KeyTable(fileIn(place.folder), true)
  const wrapping = fittingKey(table, place)
  try {
    const data = PURPOSES.flatMap(purpose =>
      table.dataKeys(purpose).map(({ id, wrapped }) => ({
        id,
        purpose,
        key: decrypt(wrapping, wrapped, dataBinding(purpose, id)),
      })),
    )
    const forgotten = table.forgotten().union(new ForgottenList(place.folder).read())
    const users = new Map(
      [...table.userKeys()]
        .filter(({ user }) => !forgotten.has(user))
        .map(({ user, wrapped }) => [user, decrypt(wrapping, wrapped, userBinding(user))] as const),
    )
    return { data, users, forgotten }
  } finally {
    wrapping.fill(0)
    table.close()
  }
}

/** Carries keys into a folder. They come last: no gateway opens a folder that has events and no keys. */
export const copyKeysToFolder = (place: Place, given: GivenKeys): KeyCopy => ({
  begin() {
    if (!existsSync(fileIn(place.folder))) return
    const present = readFolderKeys(place).data
    const isSame = given.data.every(({ id, key }) => present.find(other => other.id === id)?.key.equals(key))
    if (!isSame) throw new KeyRefused(`${place.folder} holds keys of another log`)
  },
  finish() {
    const { folder, key } = place
    const list = new ForgottenList(folder)
    const unlisted = new Set(given.forgotten).difference(list.read())
    if (unlisted.size > 0) list.add([...unlisted])
    ensureSqliteFile(fileIn(folder), keyFormat(wrappingKey(key, 'PARLEY_KEY'), given))
  },
})

interface SharedKeysPlace {
  readonly store: EventStore
  /** PARLEY_KEY. */
  readonly key: string
}

const USER_PREFIX = 'user-'

/**
 * All keys of a shared store, unwrapped, and who was forgotten. People are known by their streams, those of chats by their
 * conversations, campaigns by their audiences.
 * @throws CopyRefused, KeyRefused
 */
export const readSharedKeys = async ({ store, key }: SharedKeysPlace): Promise<GivenKeys> => {
  const ring = await SharedRing.openPresent(store, wrappingKey(key, 'PARLEY_KEY'))
  if (ring === undefined) throw new CopyRefused('The event store holds no keys of Parley')
  const shared = new SharedUserKeys(store, ring)
  const users = new Map<string, Buffer>()
  const take = async (holder: string) => {
    const found = users.has(holder) ? undefined : await shared.find(holder)
    if (found !== undefined) users.set(holder, Buffer.from(found))
  }
  for await (const { stream, revision } of store.readAll({ filter: { streamPrefixes: [USER_PREFIX] } }))
    if (revision === 1) await take(stream.slice(USER_PREFIX.length))
  const begun = { streamPrefixes: [CONVERSATION_PREFIX], types: ['ConversationStarted'] }
  for await (const { stream, data } of store.readAll({ filter: begun })) {
    await take(String(data.person))
    await take(maskedHolder(stream.slice(CONVERSATION_PREFIX.length)))
  }
  const audiences = { streamPrefixes: [AUDIENCE_PREFIX], types: ['AudienceBegun'] }
  for await (const { stream } of store.readAll({ filter: audiences }))
    await take(audienceHolder(stream.slice(AUDIENCE_PREFIX.length)))
  const data = (['secret', 'index'] as const).flatMap(purpose =>
    ring.all(purpose).map(({ id, key }) => ({ id, purpose, key: Buffer.from(key) })),
  )
  return { data, users, forgotten: await shared.forgotten() }
}

/**
 * Carries keys into a shared store, where PARLEY_KEY wraps them.
 * @param log id of the store that is copied
 */
export const toShared = (
  { store, key }: SharedKeysPlace,
  log: string,
  { data, users, forgotten }: GivenKeys,
  patience: Patience,
): KeyCopy => {
  let ring: SharedRing | undefined
  return {
    async begin() {
      const wrapping = wrappingKey(key, 'PARLEY_KEY')
      ring = await retryUntilAvailable(() => SharedRing.beginCopy(store, wrapping, log, data), patience)
    },
    async finish() {
      const begun = ring
      if (begun === undefined) throw new RangeError('The keys are finished before they are begun')
      const shared = new SharedUserKeys(store, begun)
      for (const user of forgotten) await retryUntilAvailable(() => shared.forget(user), patience)
      for (const [user, own] of users) await retryUntilAvailable(() => shared.adopt(user, own), patience)
      await retryUntilAvailable(() => begun.finishCopy(), patience)
    },
  }
}
