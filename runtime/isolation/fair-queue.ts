import type { WorkCaller } from './work.ts'

interface Queued {
  readonly from: WorkCaller
}

const botKey = ({ level, bot = '' }: WorkCaller): string => `${level} ${bot}`

const add = (counts: Map<string, number>, key: string, by: number): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** The entry with the fewest running jobs; among equals the one that was served longest ago. */
const fewest = <T>(
  waiting: ReadonlyMap<string, T>,
  runningOf: (key: string) => number,
  may: (key: string) => boolean,
): string | undefined => {
  let best: string | undefined
  for (const key of waiting.keys()) if ((best === undefined || runningOf(key) < runningOf(best)) && may(key)) best = key
  return best
}

/** Waiting jobs by level and bot. Serves levels in turn and, inside a level, bots in turn. */
export class FairQueue<J extends Queued> {
  readonly #levels = new Map<string, Map<string, Set<J>>>()
  readonly #sizes = new Map<string, number>()
  readonly #runningLevels = new Map<string, number>()
  readonly #runningBots = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Number of waiting jobs of a level. */
  waitingOf(level: string): number {
    return this.#sizes.get(level) ?? 0
  }

  runningOf(level: string): number {
    return this.#runningLevels.get(level) ?? 0
  }

  runningOfBot(from: WorkCaller): number {
    return this.#runningBots.get(botKey(from)) ?? 0
  }

  add(job: J): void {
    const { level, bot = '' } = job.from
    const bots = this.#levels.get(level) ?? new Map<string, Set<J>>()
    const jobs = bots.get(bot) ?? new Set()
    jobs.add(job)
    bots.set(bot, jobs)
    this.#levels.set(level, bots)
    this.#size += 1
    add(this.#sizes, level, 1)
  }

  remove(job: J): boolean {
    const { level, bot = '' } = job.from
    const bots = this.#levels.get(level)
    const jobs = bots?.get(bot)
    if (bots === undefined || jobs === undefined || !jobs.delete(job)) return false
    if (jobs.size === 0) bots.delete(bot)
    if (bots.size === 0) this.#levels.delete(level)
    this.#size -= 1
    add(this.#sizes, level, -1)
    return true
  }

  /** Takes the next job of a caller that may start one, and counts it as running. */
  take(may: (from: WorkCaller) => boolean): J | undefined {
    const botOf = (level: string) =>
      fewest(
        this.#levels.get(level) ?? new Map(),
        bot => this.runningOfBot({ level, bot }),
        bot => may({ level, bot }),
      )
    const level = fewest(
      this.#levels,
      key => this.runningOf(key),
      key => botOf(key) !== undefined,
    )
    const bot = level === undefined ? undefined : botOf(level)
    const bots = level === undefined ? undefined : this.#levels.get(level)
    const jobs = bot === undefined ? undefined : bots?.get(bot)
    const [job] = jobs ?? []
    if (level === undefined || bot === undefined || bots === undefined || jobs === undefined || job === undefined)
      return undefined
    this.remove(job)
    // To the end of the line.
    if (bots.delete(bot)) bots.set(bot, jobs)
    if (this.#levels.delete(level)) this.#levels.set(level, bots)
    add(this.#runningLevels, level, 1)
    add(this.#runningBots, botKey(job.from), 1)
    return job
  }

  /** Ends the count of a job that `take` returned. */
  done(from: WorkCaller): void {
    add(this.#runningLevels, from.level, -1)
    add(this.#runningBots, botKey(from), -1)
  }

  *[Symbol.iterator](): Iterator<J> {
    for (const bots of this.#levels.values()) for (const jobs of bots.values()) yield* jobs
  }
}
