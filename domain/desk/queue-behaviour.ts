import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from '../behaviour.ts'

export interface DeskQueueFacts {
  /** Chats that wait in the queue or are held from it. */
  readonly open: number
}

/** A queue is removed only when nobody waits in it any more (D8). */
export const deskQueueBehaviour: Behaviour<DeskQueueFacts> = {
  commands: {},
  onRemove: (_state, { facts: { open } }) =>
    open === 0 ? accepted(null) : refused('entity.occupied', { params: { count: open } }),
}
