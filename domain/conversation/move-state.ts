import type { Release } from './release.ts'
import type { ConversationState, Frame } from './state.ts'

interface MovedState {
  readonly state: ConversationState
  /** Where the person waited is not in the other release: they begin anew. */
  readonly isLost: boolean
}

const typeAt = ({ dialogs }: Release, { dialog, block }: Frame): string | undefined =>
  block === null ? undefined : dialogs.get(dialog)?.blocks.get(block)?.type

/** A frame goes on where its block is, of the same type; one that is over needs its dialog alone. */
const goesOn = (frame: Frame, from: Release, to: Release): boolean => {
  if (frame.block === null) return to.dialogs.has(frame.dialog)
  const type = typeAt(to, frame)
  return type !== undefined && type === typeAt(from, frame)
}

/**
 * A conversation as another release goes on with it (RUNTIME 4): from the block that waits down its stack, cut at the
 * first dialog that cannot go on. Whoever waits at a block that is gone loses the whole stack.
 */
export const moveState = (state: ConversationState, from: Release, to: Release): MovedState => {
  const { frames } = state
  const gap = frames.findLastIndex(frame => !goesOn(frame, from, to))
  const kept = frames.slice(gap + 1)
  if (frames.length > 0 && kept.length === 0) return { state: { ...state, frames: [], asked: [] }, isLost: true }
  const ids = new Set(kept.map(({ id }) => id))
  return { state: { ...state, frames: kept, asked: state.asked.filter(({ frame }) => ids.has(frame)) }, isLost: false }
}
