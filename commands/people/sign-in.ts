import type { Lookup } from '#domain/lookup.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { type CheckCredential, type Claim, ownStep, type Proof } from './credential.ts'
import type { Person } from './person.ts'
import type { Sessions } from './session.ts'

export interface SignedIn {
  /** Access token; undefined while a second factor or its registration is missing. */
  readonly token: string | undefined
  readonly twofactorenabled: boolean
  readonly enabletwofactor: boolean
}

export interface SignInOptions {
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
  return proof.ok ? admit(options, proof.value) : proof
}

const admit = async (options: SignInOptions, proof: Proof): Promise<Result<SignedIn>> => {
  const { person, reached, step, confirms } = proof
  const answer = { token: undefined, twofactorenabled: person.registered, enabletwofactor: person.demanded }
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
  return open(options, person, step, answer)
}

const open = async (
  { commands, lookup, sessions }: SignInOptions,
  person: Person,
  step: number | null,
  answer: SignedIn,
): Promise<Result<SignedIn>> => {
  const told = await ownStep(commands, person, 'signin', { changed: person.changed, step })
  if (!told.ok) return told
  const { token, position } = await sessions.start(person)
  await lookup.reached(position)
  return accepted({ ...answer, token })
}
