import { randomBytes } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import { RECOVERY_ALPHABET, RECOVERY_CODES, RECOVERY_LENGTH, shownRecoveryCode } from '#domain/people/recovery-code.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandHandler } from '../port.ts'
import { ownStep } from './credential.ts'
import { verifyPassword } from './password-hash.ts'
import { loadPerson, type PersonSource } from './person.ts'
import { recoveryCodeHash } from './recovery-hash.ts'

/** 256 is a multiple of the alphabet's 32: every letter is as likely as any other. */
const newCode = (): string =>
  [...randomBytes(RECOVERY_LENGTH)].map(byte => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length]).join('')

interface RecoveryOptions extends PersonSource {
  readonly commands: CommandHandler
  readonly lookup: Pick<Lookup, 'reached'>
}

/** Whether an authenticator is registered, and how many recovery codes were not used. */
export const recoveryState = async (
  source: PersonSource,
  user: string,
): Promise<{ readonly twofactorenabled: boolean; readonly left: number }> => {
  const person = await loadPerson(source, user)
  return { twofactorenabled: person?.registered ?? false, left: person?.recoverycodes.length ?? 0 }
}

/** New codes in place of those there are. They are answered once; their hashes are kept. */
export const makeRecoveryCodes = async (
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
  const told = await ownStep(options.commands, person, 'makerecoverycodes', { hashes }, session)
  if (!told.ok) return told
  if (told.position !== undefined) await options.lookup.reached(told.position)
  return accepted({ codes: codes.map(shownRecoveryCode) })
}
