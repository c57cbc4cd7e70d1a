import * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowLink, FlowOperator } from '#schemas/flow/file.ts'
import type { Entries } from './content.ts'
import { decodeProperties } from './decode.ts'
import { mapAt } from './document.ts'
import { encodeProperties } from './encode.ts'
import { isObject, jsonEqual, own, record } from './json.ts'
import { type Shape, shapeOf } from './shape.ts'
import { mapEntries, patchMap, type SharedMap, toMap } from './shared.ts'

/** A node as it is to lie in the document. */
export interface NodeContent {
  readonly type?: string
  readonly title?: string
  readonly pos?: { readonly x: number; readonly y: number }
  readonly properties: Entries
}

const OPERATOR_MEMBERS = ['type', 'title', 'top', 'left', 'properties']
const LINK_MEMBERS = [
  'fromOperator',
  'fromConnector',
  'fromSubConnector',
  'toOperator',
  'toConnector',
  'toSubConnector',
]

/** Which link an operator's note is about: everything of it but where it starts. */
const linkKey = (link: FlowLink): readonly Json[] => [
  link.fromConnector,
  link.fromSubConnector ?? null,
  link.toOperator,
  link.toConnector,
  link.toSubConnector ?? null,
]

const keptMembers = (link: FlowLink): JsonObject =>
  record(
    Object.entries(link as JsonObject).filter(
      ([name, value]) => !LINK_MEMBERS.includes(name) && !(name === 'color' && typeof value === 'string'),
    ),
  )

const linkNotes = (outgoing: readonly FlowLink[]): NonNullable<Shape['links']> =>
  outgoing.flatMap(link => {
    const members = keptMembers(link)
    return Object.keys(members).length === 0 ? [] : [{ link: linkKey(link), members }]
  })

/** A file's operator, with the links that leave it, as a node of the document. */
export const encodeOperator = (operator: FlowOperator, outgoing: readonly FlowLink[]): NodeContent => {
  const { type, title, top, left, properties } = operator
  const pos = typeof top === 'number' && typeof left === 'number' ? { x: left, y: top } : undefined
  const extra = Object.entries(operator as JsonObject).filter(
    ([name]) => !OPERATOR_MEMBERS.includes(name) || (pos === undefined && (name === 'top' || name === 'left')),
  )
  const shape: Shape = {
    ...(properties === undefined ? { form: 'plain' } : {}),
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
  const type = node.get('type')
  const title = node.get('title')
  const pos = node.get('pos')
  const shape = shapeOf(entries)
  const properties = decodeProperties(typeof type === 'string' ? blockOf(type) : undefined, entries)
  const without = shape.form === 'plain' && Object.keys(properties).length === 0
  const members: [string, Json][] = Object.entries(shape.operator ?? {})
  if (typeof type === 'string') members.push(['type', type])
  if (typeof title === 'string') members.push(['title', title])
  if (isPos(pos)) members.push(['top', pos.y], ['left', pos.x])
  if (!without) members.push(['properties', properties])
  return record(members)
}

/** Members of a link that only the file knew. */
export const linkMembers = (node: SharedMap | undefined, link: FlowLink): JsonObject => {
  const map = mapAt(node, 'properties')
  const note = map === undefined ? undefined : shapeOf(mapEntries(map)).links
  return note?.find(entry => jsonEqual(entry.link, linkKey(link)))?.members ?? {}
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

/** Makes a node say what a file says, writing only what differs; false when it already did. */
export const patchNode = (node: SharedMap, operator: FlowOperator, outgoing: readonly FlowLink[]): boolean => {
  if (jsonEqual(decodeOperator(node) as Json, operator as Json)) return false
  const content = encodeOperator(operator, outgoing)
  patchValue(node, 'type', content.type)
  patchValue(node, 'title', content.title)
  patchValue(node, 'pos', content.pos)
  const properties = mapAt(node, 'properties')
  if (properties === undefined) node.set('properties', toMap(content.properties))
  else patchMap(properties, content.properties)
  return true
}
