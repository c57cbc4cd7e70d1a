import { hash, verify } from '@node-rs/argon2'

/** argon2id, 19 MiB, two passes, one lane; computed on the thread pool. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), COST)

let dummy: Promise<string> | undefined

/**
 * Whether a password matches a hash. Without a hash it takes as long and returns false, so the response time does not
 * reveal whether a user exists.
 */
export const verifyPassword = async (stored: string | undefined, password: string): Promise<boolean> => {
  dummy ??= hashPassword(crypto.randomUUID())
  const fits = await verify(stored ?? (await dummy), password.normalize('NFC'))
  return stored !== undefined && fits
}
