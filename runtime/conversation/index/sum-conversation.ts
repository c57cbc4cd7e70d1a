import type { StoredEvent } from '#schemas/event.ts'
import { IndexDatabase } from '../../log/followed-index.ts'
import { VISITS, VisitIndex, type VisitSum } from './visit-index.ts'

interface ConversationSum extends VisitSum {
  readonly turns: number
  /** Number of its streams. */
  readonly parts: number
}

/** Counts the visits of conversations as the index does, one conversation at a time. */
export const openSums = () => {
  const database = new IndexDatabase(':memory:', { version: 1, schema: VISITS })
  const visits = new VisitIndex(database)
  return {
    async of(id: string, events: AsyncIterable<StoredEvent>): Promise<ConversationSum> {
      let of = { id, bot: '', channel: '', release: 0, withAgent: false, time: 0 }
      let turns = 0
      let parts = 1
      for await (const { type, data, time } of events) {
        of = { ...of, time: Date.parse(time) }
        if (typeof data.release === 'number') of = { ...of, release: data.release }
        if (type === 'ConversationStarted') of = { ...of, channel: String(data.channeltype) }
        if (type === 'ConversationContinued') parts += 1
        if (type === 'ConversationEnded') visits.ended(of, String(data.reason))
        if (type !== 'TurnTaken' && type !== 'TurnFailed') continue
        turns = Number(data.turn)
        visits.turned(of, data)
        of = { ...of, withAgent: data.status === 'agent' }
      }
      return { ...visits.drain(), turns, parts }
    },
    close: () => database.close(),
  }
}
