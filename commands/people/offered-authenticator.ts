import { hash } from 'node:crypto'
import type { JsonObject } from '#schemas/event.ts'
import type { Keys } from '../keys/secret.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { ANSWER_RETENTION_MS, REQUEST_PREFIX } from '../pipeline/idempotency-key.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

/** Swept with the answers that are kept for idempotency keys: an offer is no fact about the user. */
const streamOf = (user: string): string => `${REQUEST_PREFIX}authenticator-${hash('sha256', user)}`
const contextOf = (user: string): string => `${streamOf(user)}.secret`

interface OfferOptions {
  readonly store: EventStore
  readonly keys: Pick<Keys, 'secret'>
}

interface Newest {
  readonly tail: Tail
  readonly type: string
  readonly data: JsonObject
  readonly time: string
}

const newestOf = async (store: EventStore, user: string): Promise<Newest | undefined> => {
  for await (const event of store.read(streamOf(user), { direction: 'backwards', limit: 1 })) {
    const { revision, hash: chained, type, data, time } = event
    return { tail: { revision, hash: chained }, type, data, time }
  }
  return undefined
}

const write = async (store: EventStore, user: string, type: string, data: JsonObject): Promise<void> => {
  const seed = crypto.randomUUID()
  const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
  for (;;) {
    const tail = (await newestOf(store, user))?.tail ?? NO_STREAM
    try {
      await append(store, streamOf(user), tail, [draft(author, type, type, null, data)])
      return
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

/** Keeps the secret of an authenticator that was offered, until its first code or for a day. */
export const offerAuthenticator = async ({ store, keys }: OfferOptions, user: string, secret: string): Promise<void> =>
  write(store, user, 'AuthenticatorOffered', { secret: await keys.secret.encrypt(secret, contextOf(user)) })

/** The secret of the authenticator that was offered last; undefined where there is none. */
export const offeredAuthenticator = async (
  { store, keys }: OfferOptions,
  user: string,
): Promise<string | undefined> => {
  const newest = await newestOf(store, user)
  if (newest?.type !== 'AuthenticatorOffered') return undefined
  if (Date.now() - Date.parse(newest.time) > ANSWER_RETENTION_MS) return undefined
  const secret = await keys.secret.decrypt(newest.data.secret as JsonObject, contextOf(user))
  return typeof secret === 'string' ? secret : undefined
}

/** It was confirmed, or an administrator reset the second factor. */
export const withdrawAuthenticator = async ({ store }: Pick<OfferOptions, 'store'>, user: string): Promise<void> => {
  if ((await newestOf(store, user))?.type === 'AuthenticatorOffered')
    await write(store, user, 'AuthenticatorWithdrawn', {})
}
