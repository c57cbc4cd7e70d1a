import { createHmac } from 'node:crypto'
import type { EventStore } from '../store/port.ts'
import { keyIdOf, seal, unseal } from './envelope.ts'
import { SealBroken } from './error.ts'
import { wrappingKey } from './master-key.ts'
import type { NodeKeys } from './node-keys.ts'
import { SharedRing } from './shared-ring.ts'
import { SharedUserKeys } from './shared-user-keys.ts'

export interface SharedKeys extends NodeKeys {
  /** New secrets get a new data key; old ones stay readable. */
  rotate(): Promise<void>
  /** Wraps all keys with another PARLEY_KEY; nodes that run on go on, and start with it the next time. */
  rewrap(key: string): Promise<void>
}

/**
 * The keys of several nodes, in the store they share. Call it when the store answers.
 * @param key PARLEY_KEY: 32 bytes in base64 or hexadecimal
 * @throws KeyRefused with one line
 */
export const openSharedKeys = async (store: EventStore, key: string): Promise<SharedKeys> => {
  const ring = await SharedRing.open(store, wrappingKey(key, 'PARLEY_KEY'))
  const users = new SharedUserKeys(store, ring)
  await users.reapply()
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
      forget: user => users.forget(user),
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
