import { randomBytes } from 'node:crypto'
import { type EventStore, StreamTombstoned, WrongRevision } from '../store/port.ts'
import { userBinding } from './key-ring.ts'
import { decrypt, encrypt, KEY_BYTES, KeyRefused, SealBroken, UserForgotten } from './secret.ts'
import { keyEvent, type SharedRing } from './shared-ring.ts'

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
    return decrypt(wrapping.key, wrapped, userBinding(user))
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
