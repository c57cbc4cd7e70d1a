import { exp } from './calibrate.ts'
import { seededRandom, shuffle } from './hash-table.ts'
import type { SparseLines } from './vectorize.ts'

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

/** Weights by feature, then class; the last row is the bias. */
export interface Weights {
  readonly rows: Float32Array
  readonly features: number
  readonly classes: number
}

/** Value of the feature that every line has. */
export const BIAS_VALUE = 0.1

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
  { rows, features: biasRow, classes }: Weights,
  { starts, features, values }: SparseLines,
  line: number,
  scores: Float64Array,
): void => {
  const bias = biasRow * classes
  for (let at = 0; at < classes; at++) scores[at] = BIAS_VALUE * (rows[bias + at] as number)
  const end = starts[line + 1] as number
  for (let place = starts[line] as number; place < end; place++) {
    const row = (features[place] as number) * classes
    const value = values[place] as number
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
  size: { readonly features: number; readonly classes: number },
  chosen: Int32Array,
  onPass: (part: number) => void,
): Weights => {
  const { features, classes } = size
  const rows = new Float32Array((features + 1) * classes)
  const weights = { rows, features, classes }
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
        moveRow(step, (lines.features[place] as number) * classes, lines.values[place] as number, count)
      moveRow(step, features * classes, BIAS_VALUE, count)
    }
    onPass((pass + 1) / passes)
  }
  return weights
}
