import { createHmac } from 'node:crypto'
import type { EventStore } from '../store/port.ts'
import { wrappingKey } from './master-key.ts'
import { ForgottenList } from './open-keys.ts'
import { keyIdOf, type NodeKeys, SealBroken, seal, unseal } from './secret.ts'
import { SharedRing } from './shared-ring.ts'
import { SharedUserKeys } from './shared-user-keys.ts'

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
