import type { Lookup } from '#domain/lookup.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { type CheckCredential, type Claim, ownStep, type Proof } from './credential.ts'
import { loadPerson, type Person, type PersonSource } from './person.ts'
import { type Sessions, sessionId } from './session.ts'

export interface SignedIn {
  /** Who has the session. */
  readonly user: string | undefined
  /** Access token; undefined while a second factor or its registration is missing. */
  readonly token: string | undefined
  readonly twofactorenabled: boolean
  readonly enabletwofactor: boolean
}

interface SignInOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
  readonly sessions: Sessions
  readonly check: CheckCredential
}

/**
 * Opens a session for who shows a right password and, where it is asked for, a right code; the first code of a new
 * authenticator confirms it. When it resolves the session is known to the read models.
 */
export const signIn = async (options: SignInOptions, claim: Claim): Promise<Result<SignedIn>> => {
  const proof = await options.check(claim)
  if (!proof.ok) return proof
  return (await admit(options, proof.value)) ?? signIn(options, claim)
}

/** Undefined: the person was locked or given another password meanwhile. */
const admit = async (options: SignInOptions, proof: Proof): Promise<Result<SignedIn> | undefined> => {
  const { person, reached, step, confirms, recovery } = proof
  const answer = {
    user: undefined,
    token: undefined,
    twofactorenabled: person.registered,
    enabletwofactor: person.demanded,
  }
  if (reached === 'expired') return refused('auth.expired')
  if (reached === 'code') return accepted(answer)
  if (confirms && step !== null) {
    const confirmed = await ownStep(options.commands, person, 'confirmtwofactor', {
      secret: person.pending ?? '',
      step,
    })
    return confirmed.ok ? open(options, person, null, { ...answer, twofactorenabled: true }) : confirmed
  }
  if (reached === 'registration') return accepted({ ...answer, enabletwofactor: true })
  return open(options, person, step, answer, recovery)
}

const open = async (
  options: SignInOptions,
  person: Person,
  step: number | null,
  answer: SignedIn,
  recovery?: string,
): Promise<Result<SignedIn> | undefined> => {
  const { commands, lookup, sessions } = options
  const told = await ownStep(commands, person, 'signin', {
    changed: person.changed,
    step,
    ...(recovery === undefined ? {} : { recovery }),
  })
  if (!told.ok) return told
  const { token, position } = await sessions.start(person)
  await lookup.reached(position)
  if (await isStillGood(options, person)) return accepted({ ...answer, user: person.id, token })
  await sessions.end(sessionId(token), 'password')
  return undefined
}

/** Whoever locks somebody or takes their password ends the sessions that there are: one that comes later ends itself. */
const isStillGood = async (source: PersonSource, { id, hash }: Person): Promise<boolean> => {
  const present = await loadPerson(source, id)
  return present !== undefined && !present.locked && present.hash === hash
}
