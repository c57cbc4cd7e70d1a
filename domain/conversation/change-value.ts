import { withAssigned } from '#domain/flow/variable/assign-lines.ts'
import type { Json } from '#schemas/event.ts'
import type { ConversationState } from './state.ts'

/** A value that a tester of a conversation replaces. */
export interface ValueChange {
  readonly scope: 'dialog' | 'conversation' | 'user'
  /** A variable, or a place in one: `order.total`. */
  readonly name: string
  readonly value: Json
}

/** The state with a value changed: with the person, the conversation, or the dialog that runs. */
export const withValue = (state: ConversationState, { scope, name, value }: ValueChange): ConversationState => {
  if (scope === 'user') return { ...state, userdata: withAssigned(state.userdata, name, value) }
  if (scope === 'conversation') return { ...state, variables: withAssigned(state.variables, name, value) }
  const top = state.frames.at(-1)
  const holder = top?.localsOf ?? top?.id
  const frames = state.frames.map(frame =>
    frame.id === holder ? { ...frame, locals: withAssigned(frame.locals, name, value) } : frame,
  )
  return { ...state, frames }
}
