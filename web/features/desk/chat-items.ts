import type { DeskChatDetail } from './desk-query.ts'

export type DeskMessage = DeskChatDetail['messages'][number]
export type DeskNote = DeskChatDetail['notes'][number]
export type DeskEvent = DeskChatDetail['events'][number]

export type ChatItem =
  | { readonly kind: 'message'; readonly key: string; readonly time: string; readonly message: DeskMessage }
  | { readonly kind: 'note'; readonly key: string; readonly time: string; readonly note: DeskNote }
  | { readonly kind: 'event'; readonly key: string; readonly time: string; readonly event: DeskEvent }

/** The event after a transfer names its recipient. */
const isNamedByNext = ({ kind, why }: DeskEvent): boolean => kind === 'released' && why === 'transfer'

type Said = Pick<DeskChatDetail, 'messages' | 'notes' | 'events'>

/** Messages, notes and events of a chat in the order of their times; of one moment, events come first. */
export const itemsOf = ({ messages, notes, events }: Said): readonly ChatItem[] => {
  const items: ChatItem[] = [
    ...events.flatMap((event, at): ChatItem[] =>
      isNamedByNext(event) ? [] : [{ kind: 'event', key: `${event.kind} ${at}`, time: event.time, event }],
    ),
    ...messages.map((message): ChatItem => ({ kind: 'message', key: message.id, time: message.time, message })),
    ...notes.map((note): ChatItem => ({ kind: 'note', key: note.id, time: note.time, note })),
  ]
  return items.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time))
}

/** Messages before the hand-over that stay visible. */
const SHOWN_BEFORE = 2

/** The first items of a chat, up to the last messages before the person was queued. Empty when they are few. */
export const foldedOf = (items: readonly ChatItem[]): readonly ChatItem[] => {
  const queued = items.findIndex(item => item.kind === 'event' && item.event.kind !== 'connected')
  const end = Math.max(0, queued) - SHOWN_BEFORE
  return end > 1 ? items.slice(0, end) : []
}

/** Time from the request to the first word of an agent, ms; undefined before it. */
export const firstAnswerOf = ({ messages, since }: Pick<DeskChatDetail, 'messages' | 'since'>): number | undefined => {
  const first = messages.find(({ from, time }) => from === 'agent' && time >= since)
  return first === undefined ? undefined : Math.max(0, Date.parse(first.time) - Date.parse(since))
}
