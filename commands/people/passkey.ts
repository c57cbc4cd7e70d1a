import { generateKeyPairSync, hash } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import type { PasskeyUse, RelyingParty } from '#domain/people/passkey.ts'
import type { PasskeyAssertion, PasskeyAttestation } from '#schemas/api/passkey.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { SessionConfirmed } from '#schemas/events/session.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { notifyPeople } from './administrator-notice.ts'
import { codeStep, executeSignInStep } from './credential.ts'
import { verifyPassword } from './password.ts'
import { loadPerson, NOBODY, type Passkey, type Person, type PersonSource } from './person.ts'
import type { Sessions } from './session.ts'

/** Time in which a challenge is good, and for which a proof counts, ms. */
export const CHALLENGE_MS = 5 * 60_000
const PROVEN_MS = 5 * 60_000

/** EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** Answer of a browser with the challenge that it was given; undefined: that is spent, too old or not of this caller. */
export interface PasskeyAnswer<Answer> {
  readonly party: RelyingParty
  readonly challenge: string | undefined
  readonly answer: Answer
}

type AssertionAnswer = PasskeyAnswer<PasskeyAssertion>

const fromBase64Url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** Challenge in the data that the browser signed, as it says. */
export const challengeOf = ({ response }: PasskeyAssertion | PasskeyAttestation): string => {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** The user of an assertion: an id without a user when the authenticator sent none. */
export const userOfPasskey = ({ response }: PasskeyAssertion): string => {
  const user = Buffer.from(response.userHandle ?? '', 'base64url').toString()
  return /^[\w-]{1,64}$/u.test(user) ? user : NOBODY
}

/** COSE key without an owner: an unknown passkey takes the same check as a known one. */
const decoyKey = (() => {
  let key: Uint8Array<ArrayBuffer> | undefined
  return () => {
    if (key === undefined) {
      const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
      const parts = ['a5010203262001215820', Buffer.from(x, 'base64url'), '225820', Buffer.from(y, 'base64url')]
      key = new Uint8Array(
        Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'hex') : part))),
      )
    }
    return key
  }
})()

/**
 * Verifies an assertion with user verification. The counter is judged where it is written: only a right signature puts it
 * on record.
 */
export const verifyPasskey = async (
  { party, challenge, answer }: AssertionAnswer,
  person: Pick<Person, 'passkeys'> | undefined,
): Promise<PasskeyUse | undefined> => {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const known = person?.passkeys.find(({ id }) => id === answer.id)
  const { clientDataJSON, authenticatorData, signature } = answer.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} },
      expectedChallenge: given => given === challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: answer.id,
        publicKey: known === undefined ? decoyKey() : fromBase64Url(known.publicKey),
        counter: 0,
      },
    })
    if (!verified || known === undefined) return undefined
    return { id: known.id, counter: authenticationInfo.newCounter, backedup: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/**
 * Statements with certificates are refused: the options request none, and their check would call addresses in them.
 */
const hasCertificates = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(fromBase64Url(attestationObject))
  const fmt = decoded.get('fmt')
  return fmt !== 'none' && (fmt !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined)
}

const verifyNew = async ({ party, challenge, answer }: PasskeyAnswer<PasskeyAttestation>) => {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { clientDataJSON, attestationObject, transports } = answer.response
  try {
    if (await hasCertificates(attestationObject)) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: given => given === challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp: backedup } = registrationInfo
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { id: credential.id, publicKey, counter: credential.counter, transports, backedup }
  } catch {
    return undefined
  }
}

/** Id of an entry for its person: the id of a credential may have 1,364 characters. */
const entryOf = (credential: string): string => hash('sha256', credential).slice(0, 32)

type RequestOptions = AnswerOf<'POST /auth/passkey/options'>
type CreationOptions = AnswerOf<'POST /user/passkey/options'>

const descriptorsOf = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports: [...transports] }))

interface PasskeyOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
  readonly sessions: Sessions
  readonly now: () => Date
  /** Name of the installation. */
  readonly issuer: string
}

interface Caller {
  readonly user: string
  readonly session: string
}

/** Proof of the caller's identity. */
type Confirmation = { readonly password: string } | { readonly token: string } | AssertionAnswer

/** Passkeys of people, and the proofs that adding and removing one needs. */
export interface Passkeys {
  list(user: string): Promise<Omit<AnswerOf<'GET /user/passkey'>, 'origin'>>
  /** Without a user: of anyone who comes to sign in. */
  requestOptions(party: RelyingParty, challenge: string, user?: string): Promise<RequestOptions>
  creationOptions(party: RelyingParty, challenge: string, user: string): Promise<Result<CreationOptions>>
  add(caller: Caller, name: string, shown: PasskeyAnswer<PasskeyAttestation>): Promise<Result<null>>
  rename(caller: Caller, entry: string, name: string): Promise<Result<null>>
  remove(caller: Caller, entry: string): Promise<Result<null>>
  confirm(caller: Caller, proof: Confirmation): Promise<Result<null>>
  /** Whether the caller signed in or confirmed within the last 5 minutes. */
  isProven(caller: Caller): Promise<boolean>
}

/** Puts a copied passkey on record. */
export const recordRefusal = async (
  { commands, lookup }: Pick<PasskeyOptions, 'commands' | 'lookup'>,
  person: Person,
  origin: string | null,
): Promise<void> => {
  const told = await executeSignInStep(commands, person, 'refusepasskey', {}, origin)
  if (told.ok && told.position !== undefined) await lookup.reached(told.position)
}

const proofsOf = ({ hash: password, registered, passkeys }: Person) => [
  ...(password === undefined ? [] : (['password'] as const)),
  ...(registered ? (['code'] as const) : []),
  ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
]

/** Runs a step of the caller's own account and waits until it is shown. */
const runStep = async (
  { commands, lookup }: PasskeyOptions,
  person: Person,
  action: string,
  input: Parameters<typeof executeSignInStep>[3],
  session: string,
): Promise<Result<null>> => {
  const told = await executeSignInStep(commands, person, action, input, session)
  if (!told.ok) return told
  if (told.position !== undefined) await lookup.reached(told.position)
  return accepted(null)
}

const prove = async (
  options: PasskeyOptions,
  person: Person,
  proof: Confirmation,
  session: string,
): Promise<Result<SessionConfirmed['way']>> => {
  if ('password' in proof)
    return (await verifyPassword(person.hash, proof.password))
      ? accepted('password')
      : refused('user.password.original', { errors: [{ path: 'password', code: 'format' }] })
  if ('token' in proof) {
    const { secret, registered } = person
    const step =
      registered && secret !== undefined ? codeStep(secret, proof.token, options.now(), person.step) : undefined
    if (step === undefined) return refused('auth.twofactor')
    const used = await runStep(options, person, 'usecode', { step }, session)
    return used.ok ? accepted('code') : used
  }
  const named = proof.answer.response.userHandle
  const use = named && userOfPasskey(proof.answer) !== person.id ? undefined : await verifyPasskey(proof, person)
  if (use === undefined) return refused('auth.passkey')
  const used = await runStep(options, person, 'usepasskey', use, session)
  if (used.ok) return accepted('passkey')
  if (used.refusal.code === 'auth.passkey') await recordRefusal(options, person, session)
  return used
}

export const createPasskeys = (options: PasskeyOptions): Passkeys => {
  const { lookup, sessions, now, issuer } = options

  const withPerson = async <T>(user: string, call: (person: Person) => Promise<Result<T>>): Promise<Result<T>> => {
    const person = await loadPerson(options, user)
    return person === undefined ? refused('auth.required') : call(person)
  }
  const notify = (user: string, message: string) =>
    notifyPeople(options, { entity: 'user', id: user, message, kind: 'warn', recipients: [user] })
  const onEntry = ({ user, session }: Caller, entry: string, action: string, input = {}): Promise<Result<null>> =>
    withPerson(user, async person => {
      const passkey = person.passkeys.find(({ id }) => entryOf(id) === entry)
      if (passkey === undefined) return refused('entity.notfound')
      return runStep(options, person, action, { id: passkey.id, ...input }, session)
    })

  return {
    async list(user) {
      const person = await loadPerson(options, user)
      if (person === undefined) return { items: [], proofs: [] }
      const items = person.passkeys.map(({ id, name, created_at, last_used_at, backedup }) => ({
        ...{ id: entryOf(id), name, created_at, last_used_at, backedup },
      }))
      return { items, proofs: proofsOf(person) }
    },
    async requestOptions(party, challenge, user) {
      const person = user === undefined ? undefined : await loadPerson(options, user)
      return {
        challenge,
        timeout: CHALLENGE_MS,
        rpId: party.id,
        userVerification: 'required',
        allowCredentials: descriptorsOf(person?.passkeys ?? []),
      }
    },
    creationOptions: (party, challenge, user) =>
      withPerson(user, async ({ id, username, passkeys }) =>
        accepted({
          challenge,
          timeout: CHALLENGE_MS,
          rp: { id: party.id, name: issuer },
          user: { id: Buffer.from(id).toString('base64url'), name: username, displayName: username },
          pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
          excludeCredentials: descriptorsOf(passkeys),
          authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
          attestation: 'none',
          extensions: { credProps: true },
        }),
      ),
    add: ({ user, session }, name, shown) =>
      withPerson(user, async person => {
        const made = await verifyNew(shown)
        if (made === undefined) return refused('auth.passkey')
        const added = await runStep(options, person, 'addpasskey', { ...made, name }, session)
        if (added.ok) await notify(user, 'user.passkeyadded')
        return added
      }),
    rename: (caller, entry, name) => onEntry(caller, entry, 'renamepasskey', { name }),
    async remove(caller, entry) {
      const removed = await onEntry(caller, entry, 'removepasskey')
      if (removed.ok) await notify(caller.user, 'user.passkeyremoved')
      return removed
    },
    confirm: ({ user, session }, proof) =>
      withPerson(user, async person => {
        const proven = await prove(options, person, proof, session)
        if (!proven.ok) return proven
        const position = await sessions.confirm(session, proven.value)
        if (position === undefined) return refused('auth.required')
        await lookup.reached(position)
        return accepted(null)
      }),
    async isProven({ session }) {
      const state = await sessions.read(session)
      return state !== undefined && now().getTime() - Date.parse(state.proven) < PROVEN_MS
    },
  }
}
