import { randomBytes } from 'node:crypto'
import type { Json } from '#schemas/event.ts'
import { ORIGIN_DAYS, originStream } from '#schemas/events/origin.ts'
import type { Keys } from '../keys/secret.ts'
import { appendAtEnd, draft } from '../pipeline/append.ts'
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
  /** Name that was tried, where no user has it. Only its beginning and its length are stored. */
  readonly name?: string
}

const MAX_AGENT = 300

/** Beginning and length of a name: people also type their password into this field. */
const hintOf = (name: string): string => {
  const letters = [...name]
  return `${letters.slice(0, 2).join('')}… (${letters.length})`
}

export const newOrigin = (): string => randomBytes(32).toString('hex')

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
    ...(name === undefined ? {} : { name: hintOf(name) }),
  }
  const author = { seed: crypto.randomUUID(), actor: null, time, correlation: origin, causation: null }
  const event = draft(author, 'origin', 'OriginSeen', null, { origin, user, fields })
  return (await appendAtEnd(store, stream, [event])).position
}

const DAY_MS = 86_400_000
/** Days before the limit that a sweep checks: a server that was off for longer finds the rest at its next start. */
const CHECKED_DAYS = 400

/** Removes the streams of addresses and browsers that are older than ORIGIN_DAYS. Returns their number. */
export const sweepOrigins = async (store: EventStore, now: Date): Promise<number> => {
  let swept = 0
  const newest = now.getTime() - (ORIGIN_DAYS + 1) * DAY_MS
  for (let day = 0; day < CHECKED_DAYS; day += 1) {
    const stream = originStream(new Date(newest - day * DAY_MS).toISOString())
    const revision = await store.revision(stream)
    if (revision === 0) continue
    await store.delete(stream, revision).catch(error => {
      if (!(error instanceof WrongRevision)) throw error
    })
    swept += 1
  }
  return swept
}
