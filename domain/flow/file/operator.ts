import * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowLink, FlowOperator } from '#schemas/flow/file.ts'
import { isObject, jsonEqual, own, record } from '#schemas/json.ts'
import { mapAt } from '../document/document.ts'
import type { Entries } from '../document/model.ts'
import { DEFAULT_TYPE, SHAPE, type Shape, shapeOf } from '../document/shape.ts'
import { fromShared, mapEntries, patchMap, type SharedMap, toMap } from '../document/shared.ts'
import { decodeProperties } from './decode.ts'
import { encodeProperties } from './encode.ts'

/** Content of a node for the document. */
interface NodeContent {
  readonly type?: string
  readonly title?: string
  readonly pos?: { readonly x: number; readonly y: number }
  readonly properties: Entries
}

const OPERATOR_MEMBERS = ['type', 'title', 'top', 'left', 'properties']
const PARTS = ['type', 'title', 'pos'] as const

const LINK_MEMBERS = [
  'fromOperator',
  'fromConnector',
  'fromSubConnector',
  'toOperator',
  'toConnector',
  'toSubConnector',
]

/** Which link an operator's note is about: everything of it but where it starts. */
const endsKey = (link: FlowLink): string =>
  JSON.stringify([
    link.fromConnector,
    link.fromSubConnector ?? null,
    link.toOperator,
    link.toConnector,
    link.toSubConnector ?? null,
  ])
const colorOf = (link: FlowLink): string | null => (typeof link.color === 'string' ? link.color : null)

const keptMembers = (link: FlowLink): JsonObject =>
  record(
    Object.entries(link as JsonObject).filter(
      ([name, value]) => !LINK_MEMBERS.includes(name) && !(name === 'color' && typeof value === 'string'),
    ),
  )

const linkNotes = (outgoing: readonly FlowLink[]): NonNullable<Shape['links']> =>
  outgoing.flatMap(link => {
    const members = keptMembers(link)
    return Object.keys(members).length === 0 ? [] : [{ link: endsKey(link), color: colorOf(link), members }]
  })

/** A file's operator, with the links that leave it, as a node of the document. */
export const encodeOperator = (operator: FlowOperator, outgoing: readonly FlowLink[]): NodeContent => {
  const { type, title, top, left, properties } = operator
  const pos = typeof top === 'number' && typeof left === 'number' ? { x: left, y: top } : undefined
  const extra = Object.entries(operator as JsonObject).filter(
    ([name]) => !OPERATOR_MEMBERS.includes(name) || (pos === undefined && (name === 'top' || name === 'left')),
  )
  const parts = { type, title, pos }
  const shape: Shape = {
    ...(properties === undefined ? { form: 'plain' } : {}),
    missing: PARTS.filter(name => parts[name] === undefined),
    ...(extra.length === 0 ? {} : { operator: record(extra) }),
    links: linkNotes(outgoing),
  }
  const known = typeof type === 'string' ? blockOf(type) : undefined
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(pos === undefined ? {} : { pos }),
    properties: encodeProperties(known, properties ?? {}, shape),
  }
}

const isPos = (pos: unknown): pos is { x: number; y: number } =>
  isObject(pos) && typeof own(pos, 'x') === 'number' && typeof own(pos, 'y') === 'number'

/** A node of the document as a file's operator; the inverse of `encodeOperator`. */
export const decodeOperator = (node: SharedMap): FlowOperator => {
  const map = mapAt(node, 'properties')
  const entries: Entries = map === undefined ? new Map() : mapEntries(map)
  const shape = shapeOf(entries)
  const partOf = (name: (typeof PARTS)[number], byDefault: Json) =>
    node.get(name) ?? (shape.missing?.includes(name) ? undefined : byDefault)
  const type = partOf('type', DEFAULT_TYPE)
  const title = partOf('title', '')
  const pos = partOf('pos', { x: 0, y: 0 })
  const properties = decodeProperties(typeof type === 'string' ? blockOf(type) : undefined, entries)
  const without = shape.form === 'plain' && Object.keys(properties).length === 0
  const members: [string, Json][] = Object.entries(shape.operator ?? {})
  if (typeof type === 'string') members.push(['type', type])
  if (typeof title === 'string') members.push(['title', title])
  if (isPos(pos)) members.push(['top', pos.y], ['left', pos.x])
  if (!without) members.push(['properties', properties])
  return record(members)
}

/** The note of a node, without reading the rest of it. */
const noteOf = (node: SharedMap | undefined): Shape => {
  const note = mapAt(node, 'properties')?.get(SHAPE)
  return note === undefined ? {} : shapeOf(new Map([[SHAPE, fromShared(note)]]))
}

/** Links that leave a node with the members that only the file knew; of equal ends, equal colours go first. */
export const withMembers = (node: SharedMap | undefined, outgoing: readonly FlowLink[]): readonly FlowLink[] => {
  const notes = noteOf(node).links ?? []
  if (notes.length === 0) return outgoing
  const queues = Map.groupBy(notes, ({ link }) => link)
  for (const queue of queues.values()) queue.reverse()
  const take = (link: FlowLink, colored: boolean): JsonObject | undefined => {
    const queue = queues.get(endsKey(link)) ?? []
    const color = colorOf(link)
    const at = colored ? queue.findLastIndex(note => note.color === color) : queue.length - 1
    return at === -1 ? undefined : queue.splice(at, 1)[0]?.members
  }
  const first = outgoing.map(link => take(link, true))
  return outgoing.map((link, index) => ({ ...first[index], ...(first[index] ? {} : take(link, false)), ...link }))
}

/** A new node's map. */
export const makeNode = (content: NodeContent): SharedMap => {
  const node: SharedMap = new Y.Map()
  if (content.type !== undefined) node.set('type', content.type)
  if (content.title !== undefined) node.set('title', content.title)
  if (content.pos !== undefined) node.set('pos', { x: content.pos.x, y: content.pos.y })
  node.set('properties', toMap(content.properties))
  return node
}

const patchValue = (map: SharedMap, key: string, value: Json | undefined) => {
  if (value === undefined) {
    if (map.has(key)) map.delete(key)
  } else if (!jsonEqual(map.get(key) as Json, value)) map.set(key, value)
}

const noted = (links: readonly FlowLink[]): readonly string[] =>
  linkNotes(links)
    .map(note => JSON.stringify(note))
    .sort()

/**
 * Makes a node say what a file says, writing only what differs. `held` are the links that leave it now, `wanted` the
 * file's, both with all their members.
 */
export const patchNode = (
  node: SharedMap,
  operator: FlowOperator,
  links: { readonly held: readonly FlowLink[]; readonly wanted: readonly FlowLink[] },
): void => {
  const sameNotes = jsonEqual(noted(links.held), noted(links.wanted))
  if (sameNotes && jsonEqual(decodeOperator(node) as Json, operator as Json)) return
  const content = encodeOperator(operator, links.wanted)
  patchValue(node, 'type', content.type)
  patchValue(node, 'title', content.title)
  patchValue(node, 'pos', content.pos)
  const properties = mapAt(node, 'properties')
  if (properties === undefined) node.set('properties', toMap(content.properties))
  else patchMap(properties, content.properties)
}
