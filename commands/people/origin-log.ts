import { randomBytes } from 'node:crypto'
import type { Json } from '#schemas/event.ts'
import { originStream } from '#schemas/events/origin.ts'
import { NO_STREAM, type Tail } from '../integrity/hash-chain.ts'
import type { Keys } from '../keys/secret.ts'
import { append } from '../pipeline/append.ts'
import { draft } from '../pipeline/author.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

/** Address and browser of a request. */
export interface SeenFrom {
  readonly address: string
  readonly agent: string | null
}

interface OriginOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly now: () => Date
}

interface SeenOrigin {
  readonly origin: string
  readonly user: string | null
  readonly seen: SeenFrom
  /** Name that was tried, where no user has it. */
  readonly name?: string
}

const MAX_AGENT = 300
const MAX_NAME = 100

export const newOrigin = (): string => randomBytes(32).toString('hex')

const tailOf = async (store: EventStore, stream: string): Promise<Tail> => {
  for await (const { revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash }
  return NO_STREAM
}

/** Stores the address and browser of a session or attempt. Returns the position. */
export const writeOrigin = async (
  { store, keys, now }: OriginOptions,
  { origin, user, seen, name }: SeenOrigin,
): Promise<string> => {
  const time = now().toISOString()
  const stream = originStream(time)
  const sealed = (value: Json, field: string) =>
    user === null || value === null ? value : keys.personal.encrypt(user, value, `${stream}.${field}`)
  const fields = {
    address: await sealed(seen.address, 'address'),
    agent: await sealed(seen.agent?.slice(0, MAX_AGENT) ?? null, 'agent'),
    ...(name === undefined ? {} : { name: name.slice(0, MAX_NAME) }),
  }
  const author = { seed: crypto.randomUUID(), actor: null, time, correlation: origin, causation: null }
  const event = draft(author, 'origin', 'OriginSeen', null, { origin, user, fields })
  for (;;) {
    try {
      return (await append(store, stream, await tailOf(store, stream), [event])).position
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}
