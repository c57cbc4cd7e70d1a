import type { Lookup } from '#domain/lookup.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { type CheckCredential, type Claim, codeStep, executeSignInStep, newSecret, otpauthOf } from './credential.ts'
import { offerAuthenticator, withdrawAuthenticator } from './offered-authenticator.ts'
import { loadPerson, type Person, type PersonSource } from './person.ts'

export interface Registration {
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
export const registerTwoFactor = async (
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
export const verifyTwoFactor = async (
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
  return reached === 'code' ? refused('auth.twofactor') : accepted(person)
}
