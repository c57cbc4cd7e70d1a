import { randomUUID } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import { type ClaimedPerson, mayLinkByEmail, type ProviderPolicy } from '#domain/people/identity-provider.ts'
import { passkeysOf } from '#domain/people/passkey.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import { serviceaccount } from '#schemas/entities/serviceaccount.ts'
import { user } from '#schemas/entities/user.ts'
import type { JsonObject } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { identityLinkedSchema } from '#schemas/events/session.ts'
import { objectOf } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type CommandHandler, systemCaller } from '../port.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { withdrawAuthenticator } from './offered-authenticator.ts'
import type { SeenFrom } from './origin-log.ts'
import { findByEmail, loadPerson, type Person, type PersonSource } from './person.ts'
import { openProvisionedPeople } from './provision.ts'
import type { Sessions } from './session.ts'

/** A group that claims can give. */
export interface ClaimedGroup {
  readonly id: string
  readonly level: string
  /** `identifiedby`. */
  readonly value: string
}

/** Verified claims of an identity provider about a person. */
export interface ProviderClaim {
  readonly provider: { readonly id: string; readonly issuer: string; readonly policy: ProviderPolicy }
  readonly sub: string
  readonly sid: string | undefined
  readonly person: ClaimedPerson
  /** All groups with a value. */
  readonly groups: readonly ClaimedGroup[]
  readonly seen: SeenFrom
}

/** Something that acts later with the rights of a user. */
interface ActingEntity {
  readonly entity: 'apitoken' | 'webhook'
  readonly id: string
  /** ISO time. */
  readonly created: string
}

/** Personal tokens of a user that are not revoked, and webhooks that send what the user may read. */
export type FindActing = (user: string) => Promise<readonly ActingEntity[]>

interface AccountParts extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'permissionsOfUser' | 'reached'>
  readonly sessions: Sessions
  readonly findActing: FindActing
  readonly now: () => Date
}

const hmac = async ({ index }: Pick<Keys, 'index'>, ...parts: readonly string[]) => index.hmac(JSON.stringify(parts))

/** The HMACs under which an account, or one session of it, is stored. */
export const accountOf = async (
  keys: Pick<Keys, 'index'>,
  issuer: string,
  { sub, sid }: { readonly sub: string | undefined; readonly sid: string | undefined },
) => ({
  provider: await hmac(keys, 'oidc issuer', issuer),
  sub: sub === undefined ? undefined : await hmac(keys, 'oidc sub', issuer, sub),
  sid: sid === undefined ? undefined : await hmac(keys, 'oidc sid', issuer, sid),
})

interface Link {
  readonly user: string | undefined
  readonly tail: Tail
}

export const readLink = async (store: EventStore, stream: string): Promise<Link> => {
  for await (const { data, revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { user: identityLinkedSchema.parse(data).user, tail: { revision, hash } }
  return { user: undefined, tail: NO_STREAM }
}

/** Links an account to a user, unless another sign-in was first. */
export const writeLink = async (
  { store, now }: Pick<AccountParts, 'store' | 'now'>,
  stream: string,
  tail: Tail,
  id: string,
): Promise<boolean> => {
  const seed = randomUUID()
  const author = { seed, actor: null, time: now().toISOString(), correlation: seed, causation: null }
  try {
    await append(store, stream, tail, [draft(author, 'linked', 'IdentityLinked', null, { user: id })])
    return true
  } catch (error) {
    if (error instanceof WrongRevision) return false
    throw error
  }
}

type OwnerParts = Pick<AccountParts, 'keys' | 'loader' | 'lookup' | 'store'>

/**
 * Finds the existing user of a first sign-in: by the directory of the provider, else by the verified address. Returns
 * locked users too: their sign-in is refused, and no second user is made.
 */
export const ownerOfAccount = async (options: OwnerParts, claim: ProviderClaim): Promise<Person | undefined> =>
  (await ownerByDirectory(options, claim)) ?? (await ownerByEmail(options, claim))

/**
 * Finds the user with the `externalId` of the claim. The service account of this provider must have made the user and given
 * the id: ids of other directories, and ids that SCIM gave to local users, prove nothing. Skips users with an account at a
 * provider and users with emergency access.
 */
const ownerByDirectory = async (
  options: OwnerParts,
  { person: { externalId }, provider: { policy } }: ProviderClaim,
): Promise<Person | undefined> => {
  const { directory } = policy
  if (directory === undefined || externalId === undefined) return undefined
  const { state } = await options.loader.load(serviceaccount, directory.account, { fresh: true })
  if (state.status !== 'live' || state.level === null) return undefined
  const id = await openProvisionedPeople(options).byExternalId(state.level, externalId)
  const owner = id === undefined ? undefined : await loadPerson(options, id)
  if (owner === undefined || owner.locked) return owner
  const isMade = await isMadeBy(options.store, owner.id, directory.account)
  return isMade && !owner.breakglass && owner.identities.length === 0 ? owner : undefined
}

/** Whether a service account made a user and gave their present `externalId`: another one of its level can change that. */
const isMadeBy = async (store: EventStore, id: string, account: string): Promise<boolean> => {
  let [maker, giver]: (string | null)[] = []
  for await (const { revision, actor, data } of store.read(entityStream(user.name, id))) {
    if (revision === 1) maker = actor
    if ('externalkey' in objectOf(data.fields)) giver = actor
  }
  return maker === account && giver === account
}

/** An existing user with the verified address; never one who administers people or has an account at a provider. */
const ownerByEmail = async (options: OwnerParts, { person, provider }: ProviderClaim): Promise<Person | undefined> => {
  if (person.email === null || !mayLinkByEmail(person, provider.policy)) return undefined
  const owner = await findByEmail(options, person.email)
  // Another provider may not have verified the address that it gave.
  if (owner === undefined || owner.identities.length > 0 || owner.breakglass) return undefined
  const permissions = await options.lookup.permissionsOfUser(owner.id)
  return ADMINISTRATION.some(permission => permissions.has(permission)) ? undefined : owner
}

/**
 * ISO time of the newest password that was chosen with a mailed link. Null: there is none, or an administrator changed the
 * password or the address later. With a passkey a link proves nothing: who has it can sign in afterwards, and add others.
 */
const provenAt = async (store: EventStore, id: string): Promise<string | null> => {
  let proven: string | null = null
  let hasPasskey = false
  for await (const { type, time, data } of store.read(entityStream(user.name, id))) {
    const fields = objectOf(data.fields)
    if (fields.passkeys !== undefined) hasPasskey = passkeysOf(fields.passkeys).length > 0
    if (type === 'UserPasswordChanged') proven = objectOf(data.source).kind === 'mail' && !hasPasskey ? time : proven
    else if ('email' in fields || 'password' in fields) proven = null
  }
  return proven
}

/**
 * Removes all ways into an account that were set before its owner proved the address: who made the account may know the
 * password, hold a passkey or a token, and would keep them (pre-account hijacking). To be done before the link is written,
 * which is done once. Resolves to whether there was anything.
 */
export const removeForeignAccess = async (
  options: AccountParts,
  { provider, person }: Pick<ProviderClaim, 'provider' | 'person'>,
  { id, email }: Pick<Person, 'id' | 'email'>,
): Promise<Result<boolean>> => {
  const { store, commands, sessions, lookup, findActing } = options
  const system = (entity: string, action: string, target: string, input: JsonObject) =>
    commands.execute({ entity, action, id: target, input, caller: systemCaller(), correlation: randomUUID() })
  // The stored address of a directory's user can be a foreign one.
  const isOwn = email !== undefined && email.toLowerCase() === person.email?.toLowerCase()
  const proven = isOwn ? await provenAt(store, id) : null
  const removed = await system(user.name, 'removecredentials', id, { proven, provider: provider.id })
  if (!removed.ok) return removed
  if (proven === null) await withdrawAuthenticator(options, id)
  const ended = proven === null ? await sessions.endAll(id, 'password') : undefined
  // Tokens and webhooks that were made until here can be looked up then.
  const position = ended ?? removed.position
  if (position !== undefined) await lookup.reached(position)
  const acting = (await findActing(id)).filter(({ created }) => proven === null || created < proven)
  for (const { entity, id: target } of acting) {
    const done =
      entity === 'apitoken'
        ? await system(entity, 'revoke', target, {})
        : await system(entity, 'change', target, { enable: false })
    if (!done.ok) return done
    if (done.position !== undefined) await lookup.reached(done.position)
  }
  return accepted(position !== undefined || acting.length > 0)
}
