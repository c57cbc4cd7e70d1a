import type { EventStore } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'

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
