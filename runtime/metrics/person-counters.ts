import type { MetricKey } from '#domain/metrics/contribution.ts'
import type { ConversationFact } from '#domain/metrics/conversation-fact.ts'
import { COUNTED_ORIGINS } from '#schemas/events/conversation.ts'

type PersonDimensions = Pick<ConversationFact, 'release' | 'channel' | 'origin'>

export const PERSON_DIMENSIONS = ['release', 'channel', 'origin'] as const
type PersonDimension = (typeof PERSON_DIMENSIONS)[number]

export const isCounted = (origin: string): boolean => COUNTED_ORIGINS.some(one => one === origin)

/** Name of the counter of persons by some dimensions: `people.rc` counts those of each release and channel. */
export const peopleCounter = (isOf: (dimension: PersonDimension) => boolean): string => {
  const letters = PERSON_DIMENSIONS.flatMap(name => (isOf(name) ? [name.charAt(0)] : [])).join('')
  return letters === '' ? 'people' : `people.${letters}`
}

/** Counters of persons, one for each choice of dimensions. Without the origin only origins that count are counted. */
export const PERSON_COUNTERS = Array.from({ length: 2 ** PERSON_DIMENSIONS.length }, (_, choice) => {
  const isOf = (name: PersonDimension) => (choice & (1 << PERSON_DIMENSIONS.indexOf(name))) !== 0
  const counts = ({ origin }: PersonDimensions): boolean => isOf('origin') || isCounted(origin)
  return {
    what: peopleCounter(isOf),
    counts,
    isAlike: (one: PersonDimensions, other: PersonDimensions): boolean =>
      counts(one) && PERSON_DIMENSIONS.every(name => !isOf(name) || one[name] === other[name]),
    dimensions: (of: PersonDimensions) => ({
      release: isOf('release') ? of.release : 0,
      channel: isOf('channel') ? of.channel : '',
      origin: isOf('origin') ? of.origin : '',
    }),
  }
})

/** A day of a person with conversations of these dimensions. */
export interface PersonDay extends PersonDimensions {
  readonly day: string
}

interface PersonChange {
  readonly group: ReturnType<(typeof PERSON_COUNTERS)[number]['dimensions']>
  readonly key: MetricKey
  readonly n: number
}

/**
 * Changes of counters by a first conversation of a person on a day (1), or by the removal of the last one (-1). `others`:
 * their other days. The key of a counter is the person's day before, so that a range of days counts the person once.
 */
export function* personChanges(others: readonly PersonDay[], one: PersonDay, sign: 1 | -1): Generator<PersonChange> {
  const { day } = one
  for (const { what, counts, isAlike, dimensions } of PERSON_COUNTERS) {
    if (!counts(one)) continue
    const days = others.filter(other => isAlike(other, one)).map(other => other.day)
    if (days.includes(day)) continue
    const before = days.reduce((latest, other) => (other < day && other > latest ? other : latest), '')
    const after = days.reduce((next, other) => (other > day && (next === '' || other < next) ? other : next), '')
    const change = (on: string, key: string, n: number) => ({
      group: dimensions(one),
      key: { day: on, what, key, bucket: 0 },
      n,
    })
    yield change(day, before, sign)
    if (after === '') continue
    yield change(after, before, -sign)
    yield change(after, day, sign)
  }
}
