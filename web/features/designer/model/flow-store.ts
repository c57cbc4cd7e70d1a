import * as Y from 'yjs'
import { linksOf, nodesOf, openFlow, schemaOf } from '#domain/flow/document/document.ts'
import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { readFlow, readLink, readNode } from '#domain/flow/document/read-flow.ts'
import { createStore, type Store } from './store.ts'

const touched = (events: readonly Y.YEvent<Y.AbstractType<unknown>>[]): Set<string> => {
  const ids = new Set<string>()
  for (const event of events) {
    const [first] = event.path
    if (typeof first === 'string') ids.add(first)
    else for (const key of event.keys.keys()) ids.add(key)
  }
  return ids
}

const replaced = <T>(
  map: ReadonlyMap<string, T>,
  found: ReadonlyMap<string, T | undefined>,
): ReadonlyMap<string, T> => {
  const next = new Map(map)
  for (const [id, value] of found) {
    if (value === undefined) next.delete(id)
    else next.set(id, value)
  }
  return next
}

/** Links whose ends came or went are read again: they turn up or hide with them. */
const linksOfNodes = (doc: Y.Doc, known: ReadState, nodes: ReadonlySet<string>, into: Set<string>) => {
  const moved = [...nodes].filter(id => known.hasNode(id) !== nodesOf(doc).has(id))
  if (moved.length === 0) return
  const gone = new Set(moved)
  for (const [id, link] of linksOf(doc)) {
    if (!(link instanceof Y.Map)) continue
    if (gone.has(String(link.get('from'))) || gone.has(String(link.get('to')))) into.add(id)
  }
  for (const { id, from, to } of known.links()) if (gone.has(from) || gone.has(to)) into.add(id)
}

/** Document content read so far, shown or not. */
interface ReadState {
  readonly hasNode: (id: string) => boolean
  readonly links: () => Iterable<LinkModel>
}

/** A flow that is opened or imported: more blocks and links at once than are read between two frames. */
const MANY = 200
/** ms that a slice of such a reading may take. */
const SLICE = 8

interface FollowedFlow extends Store<FlowModel> {
  /** False while the document holds more than was read of it. */
  readonly settled: Store<boolean>
  readonly stop: () => void
}

/** Results of a read so far; `undefined`: removed. */
type Found<T> = Map<string, T | undefined>

/**
 * The document as plain data, kept in sync: objects that a transaction did not touch keep their identity. Large remote
 * changes are read in slices, between the page's other tasks, and shown when complete; local edits show at once, with
 * all earlier changes.
 */
export const observeFlow = (doc: Y.Doc): FollowedFlow => {
  openFlow(doc)
  const store = createStore<FlowModel>(readFlow(doc))
  const settled = createStore(true)
  const waiting = { nodes: new Set<string>(), links: new Set<string>() }
  const found: { nodes: Found<NodeModel>; links: Found<LinkModel> } = { nodes: new Map(), links: new Map() }
  const known: ReadState = {
    hasNode: id => (found.nodes.has(id) ? found.nodes.get(id) !== undefined : store.get().nodes.has(id)),
    links: () => [...store.get().links.values(), ...[...found.links.values()].filter(link => link !== undefined)],
  }
  const later = new MessageChannel()
  const onNodes = (events: Y.YEvent<Y.AbstractType<unknown>>[]) => {
    for (const id of touched(events)) waiting.nodes.add(id)
  }
  const onLinks = (events: Y.YEvent<Y.AbstractType<unknown>>[]) => {
    for (const id of touched(events)) waiting.links.add(id)
  }
  /** Reads what waits, for so many ms; true when nothing is left. */
  const read = (most: number): boolean => {
    const end = performance.now() + most
    for (const id of waiting.nodes) {
      if (performance.now() > end) return false
      found.nodes.set(id, readNode(doc, id))
      waiting.nodes.delete(id)
    }
    for (const id of waiting.links) {
      if (performance.now() > end) return false
      found.links.set(id, readLink(doc, id))
      waiting.links.delete(id)
    }
    return true
  }
  const show = () => {
    const { nodes, links } = found
    found.nodes = new Map()
    found.links = new Map()
    const model = store.get()
    store.set({
      schema: schemaOf(doc),
      nodes: nodes.size === 0 ? model.nodes : replaced(model.nodes, nodes),
      links: links.size === 0 ? model.links : replaced(model.links, links),
    })
    settled.set(true)
  }
  const slice = () => {
    if (settled.get()) return
    if (read(SLICE)) show()
    else later.port2.postMessage(undefined)
  }
  const settle = ({ local }: Y.Transaction) => {
    if (waiting.nodes.size === 0 && waiting.links.size === 0) return
    linksOfNodes(doc, known, waiting.nodes, waiting.links)
    if (local || (settled.get() && waiting.nodes.size + waiting.links.size <= MANY)) {
      read(Number.POSITIVE_INFINITY)
      show()
    } else if (settled.get()) {
      settled.set(false)
      later.port2.postMessage(undefined)
    }
  }
  later.port1.onmessage = slice
  nodesOf(doc).observeDeep(onNodes)
  linksOf(doc).observeDeep(onLinks)
  doc.on('afterTransaction', settle)
  return {
    ...store,
    settled,
    stop: () => {
      later.port1.close()
      nodesOf(doc).unobserveDeep(onNodes)
      linksOf(doc).unobserveDeep(onLinks)
      doc.off('afterTransaction', settle)
    },
  }
}
