import { randomOf } from '#domain/campaign/simulated-number.ts'

/** Random numbers that are the same for the same seed. */
export class Chance {
  /** The next number, at least 0 and below 1. */
  readonly next: () => number

  constructor(seed: string) {
    this.next = randomOf(seed)
  }

  /** Whether something of this probability happens. */
  is(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** @throws RangeError for an empty list */
  of<T>(all: readonly T[]): T {
    const one = all[Math.floor(this.next() * all.length)]
    if (one === undefined) throw new RangeError('nothing to choose from')
    return one
  }

  /** One of the list, in proportion to its weight. */
  weighted<T>(all: readonly T[], weightOf: (one: T) => number): T | undefined {
    let left = this.next() * all.reduce((sum, one) => sum + weightOf(one), 0)
    return all.find(one => {
      left -= weightOf(one)
      return left < 0
    })
  }

  /** A time around `usual`, rarely several times as long. */
  around(usual: number): number {
    return Math.round(usual * (0.4 + this.next() ** 3 * 4))
  }
}
