import type { StoredEvent } from '#schemas/event.ts'
import { localTime, momentOf } from '../../flow/condition/condition-date.ts'
import { foldPlace, NEW_PLACE } from '../place.ts'

/** Days of figures are those of this time zone. */
const FIGURES_ZONE = 'America/Sao_Paulo'
const DAY = 86_400_000
const DEFAULT_CAPACITY = 4

/** State and load of an agent since a moment, in ms since 1970. */
export interface Duty {
  readonly place: typeof NEW_PLACE
  readonly since: number
  /** As it was when they got their last chat. */
  readonly capacity: number
}

export const NEW_DUTY: Duty = { place: NEW_PLACE, since: 0, capacity: DEFAULT_CAPACITY }

/** An agent's state after an event of their stream. */
export const foldDuty = (duty: Duty, event: StoredEvent): Duty => ({
  place: foldPlace(duty.place, event),
  since: Math.max(duty.since, Date.parse(event.time)),
  capacity: event.type === 'SlotTaken' && typeof event.data.capacity === 'number' ? event.data.capacity : duty.capacity,
})

/** Day of a moment as YYYY-MM-DD, and the moment at which the next one begins. */
const dayAt = (moment: number): { readonly day: string; readonly ends: number } => {
  const start = Math.floor(localTime(moment, FIGURES_ZONE) / DAY) * DAY
  return { day: new Date(start).toISOString().slice(0, 10), ends: momentOf(start + DAY, FIGURES_ZONE) }
}

/** Available time of an agent until a moment, and the share of it that their chats took, by day. */
export const dutyUntil = (
  { place, since, capacity }: Duty,
  until: number,
): readonly { readonly day: string; readonly available: number; readonly busy: number }[] => {
  if (place.state !== 'available' || since === 0) return []
  const share = Math.min(1, place.slots.length / Math.max(1, capacity))
  const parts: { day: string; available: number; busy: number }[] = []
  for (let from = since; from < until; ) {
    const { day, ends } = dayAt(from)
    const to = Math.min(until, ends)
    parts.push({ day, available: to - from, busy: Math.round((to - from) * share) })
    from = to
  }
  return parts
}
