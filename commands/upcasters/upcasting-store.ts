import type { EventStore } from '../store/port.ts'
import { upcast } from './upcast.ts'

/** The same store, read in today's shapes: what read models are built from. */
export const upcastingStore = (store: EventStore): EventStore => ({
  id: store.id,
  append: (stream, expected, events) => store.append(stream, expected, events),
  async *read(stream, options) {
    for await (const event of store.read(stream, options)) yield upcast(event)
  },
  async *readAll(options) {
    for await (const event of store.readAll(options)) yield upcast(event)
  },
  revision: stream => store.revision(stream),
  head: () => store.head(),
  countAfter: position => store.countAfter(position),
  subscribe: (after, subscriber, filter) =>
    store.subscribe(after, { ...subscriber, event: event => subscriber.event(upcast(event)) }, filter),
  delete: (stream, expected) => store.delete(stream, expected),
  tombstone: (stream, expected) => store.tombstone(stream, expected),
  setMetadata: (stream, metadata) => store.setMetadata(stream, metadata),
  metadata: stream => store.metadata(stream),
  probe: () => store.probe(),
  close: () => store.close(),
})
