import { hashEnd, hashStep, hashText } from './hash-table.ts'
import type { TokenReader } from './read-text.ts'

const WORD_SEED = 0x811c9dc5 | 0
const PAIR_SEED = 0x2f0b4c47
const GRAM_SEED = 0x5bd1e995
const ENTITY_SEED = 0x3c6ef372
const SPACE = 0x20
/** Stands before and after a word; no token holds it. */
const EDGE = 0x5f
const MIN_GRAM = 2
const MAX_GRAM = 5
const MAX_FEATURES = 60_000

/** Hashes of a text's features, repeated as often as they occur. Reused by the next text. */
export interface FeatureList {
  readonly hashes: Int32Array
  count: number
}

export const createFeatureList = (): FeatureList => ({ hashes: new Int32Array(MAX_FEATURES + 16), count: 0 })

/** The feature of an entity in the text. */
export const entityFeature = (name: string): number => hashText(ENTITY_SEED, name)

const addGrams = (list: FeatureList, units: Uint16Array, start: number, end: number): void => {
  const { hashes } = list
  let { count } = list
  // Places -1 and `length` are the edges.
  const length = end - start
  for (let from = -1; from < length; from++) {
    let hash = hashStep(GRAM_SEED, from < 0 ? EDGE : (units[start + from] as number))
    const last = Math.min(from + MAX_GRAM - 1, length)
    for (let at = from + 1; at <= last; at++) {
      hash = hashStep(hash, at === length ? EDGE : (units[start + at] as number))
      if (at - from + 1 >= MIN_GRAM && count < MAX_FEATURES) hashes[count++] = hashEnd(hash)
    }
  }
  list.count = count
}

/** Features of the text that was read: words, pairs of words, and 2 to 5 neighbouring letters of each `_word_`. */
export const listFeatures = (list: FeatureList, { units, starts, count }: TokenReader): void => {
  list.count = 0
  let pair = 0
  for (let token = 0; token < count; token++) {
    const start = starts[token] as number
    const end = starts[token + 1] as number
    let word = WORD_SEED
    for (let at = start; at < end; at++) {
      word = hashStep(word, units[at] as number)
      if (token > 0) pair = hashStep(pair, units[at] as number)
    }
    if (list.count + 2 < MAX_FEATURES) {
      list.hashes[list.count++] = hashEnd(word)
      if (token > 0) list.hashes[list.count++] = hashEnd(pair)
    }
    pair = PAIR_SEED
    for (let at = start; at < end; at++) pair = hashStep(pair, units[at] as number)
    pair = hashStep(pair, SPACE)
    addGrams(list, units, start, end)
  }
}

/** The same features with their texts, for explaining an answer; slow. */
export const describeFeatures = (
  words: readonly string[],
): readonly { readonly text: string; readonly hash: number }[] => {
  const grams = words.flatMap(word => {
    const edged = `_${word}_`
    return Array.from({ length: edged.length }, (_, from) =>
      Array.from({ length: MAX_GRAM - MIN_GRAM + 1 }, (__, size) => edged.slice(from, from + size + MIN_GRAM)).filter(
        (gram, size) => gram.length === size + MIN_GRAM,
      ),
    ).flat()
  })
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`)
  return [
    ...words.map(text => ({ text, hash: hashText(WORD_SEED, text) })),
    ...pairs.map(text => ({ text, hash: hashText(PAIR_SEED, text) })),
    ...grams.map(text => ({ text, hash: hashText(GRAM_SEED, text) })),
  ]
}

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
