import { initialTransition, type SnapshotFrom, setup, transition } from 'xstate'

/** Inputs of the sign-in steps. */
interface SignInSubject {
  readonly locked: boolean
  /** The password must be changed first. */
  readonly expired: boolean
  /** An authenticator is registered: a code is required. */
  readonly registered: boolean
  /** Two-factor is demanded of the user. */
  readonly demanded: boolean
  /** The only second factor is a passkey, which signs in without a password. */
  readonly passkey: boolean
}

export type SignInEvent =
  | { readonly type: 'password'; readonly right: boolean }
  | { readonly type: 'code'; readonly right: boolean }

/**
 * The steps of a sign-in by password: password, then the code of a registered authenticator; reveals an expired password
 * only after both, a lock only after the password. A password does not replace a required passkey.
 */
const signInMachine = setup({
  types: { context: {} as SignInSubject, input: {} as SignInSubject, events: {} as SignInEvent },
  guards: {
    wrong: ({ event }) => !event.right,
    locked: ({ context }) => context.locked,
    registered: ({ context }) => context.registered,
    passkey: ({ context }) => context.passkey,
    expired: ({ context }) => context.expired,
    demanded: ({ context }) => context.demanded && !context.registered,
  },
}).createMachine({
  id: 'signIn',
  context: ({ input }) => input,
  initial: 'password',
  states: {
    password: {
      on: {
        password: [
          { guard: 'wrong', target: 'invalid' },
          { guard: 'locked', target: 'locked' },
          { guard: 'registered', target: 'code' },
          { guard: 'passkey', target: 'passkey' },
          { target: 'admitted' },
        ],
      },
    },
    code: {
      on: { code: [{ guard: 'wrong', target: 'codeInvalid' }, { target: 'admitted' }] },
    },
    admitted: {
      always: [
        { guard: 'expired', target: 'expired' },
        { guard: 'demanded', target: 'registration' },
        { target: 'signedIn' },
      ],
    },
    /** Without a session: an authenticator must be registered and confirmed first. */
    registration: {
      on: { code: { target: 'signedIn', guard: ({ event }) => event.right } },
    },
    passkey: { type: 'final' },
    invalid: { type: 'final' },
    locked: { type: 'final' },
    codeInvalid: { type: 'final' },
    expired: { type: 'final' },
    signedIn: { type: 'final' },
  },
})

export type SignInStep = Exclude<SnapshotFrom<typeof signInMachine>['value'], 'admitted'>

/** Step of a sign-in after these events. */
export const signInStep = (subject: SignInSubject, events: readonly SignInEvent[]): SignInStep => {
  let [snapshot] = initialTransition(signInMachine, subject)
  for (const event of events) [snapshot] = transition(signInMachine, snapshot, event)
  return snapshot.value === 'admitted' ? 'invalid' : snapshot.value
}

/** Letters and digits without those that look alike. 16 of them are 80 bits. */
export const RECOVERY_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const RECOVERY_LENGTH = 16
/** Codes that are made at one time; each is good once. */
export const RECOVERY_CODES = 10

const CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`, 'u')

/** The code as it was made; undefined for what has another shape. Case, blanks and hyphens do not count. */
export const readRecoveryCode = (typed: string): string | undefined => {
  const code = typed.toUpperCase().replace(/[\s-]/gu, '')
  return CODE.test(code) ? code : undefined
}

/** In groups of four, as people read it. */
export const shownRecoveryCode = (code: string): string => code.match(/.{4}/gu)?.join('-') ?? code
