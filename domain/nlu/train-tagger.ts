import { type Calibration, fitCalibration } from './calibrate.ts'
import { FEATURES_PER_TOKEN, listTagFeatures } from './feature.ts'
import { createKeyNumbering, seededRandom, shuffle } from './hash-table.ts'
import type { TokenReader } from './read-text.ts'
import {
  beginLabel,
  createDecoderScratch,
  type DecoderScratch,
  decode,
  decodeBackward,
  entityOfLabel,
  fitDecoder,
  isInsideLabel,
  type Moves,
  marginAt,
  movesOf,
} from './tag-decoder.ts'

const SEED = 19_991_231
const PASSES = 10
const PARTS = 3
/** Weights in memory while training. */
const MAX_WEIGHTS = 12_000_000

/** A line whose tokens have labels. */
export interface LabelledLine {
  readonly text: string
  /** Of each token of the text: which lookup's value it is part of, from 1. */
  readonly lookups: readonly number[]
  /** As a model finds it that has not seen the line. */
  readonly intent: number
  readonly labels: readonly number[]
}

interface TagLines {
  /** Tokens of line i are from starts[i] to starts[i + 1]. */
  readonly starts: Int32Array
  readonly labels: Int32Array
  /** FEATURES_PER_TOKEN for each token, -1 for one that is dropped. */
  readonly features: Int32Array
  readonly keys: Int32Array
}

const readLines = (reader: TokenReader, lines: readonly LabelledLine[], labels: number): TagLines => {
  const numbering = createKeyNumbering()
  const total = lines.reduce((sum, line) => sum + line.labels.length, 0)
  const features = new Int32Array(total * FEATURES_PER_TOKEN)
  const list = new Int32Array(FEATURES_PER_TOKEN)
  const starts = new Int32Array(lines.length + 1)
  let token = 0
  for (const [line, { text, lookups, intent, labels: own }] of lines.entries()) {
    reader.read(text)
    for (let at = 0; at < own.length; at++, token++) {
      listTagFeatures(list, reader, text, at, lookups[at] ?? 0, intent)
      for (let each = 0; each < FEATURES_PER_TOKEN; each++)
        features[token * FEATURES_PER_TOKEN + each] = numbering.numberOf(list[each] as number)
    }
    starts[line + 1] = token
  }
  const keys = numbering.keys()
  const kept = keepFrequent(features, keys, Math.floor(MAX_WEIGHTS / labels))
  return { starts, labels: Int32Array.from(lines.flatMap(line => line.labels)), features, keys: kept }
}

/** Drops the rarest features in place where there are more than `most`; the keys of those that are left. */
const keepFrequent = (features: Int32Array, keys: Int32Array, most: number): Int32Array => {
  const counts = new Int32Array(keys.length)
  for (const feature of features) counts[feature] = (counts[feature] as number) + 1
  let least = 1
  while (counts.reduce((sum, count) => sum + (count >= least ? 1 : 0), 0) > most) least++
  const numbers = new Int32Array(keys.length).fill(-1)
  let count = 0
  for (let feature = 0; feature < keys.length; feature++)
    if ((counts[feature] as number) >= least) numbers[feature] = count++
  for (let at = 0; at < features.length; at++) features[at] = numbers[features[at] as number] as number
  return keys.filter((_, feature) => (numbers[feature] as number) >= 0)
}

/** Weights, and the sum of their changes, each times the moment of the change. */
interface Averaged {
  readonly weights: Float32Array
  readonly changes: Float64Array
}

const averaged = (size: number): Averaged => ({ weights: new Float32Array(size), changes: new Float64Array(size) })

const change = ({ weights, changes }: Averaged, place: number, by: number, time: number): void => {
  weights[place] = (weights[place] as number) + by
  changes[place] = (changes[place] as number) + by * time
}

/** Makes the weights their mean over all moments until `time`. Sums of integers are exact. */
const average = ({ weights, changes }: Averaged, time: number): Float32Array => {
  for (let place = 0; place < weights.length; place++)
    weights[place] = ((weights[place] as number) * time - (changes[place] as number)) / time
  return weights
}

interface TagWeights {
  /** features × labels. */
  readonly rows: Float32Array
  readonly moves: Moves
}

/** Of the features that a token has and that were not dropped. */
const heldRows = new Int32Array(FEATURES_PER_TOKEN)

const emit = (scratch: DecoderScratch, lines: TagLines, rows: Float32Array, line: number, labels: number): number => {
  const start = lines.starts[line] as number
  const tokens = (lines.starts[line + 1] as number) - start
  fitDecoder(scratch, tokens, labels)
  const { emissions } = scratch
  emissions.fill(0, 0, tokens * labels)
  for (let token = 0; token < tokens; token++) {
    const out = token * labels
    const base = (start + token) * FEATURES_PER_TOKEN
    let held = 0
    for (let each = 0; each < FEATURES_PER_TOKEN; each++) {
      const feature = lines.features[base + each] as number
      if (feature >= 0) heldRows[held++] = feature * labels
    }
    let at = 0
    // Four at a time: each sum is read and written once for them.
    for (; at + 3 < held; at += 4) {
      const [row0, row1] = [heldRows[at] as number, heldRows[at + 1] as number]
      const [row2, row3] = [heldRows[at + 2] as number, heldRows[at + 3] as number]
      for (let label = 0; label < labels; label++)
        emissions[out + label] =
          (emissions[out + label] as number) +
          (rows[row0 + label] as number) +
          (rows[row1 + label] as number) +
          (rows[row2 + label] as number) +
          (rows[row3 + label] as number)
    }
    for (; at < held; at++) {
      const row = heldRows[at] as number
      for (let label = 0; label < labels; label++)
        emissions[out + label] = (emissions[out + label] as number) + (rows[row + label] as number)
    }
  }
  return tokens
}

interface Learning {
  readonly lines: TagLines
  readonly labels: number
  readonly rows: Averaged
  readonly moves: Averaged
  /** No weight of `moves` was ever above. */
  highest: number
}

/** Lowers the weights of wrong parts of the found sequence and raises those of the right one. */
const correct = (learning: Learning, line: number, path: Int32Array, time: number): void => {
  const { lines, labels, rows, moves } = learning
  const start = lines.starts[line] as number
  const tokens = (lines.starts[line + 1] as number) - start
  for (let token = 0; token < tokens; token++) {
    const [right, found] = [lines.labels[start + token] as number, path[token] as number]
    const base = (start + token) * FEATURES_PER_TOKEN
    for (let each = 0; right !== found && each < FEATURES_PER_TOKEN; each++) {
      const feature = lines.features[base + each] as number
      if (feature < 0) continue
      change(rows, feature * labels + right, 1, time)
      change(rows, feature * labels + found, -1, time)
    }
    if (token === 0) continue
    const [rightBefore, foundBefore] = [lines.labels[start + token - 1] as number, path[token - 1] as number]
    if (right === found && rightBefore === foundBefore) continue
    change(moves, rightBefore * labels + right, 1, time)
    learning.highest = Math.max(learning.highest, moves.weights[rightBefore * labels + right] as number)
    change(moves, foundBefore * labels + found, -1, time)
  }
}

const learn = (lines: TagLines, labels: number, chosen: Int32Array, onPass: (part: number) => void): TagWeights => {
  const learning: Learning = {
    lines,
    labels,
    rows: averaged(lines.keys.length * labels),
    moves: averaged(labels * labels),
    highest: 0,
  }
  const scratch = createDecoderScratch()
  const order = chosen.slice()
  const random = seededRandom(SEED)
  let time = 1
  for (let pass = 0; pass < PASSES; pass++) {
    shuffle(order, random)
    for (const line of order) {
      const tokens = emit(scratch, lines, learning.rows.weights, line, labels)
      time++
      if (tokens === 0) continue
      decode(scratch, { weights: learning.moves.weights, highest: learning.highest }, tokens, labels)
      correct(learning, line, scratch.path, time)
    }
    onPass((pass + 1) / PASSES)
  }
  return { rows: average(learning.rows, time), moves: movesOf(average(learning.moves, time)) }
}

/** A stretch of tokens with one entity, and how sure it is: the least margin over its tokens. */
export interface TaggedSpan {
  readonly from: number
  readonly to: number
  readonly entity: number
  readonly margin: number
}

/** Spans of the sequence in `scratch.path`; after `decode` and `decodeBackward`. */
export const spansOf = (scratch: DecoderScratch, tokens: number, labels: number): readonly TaggedSpan[] => {
  const spans: TaggedSpan[] = []
  for (let token = 0; token < tokens; token++) {
    const label = scratch.path[token] as number
    if (label === 0) continue
    let to = token + 1
    while (to < tokens && scratch.path[to] === label + 1 && isInsideLabel(label + 1)) to++
    let margin = Number.POSITIVE_INFINITY
    for (let at = token; at < Math.min(to + 1, tokens); at++) margin = Math.min(margin, marginAt(scratch, at, labels))
    spans.push({ from: token, to, entity: entityOfLabel(label), margin })
    token = to - 1
  }
  return spans
}

const rightSpans = (lines: TagLines, line: number): ReadonlySet<string> => {
  const start = lines.starts[line] as number
  const end = lines.starts[line + 1] as number
  const spans = new Set<string>()
  for (let token = start; token < end; token++) {
    const label = lines.labels[token] as number
    if (label === 0 || isInsideLabel(label)) continue
    let to = token + 1
    while (to < end && lines.labels[to] === label + 1) to++
    spans.add(`${token - start} ${to - start} ${entityOfLabel(label)}`)
  }
  return spans
}

/** Margins grow with the passes; in these units they are a few. */
export const marginScore = (margin: number): number => Math.min(12, margin / 20)

export interface TrainedTagger {
  readonly keys: Int32Array
  readonly weights: TagWeights
  readonly calibration: Calibration
  /** By entity: spans that are marked, that were found, and that were found right, by models that had not seen them. */
  readonly counts: readonly Readonly<Record<'spans' | 'found' | 'right', number>>[]
}

/**
 * An averaged perceptron over sequences (Collins 2002), and how sure it may say it is: from models that had not seen the
 * lines that they tag.
 */
export const trainTagger = (
  reader: TokenReader,
  lines: readonly LabelledLine[],
  entities: number,
  onProgress: (part: number) => void,
): TrainedTagger => {
  const labels = beginLabel(entities)
  const read = readLines(reader, lines, labels)
  const all = Int32Array.from(lines, (_, line) => line)
  const scratch = createDecoderScratch()
  const scores: number[] = []
  const isRight: boolean[] = []
  const counts = Array.from({ length: entities }, () => ({ spans: 0, found: 0, right: 0 }))
  const add = (entity: number, what: 'spans' | 'found' | 'right') => {
    const count = counts[entity]
    if (count !== undefined) count[what] += 1
  }
  for (let part = 0; part < PARTS; part++) {
    const others = all.filter(line => line % PARTS !== part)
    const weights = learn(read, labels, others, done => onProgress((part + done) / (PARTS + 1)))
    for (let line = part; line < lines.length; line += PARTS) {
      const tokens = emit(scratch, read, weights.rows, line, labels)
      if (tokens === 0) continue
      decode(scratch, weights.moves, tokens, labels)
      decodeBackward(scratch, weights.moves, tokens, labels)
      const right = rightSpans(read, line)
      for (const span of right) add(Number(span.slice(span.lastIndexOf(' ') + 1)), 'spans')
      for (const { from, to, entity, margin } of spansOf(scratch, tokens, labels)) {
        const is = right.has(`${from} ${to} ${entity}`)
        scores.push(marginScore(margin))
        isRight.push(is)
        add(entity, 'found')
        if (is) add(entity, 'right')
      }
    }
  }
  const calibration = fitCalibration(scores, isRight)
  const weights = learn(read, labels, all, done => onProgress((PARTS + done) / (PARTS + 1)))
  return { keys: read.keys, weights, calibration, counts }
}
