import * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, packJson } from '#schemas/json.ts'
import { encodeValue } from '../file/encode.ts'
import { exportLinks } from '../file/export-flow.ts'
import { encodeOperator, makeNode, patchNode } from '../file/operator.ts'
import { choicesOf, possibleChoices } from './choice-outputs.ts'
import { defaultProperties } from './default-properties.ts'
import { linksOf, mapAt, nodeOf, nodesOf, propertiesOf, scriptOf } from './document.ts'
import { linkId, mayLinkOften, type SubConnector } from './item-id.ts'
import { type FieldPath, fieldAt, locate } from './location.ts'
import type { Choice } from './model.ts'
import { makeLink } from './patch-flow.ts'
import { readNode } from './read-flow.ts'
import { simplifyRich } from './rich-fragment.ts'
import { SHAPE } from './shape.ts'
import { fromShared, patchEntry, patchText, toShared } from './shared.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** Adds a block with all its defaults. The id is the caller's, unique in the flow. */
export const addNode = (
  doc: Y.Doc,
  node: {
    readonly id: string
    readonly type: string
    readonly title: string
    readonly properties?: JsonObject
  } & Point,
  origin: unknown,
): void => {
  const block = blockOf(node.type)
  const defaults = block === undefined ? {} : defaultProperties(block)
  const original = block?.runs === false ? {} : { titleorig: node.title }
  const properties: JsonObject = { ...defaults, ...original, ...node.properties }
  const operator = { type: node.type, title: node.title, top: node.y, left: node.x, properties }
  doc.transact(() => nodesOf(doc).set(node.id, makeNode(encodeOperator(operator, []))), origin)
}

/** Moves blocks, as one change; skips removed blocks. */
export const moveNodes = (doc: Y.Doc, places: ReadonlyMap<string, Point>, origin: unknown): void => {
  doc.transact(() => {
    for (const [id, { x, y }] of places) {
      const node = nodeOf(doc, id)
      const pos = node?.get('pos') as Point | undefined
      if (node !== undefined && (pos?.x !== x || pos.y !== y)) node.set('pos', { x, y })
    }
  }, origin)
}

export const setTitle = (doc: Y.Doc, id: string, title: string, origin: unknown): void => {
  const node = nodeOf(doc, id)
  if (node === undefined || node.get('title') === title) return
  doc.transact(() => node.set('title', title), origin)
}

/**
 * Sets a field to a value in its flow-file form; texts change by their difference, undefined removes the entry. False
 * if the block or place is missing.
 */
export const setField = (doc: Y.Doc, id: string, path: FieldPath, value: Json | undefined, origin: unknown): boolean =>
  doc.transact(() => {
    const place = locate(doc, id, path)
    if (place === undefined) return false
    if (value === undefined) place.map.delete(place.key)
    else patchEntry(place.map, place.key, encodeValue(place.field, value))
    return true
  }, origin)

/** Replaces all properties of a block (the JSON tab), writing only what differs. */
export const setProperties = (doc: Y.Doc, id: string, properties: JsonObject, origin: unknown): void => {
  const node = nodeOf(doc, id)
  if (node === undefined) return
  const pos = node.get('pos') as Point | undefined
  const operator = {
    ...(node.has('type') ? { type: String(node.get('type')) } : {}),
    ...(node.has('title') ? { title: String(node.get('title')) } : {}),
    ...(pos === undefined ? {} : { top: pos.y, left: pos.x }),
    properties,
  }
  const links = (exportLinks(doc).get(id) ?? []).map(([, link]) => link)
  doc.transact(() => patchNode(node, operator, { held: links, wanted: links }), origin)
}

const TEXT_KINDS: readonly string[] = ['rich', 'expression', 'code', 'json']

/** The shared text of a field for an editor to bind to; made if absent, undefined where it is not a text. */
export const openText = (
  doc: Y.Doc,
  id: string,
  path: FieldPath,
  origin: unknown,
): Y.Text | Y.XmlFragment | undefined =>
  doc.transact(() => {
    const kind = fieldAt(String(nodeOf(doc, id)?.get('type')), path)?.kind
    const place = kind !== undefined && TEXT_KINDS.includes(kind) ? locate(doc, id, path) : undefined
    if (place === undefined) return undefined
    const current = place.map.get(place.key)
    if (current instanceof Y.XmlFragment || current instanceof Y.Text) return current
    if (current !== undefined && typeof current !== 'string') return undefined
    const content = place.field === undefined ? undefined : encodeValue(place.field, current ?? '')
    if (content?.kind !== 'text' && content?.kind !== 'rich') return undefined
    place.map.set(place.key, toShared(content))
    const made = place.map.get(place.key)
    return made instanceof Y.XmlFragment || made instanceof Y.Text ? made : undefined
  }, origin)

/** Rebuilds a rich text from the parts the designer knows: paragraphs, marks and variables. */
export const simplifyText = (doc: Y.Doc, text: Y.XmlFragment, origin: unknown): void =>
  doc.transact(() => simplifyRich(text), origin)

/** Sets a handler's code by its difference. */
export const setScript = (doc: Y.Doc, code: string, origin: unknown): void => {
  doc.transact(() => patchText(scriptOf(doc), code), origin)
}

/** Shows an output that the block's file did not name. */
export const showOutput = (doc: Y.Doc, id: string, connector: string, label: string, origin: unknown): void => {
  doc.transact(() => {
    const properties = propertiesOf(doc, id)
    if (properties === undefined) return
    const outputs = properties.get('outputs')
    if (outputs instanceof Y.Map) {
      if (!outputs.has(connector)) outputs.set(connector, { label })
      return
    }
    const held = fromShared(outputs)
    if (outputs === undefined || held.kind !== 'value') properties.set('outputs', new Y.Map([[connector, { label }]]))
  }, origin)
}

/** Writes an item with its id in files: an item that a file had without one gets none before it has an output. */
const nameItem = (doc: Y.Doc, id: string, path: readonly string[]): void => {
  const item = path.reduce<unknown>(
    (held, key) => (held instanceof Y.Map ? held.get(key) : undefined),
    propertiesOf(doc, id),
  )
  const note = item instanceof Y.Map ? fromShared(item.get(SHAPE)) : undefined
  if (!(item instanceof Y.Map) || note?.kind !== 'value' || !isObject(note.value)) return
  const { form, ...shape } = note.value
  if (form === undefined) return
  if (Object.keys(shape).length === 0) item.delete(SHAPE)
  else item.set(SHAPE, packJson(shape))
}

/** Shows the outputs of the choices of a block that are meant. */
export const showChoices = (doc: Y.Doc, id: string, isMeant: (choice: Choice) => boolean, origin: unknown): void => {
  const node = readNode(doc, id)
  const block = blockOf(node?.type ?? '')
  if (node === undefined || block?.choiceOutputs === undefined) return
  const meant = possibleChoices(block, node.properties).filter(isMeant)
  doc.transact(() => {
    for (const { output, path } of meant) {
      if (path !== undefined) nameItem(doc, id, path)
      showOutput(doc, id, output, '', origin)
    }
  }, origin)
}

/** Shows an output for each choice that a block offers now. */
export const showOfferedChoices = (doc: Y.Doc, id: string, origin: unknown): void => {
  const node = readNode(doc, id)
  const block = blockOf(node?.type ?? '')
  if (node === undefined || block === undefined) return
  const offered = new Set(choicesOf(block, node.properties).map(({ output }) => output))
  if (offered.size > 0) showChoices(doc, id, ({ output }) => offered.has(output), origin)
}

/** Removes outputs of a block, with the links that leave by them. */
export const removeOutputs = (doc: Y.Doc, id: string, connectors: ReadonlySet<string>): void => {
  const outputs = mapAt(propertiesOf(doc, id), 'outputs')
  for (const connector of connectors) outputs?.delete(connector)
  for (const key of [...linksOf(doc).keys()]) {
    const link = mapAt(linksOf(doc), key)
    if (link?.get('from') === id && connectors.has(String(link.get('fromConnector')))) linksOf(doc).delete(key)
  }
}

/** Takes the outputs of a block's choices away, with their links. */
export const hideChoices = (doc: Y.Doc, id: string, origin: unknown): void => {
  const node = readNode(doc, id)
  const block = blockOf(node?.type ?? '')
  if (node === undefined || block === undefined) return
  const choices = possibleChoices(block, node.properties).map(({ output }) => output)
  doc.transact(() => removeOutputs(doc, id, new Set(choices)), origin)
}

interface NewLink {
  /** Used where several links may leave the output; elsewhere the rule gives the id. */
  readonly id: string
  readonly from: string
  readonly fromConnector: string
  readonly fromSubConnector?: SubConnector
  readonly to: string
  readonly toConnector: string
  readonly toSubConnector?: SubConnector
  readonly color?: string
}

/** Links an output to an input; replaces the previous link of a single-link output. Returns the link's id. */
export const addLink = (doc: Y.Doc, link: NewLink, origin: unknown): string => {
  const type = nodeOf(doc, link.from)?.get('type')
  const often = typeof type === 'string' && mayLinkOften(type, link.fromConnector)
  const id = often ? link.id : linkId(link.from, link.fromConnector, link.fromSubConnector)
  doc.transact(() => {
    if (!often) removeOthers(doc, link, id)
    if (blockOf(String(type))?.outputs.some(output => output.id === link.fromConnector)) {
      showOutput(doc, link.from, link.fromConnector, '', origin)
    }
    showChoices(doc, link.from, ({ output }) => output === link.fromConnector, origin)
    linksOf(doc).set(
      id,
      makeLink({
        ...link,
        fromSubConnector: link.fromSubConnector ?? 0,
        toSubConnector: link.toSubConnector ?? 0,
        color: link.color,
      }),
    )
  }, origin)
  return id
}

/** Files may have brought more links from one output, or under another id. */
const removeOthers = (doc: Y.Doc, link: NewLink, id: string): void => {
  for (const other of [...linksOf(doc).keys()]) {
    const map = mapAt(linksOf(doc), other)
    const same =
      map?.get('from') === link.from &&
      map.get('fromConnector') === link.fromConnector &&
      String(map.get('fromSubConnector') ?? 0) === String(link.fromSubConnector ?? 0)
    if (same && other !== id) linksOf(doc).delete(other)
  }
}

export const removeLinks = (doc: Y.Doc, ids: Iterable<string>, origin: unknown): void => {
  doc.transact(() => {
    for (const id of ids) linksOf(doc).delete(id)
  }, origin)
}

/** Removes blocks and, in the same transaction, the links that begin or end at them. */
export const removeNodes = (doc: Y.Doc, ids: Iterable<string>, origin: unknown): void => {
  const gone = new Set(ids)
  doc.transact(() => {
    for (const id of [...linksOf(doc).keys()]) {
      const link = mapAt(linksOf(doc), id)
      if (gone.has(String(link?.get('from'))) || gone.has(String(link?.get('to')))) linksOf(doc).delete(id)
    }
    for (const id of gone) nodesOf(doc).delete(id)
  }, origin)
}
