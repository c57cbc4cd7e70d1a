import type { Lookup } from '#domain/lookup.ts'
import { checkPasswordChange, type PasswordChange } from '#domain/people/password.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { type CheckCredential, type Claim, executeSignInStep } from './credential.ts'
import { newOrigin, writeOrigin } from './origin-log.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { loadPerson, type Person, type PersonSource } from './person.ts'
import type { Sessions } from './session.ts'

interface ChangePasswordOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
  readonly sessions: Sessions
  readonly check: CheckCredential
  readonly now: () => Date
}

type Who = { readonly user: string; readonly session: string } | Omit<Claim, 'password'>

/** Every other session of the user ends: before, so that a crash between cannot leave one, and after, for one that was opened meanwhile. */
export const changePassword = async (
  options: ChangePasswordOptions,
  who: Who,
  change: PasswordChange,
): Promise<Result<null>> => {
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
  { check }: ChangePasswordOptions,
  who: Omit<Claim, 'password'>,
  password: string,
): Promise<Result<VerifiedPerson>> => {
  const proof = await check({ ...who, password })
  if (!proof.ok) return proof
  const { person, reached, step, confirms, recovery } = proof.value
  // A recovery code is for signing in alone.
  return reached === 'code' || recovery !== undefined
    ? refused('auth.twofactor')
    : accepted({ person, step: confirms ? null : step })
}
