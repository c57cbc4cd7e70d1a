import { randomBytes } from 'node:crypto'
import type { Keys } from '../keys/secret.ts'

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
