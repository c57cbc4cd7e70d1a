import { hashEnd, rowOf } from './hash-table.ts'
import { halfKey, type LookupTable, MIN_FUZZY_LENGTH, phraseBegin, phraseStep, tokenKey } from './lookup-table.ts'
import type { TokenReader } from './read-text.ts'

/** Words within one edit that are tried; of more it is not clear which was meant. */
const MAX_CANDIDATES = 16
const FUZZY_CONFIDENCE = 0.9

/** A value of a lookup in the text that was read; tokens from `from` to `to`, exclusive. */
export interface LookupMatch {
  readonly from: number
  readonly to: number
  readonly entity: number
  readonly value: string
  readonly confidence: number
}

const isSame = (a: Uint16Array, aStart: number, b: Uint16Array, bStart: number, length: number): boolean => {
  for (let at = 0; at < length; at++) if (a[aStart + at] !== b[bStart + at]) return false
  return true
}

const tokenNumber = (table: LookupTable, units: Uint16Array, start: number, end: number): number => {
  const token = rowOf(table.tokenSlots, table.tokenKeys, tokenKey(units, start, end))
  if (token < 0) return -1
  const stored = table.tokenStarts[token] as number
  const length = (table.tokenStarts[token + 1] as number) - stored
  return length === end - start && isSame(table.tokenUnits, stored, units, start, length) ? token : -1
}

/** Whether one letter more, less, other or swapped makes one of the other. */
const isOneEdit = (
  a: Uint16Array,
  aStart: number,
  aLength: number,
  b: Uint16Array,
  bStart: number,
  bLength: number,
): boolean => {
  if (Math.abs(aLength - bLength) > 1) return false
  const least = Math.min(aLength, bLength)
  let at = 0
  while (at < least && a[aStart + at] === b[bStart + at]) at++
  if (at === least) return aLength !== bLength
  if (aLength !== bLength) {
    const [aSkip, bSkip] = aLength > bLength ? [1, 0] : [0, 1]
    return isSame(a, aStart + at + aSkip, b, bStart + at + bSkip, least - at)
  }
  const rest = aLength - at
  if (isSame(a, aStart + at + 1, b, bStart + at + 1, rest - 1)) return true
  const isSwapped = rest > 1 && a[aStart + at] === b[bStart + at + 1] && a[aStart + at + 1] === b[bStart + at]
  return isSwapped && isSame(a, aStart + at + 2, b, bStart + at + 2, rest - 2)
}

/** Words of the table within one edit of a word that it has not. */
const nearTokens = (table: LookupTable, units: Uint16Array, start: number, end: number): readonly number[] => {
  const length = end - start
  const found = new Set<number>()
  const tryKey = (key: number) => {
    const half = rowOf(table.halfSlots, table.halfKeys, key)
    if (half < 0) return
    for (let at = table.halfStarts[half] as number; at < (table.halfStarts[half + 1] as number); at++) {
      const token = table.halfMembers[at] as number
      const stored = table.tokenStarts[token] as number
      const storedLength = (table.tokenStarts[token + 1] as number) - stored
      if (isOneEdit(table.tokenUnits, stored, storedLength, units, start, length)) found.add(token)
    }
  }
  for (let wanted = Math.max(MIN_FUZZY_LENGTH, length - 1); wanted <= length + 1; wanted++) {
    const head = wanted >> 1
    const tail = wanted - head
    tryKey(halfKey(true, wanted, units, start, start + head))
    if (tail <= length) tryKey(halfKey(false, wanted, units, end - tail, end))
  }
  // A swap over the middle leaves neither half.
  if (length >= MIN_FUZZY_LENGTH) {
    const middle = length >> 1
    const swapped = units.slice(start, end)
    ;[swapped[middle - 1], swapped[middle]] = [swapped[middle] as number, swapped[middle - 1] as number]
    const token = tokenNumber(table, swapped, 0, length)
    if (token >= 0) found.add(token)
  }
  return found.size > MAX_CANDIDATES ? [] : [...found]
}

const phraseRow = (table: LookupTable, tokens: readonly number[]): number => {
  let [key, check] = phraseBegin()
  for (const token of tokens) {
    key = phraseStep(key, token)
    check = phraseStep(check, token)
  }
  const row = rowOf(table.phraseSlots, table.phraseKeys, hashEnd(key))
  return row >= 0 && table.phraseChecks[row] === hashEnd(check) ? row : -1
}

const valueText = (table: LookupTable, row: number): string => {
  const value = table.phraseValues[row] as number
  return new TextDecoder().decode(table.valueBytes.subarray(table.valueStarts[value], table.valueStarts[value + 1]))
}

/** The only value among rows of phrases, or none where they differ. */
const onlyRow = (table: LookupTable, rows: readonly number[]): number => {
  const [first = -1] = rows
  const isClear = rows.every(
    row =>
      table.phraseValues[row] === table.phraseValues[first] &&
      table.phraseEntities[row] === table.phraseEntities[first],
  )
  return isClear ? first : -1
}

/**
 * Values of lookups in the text that was read: the longest from each word on, none inside another. With `fuzzy` one word
 * of six letters or more may be one edit away, where only one value is.
 */
export const findLookups = (table: LookupTable, reader: TokenReader, fuzzy: boolean): readonly LookupMatch[] => {
  if (table.maxTokens === 0) return []
  const { units, starts, count } = reader
  const numbers: number[] = []
  const near: (readonly number[])[] = []
  for (let token = 0; token < count; token++) {
    const [start, end] = [starts[token] as number, starts[token + 1] as number]
    const number = tokenNumber(table, units, start, end)
    numbers.push(number)
    const mayBeNear = fuzzy && number < 0 && end - start >= MIN_FUZZY_LENGTH - 1
    near.push(mayBeNear ? nearTokens(table, units, start, end) : [])
  }
  const matches: LookupMatch[] = []
  for (let from = 0; from < count; ) {
    const match = longestFrom(table, numbers, near, from)
    if (match !== undefined) matches.push(match)
    from = match?.to ?? from + 1
  }
  return matches
}

const longestFrom = (
  table: LookupTable,
  numbers: readonly number[],
  near: readonly (readonly number[])[],
  from: number,
): LookupMatch | undefined => {
  let reach = from
  let edited = -1
  // At most one word of a value is edited.
  while (reach < numbers.length && reach - from < table.maxTokens) {
    if (numbers[reach] === -1) {
      if (edited >= 0 || near[reach]?.length === 0) break
      edited = reach
    }
    reach++
  }
  for (let to = reach; to > from; to--) {
    const tokens = numbers.slice(from, to)
    const isEdited = edited >= 0 && edited < to
    const rows = isEdited
      ? (near[edited] ?? []).map(token => phraseRow(table, tokens.with(edited - from, token))).filter(row => row >= 0)
      : [phraseRow(table, tokens)].filter(row => row >= 0)
    const row = onlyRow(table, rows)
    if (row >= 0)
      return {
        from,
        to,
        entity: table.phraseEntities[row] as number,
        value: valueText(table, row),
        confidence: isEdited ? FUZZY_CONFIDENCE : 1,
      }
  }
  return undefined
}
