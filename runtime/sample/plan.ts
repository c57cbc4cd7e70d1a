import type { Json, JsonObject } from '#schemas/event.ts'
import type { Remark, Sketch } from './sketch.ts'

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
