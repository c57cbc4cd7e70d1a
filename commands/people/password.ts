import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Keys } from '../keys/secret.ts'

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

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** A password to hand out: sixteen letters and digits (80 bits) in groups of four, and what the rules ask for besides. */
export const randomPassword = (): string => readable(randomBytes(16))

/** The same for the same command, so that a repeated request answers the same password. */
export const passwordOfCommand = async (keys: Keys, seed: string): Promise<string> =>
  readable(Buffer.from(await keys.index.hmac(`password ${seed}`), 'hex').subarray(0, 16))

const readable = (bytes: Buffer): string => {
  const letters = [...bytes].map(byte => ALPHABET[byte % ALPHABET.length]).join('')
  return `P${(letters.match(/.{4}/g) ?? []).join('-')}7`
}
