import { hash } from 'node:crypto'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { Keys } from '../keys/secret.ts'
import { appendAtEnd, draft } from '../pipeline/append.ts'
import { ANSWER_RETENTION_MS, REQUEST_PREFIX } from '../pipeline/idempotency-key.ts'
import type { EventStore } from '../store/port.ts'

/** Swept with the answers that are kept for idempotency keys: an offer is no fact about the user. */
const streamOf = (user: string): string => `${REQUEST_PREFIX}authenticator-${hash('sha256', user)}`
const contextOf = (user: string): string => `${streamOf(user)}.secret`

interface OfferOptions {
  readonly store: EventStore
  readonly keys: Pick<Keys, 'secret'>
}

const newestOf = async (store: EventStore, user: string): Promise<StoredEvent | undefined> => {
  for await (const event of store.read(streamOf(user), { direction: 'backwards', limit: 1 })) return event
  return undefined
}

const write = async (store: EventStore, user: string, type: string, data: JsonObject): Promise<void> => {
  const seed = crypto.randomUUID()
  const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
  await appendAtEnd(store, streamOf(user), [draft(author, type, type, null, data)])
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
