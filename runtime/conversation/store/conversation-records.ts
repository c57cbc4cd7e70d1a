import type { EventStore } from '#commands/store/port.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { isObject } from '#schemas/json.ts'
import type { ConversationRecords, UnrecognizedTurn } from '../../port.ts'
import type { Words } from '../engine/folded-conversation.ts'
import { replayTurns } from '../engine/replay.ts'
import type { ConversationIndex } from '../index/conversation-index.ts'

/** Every event of a conversation through all its parts; revisions are counted through all parts. */
export async function* readParts(store: Pick<EventStore, 'read'>, conversation: string): AsyncGenerator<StoredEvent> {
  let isFull = true
  let base = 0
  for (let part = 1; isFull; part += 1) {
    let last = base
    isFull = false
    for await (const event of store.read(conversationStream(conversation, part))) {
      last = base + event.revision
      isFull = event.type === 'ConversationPartEnded'
      yield { ...event, revision: last }
    }
    base = last
  }
}

interface RecordsOf {
  readonly store: EventStore
  readonly index: ConversationIndex
  readonly words: Words
}

/** Text of a turn; undefined where it was forgotten. */
const wordsOf = async ({ store, index, words }: RecordsOf, { conversation, input }: UnrecognizedTurn) => {
  const { stream, revision } = index.parts.at(conversation, input)
  for await (const { type, data } of store.read(stream, { from: revision, limit: 1 })) {
    const said =
      type === 'MessageReceived' ? await words.open(index.get(conversation)?.person ?? '', data.said, stream) : null
    return isObject(said) && typeof said.text === 'string' && said.text.trim() !== '' ? said.text : undefined
  }
  return undefined
}

const turnsOf = ({ store, index, words }: RecordsOf, id: string, mayRead: boolean) =>
  replayTurns(readParts(store, id), { id, person: index.get(id)?.person ?? '', mayRead }, words)

/** Conversations of a node, as the operators of a bot see them. */
export const conversationRecords = ({ store, index, words }: RecordsOf): ConversationRecords => ({
  visits: index.visits,
  get: id => index.get(id),
  list: (bots, filter, page, size) => index.list(bots, filter, page, size),
  unrecognized: async (bots, limit) => {
    const texts = index.unrecognized.newest(bots, limit).map(async turn => {
      const text = await wordsOf({ store, index, words }, turn)
      return text === undefined ? [] : [{ ...turn, text }]
    })
    return (await Promise.all(texts)).flat()
  },
  turns: (id, mayRead) => turnsOf({ store, index, words }, id, mayRead),
  replay: async (id, mayRead) => {
    const turns: ReplayTurn[] = []
    for await (const turn of turnsOf({ store, index, words }, id, mayRead)) turns.push(turn)
    return turns
  },
})
