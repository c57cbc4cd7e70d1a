import { exp, log } from './exact-math.ts'

/** A score becomes a probability as 1 / (1 + e^-(slope · score + offset)) (Platt 1999). */
export interface Calibration {
  readonly slope: number
  readonly offset: number
}

const ITERATIONS = 50
/** Pulls the slope to 1 and the offset to 0 where there are few examples. */
const PRIOR = 1

export const calibrated = ({ slope, offset }: Calibration, score: number): number =>
  1 / (1 + exp(-(slope * score + offset)))

/** Newton's method on the logistic loss. The slope is never below 0.05: a higher score is never less sure. */
export const fitCalibration = (scores: readonly number[], isRight: readonly boolean[]): Calibration => {
  let slope = 1
  let offset = 0
  for (let round = 0; round < ITERATIONS; round++) {
    let [gradientSlope, gradientOffset] = [PRIOR * (slope - 1), PRIOR * offset]
    let [curveSlope, curveBoth, curveOffset] = [PRIOR, 0, PRIOR]
    for (const [place, score] of scores.entries()) {
      const p = calibrated({ slope, offset }, score)
      const error = p - (isRight[place] === true ? 1 : 0)
      const curve = p * (1 - p)
      gradientSlope += error * score
      gradientOffset += error
      curveSlope += curve * score * score
      curveBoth += curve * score
      curveOffset += curve
    }
    const determinant = curveSlope * curveOffset - curveBoth * curveBoth
    const stepSlope = (curveOffset * gradientSlope - curveBoth * gradientOffset) / determinant
    const stepOffset = (curveSlope * gradientOffset - curveBoth * gradientSlope) / determinant
    if (!(Math.abs(stepSlope) + Math.abs(stepOffset) > 1e-9)) break
    slope = Math.max(0.05, slope - stepSlope)
    offset -= stepOffset
  }
  return { slope, offset }
}

/** ln(p / (1 - p)), within ±14. */
export const logit = (p: number): number => {
  const bounded = Math.min(0.999_999, Math.max(0.000_001, p))
  return log(bounded / (1 - bounded))
}
