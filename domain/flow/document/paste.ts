import type * as Y from 'yjs'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import { encodeOperator, makeNode } from '../file/operator.ts'
import { linksOf, nodesOf } from './document.ts'
import type { Point } from './edit.ts'
import { linkId, mayLinkOften } from './link-id.ts'
import { makeLink } from './patch-flow.ts'

const shifted = (operator: FlowOperator, by: Point): FlowOperator => ({
  ...operator,
  top: Number(operator.top ?? 0) + by.y,
  left: Number(operator.left ?? 0) + by.x,
})

/**
 * Adds copied blocks with the links among them as one change. `nextId` gives a fresh id at each call.
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
      nodesOf(doc).set(id, makeNode(encodeOperator(shifted(operator, by), outgoing.get(id) ?? [])))
    }
    const types = new Map(Object.entries(file.operators).map(([old, { type }]) => [ids.get(old), type]))
    for (const link of links) {
      const type = types.get(link.fromOperator)
      const often = typeof type !== 'string' || mayLinkOften(type, link.fromConnector)
      const rule = linkId(link.fromOperator, link.fromConnector, link.fromSubConnector)
      linksOf(doc).set(
        often ? nextId() : rule,
        makeLink({
          from: link.fromOperator,
          fromConnector: link.fromConnector,
          fromSubConnector: link.fromSubConnector,
          to: link.toOperator,
          toConnector: link.toConnector,
          toSubConnector: link.toSubConnector,
          color: typeof link.color === 'string' ? link.color : undefined,
        }),
      )
    }
  }, origin)
  return [...ids.values()]
}
