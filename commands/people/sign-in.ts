import type { Lookup } from '#domain/lookup.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { type CheckCredential, type Claim, executeSignInStep, type Proof } from './credential.ts'
import { withdrawAuthenticator } from './offered-authenticator.ts'
import { writeOrigin } from './origin-log.ts'
import { loadPerson, type Person, type PersonSource } from './person.ts'
import { newToken, type Sessions, sessionId } from './session.ts'

export interface SignedIn {
  /** User of the session. */
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
  readonly now: () => Date
}

/**
 * Opens a session for a correct password and, if required, a correct code; the first code of a new authenticator
 * confirms it. Resolves when the read models contain the session.
 */
export const signIn = async (options: SignInOptions, claim: Claim): Promise<Result<SignedIn>> => {
  const proof = await options.check(claim)
  if (!proof.ok) return proof
  return (await admit(options, proof.value, claim)) ?? signIn(options, claim)
}

/** Undefined: the person was locked or given another password meanwhile. */
const admit = async (options: SignInOptions, proof: Proof, claim: Claim): Promise<Result<SignedIn> | undefined> => {
  const { person, reached, step, confirms, recovery } = proof
  const answer = {
    user: undefined,
    token: undefined,
    twofactorenabled: person.registered,
    enabletwofactor: person.demanded,
  }
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
    return open(options, person, null, { ...answer, twofactorenabled: true, token })
  }
  return open(options, person, step, { ...answer, token }, recovery)
}

const open = async (
  options: SignInOptions,
  person: Person,
  step: number | null,
  answer: SignedIn & { readonly token: string },
  recovery?: string,
): Promise<Result<SignedIn> | undefined> => {
  const { commands, lookup, sessions } = options
  const session = sessionId(answer.token)
  const input = { changed: person.changed, step, ...(recovery === undefined ? {} : { recovery }) }
  const told = await executeSignInStep(commands, person, 'signin', input, session)
  if (!told.ok) return told
  const { position } = await sessions.start(person, answer.token)
  await lookup.reached(position)
  if (await isStillGood(options, person)) return accepted({ ...answer, user: person.id })
  await sessions.end(session, 'password')
  return undefined
}

/** Locking a user or changing their password ends existing sessions: a session opened later ends itself. */
const isStillGood = async (source: PersonSource, { id, hash }: Person): Promise<boolean> => {
  const present = await loadPerson(source, id)
  return present !== undefined && !present.locked && present.hash === hash
}
