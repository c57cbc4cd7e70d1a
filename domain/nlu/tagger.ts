import { type Calibration, calibrated } from './calibrate.ts'
import { FEATURES_PER_TOKEN, listTagFeatures } from './feature.ts'
import { rowOf, slotsOf } from './hash-table.ts'
import type { Section } from './model-file.ts'
import type { TokenReader } from './read-text.ts'
import {
  createDecoderScratch,
  type DecoderScratch,
  decode,
  decodeBackward,
  fitDecoder,
  type Moves,
  movesOf,
} from './tag-decoder.ts'
import { marginScore, spansOf, type TaggedSpan, type TrainedTagger } from './train-tagger.ts'

const STEPS = 127
/** Words of a text that are tagged. */
const MAX_TOKENS = 200

/** Weights of a tagger, those that are not zero alone, in 8 bits. */
export interface Tagger {
  readonly labels: number
  readonly keys: Int32Array
  readonly slots: Int32Array
  /** Weights of feature i are from starts[i] to starts[i + 1]. */
  readonly starts: Int32Array
  readonly targets: Uint16Array
  readonly weights: Int8Array
  readonly scale: number
  readonly moves: Moves
  readonly calibration: Calibration
}

export const compactTagger = ({ keys, weights, calibration }: TrainedTagger, labels: number): Tagger => {
  const { rows, moves } = weights
  let largest = 0
  for (let at = 0; at < rows.length; at++) largest = Math.max(largest, Math.abs(rows[at] as number))
  const scale = largest / STEPS
  const held = new Int8Array(rows.length)
  for (let at = 0; scale > 0 && at < rows.length; at++) held[at] = Math.round((rows[at] as number) / scale)
  const isUsed = (feature: number) => held.subarray(feature * labels, (feature + 1) * labels).some(each => each !== 0)
  const used = Int32Array.from(keys, (_, feature) => feature).filter(isUsed)
  const starts = new Int32Array(used.length + 1)
  const targets: number[] = []
  const values: number[] = []
  for (const [place, feature] of used.entries()) {
    for (let label = 0; label < labels; label++) {
      const weight = held[feature * labels + label] as number
      if (weight === 0) continue
      targets.push(label)
      values.push(weight)
    }
    starts[place + 1] = targets.length
  }
  const usedKeys = used.map(feature => keys[feature] as number)
  return {
    labels,
    keys: usedKeys,
    slots: slotsOf(usedKeys),
    starts,
    targets: Uint16Array.from(targets),
    weights: Int8Array.from(values),
    scale,
    moves,
    calibration,
  }
}

const PREFIX = 'tagger.'

export const taggerSections = ({ keys, slots, starts, targets, weights, moves }: Tagger): Record<string, Section> =>
  Object.fromEntries(
    Object.entries({ keys, slots, starts, targets, weights, moves: moves.weights }).map(([name, each]) => [
      `${PREFIX}${name}`,
      each,
    ]),
  )

interface SectionReader {
  section(name: string, kind: 'i32'): Int32Array
  section(name: string, kind: 'u16'): Uint16Array
  section(name: string, kind: 'i8'): Int8Array
  section(name: string, kind: 'f32'): Float32Array
}

/** Tagger data in the header of a model. */
export interface TaggerHeader {
  readonly labels: number
  readonly scale: number
  readonly calibration: Calibration
}

export const taggerOf = (header: TaggerHeader, model: SectionReader): Tagger => ({
  ...header,
  keys: model.section(`${PREFIX}keys`, 'i32'),
  slots: model.section(`${PREFIX}slots`, 'i32'),
  starts: model.section(`${PREFIX}starts`, 'i32'),
  targets: model.section(`${PREFIX}targets`, 'u16'),
  weights: model.section(`${PREFIX}weights`, 'i8'),
  moves: movesOf(model.section(`${PREFIX}moves`, 'f32')),
})

const scratch: DecoderScratch = createDecoderScratch()
const list = new Int32Array(FEATURES_PER_TOKEN)

const emit = (
  tagger: Tagger,
  reader: TokenReader,
  raw: string,
  lookups: Int32Array,
  intent: number,
  tokens: number,
): void => {
  const { labels, keys, slots, starts, targets, weights, scale } = tagger
  fitDecoder(scratch, tokens, labels)
  const { emissions } = scratch
  emissions.fill(0, 0, tokens * labels)
  for (let token = 0; token < tokens; token++) {
    listTagFeatures(list, reader, raw, token, lookups[token] as number, intent)
    const out = token * labels
    for (let each = 0; each < FEATURES_PER_TOKEN; each++) {
      const row = rowOf(slots, keys, list[each] as number)
      if (row < 0) continue
      const end = starts[row + 1] as number
      for (let at = starts[row] as number; at < end; at++) {
        const place = out + (targets[at] as number)
        emissions[place] = (emissions[place] as number) + (weights[at] as number) * scale
      }
    }
  }
}

/** Learned entities of the text that was read, each with its confidence; `lookups` as in `LabelledLine`. */
export const tag = (
  tagger: Tagger,
  reader: TokenReader,
  raw: string,
  lookups: Int32Array,
  intent: number,
): readonly (TaggedSpan & { readonly confidence: number })[] => {
  const tokens = Math.min(reader.count, MAX_TOKENS)
  if (tokens === 0) return []
  emit(tagger, reader, raw, lookups, intent, tokens)
  decode(scratch, tagger.moves, tokens, tagger.labels)
  decodeBackward(scratch, tagger.moves, tokens, tagger.labels)
  return spansOf(scratch, tokens, tagger.labels).map(span => ({
    ...span,
    confidence: calibrated(tagger.calibration, marginScore(span.margin)),
  }))
}
