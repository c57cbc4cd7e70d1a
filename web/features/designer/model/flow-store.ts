import * as Y from 'yjs'
import { linksOf, nodesOf, openFlow, schemaOf } from '#domain/flow/document.ts'
import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/model.ts'
import { readFlow, readLink, readNode } from '#domain/flow/read-flow.ts'
import { createStore, type Store } from '../store.ts'

const touched = (events: readonly Y.YEvent<Y.AbstractType<unknown>>[]): Set<string> => {
  const ids = new Set<string>()
  for (const event of events) {
    const [first] = event.path
    if (typeof first === 'string') ids.add(first)
    else for (const key of event.keys.keys()) ids.add(key)
  }
  return ids
}

const replaced = <T>(map: ReadonlyMap<string, T>, ids: Iterable<string>, read: (id: string) => T | undefined) => {
  const next = new Map(map)
  for (const id of ids) {
    const value = read(id)
    if (value === undefined) next.delete(id)
    else next.set(id, value)
  }
  return next
}

/** Links whose ends came or went are read again: they turn up or hide with them. */
const linksOfNodes = (doc: Y.Doc, model: FlowModel, nodes: ReadonlySet<string>, into: Set<string>) => {
  const moved = [...nodes].filter(id => model.nodes.has(id) !== nodesOf(doc).has(id))
  if (moved.length === 0) return
  const gone = new Set(moved)
  for (const [id, link] of linksOf(doc)) {
    if (!(link instanceof Y.Map)) continue
    if (gone.has(String(link.get('from'))) || gone.has(String(link.get('to')))) into.add(id)
  }
  for (const [id, link] of model.links) if (gone.has(link.from) || gone.has(link.to)) into.add(id)
}

/** The document as plain data that follows it: what a transaction did not touch keeps its identity. */
export const followFlow = (doc: Y.Doc): Store<FlowModel> & { readonly stop: () => void } => {
  openFlow(doc)
  const store = createStore<FlowModel>(readFlow(doc))
  let nodes = new Set<string>()
  let links = new Set<string>()
  const onNodes = (events: Y.YEvent<Y.AbstractType<unknown>>[]) => {
    for (const id of touched(events)) nodes.add(id)
  }
  const onLinks = (events: Y.YEvent<Y.AbstractType<unknown>>[]) => {
    for (const id of touched(events)) links.add(id)
  }
  const settle = () => {
    if (nodes.size === 0 && links.size === 0) return
    const model = store.get()
    linksOfNodes(doc, model, nodes, links)
    const next: FlowModel = {
      schema: schemaOf(doc),
      nodes: nodes.size === 0 ? model.nodes : replaced<NodeModel>(model.nodes, nodes, id => readNode(doc, id)),
      links: links.size === 0 ? model.links : replaced<LinkModel>(model.links, links, id => readLink(doc, id)),
    }
    nodes = new Set()
    links = new Set()
    store.set(next)
  }
  nodesOf(doc).observeDeep(onNodes)
  linksOf(doc).observeDeep(onLinks)
  doc.on('afterTransaction', settle)
  return {
    ...store,
    stop: () => {
      nodesOf(doc).unobserveDeep(onNodes)
      linksOf(doc).unobserveDeep(onLinks)
      doc.off('afterTransaction', settle)
    },
  }
}
