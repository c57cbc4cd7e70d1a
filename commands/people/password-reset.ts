import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Lookup } from '#domain/lookup.ts'
import { checkPassword } from '#domain/people/password.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { foldName } from '#schemas/fold-text.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { REQUEST_PREFIX } from '../pipeline/idempotency-key.ts'
import type { CommandHandler } from '../port.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { executeSignInStep, untilGrain } from './credential.ts'
import { newOrigin, type SeenFrom, writeOrigin } from './origin-log.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { findPerson, loadPerson, type Person, type PersonSource } from './person.ts'
import type { Sessions } from './session.ts'

/** Streams of wishes for a new password; they are swept with the answers of idempotency keys. */
export const RESET_PREFIX = `${REQUEST_PREFIX}reset-`
/** Stream of one link, by the SHA-256 of its token. */
const linkStream = (token: string): string => `${REQUEST_PREFIX}resetlink-${hash('sha256', token)}`

const HOUR_MS = 3_600_000
/** Wishes under one name within an hour. */
const MAX_WISHES = 3
/** Life of a link, ms. */
const LIFE_MS = 30 * 60_000

/** `PasswordResetIssued`, first event of a link. `replaces`: of the password that it replaces, and of its address. */
const issuedSchema = z.object({ user: z.string(), replaces: z.string(), until: z.number() })
/**
 * Names one password of one person: its hash is salted. A date would name two that were set within its resolution. With the
 * address, so that a link that was mailed to another one proves nothing about this one.
 */
const fingerprint = (passwordHash: string, email: string | undefined): string =>
  hash('sha256', JSON.stringify([passwordHash, email]))

/** Token of the link that a wish leads to: 256 bits under the index key, so that no stored event has it. */
export const resetToken = async (keys: Keys, wish: string): Promise<string> =>
  Buffer.from(await keys.index.hmac(`password reset ${wish}`), 'hex').toString('base64url')

interface WishOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly now: () => Date
  readonly grain?: number | undefined
}

const write = (store: EventStore, stream: string, tail: Tail, type: string, time: string, data: JsonObject) => {
  const seed = crypto.randomUUID()
  const author = { seed, actor: null, time, correlation: seed, causation: null, isSole: true }
  return append(store, stream, tail, [draft(author, type, type, null, data)])
}

/** False when another writer was first. */
const wroteFirst = (writing: Promise<unknown>): Promise<boolean> =>
  writing.then(
    () => true,
    error => {
      if (error instanceof WrongRevision) return false
      throw error
    },
  )

/**
 * Stores the wish for a new password under a name, `PasswordResetAsked` {name}: the same write whether the name exists or
 * not, which is found out later. The name may be a password typed into the wrong field, so it is encrypted.
 */
export const askReset = async ({ store, keys, now, grain }: WishOptions, name: string): Promise<void> => {
  const began = performance.now()
  const stream = RESET_PREFIX + (await keys.index.hmac(JSON.stringify(['reset', foldName(name)])))
  const sealed = await keys.secret.encrypt(name, stream)
  for (let isDone = false; !isDone; ) {
    const since = now().getTime() - HOUR_MS
    let tail = NO_STREAM
    let recent = 0
    for await (const event of store.read(stream, { direction: 'backwards', limit: MAX_WISHES })) {
      if (tail === NO_STREAM) tail = { revision: event.revision, hash: event.hash }
      if (Date.parse(event.time) > since) recent += 1
    }
    isDone =
      recent >= MAX_WISHES ||
      (await wroteFirst(write(store, stream, tail, 'PasswordResetAsked', now().toISOString(), { name: sealed })))
  }
  await untilGrain(began, grain)
}

interface IssueOptions extends PersonSource {
  /** With OIDC_ONLY: whether this person may sign in by password. */
  readonly maySignIn: (person: Person) => Promise<boolean>
}

/**
 * Makes the link that a wish leads to; the same one when it is made again. Undefined for unknown names, and for people
 * without a password, without an address or who are locked.
 */
export const issueReset = async (
  options: IssueOptions,
  wish: Pick<StoredEvent, 'id' | 'stream' | 'time' | 'data'>,
): Promise<{ readonly user: string; readonly until: number } | undefined> => {
  const { store, keys, maySignIn } = options
  const name = await keys.secret.decrypt(wish.data.name as JsonObject, wish.stream)
  const person = await findPerson(options, String(name))
  // Without a password they sign in at an identity provider alone.
  if (person?.hash === undefined || person.email === undefined || person.locked) return undefined
  if (!(await maySignIn(person))) return undefined
  const { id: user } = person
  const replaces = fingerprint(person.hash, person.email)
  const until = Date.parse(wish.time) + LIFE_MS
  const stream = linkStream(await resetToken(keys, wish.id))
  await wroteFirst(write(store, stream, NO_STREAM, 'PasswordResetIssued', wish.time, { user, replaces, until }))
  return { user, until }
}

interface UseOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
  readonly sessions: Sessions
  readonly now: () => Date
}

export interface NewPassword {
  readonly token: string
  readonly new: string
  readonly confirm: string
}

/**
 * Sets the password with a link, once. Every session of the person ends: before, so that a crash between cannot leave
 * one, and after, for one that was opened meanwhile. The second factor stays.
 */
export const useReset = async (
  options: UseOptions,
  { token, new: password, confirm }: NewPassword,
  seen: SeenFrom | undefined,
): Promise<Result<null>> => {
  const { store, commands, sessions, lookup, now } = options
  const rules = checkPassword(password, 'new')
  if (!rules.ok) return rules
  if (password !== confirm)
    return refused('user.password.confirm', {
      errors: [{ path: 'confirm', code: 'format', params: { rule: 'confirm' } }],
    })
  const link = await openLink(options, token)
  if (link === undefined) return refused('auth.reset')
  const { person, tail, stream } = link
  if (await verifyPassword(person.hash, password))
    return refused('user.password.same', { errors: [{ path: 'new', code: 'duplicate', params: { rule: 'same' } }] })
  const hashed = await hashPassword(password)
  if (!(await wroteFirst(write(store, stream, tail, 'PasswordResetUsed', now().toISOString(), {}))))
    return refused('auth.reset')
  const origin = newOrigin()
  if (seen !== undefined) await writeOrigin(options, { origin, user: person.id, seen })
  await sessions.endAll(person.id, 'password')
  const input = { hash: hashed, changed: person.changed, step: null, by: 'mail' }
  const changed = await executeSignInStep(commands, person, 'changepassword', input, origin)
  // Another change of the password came between.
  if (!changed.ok) return changed.refusal.code === 'auth.invalid' ? refused('auth.reset') : changed
  const ended = await sessions.endAll(person.id, 'password')
  const position = ended ?? changed.position
  if (position !== undefined) await lookup.reached(position)
  return accepted(null)
}

/** Undefined for a link that never was, was used or has expired, and after another change of the password. */
const openLink = async (
  options: Pick<UseOptions, 'store' | 'keys' | 'loader' | 'now'>,
  token: string,
): Promise<{ readonly person: Person; readonly tail: Tail; readonly stream: string } | undefined> => {
  const stream = linkStream(token)
  for await (const { type, data, revision, hash: last } of options.store.read(stream, {
    direction: 'backwards',
    limit: 1,
  })) {
    if (type !== 'PasswordResetIssued') return undefined
    const { user, replaces, until } = issuedSchema.parse(data)
    if (until <= options.now().getTime()) return undefined
    const person = await loadPerson(options, user)
    if (person === undefined || person.locked || person.hash === undefined) return undefined
    return fingerprint(person.hash, person.email) === replaces
      ? { person, tail: { revision, hash: last }, stream }
      : undefined
  }
  return undefined
}
