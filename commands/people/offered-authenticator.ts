import { hash } from 'node:crypto'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { Keys } from '../keys/secret.ts'
import { appendAtEnd, appendIfFirst, type Draft, draft } from '../pipeline/append.ts'
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

const eventOf = (type: string, data: JsonObject): Draft => {
  const seed = crypto.randomUUID()
  const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
  return draft(author, type, type, null, data)
}

/** Keeps the secret of an authenticator that was offered, until its first code or for a day. */
export const offerAuthenticator = async (
  { store, keys }: OfferOptions,
  user: string,
  secret: string,
): Promise<void> => {
  const sealed = await keys.secret.encrypt(secret, contextOf(user))
  await appendAtEnd(store, streamOf(user), [eventOf('AuthenticatorOffered', { secret: sealed })])
}

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

/**
 * Withdraws the offered authenticator: it was confirmed, or the second factor was reset. `isMeant` is asked after the offer
 * was read; a later offer stays.
 */
export const withdrawAuthenticator = async (
  { store }: Pick<OfferOptions, 'store'>,
  user: string,
  isMeant: () => Promise<boolean> = async () => true,
): Promise<void> => {
  for (;;) {
    const newest = await newestOf(store, user)
    if (newest?.type !== 'AuthenticatorOffered' || !(await isMeant())) return
    const withdrawn = eventOf('AuthenticatorWithdrawn', {})
    if ((await appendIfFirst(store, streamOf(user), newest, [withdrawn])) !== undefined) return
  }
}
