import type { UnknownReason } from '#schemas/api/rehearsal.ts'
import type { PathStep, Recording } from './recording.ts'
import { type End, isSameStanding, type Walk } from './walk.ts'

/** `way`: the same end by other blocks. */
export type Outcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'way' | 'elsewhere'; readonly parts: Place; readonly today: End; readonly after: End }
  | { readonly kind: 'unknown'; readonly why: UnknownReason; readonly parts: Place | null }

export interface Place {
  readonly dialog: string
  readonly block: string
}

const placeOf = ({ dialog, block }: PathStep): Place => ({ dialog, block })

const isSameStep = (one: PathStep | undefined, other: PathStep | undefined): boolean =>
  one?.dialog === other?.dialog && one?.block === other?.block && one?.out === other?.out

/** The block behind which two paths lead to different blocks; null for equal paths. */
const partingOf = (today: readonly PathStep[], after: readonly PathStep[]): Place | null => {
  const length = Math.max(today.length, after.length)
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [today[at], after[at]]
    if (isSameStep(one, other)) continue
    const isSameBlock = one?.block === other?.block && one?.dialog === other?.dialog
    const before = isSameBlock ? one : today[at - 1]
    const step = before ?? one ?? other
    return step === undefined ? null : placeOf(step)
  }
  return null
}

/** Whether a walk stopped at a question without an answer, while the conversation itself did not end there. */
const gapOf = (walk: Walk, { turns }: Recording, ended: Walk): UnknownReason | undefined => {
  if (walk.gap !== undefined) return walk.gap
  const { end, standing } = walk
  if (end.kind !== 'left' || standing.status !== 'waiting' || isSameStanding(standing, ended.standing)) return undefined
  // A person who left a question without an answer leaves the same question.
  if (ended.end.kind === 'left' && ended.end.block === standing.block) return undefined
  return turns.some(turn => isSameStanding(turn.standing, standing)) ? 'refused' : 'question'
}

const isSameEnd = (one: End, other: End): boolean =>
  one.kind === other.kind &&
  ((one.dialog === other.dialog && one.block === other.block) ||
    (one.question !== undefined && one.question === other.question))

interface Walks {
  /** In the release in which the conversation took place. */
  readonly recorded: Walk
  /** In what is published. */
  readonly today: Walk
  /** In the draft. */
  readonly after: Walk
}

/** Outcome of a conversation if the draft were published. */
export const outcomeOf = (recording: Recording, { recorded, today, after }: Walks): Outcome => {
  const known = recording.turns.flatMap(({ path }) => path)
  const unknown = (why: UnknownReason, parts: Place | null = null): Outcome => ({ kind: 'unknown', why, parts })
  if (recorded.gap !== undefined || partingOf(known, recorded.path) !== null) return unknown('record')
  if (gapOf(today, recording, recorded) !== undefined) return unknown('older')
  const parts = partingOf(today.path, after.path)
  const gap = gapOf(after, recording, today)
  if (gap !== undefined) return unknown(gap, parts)
  if (parts === null) return { kind: 'same' }
  if (recording.turns.some(({ isHidden }) => isHidden)) return unknown('hidden', parts)
  return { kind: isSameEnd(today.end, after.end) ? 'way' : 'elsewhere', parts, today: today.end, after: after.end }
}
