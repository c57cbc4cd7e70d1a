import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const TOKEN_PREFIX = 'prl_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Digits of 256 random bits, and of the CRC-32 over them. */
const SECRET_DIGITS = 43
const CHECK_DIGITS = 6
const FORM = new RegExp(`^${TOKEN_PREFIX}([0-9A-Za-z]{${SECRET_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`)

const base62 = (value: bigint, digits: number): string => {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}

const checkOf = (digits: string): string => base62(BigInt(crc32(digits)), CHECK_DIGITS)

/** `prl_`, 43 digits of the secret and 6 of their checksum, in base 62. `secret`: 32 random bytes. */
export const tokenText = (secret: Uint8Array): string => {
  const value = secret.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const digits = base62(value, SECRET_DIGITS)
  return TOKEN_PREFIX + digits + checkOf(digits)
}

/** Whether a text has the form of a token and the right checksum: a typo is found without a look-up. */
export const isTokenText = (text: string): boolean => {
  const [, digits, check] = FORM.exec(text) ?? []
  return digits !== undefined && checkOf(digits) === check
}

/** Characters of a token that are shown. */
const SHOWN_LENGTH = 8
export const shownPrefix = (token: string): string => token.slice(0, SHOWN_LENGTH)

/** Id of a token: all that is kept of it. Its 256 random bits cannot be guessed, so no slow hash is needed. */
export const tokenId = (token: string): string => hash('sha256', token)
