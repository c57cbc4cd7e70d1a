import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIXES } from '../integrity/verify-chains.ts'
import type { EventStore, ReadAll } from '../store/port.ts'
import type { Source, Target } from './copy-port.ts'

type LogPart = 'console' | 'conversations'

/** On a server, conversations share the console's store; in a folder they have a separate store (docs/adr/0022). */
const isIn = (part: LogPart, stream: string): boolean =>
  CONVERSATION_PREFIXES.some(prefix => stream.startsWith(prefix)) === (part === 'conversations')

/** A store that reads only the streams of one part; writes are not filtered. */
const storePart = (store: EventStore, part: LogPart): EventStore => {
  async function* readAll(options?: ReadAll): AsyncGenerator<StoredEvent> {
    for await (const event of store.readAll(options)) if (isIn(part, event.stream)) yield event
  }
  return {
    id: store.id,
    append: store.append.bind(store),
    read: store.read.bind(store),
    readAll,
    revision: store.revision.bind(store),
    head: store.head.bind(store),
    countAfter: store.countAfter.bind(store),
    subscribe: store.subscribe.bind(store),
    delete: store.delete.bind(store),
    tombstone: store.tombstone.bind(store),
    setMetadata: store.setMetadata.bind(store),
    metadata: store.metadata.bind(store),
    probe: store.probe.bind(store),
    close: store.close.bind(store),
  }
}

export const sourcePart = ({ store, marks }: Source, part: LogPart): Source => ({
  store: storePart(store, part),
  async *marks() {
    for await (const mark of marks()) if (isIn(part, mark.stream)) yield mark
  },
})

export const targetPart = (target: Target, part: LogPart): Target => ({
  ...target,
  store: storePart(target.store, part),
})
