/**
 * exp and log from additions, multiplications and divisions alone: engines and processors may differ in the last bit of
 * `Math.exp` and `Math.log`, and a model must be the same bytes everywhere. `Math.sqrt` is rounded exactly (IEEE 754).
 */

const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const LN2 = Math.LN2
const MIN_EXPONENT = -1022
const MAX_EXPONENT = 1023

const POWERS = new Float64Array(MAX_EXPONENT - MIN_EXPONENT + 1)
let power = 1
for (let exponent = 0; exponent <= MAX_EXPONENT; exponent++, power *= 2) POWERS[exponent - MIN_EXPONENT] = power
power = 1
for (let exponent = 0; exponent >= MIN_EXPONENT; exponent--, power /= 2) POWERS[exponent - MIN_EXPONENT] = power

/** 1 / n! by n. */
const TAYLOR = new Float64Array(12)
for (let n = 0, factorial = 1; n < TAYLOR.length; n++, factorial *= n) TAYLOR[n] = 1 / factorial

/** Within 1e-14 of e^x; 0 below -700, at most e^700. */
export const exp = (x: number): number => {
  if (!(x > -700)) return 0
  const bounded = x > 700 ? 700 : x
  const exponent = Math.floor(bounded / LN2 + 0.5)
  const r = bounded - exponent * LN2_HIGH - exponent * LN2_LOW
  // Taylor series up to the 11th power, |r| ≤ 0.35.
  let sum = TAYLOR[11] as number
  for (let n = 10; n >= 0; n--) sum = (TAYLOR[n] as number) + r * sum
  return sum * (POWERS[exponent - MIN_EXPONENT] as number)
}

/** Within 1e-14 of ln x, for x > 0. */
export const log = (x: number): number => {
  let exponent = 0
  let mantissa = x
  for (; mantissa > 1.5; mantissa /= 2) exponent++
  for (; mantissa < 0.75; mantissa *= 2) exponent--
  const s = (mantissa - 1) / (mantissa + 1)
  const square = s * s
  // 2 artanh s, |s| ≤ 0.2.
  let sum = 0
  for (let n = 21; n > 0; n -= 2) sum = 1 / n + square * sum
  return 2 * s * sum + exponent * LN2_HIGH + exponent * LN2_LOW
}

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
