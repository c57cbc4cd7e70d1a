import { randomBytes } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import type { PasswordChange } from '#domain/people/password.ts'
import { RECOVERY_ALPHABET, RECOVERY_CODES, RECOVERY_LENGTH, shownRecoveryCode } from '#domain/people/sign-in.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import { createLoader } from '../pipeline/load.ts'
import type { CommandHandler } from '../port.ts'
import type { EventStore } from '../store/port.ts'
import { changePassword } from './change-password.ts'
import { type Claim, createCredentialCheck, executeSignInStep, recoveryCodeHash } from './credential.ts'
import { verifyPassword } from './password.ts'
import { findPerson, loadPerson, type PersonSource } from './person.ts'
import { createSessions, type Sessions } from './session.ts'
import { type SignedIn, signIn } from './sign-in.ts'
import { type Registration, registerTwoFactor, verifyTwoFactor } from './two-factor.ts'

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
  readonly lookup: Pick<Lookup, 'sessionsOf' | 'reached'>
  readonly commands: CommandHandler
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
  signIn(claim: Claim): Promise<Result<SignedIn>>
  /** Whether a username or e-mail address is this user's. */
  isNameOf(user: string, name: string): Promise<boolean>
  signOut(who: BySession): Promise<void>
  /** Ends sessions of the same user: those named, or all others; ignores unknown ids and other users' sessions. */
  endSessions(who: BySession, which: { readonly ids: readonly string[] } | 'others'): Promise<void>
  /** Ends sessions of another person: those named, or all; never the session that asks. */
  endSessionsOf(person: string, which: { readonly ids: readonly string[] } | 'all', by: BySession): Promise<void>
  registerTwoFactor(who: BySession | Claim): Promise<Result<Registration>>
  verifyTwoFactor(who: BySession, token: string): Promise<Result<{ readonly demanded: boolean }>>
  /** Ten new recovery codes, with the password asked again. */
  makeRecoveryCodes(who: BySession, password: string): Promise<Result<{ readonly codes: readonly string[] }>>
  recoveryState(who: BySession): Promise<{ readonly twofactorenabled: boolean; readonly left: number }>
  changePassword(who: BySession | Omit<Claim, 'password'>, change: PasswordChange): Promise<Result<null>>
}

export const openPeople = async (options: PeopleOptions): Promise<People> => {
  const { store, lookup, commands, now = () => new Date() } = options
  const sessions = createSessions({ store, lookup, now, hours: options.sessionHours })
  const shared = { ...options, now, sessions, loader: createLoader(store) }
  const check = createCredentialCheck({ ...shared, attempts: options.loginAttempts })
  const all = { ...shared, check }
  // The hash that unknown names are compared with is made once; the first of them must not wait for it.
  await verifyPassword(undefined, '')
  return {
    sessions,
    signIn: claim => signIn(all, claim),
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
    registerTwoFactor: who => registerTwoFactor(all, who),
    verifyTwoFactor: (who, token) => verifyTwoFactor(all, who, token),
    makeRecoveryCodes: (who, password) => makeRecoveryCodes(all, who, password),
    recoveryState: ({ user }) => recoveryState(shared, user),
    changePassword: (who, change) => changePassword(all, who, change),
  }
}
