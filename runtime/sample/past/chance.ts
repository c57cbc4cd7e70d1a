import { hash } from 'node:crypto'

/** Random numbers that are the same for the same seed. */
export class Chance {
  #state: number

  constructor(seed: string) {
    this.#state = hash('sha256', seed, 'buffer').readUInt32BE(0)
  }

  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
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
