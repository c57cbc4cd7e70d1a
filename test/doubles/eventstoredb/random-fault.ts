import { randomOf } from '../../realtime/random.ts'
import type { EventStoreDouble } from './event-store-double.ts'

export const RANDOM_FAULTS = [
  'lateAnswer',
  'lateWrite',
  'lostAnswer',
  'noAnswer',
  'freeze',
  'freezeInRead',
  'tooSlow',
  'leaderChange',
  'halfOpen',
  'olderHead',
  'emptyHead',
] as const
export type RandomFault = (typeof RANDOM_FAULTS)[number]

export interface RandomFaultOptions {
  /** Default: all that this double can do. */
  readonly kinds?: readonly RandomFault[]
  /** Mean of the time between the end of a fault and the next one, ms. */
  readonly meanMs: number
  /** Shortest and longest freeze, ms. Default: 3 to 20 s. */
  readonly freezeMs?: readonly [number, number]
}

interface DrawnFault {
  readonly kind: RandomFault
  /** Time until the double answers as usual again, ms. */
  readonly ms: number
}

/** Shortest and longest silence of a new leader, ms. */
const SILENCE_MS = [1000, 4000] as const

type Target = Pick<EventStoreDouble, 'faults' | 'changeLeader' | 'halfOpen'>

/** A fault whose kind, length and distance come from a seed: the same seed gives the same row of faults. */
const drawing = (seed: number, { kinds = RANDOM_FAULTS, meanMs, freezeMs = [3000, 20_000] }: RandomFaultOptions) => {
  const random = randomOf(seed)
  const between = ([least, most]: readonly [number, number]) => least + random(most - least + 1)
  return () => {
    const wait = random(2 * meanMs)
    const kind = kinds[random(kinds.length)] ?? 'freeze'
    const isFreeze = kind === 'freeze' || kind === 'freezeInRead'
    const ms = isFreeze ? between(freezeMs) : kind === 'leaderChange' ? between(SILENCE_MS) : 0
    return { wait, kind, ms, count: 1 + random(3) }
  }
}

const injections = (
  { faults, changeLeader, halfOpen }: Target,
  ms: number,
  count: number,
): Readonly<Record<RandomFault, () => unknown>> => {
  const times = <T>(fault: T): T[] => Array.from({ length: count }, () => fault)
  return {
    lateAnswer: () => faults.append(...times('lateAnswer' as const)),
    lateWrite: () => faults.append(...times('lateWrite' as const)),
    lostAnswer: () => faults.append(...times('lostAnswer' as const)),
    noAnswer: () => faults.append(...times('noAnswer' as const)),
    freeze: () => faults.freeze(ms),
    freezeInRead() {
      faults.freezeMs = ms
      faults.read('freeze')
    },
    tooSlow: () => faults.cutSubscriptions(),
    leaderChange: () => changeLeader(ms),
    halfOpen,
    olderHead: () => faults.head(...times('older' as const)),
    emptyHead: () => faults.head(...times('empty' as const)),
  }
}

/** Injects faults by seed, one after the other, until it is stopped. */
export const startRandomFaults = (double: Target, seed: number, options: RandomFaultOptions) => {
  const drawn: DrawnFault[] = []
  const draw = drawing(seed, options)
  let timer: NodeJS.Timeout | undefined
  const next = (rest: number): void => {
    const { wait, kind, ms, count } = draw()
    timer = setTimeout(() => {
      drawn.push({ kind, ms })
      injections(double, ms, count)[kind]()
      next(ms)
    }, rest + wait)
  }
  next(0)
  return {
    /** Faults so far. */
    drawn: drawn as readonly DrawnFault[],
    /** No more faults; a freeze ends, and faults that no call has met are dropped. */
    stop(): void {
      clearTimeout(timer)
      double.faults.clear()
      double.faults.thaw()
    },
  }
}
