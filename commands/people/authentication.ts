import { randomBytes } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import type { PasskeyUse } from '#domain/people/passkey.ts'
import { checkPasswordChange, type PasswordChange } from '#domain/people/password.ts'
import { RECOVERY_ALPHABET, RECOVERY_CODES, RECOVERY_LENGTH, shownRecoveryCode } from '#domain/people/sign-in.ts'
import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import { createLoader } from '../pipeline/load.ts'
import type { CommandHandler } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { notifyAdministrators } from './administrator-notice.ts'
import {
  type CheckCredential,
  type Claim,
  codeStep,
  createCredentialCheck,
  executeSignInStep,
  newSecret,
  otpauthOf,
  type Proof,
  recoveryCodeHash,
  untilGrain,
} from './credential.ts'
import { offerAuthenticator, withdrawAuthenticator } from './offered-authenticator.ts'
import { newOrigin, type SeenFrom, writeOrigin } from './origin-log.ts'
import {
  createPasskeys,
  type PasskeyAnswer,
  type Passkeys,
  recordRefusal,
  userOfPasskey,
  verifyPasskey,
} from './passkey.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { askReset, issueReset, type NewPassword, useReset } from './password-reset.ts'
import { findPerson, loadPerson, needsPasskey, type Person, type PersonSource } from './person.ts'
import { accountOf, type FindActing, type ProviderClaim } from './provider-account.ts'
import {
  finishProviderSignIn,
  type PendingSignIn,
  type ProviderSignIn,
  type SecondFactor,
  signInByProvider,
} from './provider-sign-in.ts'
import { type ProviderSignInPreview, previewProviderSignIn } from './provider-sign-in-preview.ts'
import { BY_PASSKEY, createSessions, newToken, type Sessions, sessionId } from './session.ts'

interface Registration {
  readonly otpauth: string
  /** Base32, to be typed where no picture can be taken. */
  readonly secret: string
}

interface TwoFactorOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
  readonly check: CheckCredential
  readonly now: () => Date
  /** Name that the authenticator app shows. */
  readonly issuer: string
}

/** Nothing is written about the user until the first code confirms it. By user id with a session, or by name and password without one: then only while no authenticator is registered. */
const registerTwoFactor = async (
  options: TwoFactorOptions,
  who: { readonly user: string } | Claim,
): Promise<Result<Registration>> => {
  const person = 'user' in who ? await known(options, who.user) : await unregistered(options, who)
  if (!person.ok) return person
  const secret = newSecret()
  await offerAuthenticator(options, person.value.id, secret)
  return accepted({ otpauth: otpauthOf(options.issuer, person.value.username, secret), secret })
}

/** With a session: confirms the authenticator that waits for its first code, or uses up a code of the registered one. */
const verifyTwoFactor = async (
  options: TwoFactorOptions,
  { user, session }: { readonly user: string; readonly session: string },
  token: string,
): Promise<Result<{ readonly demanded: boolean }>> => {
  const found = await known(options, user)
  if (!found.ok) return found
  const person = found.value
  const { pending } = person
  const secret = pending ?? person.secret
  const after = pending === undefined ? person.step : null
  const step = secret === undefined ? undefined : codeStep(secret, token, options.now(), after)
  if (step === undefined) return refused('auth.twofactor')
  const told =
    pending === undefined
      ? await executeSignInStep(options.commands, person, 'usecode', { step }, session)
      : await executeSignInStep(options.commands, person, 'confirmtwofactor', { secret: pending, step }, session)
  if (!told.ok) return told
  if (pending !== undefined) await withdrawAuthenticator(options, user)
  if (told.position !== undefined) await options.lookup.reached(told.position)
  return accepted({ demanded: person.demanded })
}

const known = async (source: PersonSource, user: string): Promise<Result<Person>> => {
  const person = await loadPerson(source, user)
  return person === undefined ? refused('auth.required') : accepted(person)
}

const unregistered = async ({ check }: TwoFactorOptions, claim: Claim): Promise<Result<Person>> => {
  const proof = await check({ ...claim, token: undefined })
  if (!proof.ok) return proof
  const { reached, person } = proof.value
  if (reached === 'expired') return refused('auth.expired')
  if (reached === 'passkey') return refused('auth.passkeyneeded')
  return reached === 'code' ? refused('auth.twofactor') : accepted(person)
}

interface CredentialOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'administrators' | 'reached'>
  readonly onlyProviders?: boolean
  readonly sessions: Sessions
  readonly check: CheckCredential
  readonly now: () => Date
  /** A refusal comes after a whole number of these, ms. */
  readonly grain?: number
}

type Who = { readonly user: string; readonly session: string } | Omit<Claim, 'password'>

/** Every other session of the user ends: before, so that a crash between cannot leave one, and after, for one that was opened meanwhile. */
const changePassword = async (options: CredentialOptions, who: Who, change: PasswordChange): Promise<Result<null>> => {
  const rules = checkPasswordChange(change)
  if (!rules.ok) return rules
  const shown = 'user' in who ? await bySession(options, who.user, change.old) : await byClaim(options, who, change.old)
  if (!shown.ok) return shown
  const { person, step } = shown.value
  const { commands, sessions, lookup } = options
  const own = 'user' in who ? who.session : null
  const hash = await hashPassword(change.new)
  const origin = own ?? newOrigin()
  if ('seen' in who && who.seen !== undefined) await writeOrigin(options, { origin, user: person.id, seen: who.seen })
  await sessions.endAll(person.id, 'password', own)
  const input = { hash, changed: person.changed, step }
  const told = await executeSignInStep(commands, person, 'changepassword', input, origin)
  if (!told.ok) return told
  const ended = await sessions.endAll(person.id, 'password', own)
  const position = ended ?? told.position
  if (position !== undefined) await lookup.reached(position)
  return accepted(null)
}

interface VerifiedPerson {
  readonly person: Person
  readonly step: number | null
}

const bySession = async (source: PersonSource, user: string, old: string): Promise<Result<VerifiedPerson>> => {
  const person = await loadPerson(source, user)
  if (person === undefined) return refused('auth.required')
  const right = await verifyPassword(person.hash, old)
  if (right) return accepted({ person, step: null })
  return refused('user.password.original', { errors: [{ path: 'old', code: 'format' }] })
}

const byClaim = async (
  { check }: CredentialOptions,
  who: Omit<Claim, 'password'>,
  password: string,
): Promise<Result<VerifiedPerson>> => {
  const proof = await check({ ...who, password })
  if (!proof.ok) return proof
  const { person, reached, step, confirms, recovery } = proof.value
  if (reached === 'passkey') return refused('auth.passkeyneeded')
  // A recovery code is for signing in alone.
  return reached === 'code' || recovery !== undefined
    ? refused('auth.twofactor')
    : accepted({ person, step: confirms ? null : step })
}

/** 256 is a multiple of the alphabet's 32: every letter is as likely as any other. */
const newCode = (): string =>
  [...randomBytes(RECOVERY_LENGTH)].map(byte => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length]).join('')

interface RecoveryOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
}

/** Whether an authenticator is registered, and how many recovery codes were not used. */
const recoveryState = async (
  source: PersonSource,
  user: string,
): Promise<{ readonly twofactorenabled: boolean; readonly left: number }> => {
  const person = await loadPerson(source, user)
  return { twofactorenabled: person?.registered ?? false, left: person?.recoverycodes.length ?? 0 }
}

/** New codes in place of those there are. They are answered once; their hashes are kept. */
const makeRecoveryCodes = async (
  options: RecoveryOptions,
  { user, session }: { readonly user: string; readonly session: string },
  password: string,
): Promise<Result<{ readonly codes: readonly string[] }>> => {
  const person = await loadPerson(options, user)
  if (person === undefined) return refused('auth.required')
  if (!(await verifyPassword(person.hash, password)))
    return refused('user.password.original', { errors: [{ path: 'password', code: 'format' }] })
  if (!person.registered) return refused('user.twofactor.missing')
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const hashes = codes.map(code => recoveryCodeHash(person.id, code))
  const told = await executeSignInStep(options.commands, person, 'makerecoverycodes', { hashes }, session)
  if (!told.ok) return told
  if (told.position !== undefined) await options.lookup.reached(told.position)
  return accepted({ codes: codes.map(shownRecoveryCode) })
}

interface PeopleOptions {
  readonly store: EventStore
  readonly keys: Keys
  readonly lookup: Pick<
    Lookup,
    'administrators' | 'ancestors' | 'permissionsOfUser' | 'sessionsOf' | 'sessionsAt' | 'reached'
  >
  readonly commands: CommandHandler
  /** OIDC_ONLY: passwords are for administrators that are marked. */
  readonly onlyProviders?: boolean
  /** Default: none are looked up. */
  readonly findActing?: FindActing
  /** One line for the operator. */
  readonly warn?: (line: string) => void
  /** SESSION_HOURS and LOGIN_ATTEMPTS. */
  readonly sessionHours: number
  readonly loginAttempts: number
  /** Name that authenticator apps show. */
  readonly issuer: string
  readonly now?: () => Date
  /** First pause before an answer to a name with too many failures, ms. */
  readonly pause?: number
  /** Longest such pause, ms. */
  readonly maxPause?: number
  /** A refusal of a name or password comes after a whole number of these, ms. */
  readonly grain?: number
}

export interface BySession {
  readonly user: string
  readonly session: string
}

/** Signs in and out; manages passwords and second factors. Calls resolve when the read models contain their writes. */
export interface People {
  readonly sessions: Sessions
  readonly passkeys: Passkeys
  signIn(claim: Claim): Promise<Result<SignedIn>>
  signInByPasskey(claim: PasskeyClaim): Promise<Result<SignedIn>>
  /** Whether a username or e-mail address is this user's. */
  isNameOf(user: string, name: string): Promise<boolean>
  signOut(who: BySession): Promise<void>
  /** Ends sessions of the same user: those named, or all others; ignores unknown ids and other users' sessions. */
  endSessions(who: BySession, which: { readonly ids: readonly string[] } | 'others'): Promise<void>
  /** Ends sessions of another person: those named, or all; never the session that asks. */
  endSessionsOf(person: string, which: { readonly ids: readonly string[] } | 'all', by: BySession): Promise<void>
  /** Without a session: while there is no second factor. With one: after a proof of the last 5 minutes. */
  registerTwoFactor(who: BySession | Claim): Promise<Result<Registration>>
  /** For a person that an identity provider has named and that has no authenticator yet. */
  registerPending(user: string): Promise<Result<Registration>>
  verifyTwoFactor(who: BySession, token: string): Promise<Result<{ readonly demanded: boolean }>>
  /** Ten new recovery codes, with the password asked again. */
  makeRecoveryCodes(who: BySession, password: string): Promise<Result<{ readonly codes: readonly string[] }>>
  recoveryState(who: BySession): Promise<{ readonly twofactorenabled: boolean; readonly left: number }>
  changePassword(who: BySession | Omit<Claim, 'password'>, change: PasswordChange): Promise<Result<null>>
  /** Stores the wish for a new password: the same in the same time for any name. */
  askReset(name: string): Promise<void>
  /** Makes the link that a stored wish leads to; undefined where there is none for its name. */
  issueReset(wish: StoredEvent): ReturnType<typeof issueReset>
  /** Sets the password with such a link. */
  useReset(given: NewPassword, seen?: SeenFrom): Promise<Result<null>>
  /** Turns kinds of mail off. */
  chooseMail(who: BySession, off: readonly string[]): Promise<Result<{ readonly position?: string | undefined }>>
  signInByProvider(claim: ProviderClaim): Promise<Result<ProviderSignIn>>
  /** Says what it would do, and does nothing. */
  previewProviderSignIn(claim: ProviderClaim): Promise<ProviderSignInPreview>
  finishProviderSignIn(pending: PendingSignIn, factor: SecondFactor, seen: SeenFrom): Promise<Result<ProviderSignIn>>
  /** Ends the sessions of one session at a provider, or of all of an account there. */
  endProviderSessions(issuer: string, at: { readonly sub?: string; readonly sid?: string }): Promise<void>
  /** Whether at least one administrator could sign in by password with OIDC_ONLY. */
  hasBreakglass(): Promise<boolean>
}

export const openPeople = async (options: PeopleOptions): Promise<People> => {
  const { store, lookup, commands, now = () => new Date() } = options
  const sessions = createSessions({ store, lookup, now, hours: options.sessionHours })
  const shared = { ...options, now, sessions, loader: createLoader(store) }
  const check = createCredentialCheck({ ...shared, attempts: options.loginAttempts })
  const all = { ...shared, check }
  const passkeys = createPasskeys(shared)
  const { findActing = async () => [], warn = () => {} } = options
  const byProvider = { ...shared, findActing, attempts: options.loginAttempts, warn }
  const maySignIn = async (person: Person) => options.onlyProviders !== true || isBreakglass(all, person)
  // The hash that unknown names are compared with is made once; the first of them must not wait for it.
  await verifyPassword(undefined, '')
  return {
    sessions,
    passkeys,
    signIn: claim => signIn(all, claim),
    signInByPasskey: claim => signInByPasskey(all, claim),
    isNameOf: async (user, name) => (await findPerson(shared, name))?.id === user,
    async signOut({ user, session }) {
      const ended = await sessions.end(session, 'signout')
      const person = ended === undefined ? undefined : await loadPerson(shared, user)
      const told = person && (await executeSignInStep(commands, person, 'signout', {}, session))
      const position = told?.ok ? (told.position ?? ended) : ended
      if (position !== undefined) await lookup.reached(position)
    },
    async endSessions({ user, session }, which) {
      const own = await lookup.sessionsOf(user)
      const meant = own.filter(id => (which === 'others' ? id !== session : which.ids.includes(id)))
      const ended = await sessions.endEach(meant, 'elsewhere', { user, session })
      if (ended !== undefined) await lookup.reached(ended)
    },
    async endSessionsOf(person, which, by) {
      const own = await lookup.sessionsOf(person)
      const meant = own.filter(id => id !== by.session && (which === 'all' || which.ids.includes(id)))
      const ended = await sessions.endEach(meant, 'administrator', by)
      if (ended !== undefined) await lookup.reached(ended)
    },
    registerTwoFactor: async who =>
      'user' in who && !(await passkeys.isProven(who)) ? refused('auth.confirm') : registerTwoFactor(all, who),
    async registerPending(user) {
      const person = await loadPerson(shared, user)
      if (person === undefined || person.locked) return refused('auth.locked')
      if (needsPasskey(person)) return refused('auth.passkeyneeded')
      return person.registered ? refused('auth.twofactor') : registerTwoFactor(all, { user })
    },
    verifyTwoFactor: (who, token) => verifyTwoFactor(all, who, token),
    makeRecoveryCodes: (who, password) => makeRecoveryCodes(all, who, password),
    recoveryState: ({ user }) => recoveryState(shared, user),
    changePassword: (who, change) => changePassword(all, who, change),
    askReset: name => askReset(shared, name),
    issueReset: wish => issueReset({ ...shared, maySignIn }, wish),
    useReset: (given, seen) => useReset(shared, given, seen),
    async chooseMail({ user, session }, off) {
      const person = await loadPerson(shared, user)
      if (person === undefined) return refused('auth.required')
      const chosen = await executeSignInStep(commands, person, 'choosemail', { off: [...off] }, session)
      return chosen.ok ? accepted({ position: chosen.position }) : chosen
    },
    signInByProvider: claim => signInByProvider(byProvider, claim),
    previewProviderSignIn: claim => previewProviderSignIn(byProvider, claim),
    finishProviderSignIn: (pending, factor, seen) => finishProviderSignIn(byProvider, pending, factor, seen),
    async endProviderSessions(issuer, { sub, sid }) {
      const account = await accountOf(options.keys, issuer, { sub, sid })
      const ended = await sessions.endEach(await lookup.sessionsAt(account), 'provider')
      if (ended !== undefined) await lookup.reached(ended)
    },
    async hasBreakglass() {
      for (const id of await lookup.administrators()) {
        const person = await loadPerson(shared, id)
        if (person !== undefined && canBreakGlass(person)) return true
      }
      return false
    },
  }
}

interface SignedIn {
  /** User of the session. */
  readonly user: string | undefined
  /** Access token; undefined while a second factor or its registration is missing. */
  readonly token: string | undefined
  readonly twofactorenabled: boolean
  readonly enabletwofactor: boolean
}

/**
 * Opens a session for a correct password and, if required, a correct code; the first code of a new authenticator
 * confirms it. Resolves when the read models contain the session.
 */
const signIn = async (options: CredentialOptions, claim: Claim): Promise<Result<SignedIn>> => {
  const proof = await options.check(claim)
  if (!proof.ok) return proof
  return (await admit(options, proof.value, claim)) ?? signIn(options, claim)
}

/** Undefined: the person was locked or given another password meanwhile. */
const admit = async (options: CredentialOptions, proof: Proof, claim: Claim): Promise<Result<SignedIn> | undefined> => {
  const { person, reached, step, confirms, recovery } = proof
  const answer = {
    user: undefined,
    token: undefined,
    twofactorenabled: person.registered,
    enabletwofactor: person.demanded,
  }
  const isEmergency = options.onlyProviders === true
  if (isEmergency && !(await isBreakglass(options, person))) return refused('auth.passwordoff')
  if (reached === 'passkey' || (isEmergency && !person.registered && person.passkeys.length > 0))
    return refused('auth.passkeyneeded')
  if (reached === 'expired') return refused('auth.expired')
  if (reached === 'code') return accepted(answer)
  const isConfirmed = confirms && step !== null
  if (!isConfirmed && reached === 'registration') return accepted({ ...answer, enabletwofactor: true })
  const token = newToken()
  const origin = sessionId(token)
  if (claim.seen !== undefined) await writeOrigin(options, { origin, user: person.id, seen: claim.seen })
  if (isConfirmed) {
    const input = { secret: person.pending ?? '', step }
    const confirmed = await executeSignInStep(options.commands, person, 'confirmtwofactor', input, origin)
    if (!confirmed.ok) return confirmed
    await withdrawAuthenticator(options, person.id)
    return open(options, person, { step: null }, { ...answer, twofactorenabled: true, token })
  }
  return open(options, person, { step, ...(recovery === undefined ? {} : { recovery }) }, { ...answer, token })
}

/** A second factor that is demanded is registered before the first session. */
const canBreakGlass = ({ breakglass, hash, locked, registered, demanded, passkeys }: Person): boolean =>
  breakglass && !locked && (passkeys.length > 0 || (hash !== undefined && (registered || demanded)))

const isBreakglass = async ({ lookup }: CredentialOptions, person: Person): Promise<boolean> =>
  canBreakGlass(person) && (await lookup.administrators()).includes(person.id)

/** Second factor of a sign-in; a passkey replaces the password too. */
interface SignInFactor {
  readonly step: number | null
  readonly recovery?: string
  readonly passkey?: PasskeyUse
}

const open = async (
  options: CredentialOptions,
  person: Person,
  shown: SignInFactor,
  answer: SignedIn & { readonly token: string },
): Promise<Result<SignedIn> | undefined> => {
  const { commands, lookup, sessions } = options
  const session = sessionId(answer.token)
  const breakglass = options.onlyProviders === true
  const { passkey } = shown
  const way = passkey === undefined ? {} : { way: 'passkey' }
  const input = { changed: person.changed, ...shown, ...way, ...(breakglass ? { breakglass } : {}) }
  const told = await executeSignInStep(commands, person, 'signin', input, session)
  if (!told.ok) return told
  if (breakglass)
    await notifyAdministrators(options, { entity: 'user', id: person.id, message: 'user.breakglass', kind: 'alert' })
  const { position } = await sessions.start(person, answer.token, passkey === undefined ? undefined : BY_PASSKEY)
  await lookup.reached(position)
  if (await isStillGood(options, person, passkey)) return accepted({ ...answer, user: person.id })
  await sessions.end(session, 'password')
  return undefined
}

/**
 * Locking a user, changing their password and removing a passkey at the first link to a provider end existing sessions: a
 * session opened later ends itself.
 */
const isStillGood = async (source: PersonSource, { id, hash }: Person, passkey?: PasskeyUse): Promise<boolean> => {
  const present = await loadPerson(source, id)
  if (present === undefined || present.locked || present.hash !== hash) return false
  return passkey === undefined || present.passkeys.some(one => one.id === passkey.id)
}

interface PasskeyClaim extends PasskeyAnswer<PasskeyAssertion> {
  readonly seen: SeenFrom
}

const signInByPasskey = async (options: CredentialOptions, claim: PasskeyClaim): Promise<Result<SignedIn>> => {
  const began = performance.now()
  const result = await admitPasskey(options, claim)
  if (!result.ok) await untilGrain(began, options.grain)
  return result
}

/** Opens a session for a verified passkey, which is both factors. An unknown user or passkey takes the same steps. */
const admitPasskey = async (options: CredentialOptions, claim: PasskeyClaim): Promise<Result<SignedIn>> => {
  const person = await loadPerson(options, userOfPasskey(claim.answer))
  const passkey = await verifyPasskey(claim, person)
  if (person === undefined || passkey === undefined) return refused('auth.passkey')
  if (person.locked) return refused('auth.locked')
  if (options.onlyProviders === true && !(await isBreakglass(options, person))) return refused('auth.passwordoff')
  const token = newToken()
  const origin = sessionId(token)
  await writeOrigin(options, { origin, user: person.id, seen: claim.seen })
  const answer = { user: undefined, token, twofactorenabled: person.registered, enabletwofactor: person.demanded }
  const opened = await open(options, person, { step: null, passkey }, answer)
  if (opened === undefined) return refused('auth.passkey')
  if (!opened.ok && opened.refusal.code === 'auth.passkey') await recordRefusal(options, person, origin)
  return opened
}
