import type { Replay, Turn } from './conversation-query.ts'

export type AgentMessage = Replay['agentsaid'][number]
type DeskEvent = Replay['desk'][number]

/** A message of a chat with an agent, or an event of the desk. */
export type Between =
  | { readonly kind: 'said'; readonly message: AgentMessage }
  | { readonly kind: 'event'; readonly event: DeskEvent }

/** A turn, or what happened before the next one. `after`: number of the turn before. */
type TranscriptPart =
  | { readonly kind: 'turn'; readonly turn: Turn; readonly isEndOfChat: boolean }
  | { readonly kind: 'between'; readonly after: number; readonly isLast: boolean; readonly items: readonly Between[] }

const positionOf = (item: Between): string => (item.kind === 'said' ? item.message.position : item.event.position)

const betweenOf = ({ agentsaid, desk }: Pick<Replay, 'agentsaid' | 'desk'>): readonly Between[] =>
  [
    ...agentsaid.map((message): Between => ({ kind: 'said', message })),
    // The event after a transfer names its recipient.
    ...desk.flatMap((event): readonly Between[] =>
      event.kind === 'released' && event.why === 'transfer' ? [] : [{ kind: 'event', event }],
    ),
  ].toSorted((one, other) => (positionOf(one) < positionOf(other) ? -1 : 1))

/** Turns, and what happened at the desk between them, in order. */
export const partsOf = ({
  turns,
  ...between
}: Pick<Replay, 'turns' | 'agentsaid' | 'desk'>): readonly TranscriptPart[] => {
  const left = [...betweenOf(between)]
  const parts: TranscriptPart[] = []
  let after = 0
  const add = (items: readonly Between[], isLast: boolean) => {
    if (items.length > 0) parts.push({ kind: 'between', after, isLast, items })
  }
  for (const turn of turns) {
    const { kind, position } = turn.input
    const next = left.findIndex(item => positionOf(item) > position)
    const items = left.splice(0, next === -1 ? left.length : next)
    add(items, false)
    const last = items.at(-1)
    // The line of the desk says why the chat ended.
    const isEndOfChat = kind === 'agent' && last?.kind === 'event' && last.event.position === position
    parts.push({ kind: 'turn', turn, isEndOfChat })
    after = turn.turn
  }
  add(left, true)
  return parts
}
