import type { EventStore } from '#commands/store/port.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import type { ConversationRecords } from '../port.ts'
import type { ConversationIndex } from './index-file.ts'
import { replayTurns } from './replay.ts'
import type { Words } from './words.ts'

interface RecordsOf {
  readonly store: EventStore
  readonly index: ConversationIndex
  readonly words: Words
}

/** Conversations of a node as the people who run a bot look at them. */
export const conversationRecords = ({ store, index, words }: RecordsOf): ConversationRecords => ({
  visits: index.visits,
  get: id => index.get(id),
  list: (bots, filter, page, size) => index.list(bots, filter, page, size),
  replay: async (id, mayRead) => {
    const person = index.get(id)?.person ?? ''
    return replayTurns(store.read(conversationStream(id)), { id, person, mayRead }, words)
  },
})
