import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from '../behaviour.ts'

export interface DeskQueueFacts {
  /** Waiting, held and snoozed chats of the queue. */
  readonly open: number
}

/** Refuses to remove a queue with open chats (D8). */
export const deskQueueBehaviour: Behaviour<DeskQueueFacts> = {
  commands: {},
  onRemove: (_state, { facts: { open } }) =>
    open === 0 ? accepted(null) : refused('entity.occupied', { params: { count: open } }),
}
