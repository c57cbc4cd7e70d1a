import * as Y from 'yjs'
import { keepMarks, meteredLoad } from './integration-cost.ts'
import type { SharedMap } from './shared.ts'

/** The document's shape this code reads and writes; only the server changes it, in `meta.schema`. */
export const FLOW_SCHEMA = 1

/** Keys of a node and of a link in the document; others are refused. */
export const NODE_KEYS = ['type', 'title', 'pos', 'properties'] as const
export const LINK_KEYS = [
  'from',
  'fromConnector',
  'fromSubConnector',
  'to',
  'toConnector',
  'toSubConnector',
  'color',
] as const

/** Shared by all edits that a flow is made from: the same bytes everywhere, so that two first openers agree. */
const GENESIS_CLIENT = 1

export const nodesOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap('nodes')
export const linksOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap('links')
export const metaOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap('meta')
/** The code of a handler; dialogs have none. */
export const scriptOf = (doc: Y.Doc): Y.Text => doc.getText('js')

/** Opens the shares of a document without writing anything, so that it can be read and observed. */
export const openFlow = (doc: Y.Doc): Y.Doc => {
  nodesOf(doc)
  linksOf(doc)
  metaOf(doc)
  return doc
}

/** The update that makes an empty flow; identical bytes at every call. */
export const emptyFlowUpdate = (): Uint8Array => {
  const doc = new Y.Doc()
  doc.clientID = GENESIS_CLIENT
  metaOf(openFlow(doc)).set('schema', FLOW_SCHEMA)
  const update = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return update
}

/** A new document with an empty flow, or with what these updates say. Throws `TooCostly`. */
export const createFlow = (...updates: readonly Uint8Array[]): Y.Doc => {
  const doc = openFlow(new Y.Doc())
  const start = updates.length === 0 ? [emptyFlowUpdate()] : updates
  keepMarks(doc)
  meteredLoad(() =>
    doc.transact(() => {
      for (const update of start) Y.applyUpdate(doc, update)
    }),
  )
  return doc
}

/** `meta.schema`; a document that says nothing is of the first shape. */
export const schemaOf = (doc: Y.Doc): number => {
  const schema = metaOf(doc).get('schema')
  return typeof schema === 'number' ? schema : FLOW_SCHEMA
}

/** A map at a key, or undefined if there is none. */
export const mapAt = (map: SharedMap | undefined, key: string): SharedMap | undefined => {
  const value = map?.get(key)
  return value instanceof Y.Map ? value : undefined
}
export const nodeOf = (doc: Y.Doc, id: string): SharedMap | undefined => mapAt(nodesOf(doc), id)
export const propertiesOf = (doc: Y.Doc, id: string): SharedMap | undefined => mapAt(nodeOf(doc, id), 'properties')
