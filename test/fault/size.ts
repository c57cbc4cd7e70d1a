/** Asked for by `npm run test:faults`; `npm test` runs each fault in its short form. */
const isFull = process.env.PARLEY_FAULTS === 'full'

/** How much of a fault is tried: PARLEY_<NAME>, as in PARLEY_R1=200, goes before both forms. */
export const sizeOf = (name: string, { short, full }: { readonly short: number; readonly full: number }): number => {
  const given = process.env[`PARLEY_${name}`]
  return given === undefined ? (isFull ? full : short) : Number(given)
}

/** What every random choice of a run comes from; a failing run replays by it. */
export const SEED = Number(process.env.PARLEY_SEED ?? 1)

/** For whoever waits for the full form: no limit that a slow machine could meet. */
export const TIMEOUT_MS = isFull ? 12 * 3_600_000 : 120_000

/** For what takes milliseconds on a machine that has time. */
export const BUSY = { timeout: 10_000 }

/** What a run found, as one line for whoever keeps the figures. */
export const report = (name: string, figures: Readonly<Record<string, string | number>>): void => {
  const told = Object.entries(figures).map(([what, figure]) => `${what} ${figure}`)
  process.stdout.write(`${name}: ${[...told, `seed ${SEED}`].join(', ')}\n`)
}
