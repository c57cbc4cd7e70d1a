import * as Y from 'yjs'
import type { Json } from '#schemas/event.ts'
import type { FlowFile, FlowLink } from '#schemas/flow/file.ts'
import { own } from '#schemas/json.ts'
import { exportLinks } from '../file/export-flow.ts'
import { encodeOperator, makeNode, patchNode } from '../file/operator.ts'
import { createFlow, linksOf, mapAt, nodeOf, nodesOf } from './document.ts'
import { freeLinkIds, linkId } from './item-id.ts'
import { readLink } from './read-flow.ts'
import type { SharedMap } from './shared.ts'

const END_KEYS = ['fromConnector', 'fromSubConnector', 'to', 'toConnector', 'toSubConnector'] as const

interface Ends {
  readonly from: string
  readonly fromConnector: string
  readonly fromSubConnector: Json | undefined
  readonly to: string
  readonly toConnector: string
  readonly toSubConnector: Json | undefined
  readonly color: string | undefined
}

export const endsOf = (link: FlowLink): Ends => ({
  from: link.fromOperator,
  fromConnector: link.fromConnector,
  fromSubConnector: link.fromSubConnector,
  to: link.toOperator,
  toConnector: link.toConnector,
  toSubConnector: link.toSubConnector,
  color: typeof link.color === 'string' ? link.color : undefined,
})

const keyOf = (ends: Ends): string => JSON.stringify([ends.from, ...END_KEYS.map(key => [ends[key]])])

/** A new link's map; absent members stay absent. */
export const makeLink = (ends: Ends): SharedMap => {
  const link: SharedMap = new Y.Map()
  link.set('from', ends.from)
  for (const key of END_KEYS) if (ends[key] !== undefined) link.set(key, ends[key])
  if (ends.color !== undefined) link.set('color', ends.color)
  return link
}

const patchColor = (link: SharedMap, color: string | undefined) => {
  if (link.get('color') === color) return
  if (color === undefined) link.delete('color')
  else link.set('color', color)
}

/** Makes the links in `scope` those of the file; keeps existing ones, under any id. */
const patchLinks = (doc: Y.Doc, wanted: readonly FlowLink[], scope: (from: string, to: string) => boolean): void => {
  const links = linksOf(doc)
  const held = new Map<string, string[]>()
  for (const id of [...links.keys()]) {
    const link = readLink(doc, id)
    if (link === undefined || !scope(link.from, link.to)) continue
    const key = keyOf(link)
    const same = held.get(key)
    if (same === undefined) held.set(key, [id])
    else same.push(id)
  }
  for (const ids of held.values()) ids.reverse()
  const heldBy = (key: string) => held.get(key)?.pop()
  const missing: Ends[] = []
  for (const link of wanted) {
    const ends = endsOf(link)
    const id = heldBy(keyOf(ends))
    const map = id === undefined ? undefined : mapAt(links, id)
    if (map === undefined) missing.push(ends)
    else patchColor(map, ends.color)
  }
  for (const ids of held.values()) for (const id of ids) links.delete(id)
  const freeId = freeLinkIds(id => links.has(id))
  for (const ends of missing) {
    const rule = linkId(ends.from, ends.fromConnector, ends.fromSubConnector as string | number | null | undefined)
    links.set(freeId(rule), makeLink(ends))
  }
}

const outgoingOf = (file: FlowFile): ReadonlyMap<string, readonly FlowLink[]> =>
  Map.groupBy(Object.values(file.links), link => link.fromOperator)

const connectsNodes = (doc: Y.Doc) => (link: FlowLink) =>
  nodeOf(doc, link.fromOperator) !== undefined && nodeOf(doc, link.toOperator) !== undefined

const patchNodes = (doc: Y.Doc, file: FlowFile, ids: Iterable<string>): void => {
  const outgoing = outgoingOf(file)
  const leaving = exportLinks(doc)
  for (const id of ids) {
    const operator = own(file.operators, id)
    const node = nodeOf(doc, id)
    const links = outgoing.get(id) ?? []
    if (operator === undefined) {
      if (nodesOf(doc).has(id)) nodesOf(doc).delete(id)
    } else if (node === undefined) nodesOf(doc).set(id, makeNode(encodeOperator(operator, links)))
    else patchNode(node, operator, { held: (leaving.get(id) ?? []).map(([, link]) => link), wanted: links })
  }
}

/** Removes links of blocks that are going, while their ends can still be read. */
const removeLinksOf = (doc: Y.Doc, gone: ReadonlySet<string>): void => {
  for (const id of [...linksOf(doc).keys()]) {
    const link = mapAt(linksOf(doc), id)
    if (gone.has(String(link?.get('from'))) || gone.has(String(link?.get('to')))) linksOf(doc).delete(id)
  }
}

const missingFrom = (file: FlowFile, ids: Iterable<string>): ReadonlySet<string> =>
  new Set([...ids].filter(id => !Object.hasOwn(file.operators, id)))

/** Makes the document say what the file says, in place and as one change; the same flow again writes nothing. */
export const patchFlow = (doc: Y.Doc, file: FlowFile, origin: unknown): void => {
  doc.transact(() => {
    const ids = [...nodesOf(doc).keys()]
    removeLinksOf(doc, missingFrom(file, ids))
    patchNodes(doc, file, new Set([...ids, ...Object.keys(file.operators)]))
    patchLinks(doc, Object.values(file.links).filter(connectsNodes(doc)), () => true)
  }, origin)
}

/** Brings chosen blocks back as the file has them, removed where it lacks them, with the links that touch them. */
export const patchBlocks = (doc: Y.Doc, file: FlowFile, ids: Iterable<string>, origin: unknown): void => {
  const chosen = new Set(ids)
  const touches = (from: string, to: string) => chosen.has(from) || chosen.has(to)
  doc.transact(() => {
    removeLinksOf(doc, missingFrom(file, chosen))
    patchNodes(doc, file, chosen)
    const wanted = Object.values(file.links).filter(link => touches(link.fromOperator, link.toOperator))
    patchLinks(doc, wanted.filter(connectsNodes(doc)), touches)
  }, origin)
}

/** A new document of a file. */
export const importFlow = (file: FlowFile): Y.Doc => {
  const doc = createFlow()
  patchFlow(doc, file, 'import')
  return doc
}
