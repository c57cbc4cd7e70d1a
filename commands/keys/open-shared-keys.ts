import { createHmac, randomBytes } from 'node:crypto'
import { type EventStore, StreamTombstoned, WrongRevision } from '../store/port.ts'
import { userBinding } from './key-ring.ts'
import { wrappingKey } from './master-key.ts'
import { ForgottenList } from './open-keys.ts'
import {
  decrypt,
  encrypt,
  KEY_BYTES,
  KeyRefused,
  keyIdOf,
  type NodeKeys,
  SealBroken,
  seal,
  UserForgotten,
  unpooled,
  unseal,
} from './secret.ts'
import { keyEvent, SharedRing } from './shared-ring.ts'

const FORGOTTEN = 'parley-forgotten'
const CACHED = 10_000
/** Milliseconds for which a node may still open what another node has just made it forget. */
const FRESH = 5000

const streamOf = (user: string) => `userkey-${user}`

/**
 * One stream per user key, `userkey-<id>`, tombstoned when the user is forgotten; a scavenge removes its bytes from the
 * server's disk. Forgotten users are listed, so that a restored store forgets them again.
 */
export class SharedUserKeys {
  readonly #store: EventStore
  readonly #ring: SharedRing
  readonly #cache = new Map<string, { readonly key: Buffer; readonly until: number }>()

  constructor(store: EventStore, ring: SharedRing) {
    this.#store = store
    this.#ring = ring
  }

  /** Undefined when there is none: destroyed, or not made yet. */
  async find(user: string): Promise<Buffer | undefined> {
    const cached = this.#cache.get(user)
    if (cached !== undefined && performance.now() < cached.until) return cached.key
    this.#drop(user)
    for await (const { data } of this.#store.read(streamOf(user), { direction: 'backwards', limit: 1 })) {
      return this.#keep(user, await this.#unwrap(user, String(data.by), String(data.wrapped)))
    }
    return undefined
  }

  /** Keeps a key that was made elsewhere. @throws UserForgotten */
  async adopt(user: string, key: Buffer): Promise<void> {
    const present = await this.find(user)
    if (present?.equals(key)) return
    if (present !== undefined) throw new KeyRefused(`The store holds another key of user ${user}`)
    await this.#add(user, key)
  }

  /** Durable before its first use. @throws UserForgotten */
  async findOrMake(user: string): Promise<Buffer> {
    for (;;) {
      const found = await this.find(user)
      if (found !== undefined) return found
      const made = await this.#add(user, randomBytes(KEY_BYTES))
      if (made !== undefined) return made
    }
  }

  /** Listed first, so that a crash in between is made good at the next start. May be repeated. */
  async forget(user: string): Promise<void> {
    this.#drop(user)
    for (;;) {
      const { users, revision } = await this.#listed()
      if (users.has(user)) break
      try {
        await this.#store.append(FORGOTTEN, revision, [keyEvent('UserKeyDestroyed', { user })])
        break
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error
      }
    }
    await this.#destroy(user)
    this.#drop(user)
  }

  async forgotten(): Promise<ReadonlySet<string>> {
    return (await this.#listed()).users
  }

  /** Destroys again what came back with a backup. */
  async reapply(): Promise<void> {
    for (const user of await this.forgotten()) {
      if ((await this.#store.revision(streamOf(user))) > 0) await this.#destroy(user)
    }
  }

  close(): void {
    for (const user of [...this.#cache.keys()]) this.#drop(user)
  }

  /** Undefined when another node was first. */
  async #add(user: string, key: Buffer): Promise<Buffer | undefined> {
    const { id, key: wrapping } = this.#ring.newest('user')
    const wrapped = encrypt(wrapping, key, userBinding(user))
    try {
      await this.#store.append(streamOf(user), 0, [keyEvent('UserKeyMade', { by: id, wrapped })])
      return this.#keep(user, key)
    } catch (error) {
      if (error instanceof StreamTombstoned) throw new UserForgotten(`User ${user} was forgotten`)
      if (!(error instanceof WrongRevision)) throw error
      return undefined
    }
  }

  async #destroy(user: string): Promise<void> {
    for (;;) {
      try {
        return await this.#store.tombstone(streamOf(user), await this.#store.revision(streamOf(user)))
      } catch (error) {
        if (error instanceof StreamTombstoned) return
        if (!(error instanceof WrongRevision)) throw error
      }
    }
  }

  async #listed(): Promise<{ users: Set<string>; revision: number }> {
    const users = new Set<string>()
    let revision = 0
    for await (const event of this.#store.read(FORGOTTEN)) {
      users.add(String(event.data.user))
      revision = event.revision
    }
    return { users, revision }
  }

  async #unwrap(user: string, by: string, wrapped: string): Promise<Buffer> {
    if (this.#ring.find(by) === undefined) await this.#ring.reload()
    const wrapping = this.#ring.find(by)
    if (wrapping === undefined) throw new SealBroken(`The key ${by}, which wraps that of user ${user}, is not here`)
    return unpooled(decrypt(wrapping.key, wrapped, userBinding(user)))
  }

  #keep(user: string, key: Buffer): Buffer {
    if (this.#cache.size >= CACHED) this.close()
    this.#cache.set(user, { key, until: performance.now() + FRESH })
    return key
  }

  #drop(user: string): void {
    this.#cache.delete(user)
  }
}

interface SharedKeys extends NodeKeys {
  /** New secrets get a new data key; old ones stay readable. */
  rotate(): Promise<void>
  /** Wraps all keys with another PARLEY_KEY; running nodes continue and need it at their next start. */
  rewrap(key: string): Promise<void>
}

interface OpenSharedKeys {
  readonly store: EventStore
  /** PARLEY_KEY: 32 bytes in base64 or hexadecimal. */
  readonly key: string
  /** PARLEY_DATA of this node, where a list of the forgotten outlives a restored store. */
  readonly folder: string
}

/**
 * The keys of several nodes, in the store they share.
 * @throws KeyRefused with one line, StoreUnavailable
 */
export const openSharedKeys = async ({ store, key, folder }: OpenSharedKeys): Promise<SharedKeys> => {
  const ring = await SharedRing.open(store, wrappingKey(key, 'PARLEY_KEY'))
  const users = new SharedUserKeys(store, ring)
  const list = new ForgottenList(folder)
  await reapply(users, list)
  const secretKey = async (id: string, context: string) => {
    if (ring.find(id) === undefined) await ring.reload()
    const found = ring.find(id)
    if (found === undefined) throw new SealBroken(`The key ${id} of the sealed value of ${context} is not here`)
    return found.key
  }
  return {
    secret: {
      encrypt: (value, context) => {
        const { id, key: newest } = ring.newest('secret')
        return seal('$secret', id, newest, value, context)
      },
      decrypt: async (sealed, context) =>
        unseal('$secret', await secretKey(keyIdOf('$secret', sealed), context), sealed, context),
    },
    personal: {
      encrypt: async (user, value, context) => seal('$personal', '', await users.findOrMake(user), value, context),
      decrypt: async (user, sealed, context) => {
        const found = await users.find(user)
        return found && unseal('$personal', found, sealed, context)
      },
      forget: async user => {
        if (!list.read().has(user)) list.add([user])
        await users.forget(user)
      },
      forgotten: () => users.forgotten(),
    },
    index: { hmac: text => createHmac('sha256', ring.newest('index').key).update(text).digest('hex') },
    rotate: () => ring.add('secret'),
    rewrap: next => ring.rewrap(wrappingKey(next, 'The new key')),
    close: () => {
      users.close()
      ring.close()
    },
  }
}

/** Destroys again what a restored store brought back, and lists here what other nodes forgot. */
async function reapply(users: SharedUserKeys, list: ForgottenList): Promise<void> {
  await users.reapply()
  const applied = await users.forgotten()
  const listed = list.read()
  for (const user of listed.difference(applied)) await users.forget(user)
  const unlisted = [...applied.difference(listed)]
  if (unlisted.length > 0) list.add(unlisted)
}
