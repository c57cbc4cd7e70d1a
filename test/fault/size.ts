/** Asked for by `npm run test:faults`; `npm test` runs each fault in its short form. */
const isFull = process.env.PARLEY_FAULTS === 'full'

/** Size of a fault test: PARLEY_<NAME>, as in PARLEY_R1=200, overrides both forms. */
export const sizeOf = (name: string, { short, full }: { readonly short: number; readonly full: number }): number => {
  const given = process.env[`PARLEY_${name}`]
  return given === undefined ? (isFull ? full : short) : Number(given)
}

/** Seed of every random choice of a run; replays a failing run. */
export const SEED = Number(process.env.PARLEY_SEED ?? 1)

/** For the full form: no limit that a slow machine could reach. */
export const TIMEOUT_MS = isFull ? 12 * 3_600_000 : 120_000

/** For what takes milliseconds on a machine that has time. */
export const BUSY = { timeout: 10_000 }

/** Prints the results of a run as one line, for the records. */
export const report = (name: string, figures: Readonly<Record<string, string | number>>): void => {
  const told = Object.entries(figures).map(([what, figure]) => `${what} ${figure}`)
  process.stdout.write(`${name}: ${[...told, `seed ${SEED}`].join(', ')}\n`)
}
