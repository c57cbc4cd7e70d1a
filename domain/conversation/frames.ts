import { BeyondLimit, TURN_LIMITS } from './limits.ts'
import type { ConversationState, Frame, FrameKind } from './state.ts'
import type { CalledFrame, Turn } from './turn.ts'

/** The topmost waiting frame under the running one: the target of an interruption. */
export const frameThatWaits = (state: ConversationState): Frame | undefined =>
  state.frames.slice(0, -1).findLast(({ wait }) => wait !== undefined)

/** The frame of a task: the dialog that is named, else its principal one; undefined where neither is released. */
export const taskFrame = (turn: Turn, task: string, dialog: string, kind: FrameKind): CalledFrame | undefined => {
  const wanted = dialog === '' ? (turn.settings.tasks.get(task)?.principal ?? '') : dialog
  return turn.release.dialogs.has(wanted) ? { kind, task: task === '' ? null : task, dialog: wanted } : undefined
}

/** Puts a dialog onto the stack, at its start. */
export const pushFrame = (turn: Turn, called: CalledFrame, returns: string | null): void => {
  const { state, release } = turn
  if (state.frames.length >= TURN_LIMITS.frames) throw new BeyondLimit('frames')
  const id = state.pushed + 1
  const frame: Frame = {
    ...called,
    id,
    block: release.dialogs.get(called.dialog)?.start ?? null,
    locals: {},
    returns,
    shared: { sub: [], task: [] },
  }
  turn.state = { ...state, pushed: id, frames: [...state.frames, frame] }
}
