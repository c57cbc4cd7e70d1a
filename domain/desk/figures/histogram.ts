/**
 * Bucket of a time in a log-scale histogram: its first two significant digits, so that it is at most 10 % below the
 * time. Histograms of any parts add up to that of the whole, and so their percentiles can be reproduced.
 */
export const bucketOf = (ms: number): number => {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 100) return whole
  const unit = 10 ** (Math.floor(Math.log10(whole)) - 1)
  return Math.floor(whole / unit) * unit
}

/** Number of times by bucket. */
type Histogram = ReadonlyMap<number, number>

/** The bucket of the smallest time that at least a share of all times does not exceed; undefined: there are none. */
export const percentileOf = (histogram: Histogram, share: number): number | undefined => {
  const buckets = [...histogram].toSorted(([one], [other]) => one - other)
  const all = buckets.reduce((sum, [, n]) => sum + n, 0)
  let seen = 0
  for (const [bucket, n] of buckets) {
    seen += n
    if (seen >= all * share && n > 0) return bucket
  }
  return undefined
}
