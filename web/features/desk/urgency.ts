import type { DeskChat } from './desk-query.ts'

/** `late`: the queue's goal has passed; `overdue`: twice the goal has passed. */
export type Urgency = 'calm' | 'late' | 'overdue'

type Timed = Pick<DeskChat, 'status' | 'since' | 'unanswered' | 'goal'>

/** Begin of the wait that the goal limits. */
const beginOf = ({ status, since, unanswered }: Timed): number =>
  Date.parse(status === 'waiting' ? since : (unanswered ?? since))

/** The server moves `goal` over the hours in which the queue is closed, so that only open hours count. */
export const urgencyOf = (chat: Timed, now: number): Urgency => {
  if (chat.goal === null) return 'calm'
  const goal = Date.parse(chat.goal)
  if (now < goal) return 'calm'
  return now < goal + Math.max(0, goal - beginOf(chat)) ? 'late' : 'overdue'
}

/** `1:20`, the rest of a goal; `0:00` when it has passed. */
export const countdownOf = (goal: string, now: number): string => {
  const seconds = Math.max(0, Math.floor((Date.parse(goal) - now) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const GROUPS = ['waiting', 'mine', 'others', 'snoozed', 'closed'] as const
export type GroupName = (typeof GROUPS)[number]

const groupOf = ({ status, mine }: Pick<DeskChat, 'status' | 'mine'>): GroupName =>
  status === 'held' ? (mine ? 'mine' : 'others') : status

interface Group<T> {
  readonly name: GroupName
  readonly chats: readonly T[]
}

/** Chats by group, in the server's order within each; empty groups are left out. */
export const groupsOf = <T extends Pick<DeskChat, 'status' | 'mine'>>(chats: readonly T[]): readonly Group<T>[] =>
  GROUPS.map(name => ({ name, chats: chats.filter(chat => groupOf(chat) === name) })).filter(
    group => group.chats.length > 0,
  )
