import { firstIds } from '#commands/people/bootstrap.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Remark, Sketch } from './sketch.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** São Paulo has kept this distance from UTC all year since 2019. */
const SAO_PAULO = -3 * HOUR

/** Begin of a day in São Paulo, ms since 1970. */
export const midnightOf = (time: number): number => Math.floor((time + SAO_PAULO) / DAY) * DAY - SAO_PAULO

/** Whether a day, given by its begin, is no Saturday or Sunday. */
export const isWorkingDay = (midnight: number): boolean => ![0, 6].includes(weekdayOf(midnight))

/** 0: Sunday. */
export const weekdayOf = (midnight: number): number => new Date(midnight + SAO_PAULO).getUTCDay()

/** Working days before the first start, by the day of the story: two months of conversations follow its first week. */
const WORKING_DAYS: Readonly<Record<number, number>> = { 5: 47, 4: 46, 3: 45, 2: 44, 1: 9, 0: 1 }

/** A time of day in São Paulo, `09:40`, on a day of the story. */
export const storyTime = (now: Date, day: number, clock: string): Date => {
  let midnight = midnightOf(now.getTime())
  for (let left = WORKING_DAYS[day] ?? 0; left > 0; ) {
    midnight -= DAY
    if (isWorkingDay(midnight)) left -= 1
  }
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return new Date(midnight + hours * HOUR + minutes * MINUTE)
}

/** Day of the story, from 5 to 0, and the time of day in São Paulo: [2, '09:40']. */
export type When = readonly [daysBefore: number, clock: string]

/** Id of something in the sample, or of the root level under the key `root`. */
export type IdOf = (entity: string, key: string) => string

/** One command. A restoring one restores the state before the newest event. */
export interface SampleStep {
  readonly when: When
  /** Key of a person; null is the system. */
  readonly by: string | null
  readonly entity: string
  readonly action: string
  readonly key: string
  readonly input: JsonObject
}

/** A spell of drawing by one person, or by several who take turns. */
export interface Sitting {
  readonly when: When
  readonly by: readonly [string, ...string[]]
}

/** Plan of drawing a dialog's flow. */
export interface DrawnPlan {
  readonly key: string
  readonly sketch: Sketch
  readonly remarks?: readonly Remark[]
  /** Blocks put down at once. */
  readonly pace: number
  readonly sittings: readonly Sitting[]
  /** A section removed and restored from the history by a person, after all drawing. */
  readonly mishap?: { readonly when: When; readonly by: string; readonly section: string }
}

/** Drafts of a handler's code. */
export interface WrittenPlan {
  readonly key: string
  readonly drafts: readonly { readonly when: When; readonly by: string; readonly code: string }[]
}

/** A part of the sample's story. */
export interface Plan {
  /** Key of its bot. */
  readonly bot: string
  /** Moments after which conversations begin with another release. */
  readonly releases: readonly When[]
  /** Trainings of its NLU project, each with its person; the model is set for production. */
  readonly trainings?: readonly { readonly when: When; readonly by: string }[]
  readonly deeds: readonly SampleStep[]
  readonly drawn: readonly DrawnPlan[]
  readonly written: readonly WrittenPlan[]
}

type DeedMaker = (
  when: When,
  by: string | null,
  entity: string,
  action: string,
  key: string,
  input?: Readonly<Record<string, Json>>,
) => SampleStep

export const sampleStep: DeedMaker = (when, by, entity, action, key, input = {}) => ({
  when,
  by,
  entity,
  action,
  key,
  input,
})

/** Ids of what the sample makes: the same for the same store. */
export const sampleIds =
  (store: EventStore): IdOf =>
  (entity, key) =>
    entity === 'hierarchy' && key === 'root' ? firstIds(store).level : derivedId(store.id, `sample ${entity} ${key}`)
