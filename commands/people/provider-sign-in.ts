import { randomUUID } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import {
  type ClaimedPerson,
  mayLinkByEmail,
  NUMBERED_LENGTH,
  type ProviderPolicy,
  topOfBranch,
  usernameCandidates,
} from '#domain/people/identity-provider.ts'
import type { PasskeyUse } from '#domain/people/passkey.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import { user } from '#schemas/entities/user.ts'
import type { JsonObject } from '#schemas/event.ts'
import { identityLinkedSchema, identityStream } from '#schemas/events/session.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type CommandHandler, systemCaller } from '../port.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { notifyAdministrators, notifyPeople } from './administrator-notice.ts'
import { codeStep, executeSignInStep, recoveryHash } from './credential.ts'
import { withdrawAuthenticator } from './offered-authenticator.ts'
import { type SeenFrom, writeOrigin } from './origin-log.ts'
import { type PasskeyAnswer, recordRefusal, verifyPasskey } from './passkey.ts'
import { findByEmail, loadPerson, needsPasskey, type Person, type PersonSource } from './person.ts'
import { newToken, type Sessions, sessionId } from './session.ts'

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

/** HMACs of an account at a provider. */
interface Account {
  readonly provider: string
  readonly sub: string
  readonly sid: string | null
}

/** A person whose second factor is still missing. */
export interface PendingSignIn {
  readonly user: string
  /** Id of the provider. */
  readonly provider: string
  readonly account: Account
}

export type ProviderSignIn =
  | { readonly step: 'done'; readonly user: string; readonly token: string }
  | { readonly step: 'code' | 'passkey' | 'register'; readonly pending: PendingSignIn }

export interface ProviderSignInOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'administrators' | 'ancestors' | 'permissionsOfUser' | 'reached'>
  readonly sessions: Sessions
  readonly attempts: number
  readonly now: () => Date
  /** One line for the operator. */
  readonly warn: (line: string) => void
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

/** Signs in who a provider says it is: finds or makes the user, follows the claims, and opens a session. */
export const signInByProvider = async (
  options: ProviderSignInOptions,
  claim: ProviderClaim,
): Promise<Result<ProviderSignIn>> => {
  const { provider, sub: name, sid: session, person: claimed } = claim
  const { policy } = provider
  if (claimed.hasTooManyGroups && policy.followgroups !== 'off') return refused('auth.groups')
  const hashed = await accountOf(options.keys, provider.issuer, { sub: name, sid: session })
  const account = { provider: hashed.provider, sub: hashed.sub ?? '', sid: hashed.sid ?? null }
  const found = await findOrMake(options, claim, account)
  if (!found.ok) return found
  const { isNew, isLinked } = found.value
  const refusal = found.value.person.locked ? refused('auth.locked') : undefined
  const followed = refusal ?? (isNew ? found : await follow(options, claim, found.value.person))
  // At the level that the person has from now on: notifications of other levels do not reach them.
  if (isLinked) await notifyLinked(options, claim, found.value.person.id)
  if (!followed.ok) return followed
  const person = await loadPerson(options, found.value.person.id)
  if (person === undefined) return refused('auth.locked')
  const pending = { user: person.id, provider: provider.id, account }
  if (!claimed.isStrong && (person.demanded || person.registered))
    return accepted({ step: person.registered ? 'code' : needsPasskey(person) ? 'passkey' : 'register', pending })
  return begin(options, person, pending, { step: null, seen: claim.seen })
}

/** Signs in with the missing passkey of a person. */
const finishWithPasskey = async (
  options: ProviderSignInOptions,
  person: Person,
  pending: PendingSignIn,
  { passkey: shown, seen }: { readonly passkey: PasskeyAnswer<PasskeyAssertion>; readonly seen: SeenFrom },
): Promise<Result<ProviderSignIn>> => {
  const passkey = await verifyPasskey(shown, person)
  const done =
    passkey === undefined
      ? refused('auth.passkey')
      : await begin(options, person, pending, { step: null, seen, passkey })
  if (!done.ok && passkey !== undefined && done.refusal.code === 'auth.passkey')
    await recordRefusal(options, person, null)
  return done
}

/** The missing second factor. */
export type SecondFactor = { readonly token: string } | { readonly passkey: PasskeyAnswer<PasskeyAssertion> }

/** Signs in with the missing code: of the registered authenticator, or of the one that waits to be confirmed. */
export const finishProviderSignIn = async (
  options: ProviderSignInOptions,
  pending: PendingSignIn,
  factor: SecondFactor,
  seen: SeenFrom,
): Promise<Result<ProviderSignIn>> => {
  const person = await loadPerson(options, pending.user)
  if (person === undefined || person.locked) return refused('auth.locked')
  if ('passkey' in factor) return finishWithPasskey(options, person, pending, { ...factor, seen })
  if (needsPasskey(person)) return refused('auth.passkeyneeded')
  const { token } = factor
  const recovery = person.registered ? recoveryHash(person, token) : undefined
  if (recovery !== undefined) return begin(options, person, pending, { step: null, seen, recovery })
  const secret = person.registered ? person.secret : person.pending
  const after = person.registered ? person.step : null
  const step = secret === undefined ? undefined : codeStep(secret, token, options.now(), after)
  if (step === undefined || secret === undefined) {
    const lock = person.attempts + 1 >= options.attempts
    const failed = await system(options, person.id, 'failsignin', { lock })
    if (failed.ok && failed.position !== undefined) await options.lookup.reached(failed.position)
    return refused('auth.twofactor')
  }
  if (person.registered) return begin(options, person, pending, { step, seen })
  const confirmed = await executeSignInStep(options.commands, person, 'confirmtwofactor', { secret, step })
  if (!confirmed.ok) return confirmed
  await withdrawAuthenticator(options, person.id)
  return begin(options, person, pending, { step: null, seen })
}

interface FinishedFactor {
  readonly step: number | null
  readonly seen: SeenFrom
  readonly recovery?: string
  readonly passkey?: PasskeyUse
}

const begin = async (
  options: ProviderSignInOptions,
  person: Person,
  { account, provider }: PendingSignIn,
  { step, seen, recovery, passkey }: FinishedFactor,
): Promise<Result<ProviderSignIn>> => {
  const { commands, sessions, lookup } = options
  const token = newToken()
  const session = sessionId(token)
  await writeOrigin(options, { origin: session, user: person.id, seen })
  const input = {
    changed: person.changed,
    step,
    ...(recovery === undefined ? {} : { recovery }),
    ...(passkey === undefined ? {} : { passkey }),
    way: 'oidc',
    provider,
    identity: identityOf(account),
  }
  const signed = await executeSignInStep(commands, person, 'signin', input, session)
  if (!signed.ok) return signed
  const { position } = await sessions.start(person, token, { way: 'oidc', ...account })
  await lookup.reached(position)
  const present = await loadPerson(options, person.id)
  if (present !== undefined && !present.locked) return accepted({ step: 'done', user: person.id, token })
  await sessions.end(session, 'locked')
  return refused('auth.locked')
}

const identityOf = ({ provider, sub }: Account): string => `${provider} ${sub}`

const system = ({ commands }: ProviderSignInOptions, id: string, action: string, input: JsonObject, level = '') =>
  commands.execute({
    entity: user.name,
    action,
    id,
    input,
    caller: systemCaller(level),
    correlation: randomUUID(),
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
const writeLink = async (
  { store, now }: ProviderSignInOptions,
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

interface FoundPerson {
  readonly person: Person
  readonly isNew: boolean
  /** A user of before, found by e-mail address. */
  readonly isLinked: boolean
}

/**
 * The link is written before the user: of two first sign-ins of one person on two nodes one chooses the id, and both make
 * the same user.
 */
const findOrMake = async (
  options: ProviderSignInOptions,
  claim: ProviderClaim,
  account: Account,
): Promise<Result<FoundPerson>> => {
  const stream = identityStream(account.sub)
  for (;;) {
    const link = await readLink(options.store, stream)
    const person = link.user === undefined ? undefined : await loadPerson(options, link.user)
    if (person !== undefined) return accepted({ person, isNew: false, isLinked: false })
    const owner = await ownerByEmail(options, claim)
    if (owner !== undefined) {
      const found = { person: owner, isNew: false, isLinked: true }
      if (await writeLink(options, stream, link.tail, owner.id)) return accepted(found)
      continue
    }
    if (!claim.provider.policy.create) return refused('auth.unknown')
    const place = await placeOfNew(options, claim)
    if (!place.ok) return place
    const isUnmade = link.user !== undefined && (await options.loader.load(user, link.user)).state.status === 'none'
    const id = isUnmade ? (link.user ?? randomUUID()) : randomUUID()
    if (!isUnmade && !(await writeLink(options, stream, link.tail, id))) continue
    const made = await make(options, claim.person, id, place.value)
    if (!made.ok) return made
    const fresh = await loadPerson(options, id)
    if (fresh !== undefined) return accepted({ person: fresh, isNew: true, isLinked: false })
  }
}

/** Notifies a person whose account has got another way to sign in. */
const notifyLinked = (options: ProviderSignInOptions, { provider }: ProviderClaim, id: string): Promise<void> => {
  const params = { host: new URL(provider.issuer).host }
  return notifyPeople(options, {
    entity: user.name,
    id,
    message: 'user.linked',
    kind: 'warn',
    params,
    recipients: [id],
  })
}

/** An existing user with the verified address; never one who administers people or has an account at a provider. */
export const ownerByEmail = async (
  options: Pick<ProviderSignInOptions, 'keys' | 'loader' | 'lookup' | 'store'>,
  { person, provider }: ProviderClaim,
): Promise<Person | undefined> => {
  if (person.email === null || !mayLinkByEmail(person, provider.policy)) return undefined
  const owner = await findByEmail(options, person.email)
  // Another provider may not have verified the address that it gave.
  if (owner === undefined || owner.identities.length > 0) return undefined
  const permissions = await options.lookup.permissionsOfUser(owner.id)
  return ADMINISTRATION.some(permission => permissions.has(permission)) ? undefined : owner
}

interface Place {
  readonly level: string
  readonly groups: readonly string[]
}

export const matchedOf = ({ person, groups }: ProviderClaim): readonly ClaimedGroup[] => {
  const values = new Set(person.groups)
  return groups.filter(({ value }) => values.has(value))
}

/** The home level that groups give; `home`: a level that stays. Undefined when they are on two branches. */
export const homeLevel = async (
  { lookup }: { readonly lookup: Pick<Lookup, 'ancestors'> },
  matched: readonly ClaimedGroup[],
  home: string | undefined,
): Promise<string | undefined> => {
  const levels = [...new Set([...matched.map(({ level }) => level), ...(home === undefined ? [] : [home])])]
  const top = topOfBranch(await Promise.all(levels.map(level => lookup.ancestors(level))))
  return top === undefined ? undefined : (home ?? top)
}

/** The home level that groups give. Notifies administrators of two branches. */
const levelOf = async (
  options: ProviderSignInOptions,
  matched: readonly ClaimedGroup[],
  home: string | undefined,
): Promise<Result<string>> => {
  const level = await homeLevel(options, matched, home)
  if (level !== undefined) return accepted(level)
  const [first] = matched
  if (first !== undefined)
    await notifyAdministrators(options, {
      entity: 'usergroup',
      id: first.id,
      message: 'usergroup.levels',
      kind: 'warn',
      params: { groups: matched.map(({ value }) => value).slice(0, 20) },
    })
  return refused('auth.level')
}

/** Level and groups of a new person. Refuses people without a group: at the root they could be given every right. */
const placeOfNew = async (options: ProviderSignInOptions, claim: ProviderClaim): Promise<Result<Place>> => {
  const matched = claim.provider.policy.followgroups === 'off' ? [] : matchedOf(claim)
  if (matched.length === 0) return refused('auth.nogroup')
  const level = await levelOf(options, matched, undefined)
  return level.ok ? accepted({ level: level.value, groups: matched.map(({ id }) => id) }) : level
}

const takenField = ({ code, errors }: Refusal): string | undefined =>
  code === 'entity.name.taken' ? errors?.[0]?.path : undefined

/** A taken username gets a number; a taken address is left out. */
const make = async (
  options: ProviderSignInOptions,
  { username, email, firstname, lastname, language }: ClaimedPerson,
  id: string,
  { level, groups }: Place,
): Promise<Result<null>> => {
  let address = email
  let refusal: Refusal = { code: 'entity.name.taken' }
  const names = [...usernameCandidates(username)]
  for (let name = names.shift(); name !== undefined; ) {
    const input = {
      username: name,
      firstname,
      lastname,
      email: address,
      usergroup: [...groups],
      ...(language === undefined ? {} : { language }),
    }
    const made = await system(options, id, 'create', input, level)
    if (made.ok) {
      if (made.position !== undefined) await options.lookup.reached(made.position)
      return accepted(null)
    }
    refusal = made.refusal
    const field = takenField(refusal)
    if (field !== 'email' && field !== 'username') break
    if (field === 'email') address = null
    // A name that is an address must be the own one.
    if (field === 'username' || name.includes('@')) name = names.shift()
  }
  return { ok: false, refusal }
}

/** Groups of a known person after a sign-in: those that no claim decides, and the claimed ones. */
export const groupsAfter = (
  { groups }: ProviderClaim,
  person: Pick<Person, 'groups'>,
  matched: readonly ClaimedGroup[],
): readonly string[] => {
  const claimable = new Set(groups.map(({ id }) => id))
  return [...new Set([...person.groups.filter(id => !claimable.has(id)), ...matched.map(({ id }) => id)])]
}

/** The level that groups do not change; undefined: they do. */
export const levelThatStays = (
  { followlevel }: ProviderClaim['provider']['policy'],
  { level }: Pick<Person, 'level'>,
): string | undefined => (followlevel === 'always' ? undefined : level)

/** Brings a known person's names, groups and level to what the claims say. */
const follow = async (
  options: ProviderSignInOptions,
  claim: ProviderClaim,
  person: Person,
): Promise<Result<unknown>> => {
  await followNames(options, claim.person, person)
  const { policy } = claim.provider
  if (policy.followgroups !== 'always') return accepted(null)
  if (claim.person.groups === undefined) {
    options.warn(`identity provider ${claim.provider.id}: no groups in the token of user ${person.id}, theirs stay`)
    return accepted(null)
  }
  const matched = matchedOf(claim)
  const level =
    matched.length === 0 ? accepted(person.level) : await levelOf(options, matched, levelThatStays(policy, person))
  if (!level.ok) return level
  const groups = groupsAfter(claim, person, matched)
  return moveTo(options, person, { level: level.value, groups }, matched.length === 0)
}

const followNames = async (
  options: ProviderSignInOptions,
  { username, email, firstname, lastname }: ClaimedPerson,
  person: Person,
): Promise<void> => {
  // A number that was added to a taken name stays.
  const begun = username.slice(0, NUMBERED_LENGTH)
  const isNumbered = person.username.startsWith(begun) && /^\d{1,2}$/u.test(person.username.slice(begun.length))
  const wanted: Record<string, string | null> = {
    ...(isNumbered ? {} : { username }),
    ...(firstname === null ? {} : { firstname }),
    ...(lastname === null ? {} : { lastname }),
    ...(email === null ? {} : { email }),
  }
  for (;;) {
    const changed = await system(options, person.id, 'change', wanted)
    if (changed.ok) return
    const [first] = changed.refusal.errors ?? []
    const field = takenField(changed.refusal) ?? first?.path
    if (field === undefined || !(field in wanted)) {
      options.warn(`user ${person.id}: the names of the identity provider are refused: ${changed.refusal.code}`)
      return
    }
    delete wanted[field]
  }
}

const sameIds = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every(id => other.includes(id))

/**
 * Sets groups and level. Groups that go are taken before the level moves and those that come are given after it, so that
 * no role ever counts for a level that it is not given for. `isEmpty`: no group matched, so that the sign-in is refused.
 */
const moveTo = async (
  options: ProviderSignInOptions,
  person: Person,
  { level, groups }: Place,
  isEmpty: boolean,
): Promise<Result<unknown>> => {
  const isMoved = level !== person.level
  const first = isMoved ? person.groups.filter(id => groups.includes(id)) : groups
  const steps: [string, JsonObject][] = []
  if (!sameIds(person.groups, first)) steps.push(['change', { usergroup: [...first] }])
  if (isMoved) steps.push(['transfer', { hierarchylevel: level }])
  if (!sameIds(first, groups)) steps.push(['change', { usergroup: [...groups] }])
  for (const [action, input] of steps) {
    const done = await system(options, person.id, action, input)
    if (!done.ok && done.refusal.code === 'access.lastadministrator') return keepAdministrator(options, person, groups)
    if (!done.ok) return done
    if (done.position !== undefined) await options.lookup.reached(done.position)
  }
  return isEmpty ? refused('auth.nogroup') : accepted(null)
}

/** The last administrator keeps groups and level, and signs in. */
const keepAdministrator = async (
  options: ProviderSignInOptions,
  person: Person,
  groups: readonly string[],
): Promise<Result<unknown>> => {
  const more = groups.filter(id => !person.groups.includes(id))
  if (more.length > 0) await system(options, person.id, 'change', { usergroup: [...person.groups, ...more] })
  options.warn(`user ${person.id} is the last administrator: the groups that the identity provider took away stay`)
  const notice = { entity: user.name, id: person.id, message: 'user.lastadministrator', kind: 'warn' } as const
  await notifyAdministrators(options, notice)
  return accepted(null)
}
