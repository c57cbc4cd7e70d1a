import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Lookup } from '#domain/lookup.ts'
import { isExpired } from '#domain/people/password.ts'
import { readRecoveryCode, type SignInEvent, type SignInStep, signInStep } from '#domain/people/sign-in.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type SignInFailed, signInFailedSchema, signInStream } from '#schemas/events/session.ts'
import { foldName } from '#schemas/fold-text.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Keys } from '../keys/secret.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type CommandHandler, ownCaller, systemCaller } from '../port.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'
import { createConcurrencyLimiter, createKeyedMutex } from './keyed-mutex.ts'
import { newOrigin, type SeenFrom, writeOrigin } from './origin-log.ts'
import { verifyPassword } from './password.ts'
import { findPerson, needsPasskey, type Person, type PersonSource } from './person.ts'

/** A code has 80 random bits: even a fast hash cannot be reversed. */
export const recoveryCodeHash = (user: string, code: string): string => hash('sha256', `${user} ${code}`)

/** Hash of what was typed, if it is one of the person's codes that were not used. */
export const recoveryHash = (person: Pick<Person, 'id' | 'recoverycodes'>, typed: string): string | undefined => {
  const code = readRecoveryCode(typed)
  const hashed = code === undefined ? undefined : recoveryCodeHash(person.id, code)
  return hashed !== undefined && person.recoverycodes.includes(hashed) ? hashed : undefined
}

const PERIOD = 30

/** A new secret for an authenticator app, 160 bits in base32. */
export const newSecret = (): string => generateSecret({ length: 20 })

/** URI in the app's QR code. */
export const otpauthOf = (issuer: string, username: string, secret: string): string =>
  generateURI({ issuer, label: username, secret })

/**
 * The time step of a code (RFC 6238, SHA-1, six digits, 30 s; one step early or late is good), or undefined for a wrong
 * one. `after`: the step of the newest code that was used; it and older ones are wrong.
 */
export const codeStep = (secret: string, token: string, now: Date, after: number | null): number | undefined => {
  const code = token.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const step = Math.floor(epoch / PERIOD)
  for (const candidate of [step, step - 1, step + 1]) {
    const fits = verifySync({ secret, token: code, epoch: candidate * PERIOD, period: PERIOD }).valid
    if (fits && (after === null || candidate > after)) return candidate
  }
  return undefined
}

/** Failed sign-ins for one typed name, whether it exists or not. */
interface Attempts {
  readonly stream: string
  readonly count: number
  readonly tail: Tail
}

const attemptStream = async (keys: Keys, name: string): Promise<string> =>
  signInStream(await keys.index.hmac(JSON.stringify(['signin', foldName(name)])))

const readAttempts = async (store: EventStore, stream: string): Promise<Attempts> => {
  for await (const event of store.read(stream, { direction: 'backwards', limit: 1 })) {
    const { attempts } = signInFailedSchema.parse(event.data)
    return { stream, count: attempts, tail: { revision: event.revision, hash: event.hash } }
  }
  return { stream, count: 0, tail: NO_STREAM }
}

interface Failure {
  readonly person: { readonly id: string; readonly level: string } | undefined
  readonly time: string
  /** Failures under the name so far that still count. */
  readonly before: number
  /** Id under which address and browser are stored. */
  readonly origin: string
}

/** @returns the position it was written at */
const writeFailure = async (store: EventStore, seen: Attempts, failure: Failure): Promise<string> => {
  const { person, time, origin } = failure
  const seed = crypto.randomUUID()
  const author = { seed, actor: null, time, correlation: seed, causation: origin }
  for (let attempts = seen, before = failure.before; ; ) {
    const data: SignInFailed = { user: person?.id ?? null, attempts: before + 1 }
    try {
      const failed = draft(author, seen.stream, 'SignInFailed', person?.level ?? null, data)
      return (await append(store, seen.stream, attempts.tail, [failed])).position
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
      attempts = await readAttempts(store, seen.stream)
      before = attempts.count
    }
  }
}

export interface Claim {
  /** Username or e-mail address. */
  readonly username: string
  readonly password: string
  /** Code of the authenticator. */
  readonly token?: string | undefined
  /** Device in which this person signed in before, as the caller has checked. */
  readonly device?: string | undefined
  /** Address or network that it comes from. */
  readonly source?: string | undefined
  /** Address and browser, for the audit. */
  readonly seen?: SeenFrom | undefined
}

/** Verified facts of a claim. */
export interface Proof {
  readonly person: Person
  readonly reached: Extract<SignInStep, 'signedIn' | 'code' | 'passkey' | 'expired' | 'registration'>
  /** Time step of the code that was shown: of the registered authenticator, or of the one that waits to be confirmed. */
  readonly step: number | null
  readonly confirms: boolean
  /** Hash of the recovery code that was shown in place of a code. */
  readonly recovery?: string
}

interface CredentialOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
  readonly now: () => Date
  /** Failures that lock. */
  readonly attempts: number
  /** First pause before an answer to a name with too many failures, ms; it doubles with each. Default 500. */
  readonly pause?: number
  /** Longest pause, ms. Default 5000. */
  readonly maxPause?: number
  /** A refusal comes after a whole number of these, ms, so that its time tells nothing. Default 150. */
  readonly grain?: number
}

/**
 * Checks names, passwords and codes, one at a time per name; a known device of the person waits for nobody else. For a name that nobody has it does the same reads, the same
 * hashing and the same counting, and answers the same after the same time.
 */
export type CheckCredential = (claim: Claim) => Promise<Result<Proof>>

/** Attempts under one name that are under way at one time: from one device or address, and from all that are unknown. */
const MAX_PER_SOURCE = 20
const MAX_PER_NAME = 60

export const createCredentialCheck = (options: CredentialOptions): CheckCredential => {
  const {
    store,
    keys,
    commands,
    lookup,
    now,
    attempts: limit,
    pause: firstPause = 500,
    maxPause = 5000,
    grain,
  } = options
  const turns = createKeyedMutex(MAX_PER_NAME)
  const names = createConcurrencyLimiter(MAX_PER_NAME)
  const sources = createConcurrencyLimiter(MAX_PER_SOURCE)

  const fail = async (person: Person | undefined, seen: Attempts, before: number, claim: Claim): Promise<void> => {
    const time = now().toISOString()
    const origin = await originOf(options, person, claim)
    const [position, told] = await Promise.all([
      writeFailure(store, seen, { person, time, before, origin }),
      person === undefined ? undefined : tellUser(commands, person.id, before + 1 >= limit, origin),
    ])
    await lookup.reached(told === undefined || told < position ? position : told)
  }

  /** @returns milliseconds when the attempt must have paused for longer than it has */
  const check = async (claim: Claim, stream: string, paused: number): Promise<Result<Proof> | number> => {
    const [person, seen] = await Promise.all([findPerson(options, claim.username), readAttempts(store, stream)])
    const before = person === undefined ? seen.count : Math.min(seen.count, person.attempts)
    const due = before < limit ? 0 : Math.min(maxPause, firstPause * 2 ** Math.min(before - limit, 10))
    if (due > paused) return due
    const right = await verifyPassword(person?.hash, claim.password)
    const { reached, ...shown } = judge(person, right, claim.token, now())
    if (reached === 'locked' && before < limit) return refused('auth.locked')
    if (person !== undefined && isProof(reached)) return accepted({ person, reached, ...shown })
    await fail(person, seen, before, claim)
    if (before >= limit || reached === 'locked') return refused('auth.locked')
    return reached === 'codeInvalid'
      ? refused('auth.twofactor')
      : refused('auth.invalid', { params: { attemptsRemaining: limit - before - 1 } })
  }

  /** Pauses outside of the turn: attempts do not wait for each other's pauses. */
  const attempt = async (claim: Claim, stream: string, turn: string): Promise<Result<Proof> | undefined> => {
    for (let paused = claim.device === undefined ? 0 : maxPause; ; ) {
      const result = await turns.take(turn, () => check(claim, stream, paused))
      if (typeof result !== 'number') return result
      await pause(result - paused)
      paused = result
    }
  }

  return async claim => {
    const began = performance.now()
    const stream = await attemptStream(keys, claim.username)
    const source = `${stream} ${claim.device ?? claim.source ?? ''}`
    const turn = claim.device === undefined ? stream : source
    const result = await sources.take(source, () => names.take(turn, () => attempt(claim, stream, turn)))
    if (result?.ok) return result
    await untilGrain(began, grain)
    return result ?? refused('request.toomany', { params: { retryAfter: 5 } })
  }
}

/** Waits until a whole number of `grain` ms after a beginning, so that the time of an answer says little. */
export const untilGrain = async (began: number, grain = 150): Promise<void> => {
  const end = began + grain * (Math.floor((performance.now() - began) / grain) + 1)
  // A timer may end a little early.
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) await pause(left)
}

/** Counts the failure in the user's own stream. */
const tellUser = async (
  commands: CommandHandler,
  id: string,
  lock: boolean,
  origin: string,
): Promise<string | undefined> => {
  const caller = { ...systemCaller(), session: origin }
  const command = { entity: 'user', action: 'failsignin', id, input: { lock }, caller }
  const told = await commands.execute({ ...command, correlation: crypto.randomUUID() })
  return told.ok ? told.position : undefined
}

/** Stores where a failed attempt came from, and the name that was tried where no user has it. Returns its id. */
const originOf = async (options: CredentialOptions, person: Person | undefined, claim: Claim): Promise<string> => {
  const origin = newOrigin()
  const { seen, username: name } = claim
  if (seen !== undefined)
    await writeOrigin(options, { origin, seen, ...(person === undefined ? { user: null, name } : { user: person.id }) })
  return origin
}

const isProof = (step: SignInStep): step is Proof['reached'] =>
  step === 'signedIn' || step === 'code' || step === 'passkey' || step === 'expired' || step === 'registration'

const judge = (person: Person | undefined, right: boolean, token: string | undefined, now: Date) => {
  const subject = {
    locked: person?.locked ?? false,
    expired: isExpired(person?.changed ?? null, now.toISOString()),
    registered: person?.registered ?? false,
    demanded: person?.demanded ?? false,
    passkey: person !== undefined && needsPasskey(person),
  }
  const events: SignInEvent[] = [{ type: 'password', right }]
  const first = signInStep(subject, events)
  const confirms = person?.registered === false && person.pending !== undefined
  const secret = confirms ? person.pending : person?.secret
  if (token === undefined || secret === undefined || !(first === 'code' || (confirms && isProof(first)))) {
    return { reached: first, step: null, confirms: false }
  }
  const recovery = person === undefined || confirms ? undefined : recoveryHash(person, token)
  if (recovery !== undefined)
    return { reached: signInStep(subject, [...events, { type: 'code', right: true }]), step: null, confirms, recovery }
  const step = codeStep(secret, token, now, confirms ? null : (person?.step ?? null))
  if (confirms) return { reached: step === undefined ? ('codeInvalid' as const) : first, step: step ?? null, confirms }
  return {
    reached: signInStep(subject, [...events, { type: 'code', right: step !== undefined }]),
    step: step ?? null,
    confirms,
  }
}

/** A step of a person's own sign-in, as a command. */
export const executeSignInStep = (
  commands: CommandHandler,
  person: Person,
  action: string,
  input: JsonObject,
  origin: string | null = null,
) =>
  commands.execute({
    entity: 'user',
    action,
    id: person.id,
    input,
    caller: ownCaller(person, origin),
    correlation: crypto.randomUUID(),
  })
