import { log } from './calibrate.ts'
import { createFeatureList, type FeatureList, listFeatures } from './feature.ts'
import { createKeyNumbering, hashEnd, hashStep } from './hash-table.ts'
import type { TokenReader } from './read-text.ts'

/** From this many lines on, features of a single line are dropped. */
const DROP_SINGLES_FROM = 3000

/** Weight of a feature that occurs `times` in a text. */
const TIMES = Float64Array.from({ length: 256 }, (_, times) => (times === 0 ? 0 : 1 + log(times)))
export const timesWeight = (times: number): number => TIMES[times > 255 ? 255 : times] as number

/** Inverse document frequency, smoothed as if one more line had each feature. */
const inverseFrequency = (lines: number, holding: number): number => log((1 + lines) / (1 + holding)) + 1

/** Features that a model knows. */
export interface Vocabulary {
  readonly keys: Int32Array
  readonly idf: Float32Array
  /** Of a feature that no line has. */
  readonly unknownIdf: number
}

/**
 * Lines as rows of a sparse matrix, each of length 1. Features that occur in the same lines equally often, as those of a
 * rare word do, learn the same weights: they share a column.
 */
export interface SparseLines {
  /** Row i is from starts[i] to starts[i + 1]. */
  readonly starts: Int32Array
  readonly columns: Int32Array
  readonly values: Float32Array
  readonly count: number
  /** Features of each column. */
  readonly shared: Int32Array
}

class GrowingInts {
  list = new Int32Array(1 << 16)
  length = 0
  push(value: number): void {
    if (this.length === this.list.length) {
      const larger = new Int32Array(this.list.length * 2)
      larger.set(this.list)
      this.list = larger
    }
    this.list[this.length++] = value
  }
}

interface CountedLines {
  readonly starts: Int32Array
  readonly features: Int32Array
  readonly times: Int32Array
  readonly keys: Int32Array
  /** In how many lines each feature is. */
  readonly holding: Int32Array
}

const countFeatures = (
  reader: TokenReader,
  texts: readonly string[],
  extra: (line: number) => readonly number[],
): CountedLines => {
  const numbering = createKeyNumbering()
  const list: FeatureList = createFeatureList()
  const [features, times] = [new GrowingInts(), new GrowingInts()]
  const starts = new Int32Array(texts.length + 1)
  // Place of a feature in the present line, from 1.
  let places = new Int32Array(1 << 16)
  for (const [line, text] of texts.entries()) {
    reader.read(text)
    listFeatures(list, reader)
    for (const hash of extra(line)) list.hashes[list.count++] = hash
    const start = features.length
    for (let at = 0; at < list.count; at++) {
      const feature = numbering.numberOf(list.hashes[at] as number)
      if (feature >= places.length) {
        const larger = new Int32Array(places.length * 2)
        larger.set(places)
        places = larger
      }
      const place = (places[feature] as number) - 1
      if (place >= start && place < features.length && features.list[place] === feature) {
        times.list[place] = (times.list[place] as number) + 1
      } else {
        places[feature] = features.length + 1
        features.push(feature)
        times.push(1)
      }
    }
    starts[line + 1] = features.length
  }
  const keys = numbering.keys()
  const holding = new Int32Array(keys.length)
  for (let at = 0; at < features.length; at++) {
    const feature = features.list[at] as number
    holding[feature] = (holding[feature] as number) + 1
  }
  return {
    starts,
    features: features.list.subarray(0, features.length),
    times: times.list.subarray(0, times.length),
    keys,
    holding,
  }
}

/** The new number of each feature, -1 for those that are dropped; at most `max` are kept, those of most lines. */
const keptFeatures = (holding: Int32Array, lines: number, max: number): Int32Array => {
  let least = lines >= DROP_SINGLES_FROM ? 2 : 1
  const countFrom = (from: number) => holding.reduce((sum, each) => sum + (each >= from ? 1 : 0), 0)
  while (countFrom(least) > max) least++
  const numbers = new Int32Array(holding.length).fill(-1)
  let count = 0
  for (let feature = 0; feature < holding.length; feature++)
    if ((holding[feature] as number) >= least) numbers[feature] = count++
  return numbers
}

/** The column of each feature: features share one whose two hashes over lines and values are equal, in 53 bits. */
const columnsOf = (starts: Int32Array, features: Int32Array, values: Float32Array, size: number): Int32Array => {
  const bits = new Int32Array(values.buffer, 0, values.length)
  const [low, high] = [new Int32Array(size), new Int32Array(size)]
  for (let line = 0; line + 1 < starts.length; line++) {
    const mixed = hashEnd(line + 1)
    for (let place = starts[line] as number; place < (starts[line + 1] as number); place++) {
      const feature = features[place] as number
      const value = bits[place] as number
      low[feature] = hashEnd((low[feature] as number) ^ mixed ^ value)
      high[feature] = hashStep(hashStep(high[feature] as number, line + 1), value)
    }
  }
  const known = new Map<number, number>()
  return Int32Array.from({ length: size }, (_, feature) => {
    const key = (hashEnd(high[feature] as number) >>> 11) * 2 ** 32 + ((low[feature] as number) >>> 0)
    const column = known.get(key) ?? known.size
    known.set(key, column)
    return column
  })
}

const shareColumns = (
  starts: Int32Array,
  features: Int32Array,
  values: Float32Array,
  size: number,
): { readonly lines: SparseLines; readonly columns: Int32Array } => {
  const columns = columnsOf(starts, features, values, size)
  const shared = new Int32Array(columns.reduce((most, column) => Math.max(most, column + 1), 0))
  for (const column of columns) shared[column] = (shared[column] as number) + 1
  const own = new Int32Array(starts.length)
  const count = starts.length - 1
  // The line, from 1, that had the column last.
  const newest = new Int32Array(shared.length)
  let used = 0
  for (let line = 0; line < count; line++) {
    for (let place = starts[line] as number; place < (starts[line + 1] as number); place++) {
      const column = columns[features[place] as number] as number
      if (newest[column] === line + 1) continue
      newest[column] = line + 1
      features[used] = column
      values[used++] = values[place] as number
    }
    own[line + 1] = used
  }
  const lines = { starts: own, columns: features.slice(0, used), values: values.slice(0, used), count, shared }
  return { lines, columns }
}

/**
 * Texts as vectors of (1 + log tf) · idf with length 1, and the vocabulary for it. Dropped features of a line count in
 * its length, as unknown ones will count in that of a text. `columns`: of each feature of the vocabulary.
 */
export const vectorize = (
  reader: TokenReader,
  texts: readonly string[],
  extra: (line: number) => readonly number[],
  maxFeatures: number,
): { readonly vocabulary: Vocabulary; readonly lines: SparseLines; readonly columns: Int32Array } => {
  const counted = countFeatures(reader, texts, extra)
  const numbers = keptFeatures(counted.holding, texts.length, maxFeatures)
  const size = numbers.reduce((sum, number) => sum + (number < 0 ? 0 : 1), 0)
  const keys = new Int32Array(size)
  const idf = new Float32Array(size)
  for (let feature = 0; feature < numbers.length; feature++) {
    const number = numbers[feature] as number
    if (number < 0) continue
    keys[number] = counted.keys[feature] as number
    idf[number] = inverseFrequency(texts.length, counted.holding[feature] as number)
  }
  const unknownIdf = inverseFrequency(texts.length, 0)
  const starts = new Int32Array(texts.length + 1)
  const features = new Int32Array(counted.features.length)
  const values = new Float32Array(counted.features.length)
  let used = 0
  for (let line = 0; line < texts.length; line++) {
    const start = used
    let square = 0
    for (let at = counted.starts[line] as number; at < (counted.starts[line + 1] as number); at++) {
      const number = numbers[counted.features[at] as number] as number
      const value = timesWeight(counted.times[at] as number) * (number < 0 ? unknownIdf : (idf[number] as number))
      square += value * value
      if (number < 0) continue
      features[used] = number
      values[used++] = value
    }
    const length = Math.sqrt(square)
    for (let at = start; at < used; at++) values[at] = (values[at] as number) / length
    starts[line + 1] = used
  }
  return { vocabulary: { keys, idf, unknownIdf }, ...shareColumns(starts, features, values, size) }
}
