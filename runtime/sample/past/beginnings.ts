import { randomOf } from '#domain/campaign/simulated-number.ts'
import { DAY, HOUR, isWorkingDay, MINUTE, midnightOf, weekdayOf } from '../plan.ts'

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

const DAYS = 61

/** Conversations that begin in an hour, in proportion to the others; the first hour is 7. */
const HOURS = [1, 3, 6, 8, 8, 6, 5, 7, 8, 7, 6, 5, 4, 3, 2]
const FIRST_HOUR = 7
/** By day of the week, Sunday first. */
const WEEK = [0.35, 1.15, 1.1, 1, 1, 0.95, 0.5]

/** A bot in its past. */
export interface PastBot {
  readonly bot: string
  readonly channel: string
  /** Conversations of a usual day. */
  readonly daily: number
  /** ms since 1970 from which it could be talked to. */
  readonly since: number
  /** Its people begin in their own words at times. */
  readonly understands: boolean
  /** Number of people that talk to an agent on the last working day, and words of the option that leads to one. */
  readonly deskDay?: { readonly people: number; readonly wish: string }
}

interface PastDays {
  readonly seed: string
  readonly bots: readonly PastBot[]
  /** ms since 1970: nothing happens after it. */
  readonly until: number
}

export interface Beginning {
  readonly at: number
  readonly bot: PastBot
  readonly seed: string
  /** Words of the option that the person wants; empty: any. */
  readonly wish: string
}

/** Conversations of the desk's day, between 8:30 and 18:00 of the last working day. */
const deskDay = (seed: string, bot: PastBot, until: number): readonly Beginning[] => {
  const { people, wish } = bot.deskDay ?? { people: 0, wish: '' }
  let midnight = midnightOf(until) - DAY
  while (!isWorkingDay(midnight)) midnight -= DAY
  const chance = new Chance(`${seed} ${bot.bot} desk`)
  return Array.from({ length: people }, (_, place) => ({
    at: midnight + 8.5 * HOUR + chance.whole(0, 9.5 * HOUR),
    ...{ bot, wish, seed: `${seed} ${bot.bot} desk ${place}` },
  }))
}

/** Beginnings of conversations, by the seed. */
export const beginnings = ({ seed, bots, until }: PastDays): readonly Beginning[] => {
  const found: Beginning[] = []
  for (const bot of bots) {
    for (let day = DAYS; day >= 0; day -= 1) {
      const midnight = midnightOf(until) - day * DAY
      const chance = new Chance(`${seed} ${bot.bot} ${day}`)
      const growth = 0.75 + (0.5 * (DAYS - day)) / DAYS
      const usual = bot.daily * (WEEK[weekdayOf(midnight)] ?? 1) * growth
      const count = Math.round(usual * (0.7 + 0.6 * chance.next()))
      for (let place = 0; place < count; place += 1) {
        const hour = FIRST_HOUR + (chance.weighted([...HOURS.keys()], place => HOURS[place] ?? 0) ?? 0)
        const at = midnight + hour * HOUR + chance.whole(0, HOUR - 1)
        if (at > bot.since && at < until - 20 * MINUTE)
          found.push({ at, bot, seed: `${seed} ${bot.bot} ${day} ${place}`, wish: '' })
      }
    }
  }
  for (const bot of bots) found.push(...deskDay(seed, bot, until))
  return found.sort((one, other) => one.at - other.at)
}
