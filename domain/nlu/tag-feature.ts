import { hashEnd, hashStep } from './hash-table.ts'
import type { TokenReader } from './read-text.ts'

/** Features of one token; the last is the same for all. */
export const FEATURES_PER_TOKEN = 26
const EDGE_UNIT = 0x5e

const wordHash = (seed: number, { units, starts, count }: TokenReader, token: number): number => {
  let hash = hashStep(0x811c9dc5 | 0, seed)
  if (token < 0 || token >= count) return hashStep(hash, EDGE_UNIT)
  for (let at = starts[token] as number; at < (starts[token + 1] as number); at++)
    hash = hashStep(hash, units[at] as number)
  return hash
}

const partHash = (seed: number, { units }: TokenReader, start: number, end: number): number => {
  let hash = hashStep(0x811c9dc5 | 0, seed)
  for (let at = start; at < end; at++) hash = hashStep(hash, units[at] as number)
  return hash
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** 0 to 2: letters, digits, both. */
const kindOf = ({ units, starts }: TokenReader, token: number): number => {
  let digits = 0
  const [start, end] = [starts[token] as number, starts[token + 1] as number]
  for (let at = start; at < end; at++) if (isDigit(units[at] as number)) digits++
  return digits === 0 ? 0 : digits === end - start ? 1 : 2
}

const isCapital = (raw: string, at: number): boolean => {
  const letter = raw[at] ?? ''
  return letter !== letter.toLowerCase()
}

/**
 * Hashes of a token's entity features: the word, its neighbours, its beginning and end, its shape and its lookup match
 * (`lookup` 0 for none) and the intent of the whole text.
 */
export const listTagFeatures = (
  list: Int32Array,
  reader: TokenReader,
  raw: string,
  token: number,
  lookup: number,
  intent: number,
): void => {
  const { starts, rawStarts } = reader
  const [start, end] = [starts[token] as number, starts[token + 1] as number]
  const length = end - start
  const words = [-3, -2, -1, 0, 1, 2, 3].map(offset => wordHash(16 + offset, reader, token + offset))
  const word = (offset: number): number => words[offset + 3] as number
  let count = 0
  const add = (hash: number) => {
    list[count++] = hashEnd(hash)
  }
  for (let offset = -3; offset <= 3; offset++) add(word(offset))
  add(hashStep(word(-1), word(0)))
  add(hashStep(word(0), word(1)))
  add(hashStep(word(-2), word(-1)))
  add(hashStep(word(1), word(2)))
  add(hashStep(word(-1), word(1)))
  for (let size = 2; size <= 4; size++) {
    add(partHash(40 + size, reader, start, start + Math.min(size, length)))
    add(partHash(50 + size, reader, end - Math.min(size, length), end))
  }
  const shape = kindOf(reader, token) * 2 + (isCapital(raw, rawStarts[token] as number) ? 1 : 0)
  add(hashStep(hashStep(60, shape), length > 5 ? 5 : length))
  add(hashStep(61, shape))
  add(hashStep(hashStep(62, lookup), 1))
  add(hashStep(hashStep(63, lookup), word(-1)))
  add(hashStep(64, token > 3 ? 3 : token))
  add(hashStep(66, intent))
  add(hashStep(hashStep(67, intent), word(0)))
  // Always there.
  add(65)
}
