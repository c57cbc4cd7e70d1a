import type { DeskChat } from './desk-query.ts'

/** `late`: the end of the queue's goal has passed; `overdue`: that of twice the goal. Both are moments of the chat. */
export type Urgency = 'calm' | 'late' | 'overdue'

/** The server counts both moments in hours of the queue. */
export const urgencyOf = ({ goal, overdue }: Pick<DeskChat, 'goal' | 'overdue'>, now: number): Urgency => {
  if (overdue !== null && now >= Date.parse(overdue)) return 'overdue'
  return goal !== null && now >= Date.parse(goal) ? 'late' : 'calm'
}

/** `1:20`, the rest of a goal; `0:00` when it has passed. */
export const countdownOf = (goal: string, now: number): string => {
  const seconds = Math.max(0, Math.floor((Date.parse(goal) - now) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Nine o'clock of the day after a moment (ms since 1970), in the browser's time. */
export const nextMorning = (now: number): Date => {
  const at = new Date(now)
  // Not 24 hours later: a day may have 23 or 25.
  at.setDate(at.getDate() + 1)
  at.setHours(9, 0, 0, 0)
  return at
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

/** Whether one more chat took an agent above their capacity. `before`: their load until now. */
export const goesOver = (before: number, { load, capacity }: { readonly load: number; readonly capacity: number }) =>
  load > before && load > capacity
