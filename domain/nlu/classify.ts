import { type Calibration, calibrated, logit } from './calibrate.ts'
import type { FeatureList } from './feature.ts'
import { rowOf } from './hash-table.ts'
import { BIAS_VALUE, softmax, type Weights } from './train-classifier.ts'
import { timesWeight, type Vocabulary } from './vectorize.ts'

const STEPS = 127

/** Weights in 8 bits with a scale per intent, and the vocabulary, in a model's layout. */
export interface Classifier {
  /** (features + 1) × classes, the bias last. */
  readonly rows: Int8Array
  readonly scales: Float32Array
  readonly keys: Int32Array
  readonly slots: Int32Array
  readonly idf: Float32Array
  readonly unknownIdf: number
  readonly calibration: Calibration
}

export const quantize = ({ rows, classes }: Weights): { readonly rows: Int8Array; readonly scales: Float32Array } => {
  const scales = new Float32Array(classes)
  for (let at = 0; at < rows.length; at++) {
    const size = Math.abs(rows[at] as number)
    if (size > (scales[at % classes] as number)) scales[at % classes] = size
  }
  for (let at = 0; at < classes; at++) scales[at] = (scales[at] as number) / STEPS
  const quantized = new Int8Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const scale = scales[at % classes] as number
    quantized[at] = scale === 0 ? 0 : Math.round((rows[at] as number) / scale)
  }
  return { rows: quantized, scales }
}

/** Memory for classifying; grows with the largest model that used it. */
export interface ClassifyScratch {
  times: Uint16Array
  touched: Int32Array
  scores: Float64Array
}

export const createClassifyScratch = (): ClassifyScratch => ({
  times: new Uint16Array(1 << 15),
  touched: new Int32Array(1 << 16),
  scores: new Float64Array(256),
})

const growFor = (scratch: ClassifyScratch, features: number, classes: number): void => {
  if (scratch.times.length < features) scratch.times = new Uint16Array(features * 2)
  if (scratch.scores.length < classes) scratch.scores = new Float64Array(classes * 2)
}

/** Square of what the features that no line has weigh; each counts once. */
const countKnown = (
  scratch: ClassifyScratch,
  { keys, slots, unknownIdf }: Vocabulary & { readonly slots: Int32Array },
  { hashes, count }: FeatureList,
): { readonly known: number; readonly unknownSquare: number } => {
  const { times, touched } = scratch
  let known = 0
  let unknown = 0
  for (let at = 0; at < count; at++) {
    const row = rowOf(slots, keys, hashes[at] as number)
    if (row < 0) {
      unknown++
      continue
    }
    if (times[row] === 0) touched[known++] = row
    times[row] = (times[row] as number) + 1
  }
  return { known, unknownSquare: unknown * unknownIdf * unknownIdf }
}

/**
 * Probabilities of the intents for a text's features in `scratch.scores`, not calibrated: the best one and how sure it
 * is, calibrated.
 */
export const classify = (
  scratch: ClassifyScratch,
  classifier: Classifier,
  features: FeatureList,
): { readonly best: number; readonly confidence: number } => {
  const { rows, scales, idf, calibration } = classifier
  const classes = scales.length
  growFor(scratch, idf.length, classes)
  const { times, touched, scores } = scratch
  const { known, unknownSquare } = countKnown(scratch, classifier, features)
  let square = unknownSquare
  for (let at = 0; at < known; at++) {
    const row = touched[at] as number
    const value = timesWeight(times[row] as number) * (idf[row] as number)
    square += value * value
  }
  const length = square === 0 ? 1 : Math.sqrt(square)
  const bias = idf.length * classes
  for (let at = 0; at < classes; at++) scores[at] = BIAS_VALUE * (rows[bias + at] as number)
  for (let at = 0; at < known; at++) {
    const row = touched[at] as number
    const value = (timesWeight(times[row] as number) * (idf[row] as number)) / length
    times[row] = 0
    const start = row * classes
    for (let each = 0; each < classes; each++)
      scores[each] = (scores[each] as number) + value * (rows[start + each] as number)
  }
  for (let at = 0; at < classes; at++) scores[at] = (scores[at] as number) * (scales[at] as number)
  softmax(scores, classes)
  let best = 0
  for (let at = 1; at < classes; at++) if ((scores[at] as number) > (scores[best] as number)) best = at
  // Nothing in it was ever seen.
  if (known === 0) return { best, confidence: 0 }
  // A single intent has no other to lose to: it is as sure as the text is known.
  if (classes === 1) return { best, confidence: 1 - unknownSquare / square }
  return { best, confidence: calibrated(calibration, logit(scores[best] as number)) }
}
