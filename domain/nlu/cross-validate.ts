import { type Calibration, calibrated, fitCalibration, logit } from './calibrate.ts'
import { scoreLine, softmax, trainClassifier } from './classifier.ts'
import type { SparseLines } from './vectorize.ts'

const PARTS = 5
const PARTS_OF_MANY = 3
const MANY_LINES = 5000
/** The threshold lets this part of the right answers through. */
const RETAINED_SHARE = 0.98
const MIN_THRESHOLD = 0.3
/** Few intents share out all certainty among them: by chance each of two gets half. */
const MAX_CHANCE_THRESHOLD = 0.6
const OVER_CHANCE = 1.2
/** Share of a text that the lines of a single intent must know. */
const SINGLE_THRESHOLD = 0.4

export interface Validation {
  /** Part of the lines whose intent was found by models that had not seen them. */
  readonly accuracy: number
  readonly threshold: number
  readonly calibration: Calibration
  /** The intent that was found for each line, and how sure of it a model is that had not seen it, calibrated. */
  readonly found: Int32Array
  readonly confidences: Float64Array
}

const bestOf = (scores: Float64Array): number => {
  let best = 0
  for (let at = 1; at < scores.length; at++) if ((scores[at] as number) > (scores[best] as number)) best = at
  return best
}

const thresholdOf = (rightConfidences: readonly number[], classes: number): number => {
  if (classes === 1) return SINGLE_THRESHOLD
  const sorted = rightConfidences.toSorted((a, b) => a - b)
  const kept = sorted[Math.floor(sorted.length * (1 - RETAINED_SHARE))] ?? 0
  return Math.max(MIN_THRESHOLD, Math.min(MAX_CHANCE_THRESHOLD, OVER_CHANCE / classes), kept)
}

/**
 * Trains on parts of the lines and tries the others: accuracy, how sure the model may say it is, and from when on it
 * answers at all. Lines are divided by their place, so that each part has lines of each intent.
 */
export const crossValidate = (
  lines: SparseLines,
  labels: Int32Array,
  classes: number,
  onProgress: (part: number) => void,
): Validation => {
  const parts = lines.count > MANY_LINES ? PARTS_OF_MANY : PARTS
  const found = new Int32Array(lines.count)
  const certainties: number[] = []
  const isRight: boolean[] = []
  const order: number[] = []
  const scores = new Float64Array(classes)
  for (let part = 0; part < parts; part++) {
    const others = Int32Array.from({ length: lines.count }, (_, line) => line).filter(line => line % parts !== part)
    const weights = trainClassifier(lines, labels, classes, others, done => onProgress((part + done) / parts))
    for (let line = part; line < lines.count; line += parts) {
      scoreLine(weights, lines, line, scores)
      softmax(scores, classes)
      const best = bestOf(scores)
      found[line] = best
      certainties.push(logit(scores[best] as number))
      isRight.push(best === labels[line])
      order.push(line)
    }
  }
  const calibration = fitCalibration(certainties, isRight)
  const calibratedAll = certainties.map(certainty => calibrated(calibration, certainty))
  const right = calibratedAll.filter((_, place) => isRight[place])
  const confidences = new Float64Array(lines.count)
  for (const [place, line] of order.entries()) confidences[line] = calibratedAll[place] as number
  return {
    accuracy: lines.count === 0 ? 0 : right.length / lines.count,
    threshold: thresholdOf(right, classes),
    calibration,
    found,
    confidences,
  }
}
