const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const PART = /(\d+(?:[.,]\d+)?)\s*([a-z]*)/gu
/** One year: no test waits longer. */
const MAX_MS = 366 * 86_400_000

/** `41 s`, `2 min`, `1 h 30 min`, `500 ms`, `3 d`; a number alone is seconds. In ms; undefined for anything else. */
export const readDuration = (text: string): number | undefined => {
  const written = text.trim().toLowerCase()
  if (written.replace(PART, '').trim() !== '') return undefined
  let total = 0
  for (const [, count = '', unit = ''] of written.matchAll(PART)) {
    const ms = unit === '' ? 1000 : UNIT_MS[unit]
    if (ms === undefined) return undefined
    total += Number(count.replace(',', '.')) * ms
  }
  return total > 0 && total <= MAX_MS ? Math.round(total) : undefined
}

/** In the largest unit that says it exactly. */
export const writeDuration = (ms: number): string => {
  for (const unit of ['d', 'h', 'min', 's']) {
    const each = UNIT_MS[unit] ?? 1
    if (ms >= each && ms % each === 0) return `${ms / each} ${unit}`
  }
  return `${ms} ms`
}
