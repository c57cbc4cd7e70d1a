import type { Release } from './release.ts'
import type { ConversationState, Frame } from './state.ts'

interface MovedState {
  readonly state: ConversationState
  /** The other release lacks the waiting block: the person restarts. */
  readonly isLost: boolean
}

const typeAt = ({ dialogs }: Release, { dialog, block }: Frame): string | undefined =>
  block === null ? undefined : dialogs.get(dialog)?.blocks.get(block)?.type

/** A frame continues if its block exists, with the same type; an ended one needs only its dialog. */
const goesOn = (frame: Frame, from: Release, to: Release): boolean => {
  if (frame.block === null) return to.dialogs.has(frame.dialog)
  const type = typeAt(to, frame)
  return type !== undefined && type === typeAt(from, frame)
}

/**
 * Moves a conversation to another release (RUNTIME 4): keeps the stack from the waiting block down to the first dialog
 * that cannot continue. If the waiting block was removed, the whole stack is dropped.
 */
export const moveState = (state: ConversationState, from: Release, to: Release): MovedState => {
  const { frames } = state
  const gap = frames.findLastIndex(frame => !goesOn(frame, from, to))
  const kept = frames.slice(gap + 1)
  if (frames.length > 0 && kept.length === 0) return { state: { ...state, frames: [], asked: [] }, isLost: true }
  const ids = new Set(kept.map(({ id }) => id))
  return { state: { ...state, frames: kept, asked: state.asked.filter(({ frame }) => ids.has(frame)) }, isLost: false }
}
