import { hash } from 'node:crypto'
import type { TinyUrlFacts } from '#domain/tiny-url.ts'
import type { LoadFacts } from '../pipeline/command-context.ts'

/** 32 letters and digits, without those that look alike. 10 of them are 50 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const CODE_LENGTH = 10

/** The same for each attempt at one command. The seed is random, or the hash of a key that the caller alone knows. */
const codeOf = (seed: string): string =>
  [...hash('sha256', `${seed}\nshorturl`, 'buffer').subarray(0, CODE_LENGTH)]
    .map(byte => ALPHABET[byte % ALPHABET.length])
    .join('')

export const gatherTinyUrl: LoadFacts<TinyUrlFacts> = async ({ isOpenHost }, { author }, _state, fields) => {
  const { original_url: address } = fields
  const host = typeof address === 'string' ? URL.parse(address)?.hostname : undefined
  const isOpen = host === undefined || (await isOpenHost(host))
  return { shorturl: codeOf(author.seed), isOpenHost: () => isOpen }
}
