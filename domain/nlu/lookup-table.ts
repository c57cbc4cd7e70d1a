import { hashEnd, hashStep, hashText, slotsOf } from './hash-table.ts'
import type { Section } from './model-file.ts'
import type { EntityData } from './project-data.ts'
import { foldedTokens, type TokenReader } from './read-text.ts'

const TOKEN_SEED = 0x165667b1
const PHRASE_SEED = 0x27d4eb2f
const CHECK_SEED = 0x61c88647
const HEAD_SEED = 0x4cf5ad43
const TAIL_SEED = 0x2545f491
/** Letters of a word from which on one edit is allowed. */
export const MIN_FUZZY_LENGTH = 6
/** Words of a value; longer ones are not found. */
const MAX_PHRASE_TOKENS = 12

export const tokenKey = (units: Uint16Array, start: number, end: number): number => {
  let hash = TOKEN_SEED
  for (let at = start; at < end; at++) hash = hashStep(hash, units[at] as number)
  return hashEnd(hash)
}

const PHRASE_BEGIN = PHRASE_SEED
const CHECK_BEGIN = CHECK_SEED
/** Begins two hashes of a phrase, each continued with the numbers of its tokens. */
export const phraseBegin = (): readonly [number, number] => [PHRASE_BEGIN, CHECK_BEGIN]
export const phraseStep = (hash: number, token: number): number =>
  hashStep(hashStep(hashStep(hash, token & 0xffff), token >>> 16), 0x5f)

/** The half of a word that one edit in its other half leaves as it is. */
export const halfKey = (isHead: boolean, length: number, units: Uint16Array, start: number, end: number): number => {
  let hash = hashStep(isHead ? HEAD_SEED : TAIL_SEED, length)
  for (let at = start; at < end; at++) hash = hashStep(hash, units[at] as number)
  return hashEnd(hash)
}

/**
 * All values of lookup entities: words by their text, phrases by the numbers of their words, and words from six letters
 * on by each of their halves. Built once, used in the model's layout.
 */
export interface LookupTable {
  readonly tokenUnits: Uint16Array
  readonly tokenStarts: Int32Array
  readonly tokenKeys: Int32Array
  readonly tokenSlots: Int32Array
  readonly phraseKeys: Int32Array
  readonly phraseChecks: Int32Array
  readonly phraseSlots: Int32Array
  readonly phraseValues: Int32Array
  readonly phraseEntities: Uint16Array
  /** UTF-8. */
  readonly valueBytes: Uint8Array
  readonly valueStarts: Int32Array
  readonly halfKeys: Int32Array
  readonly halfSlots: Int32Array
  /** Words of half i are members[halfStarts[i]] to members[halfStarts[i + 1]]. */
  readonly halfStarts: Int32Array
  readonly halfMembers: Int32Array
  readonly maxTokens: number
}

interface Phrase {
  readonly tokens: readonly number[]
  readonly value: number
  readonly entity: number
}

const numberTokens = (reader: TokenReader, entities: readonly EntityData[]) => {
  const tokens = new Map<string, number>()
  const values = new Map<string, number>()
  const phrases = new Map<string, Phrase>()
  const numberOf = (map: Map<string, number>, text: string): number => {
    const known = map.get(text)
    if (known !== undefined) return known
    map.set(text, map.size)
    return map.size - 1
  }
  for (const [entity, { lookup }] of entities.entries()) {
    for (const { value, synonyms } of lookup) {
      for (const written of [value, ...synonyms]) {
        const words = foldedTokens(reader, written)
        if (words.length === 0 || words.length > MAX_PHRASE_TOKENS) continue
        const key = words.join(' ')
        // The first of two entities with the same words has them.
        if (!phrases.has(key))
          phrases.set(key, {
            tokens: words.map(word => numberOf(tokens, word)),
            value: numberOf(values, value),
            entity,
          })
      }
    }
  }
  return { tokens: [...tokens.keys()], values: [...values.keys()], phrases: [...phrases.values()] }
}

const lengthsToStarts = (lengths: readonly number[]): Int32Array => {
  const starts = new Int32Array(lengths.length + 1)
  for (const [at, length] of lengths.entries()) starts[at + 1] = (starts[at] as number) + length
  return starts
}

const buildHalves = (units: Uint16Array, starts: Int32Array, count: number) => {
  const members = new Map<number, number[]>()
  const add = (key: number, token: number) => {
    const list = members.get(key)
    if (list === undefined) members.set(key, [token])
    else list.push(token)
  }
  for (let token = 0; token < count; token++) {
    const [start, end] = [starts[token] as number, starts[token + 1] as number]
    if (end - start < MIN_FUZZY_LENGTH) continue
    const middle = start + ((end - start) >> 1)
    add(halfKey(true, end - start, units, start, middle), token)
    add(halfKey(false, end - start, units, middle, end), token)
  }
  const keys = Int32Array.from(members.keys())
  const lists = [...members.values()]
  return {
    halfKeys: keys,
    halfSlots: slotsOf(keys),
    halfStarts: lengthsToStarts(lists.map(({ length }) => length)),
    halfMembers: Int32Array.from(lists.flat()),
  }
}

export const buildLookupTable = (reader: TokenReader, entities: readonly EntityData[]): LookupTable => {
  const { tokens, values, phrases } = numberTokens(reader, entities)
  const tokenStarts = lengthsToStarts(tokens.map(({ length }) => length))
  const tokenUnits = new Uint16Array(tokenStarts[tokens.length] ?? 0)
  for (const [token, text] of tokens.entries())
    for (let at = 0; at < text.length; at++) tokenUnits[(tokenStarts[token] as number) + at] = text.charCodeAt(at)
  const tokenKeys = Int32Array.from(tokens, text => hashText(TOKEN_SEED, text))
  const hashed = phrases.map(({ tokens: numbers }) => ({
    key: hashEnd(numbers.reduce(phraseStep, PHRASE_BEGIN)),
    check: hashEnd(numbers.reduce(phraseStep, CHECK_BEGIN)),
  }))
  const phraseKeys = Int32Array.from(hashed, ({ key }) => key)
  const encoded = values.map(value => new TextEncoder().encode(value))
  const valueStarts = lengthsToStarts(encoded.map(({ length }) => length))
  const valueBytes = new Uint8Array(valueStarts[values.length] ?? 0)
  for (const [at, bytes] of encoded.entries()) valueBytes.set(bytes, valueStarts[at])
  return {
    tokenUnits,
    tokenStarts,
    tokenKeys,
    tokenSlots: slotsOf(tokenKeys),
    phraseKeys,
    phraseChecks: Int32Array.from(hashed, ({ check }) => check),
    phraseSlots: slotsOf(phraseKeys),
    phraseValues: Int32Array.from(phrases, ({ value }) => value),
    phraseEntities: Uint16Array.from(phrases, ({ entity }) => entity),
    valueBytes,
    valueStarts,
    ...buildHalves(tokenUnits, tokenStarts, tokens.length),
    maxTokens: phrases.reduce((most, { tokens: { length } }) => Math.max(most, length), 0),
  }
}

const PREFIX = 'lookup.'

export const lookupSections = ({ maxTokens, ...arrays }: LookupTable): Readonly<Record<string, Section>> => ({
  ...Object.fromEntries(Object.entries(arrays).map(([name, section]) => [`${PREFIX}${name}`, section])),
  [`${PREFIX}maxTokens`]: Int32Array.of(maxTokens),
})

interface SectionReader {
  section(name: string, kind: 'i32'): Int32Array
  section(name: string, kind: 'u16'): Uint16Array
  section(name: string, kind: 'u8'): Uint8Array
}

export const lookupTableOf = (model: SectionReader): LookupTable => {
  const ints = (name: string) => model.section(`${PREFIX}${name}`, 'i32')
  return {
    tokenUnits: model.section(`${PREFIX}tokenUnits`, 'u16'),
    tokenStarts: ints('tokenStarts'),
    tokenKeys: ints('tokenKeys'),
    tokenSlots: ints('tokenSlots'),
    phraseKeys: ints('phraseKeys'),
    phraseChecks: ints('phraseChecks'),
    phraseSlots: ints('phraseSlots'),
    phraseValues: ints('phraseValues'),
    phraseEntities: model.section(`${PREFIX}phraseEntities`, 'u16'),
    valueBytes: model.section(`${PREFIX}valueBytes`, 'u8'),
    valueStarts: ints('valueStarts'),
    halfKeys: ints('halfKeys'),
    halfSlots: ints('halfSlots'),
    halfStarts: ints('halfStarts'),
    halfMembers: ints('halfMembers'),
    maxTokens: ints('maxTokens')[0] ?? 0,
  }
}
