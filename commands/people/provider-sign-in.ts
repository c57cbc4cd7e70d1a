import { randomUUID } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import {
  type ClaimedPerson,
  NUMBERED_LENGTH,
  topOfBranch,
  usernameCandidates,
} from '#domain/people/identity-provider.ts'
import type { PasskeyUse } from '#domain/people/passkey.ts'
import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import { user } from '#schemas/entities/user.ts'
import { usergroup } from '#schemas/entities/usergroup.ts'
import type { JsonObject } from '#schemas/event.ts'
import { identityStream } from '#schemas/events/session.ts'
import { optionalText } from '#schemas/json.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { type CommandHandler, systemCaller } from '../port.ts'
import { notifyAdministrators } from './administrator-notice.ts'
import { codeStep, executeSignInStep, recoveryHash } from './credential.ts'
import { withdrawAuthenticator } from './offered-authenticator.ts'
import { type SeenFrom, writeOrigin } from './origin-log.ts'
import { type PasskeyAnswer, recordRefusal, verifyPasskey } from './passkey.ts'
import { loadPerson, needsPasskey, type Person, type PersonSource } from './person.ts'
import {
  accountOf,
  type BegunLink,
  type ClaimedGroup,
  type FindActing,
  identityOf,
  notifyLinked,
  ownerOfAccount,
  type ProviderClaim,
  readLink,
  takeAccount,
  writeLink,
} from './provider-account.ts'
import { newToken, type Sessions, sessionId } from './session.ts'

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
  readonly lookup: Pick<Lookup, 'administrators' | 'ancestors' | 'permissionsOfUser' | 'reached' | 'sessionsOf'>
  readonly sessions: Sessions
  readonly findActing: FindActing
  readonly attempts: number
  readonly now: () => Date
  /** One line for the operator. */
  readonly warn: (line: string) => void
}

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
  const { isNew, linked } = found.value
  const refusal = found.value.person.locked ? refused('auth.locked') : undefined
  const followed = refusal ?? (isNew ? found : await follow(options, claim, found.value.person))
  // At the level that the person has from now on: notifications of other levels do not reach them.
  if (linked !== undefined) {
    await notifyLinked(options, claim, found.value.person.id, linked)
    // The last step of a link, so that a sign-in after a crash does what is missing. Else another one was first.
    if (!(await linked.write())) return signInByProvider(options, claim)
  }
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

const system = ({ commands }: ProviderSignInOptions, id: string, action: string, input: JsonObject, level = '') =>
  commands.execute({
    entity: user.name,
    action,
    id,
    input,
    caller: systemCaller(level),
    correlation: randomUUID(),
  })

interface FoundPerson {
  readonly person: Person
  readonly isNew: boolean
  readonly linked: BegunLink | undefined
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
    if (person !== undefined) return accepted({ person, isNew: false, linked: undefined })
    const owner = await ownerOfAccount(options, claim)
    if (owner !== undefined) {
      if (owner.locked) return refused('auth.locked')
      // A refused sign-in removes no credentials.
      const place = await placeFollowed(options, claim, owner)
      if (!place.ok) return place
      if (place.value?.groups.length === 0) return refused('auth.nogroup')
      const { tail } = link
      const taken = await takeAccount(options, claim, owner, { identity: identityOf(account), stream, tail })
      if (!taken.ok) return taken
      if (taken.value === undefined) continue
      return accepted({ person: owner, isNew: false, linked: taken.value })
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
    if (fresh !== undefined) return accepted({ person: fresh, isNew: true, linked: undefined })
  }
}

interface Place {
  readonly level: string
  readonly groups: readonly string[]
}

/** A group that the claims name. */
interface MatchedGroup extends ClaimedGroup {
  /** Level for whose people, and those below, the value was decided. */
  readonly from: string
}

export const matchedOf = async (
  { loader }: Pick<ProviderSignInOptions, 'loader'>,
  { person, groups }: ProviderClaim,
): Promise<readonly MatchedGroup[]> => {
  const values = new Set(person.groups)
  return Promise.all(
    groups
      .filter(({ value }) => values.has(value))
      .map(async group => {
        const { state } = await loader.load(usergroup, group.id)
        const from = state.status === 'live' ? optionalText(state.fields.identifiedfrom) : undefined
        return { ...group, from: from ?? group.level }
      }),
  )
}

type Levels = { readonly lookup: Pick<Lookup, 'ancestors'> }

/** The highest of these levels and of the one that stays. Undefined when they are on two branches. */
const topLevel = async (
  { lookup }: Levels,
  groups: readonly ClaimedGroup[],
  home: string | undefined,
): Promise<string | undefined> => {
  const levels = [...new Set([...groups.map(({ level }) => level), ...(home === undefined ? [] : [home])])]
  const top = topOfBranch(await Promise.all(levels.map(level => lookup.ancestors(level))))
  return top === undefined ? undefined : (home ?? top)
}

/** Home level of a person: now, and if it stays. */
interface Present {
  readonly stays: string | undefined
  readonly now: string | undefined
}

/**
 * Level and groups that claims give. A group counts for people of the level whose administrators decided its value, and
 * below, as when they give it by hand: they move nobody of another level, and give nobody above them a role. So what was
 * decided higher decides first, and of two branches that are equally high the present one. Undefined: two branches.
 */
export const placeByGroups = async (
  options: Levels,
  matched: readonly MatchedGroup[],
  { stays, now }: Present,
): Promise<{ readonly level: string; readonly groups: readonly MatchedGroup[] } | undefined> => {
  const { lookup } = options
  const within = async (groups: readonly MatchedGroup[], level: string) => {
    const chain = await lookup.ancestors(level)
    return groups.filter(({ from }) => chain.includes(from))
  }
  const decide = async () => {
    const heights = await Promise.all(matched.map(async ({ from }) => (await lookup.ancestors(from)).length))
    const first = matched.filter((_, at) => heights[at] === Math.min(...heights))
    const own = now === undefined ? [] : await within(first, now)
    return topLevel(options, own.length > 0 ? own : first, undefined)
  }
  const level = stays ?? (await decide())
  if (level === undefined) return undefined
  const groups = await within(matched, level)
  return (await topLevel(options, groups, level)) === undefined ? undefined : { level, groups }
}

/** Level and groups that claims give. Notifies administrators of two branches. */
const placeOf = async (
  options: ProviderSignInOptions,
  matched: readonly MatchedGroup[],
  present: Present,
): Promise<Result<Place>> => {
  const place = await placeByGroups(options, matched, present)
  if (place !== undefined) return accepted({ level: place.level, groups: place.groups.map(({ id }) => id) })
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
  const matched = claim.provider.policy.followgroups === 'off' ? [] : await matchedOf(options, claim)
  return matched.length === 0
    ? refused('auth.nogroup')
    : placeOf(options, matched, { stays: undefined, now: undefined })
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
  given: readonly string[],
): readonly string[] => {
  const claimable = new Set(groups.map(({ id }) => id))
  return [...new Set([...person.groups.filter(id => !claimable.has(id)), ...given])]
}

export const presentPlace = (
  { followlevel }: ProviderClaim['provider']['policy'],
  { level }: Pick<Person, 'level'>,
): Present => ({ stays: followlevel === 'always' ? undefined : level, now: level })

/** Level and groups that a sign-in gives a known person; null: it changes neither. */
const placeFollowed = async (
  options: ProviderSignInOptions,
  claim: ProviderClaim,
  person: Person,
): Promise<Result<Place | null>> => {
  const { policy } = claim.provider
  if (policy.followgroups !== 'always' || claim.person.groups === undefined) return accepted(null)
  const matched = await matchedOf(options, claim)
  if (matched.length === 0) return accepted({ level: person.level, groups: [] })
  return placeOf(options, matched, presentPlace(policy, person))
}

/** Brings a known person's names, groups and level to what the claims say. */
const follow = async (
  options: ProviderSignInOptions,
  claim: ProviderClaim,
  person: Person,
): Promise<Result<unknown>> => {
  await followNames(options, claim.person, person)
  if (claim.provider.policy.followgroups === 'always' && claim.person.groups === undefined)
    options.warn(`identity provider ${claim.provider.id}: no groups in the token of user ${person.id}, theirs stay`)
  const place = await placeFollowed(options, claim, person)
  if (!place.ok || place.value === null) return place
  const { level, groups: given } = place.value
  return moveTo(options, person, { level, groups: groupsAfter(claim, person, given) }, given.length === 0)
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
