import type { StoredEvent } from '#schemas/event.ts'
import { type FlowEdited, flowStream } from '#schemas/events/flow.ts'
import type { Tail } from '../pipeline/append.ts'
import type { EventStore } from '../store/port.ts'
import { upcast } from '../upcasters/upcast.ts'

/** One complete edit as the log holds it. */
export interface LoggedEdit extends Tail {
  readonly update: Uint8Array
  readonly bindings: FlowEdited['bindings']
  readonly eventIds: readonly string[]
  /** It is the whole document: nothing before it belongs to the flow any longer. */
  readonly startsOver?: true
  /** Pieces at the end of the stream whose edit is incomplete, maybe for ever: yielded without content. */
  readonly isCut?: true
}

/** A Yjs update that says nothing. */
const NO_UPDATE = Uint8Array.of(0, 0)

/** The edit that one event holds; undefined for a piece of a larger one. */
export const readSingleEdit = (stored: StoredEvent): LoggedEdit | undefined => {
  const { id, revision, hash, ...event } = upcast(stored)
  const { part, bindings, update, startsOver } = event.data as FlowEdited & StoredEvent['data']
  if (part !== undefined) return undefined
  return { revision, hash, update: Buffer.from(update, 'base64'), bindings, eventIds: [id], ...over(startsOver) }
}

const over = (startsOver: true | undefined): { startsOver?: true } => (startsOver === undefined ? {} : { startsOver })

/**
 * Edits of a flow after a revision. Chunks count when their whole group is present, in sequence; leftovers of an
 * interrupted writer are skipped, at the end as an edit without content, so the stream's true end is known.
 */
export async function* readEdits(
  store: EventStore,
  flow: string,
  after: number,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<LoggedEdit> {
  let chunks: { readonly group: string; readonly parts: Buffer[]; readonly ids: string[] } | undefined
  let skipped: Tail | undefined
  for await (const stored of store.read(flowStream(flow), { from: after + 1 })) {
    const event = upcast(stored)
    if (event.revision > upTo) return
    const tail = { revision: event.revision, hash: event.hash }
    const { part, bindings, startsOver } = dataOf(event)
    const bytes = Buffer.from(dataOf(event).update, 'base64')
    if (part === undefined) {
      chunks = undefined
      skipped = undefined
      yield { ...tail, update: bytes, bindings, eventIds: [event.id], ...over(startsOver) }
      continue
    }
    if (part.k === 1) chunks = { group: part.group, parts: [], ids: [] }
    if (chunks?.group !== part.group || chunks.parts.length !== part.k - 1) chunks = undefined
    chunks?.parts.push(bytes)
    chunks?.ids.push(event.id)
    skipped = tail
    if (chunks === undefined || part.k < part.n) continue
    yield { ...tail, update: Buffer.concat(chunks.parts), bindings, eventIds: chunks.ids, ...over(startsOver) }
    chunks = undefined
    skipped = undefined
  }
  if (skipped !== undefined) yield { ...skipped, update: NO_UPDATE, bindings: [], eventIds: [], isCut: true }
}

const dataOf = (event: StoredEvent) => event.data as FlowEdited & StoredEvent['data']
