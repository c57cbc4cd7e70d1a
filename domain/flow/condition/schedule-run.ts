const UNITS: ReadonlyMap<string, number> = new Map([
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
])
/** The last moment that a date can name. */
const LAST = 8_640_000_000_000_000

/** When what is scheduled at a moment runs, both in milliseconds since 1970; undefined where it never does. */
export const runAfter = (moment: number, unit: string, quantity: number): number | undefined => {
  const run = moment + (UNITS.get(unit) ?? Number.NaN) * quantity
  return quantity >= 1 && run <= LAST ? run : undefined
}
