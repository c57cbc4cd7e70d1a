import type * as Y from 'yjs'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import { isObject, own, record } from '#schemas/json.ts'
import { encodeOperator, makeNode } from '../file/operator.ts'
import { linksOf, nodesOf } from './document.ts'
import type { Point } from './edit.ts'
import { linkId, mayLinkOften } from './item-id.ts'
import { endsOf, makeLink } from './patch-flow.ts'

const shifted = (operator: FlowOperator, by: Point): FlowOperator => ({
  ...operator,
  top: Number(operator.top ?? 0) + by.y,
  left: Number(operator.left ?? 0) + by.x,
})

type Ids = ReadonlyMap<string, string>

/** The value with references to copied blocks, at any depth, replaced by those to their copies. */
const retargeted = (field: BlockField | undefined, value: Json, ids: Ids): Json => {
  if (field?.kind === 'reference' && field.to === 'block' && typeof value === 'string') return ids.get(value) ?? value
  if (field?.kind === 'group' && isObject(value)) return retargetedMembers(field.fields, value, ids)
  if (field?.kind !== 'list') return value
  const ofItem = (item: Json) => (isObject(item) ? retargetedMembers(field.item, item, ids) : item)
  if (Array.isArray(value)) return value.map(ofItem)
  return isObject(value) ? record(Object.entries(value).map(([key, item]) => [key, ofItem(item)])) : value
}

const retargetedMembers = (fields: BlockFields, values: JsonObject, ids: Ids): JsonObject =>
  record(Object.entries(values).map(([name, value]) => [name, retargeted(own(fields, name), value, ids)]))

const withCopiedTargets = (operator: FlowOperator, ids: Ids): FlowOperator => {
  const fields = typeof operator.type === 'string' ? blockOf(operator.type)?.fields : undefined
  if (fields === undefined || operator.properties === undefined) return operator
  return { ...operator, properties: retargetedMembers(fields, operator.properties, ids) }
}

/**
 * Adds copied blocks with the links among them as one change; jumps between them lead to the copies. `nextId` gives a
 * fresh id at each call.
 * Answers the new ids, in the file's order.
 */
export const paste = (
  doc: Y.Doc,
  file: FlowFile,
  by: Point,
  nextId: () => string,
  origin: unknown,
): readonly string[] => {
  const ids = new Map(Object.keys(file.operators).map(id => [id, nextId()]))
  const links = Object.values(file.links).flatMap(link => {
    const from = ids.get(link.fromOperator)
    const to = ids.get(link.toOperator)
    return from === undefined || to === undefined ? [] : [{ ...link, fromOperator: from, toOperator: to }]
  })
  doc.transact(() => {
    const outgoing = Map.groupBy(links, link => link.fromOperator)
    for (const [old, operator] of Object.entries(file.operators)) {
      const id = ids.get(old) ?? old
      nodesOf(doc).set(
        id,
        makeNode(encodeOperator(withCopiedTargets(shifted(operator, by), ids), outgoing.get(id) ?? [])),
      )
    }
    const types = new Map(Object.entries(file.operators).map(([old, { type }]) => [ids.get(old), type]))
    for (const link of links) {
      const type = types.get(link.fromOperator)
      const often = typeof type !== 'string' || mayLinkOften(type, link.fromConnector)
      const rule = linkId(link.fromOperator, link.fromConnector, link.fromSubConnector)
      linksOf(doc).set(often ? nextId() : rule, makeLink(endsOf(link)))
    }
  }, origin)
  return [...ids.values()]
}
