import { type Calibration, calibrated, exp, logit } from './calibrate.ts'
import type { FeatureList } from './feature.ts'
import { rowOf, seededRandom, shuffle } from './hash-table.ts'
import { type SparseLines, timesWeight, type Vocabulary } from './vectorize.ts'

const SEED = 20_260_504
const RATE = 0.5
/** Damps the first steps; a smaller one costs 3 to 7 points where an intent has ten lines. */
const EPSILON = 0.01
const PASSES = 12
/** Fewer lines need more passes. */
const FEW_LINES = 2000
const PASSES_OF_FEW = 20
/** Classes whose probability is further than this from what it should be are moved. */
const MIN_ERROR = 0.005
/** Lines that are surer than this rest for a pass. */
const SURE = 0.9

/** Weights by column, then class; the last row is the bias. */
interface Weights {
  readonly rows: Float32Array
  readonly classes: number
}

/** Value of the feature that every line has. */
const BIAS_VALUE = 0.1

/** Turns scores into probabilities, in place. */
export const softmax = (scores: Float64Array, count: number): void => {
  let highest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < count; at++) if ((scores[at] as number) > highest) highest = scores[at] as number
  let sum = 0
  for (let at = 0; at < count; at++) {
    const value = exp((scores[at] as number) - highest)
    scores[at] = value
    sum += value
  }
  for (let at = 0; at < count; at++) scores[at] = (scores[at] as number) / sum
}

/** Scores of one line in `scores`. */
export const scoreLine = (
  { rows, classes }: Weights,
  { starts, columns, values, shared }: SparseLines,
  line: number,
  scores: Float64Array,
): void => {
  const bias = shared.length * classes
  for (let at = 0; at < classes; at++) scores[at] = BIAS_VALUE * (rows[bias + at] as number)
  const end = starts[line + 1] as number
  const rowAt = (place: number) => (columns[place] as number) * classes
  const valueAt = (place: number) => (values[place] as number) * (shared[columns[place] as number] as number)
  let place = starts[line] as number
  // Four at a time: each score is read and written once for them.
  for (; place + 3 < end; place += 4) {
    const [row0, row1, row2, row3] = [rowAt(place), rowAt(place + 1), rowAt(place + 2), rowAt(place + 3)]
    const [value0, value1, value2, value3] = [
      valueAt(place),
      valueAt(place + 1),
      valueAt(place + 2),
      valueAt(place + 3),
    ]
    for (let at = 0; at < classes; at++)
      scores[at] =
        (scores[at] as number) +
        value0 * (rows[row0 + at] as number) +
        value1 * (rows[row1 + at] as number) +
        value2 * (rows[row2 + at] as number) +
        value3 * (rows[row3 + at] as number)
  }
  for (; place < end; place++) {
    const row = rowAt(place)
    const value = valueAt(place)
    for (let at = 0; at < classes; at++) scores[at] = (scores[at] as number) + value * (rows[row + at] as number)
  }
}

interface Step {
  readonly rows: Float32Array
  readonly squares: Float32Array
  /** Classes that are moved, and by how much per unit of a feature. */
  readonly moved: Int32Array
  readonly errors: Float64Array
}

const moveRow = ({ rows, squares, moved, errors }: Step, row: number, value: number, count: number): void => {
  for (let at = 0; at < count; at++) {
    const place = row + (moved[at] as number)
    const gradient = (errors[at] as number) * value
    const square = (squares[place] as number) + gradient * gradient
    squares[place] = square
    rows[place] = (rows[place] as number) - (RATE * gradient) / Math.sqrt(square + EPSILON)
  }
}

/**
 * Multinomial logistic regression by Adagrad over `chosen` lines, in an order that a fixed seed gives: the same lines
 * give the same weights. `onPass` is called with the part that is done, from 0 to 1.
 */
export const trainClassifier = (
  lines: SparseLines,
  labels: Int32Array,
  classes: number,
  chosen: Int32Array,
  onPass: (part: number) => void,
): Weights => {
  const biasRow = lines.shared.length * classes
  const rows = new Float32Array(biasRow + classes)
  const weights = { rows, classes }
  const step: Step = {
    rows,
    squares: new Float32Array(rows.length),
    moved: new Int32Array(classes),
    errors: new Float64Array(classes),
  }
  const scores = new Float64Array(classes)
  const order = chosen.slice()
  const random = seededRandom(SEED)
  const passes = order.length < FEW_LINES ? PASSES_OF_FEW : PASSES
  const rests = new Uint8Array(lines.count)
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random)
    for (const line of order) {
      if (rests[line] === 1) {
        rests[line] = 0
        continue
      }
      scoreLine(weights, lines, line, scores)
      softmax(scores, classes)
      const label = labels[line] as number
      if ((scores[label] as number) > SURE) rests[line] = 1
      let count = 0
      for (let at = 0; at < classes; at++) {
        const error = (scores[at] as number) - (at === label ? 1 : 0)
        if (error < MIN_ERROR && error > -MIN_ERROR) continue
        step.moved[count] = at
        step.errors[count++] = error
      }
      if (count === 0) continue
      const end = lines.starts[line + 1] as number
      for (let place = lines.starts[line] as number; place < end; place++)
        moveRow(step, (lines.columns[place] as number) * classes, lines.values[place] as number, count)
      moveRow(step, biasRow, BIAS_VALUE, count)
    }
    onPass((pass + 1) / passes)
  }
  return weights
}

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

/** `columns`: of each feature. */
export const quantize = (
  { rows, classes }: Weights,
  columns: Int32Array,
): { readonly rows: Int8Array; readonly scales: Float32Array } => {
  const scales = new Float32Array(classes)
  for (let row = 0; row < rows.length; row += classes)
    for (let at = 0; at < classes; at++) {
      const size = Math.abs(rows[row + at] as number)
      if (size > (scales[at] as number)) scales[at] = size
    }
  for (let at = 0; at < classes; at++) scales[at] = (scales[at] as number) / STEPS
  const narrow = new Int8Array(rows.length)
  for (let row = 0; row < rows.length; row += classes)
    for (let at = 0; at < classes; at++) {
      const scale = scales[at] as number
      narrow[row + at] = scale === 0 ? 0 : Math.round((rows[row + at] as number) / scale)
    }
  const quantized = new Int8Array((columns.length + 1) * classes)
  const copyRow = (from: number, to: number) =>
    quantized.set(narrow.subarray(from * classes, (from + 1) * classes), to * classes)
  for (let feature = 0; feature < columns.length; feature++) copyRow(columns[feature] as number, feature)
  copyRow(narrow.length / classes - 1, columns.length)
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
