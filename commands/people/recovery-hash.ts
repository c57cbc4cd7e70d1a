import { hash } from 'node:crypto'
import { readRecoveryCode } from '#domain/people/sign-in.ts'
import type { Person } from './person.ts'

/** A code has 80 random bits: even a fast hash cannot be reversed. */
export const recoveryCodeHash = (user: string, code: string): string => hash('sha256', `${user} ${code}`)

/** Hash of what was typed, if it is one of the person's codes that were not used. */
export const recoveryHash = (person: Pick<Person, 'id' | 'recoverycodes'>, typed: string): string | undefined => {
  const code = readRecoveryCode(typed)
  const hashed = code === undefined ? undefined : recoveryCodeHash(person.id, code)
  return hashed !== undefined && person.recoverycodes.includes(hashed) ? hashed : undefined
}
