import type { Json } from '#schemas/event.ts'
import type { Replay, Turn } from './conversation-query.ts'

/** A variable as a conversation holds it. */
export interface KeptValue {
  readonly name: string
  readonly kind: string
  /** Undefined: it may not be read. */
  readonly value: Json | undefined
}

type Scope = Turn['kept'][number]['scope']

/** Variables of the person and conversation after the last turn; dialog variables ended with their dialogs. */
export const keptValues = ({ turns, words }: Replay, scope: Scope): readonly KeptValue[] => {
  const values = new Map<string, KeptValue>()
  for (const { kept, wrote, dropped } of turns) {
    for (const name of dropped) values.delete(name)
    for (const { name, kind, masked, scope: one } of kept) {
      if (one !== scope || kind === 'empty') values.delete(name)
      else values.set(name, { name, kind, value: words && !masked ? wrote[name] : undefined })
    }
  }
  return [...values.values()]
}
