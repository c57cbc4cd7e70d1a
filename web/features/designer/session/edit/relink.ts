import type * as Y from 'yjs'
import { addLink, moveNodes, removeLinks } from '#domain/flow/document/edit.ts'
import type { FlowModel, LinkModel } from '#domain/flow/document/model.ts'
import type { MovedEnd } from '../../canvas/use-connect-drag.ts'
import type { Point } from '../../model/geometry.ts'
import { leadThrough, meantOutput, newId } from './place-blocks.ts'

/** Inserts an existing block into a link, as one change; false if one of them was removed. */
export const putOnLink = (
  doc: Y.Doc,
  { nodes, links }: FlowModel,
  block: string,
  link: string,
  at: Point,
  origin: unknown,
): boolean => {
  const node = nodes.get(block)
  const parted = links.get(link)
  if (node === undefined || parted === undefined) return false
  doc.transact(() => {
    moveNodes(doc, new Map([[block, at]]), origin)
    leadThrough(doc, parted, node, origin)
  }, origin)
  return true
}

/** Ends of a link after one was moved; undefined if they cannot be joined. */
const joinedBy = (flow: FlowModel, { from, fromConnector, to, toConnector }: LinkModel, end: MovedEnd) => {
  if ('to' in end) {
    const input = flow.nodes.get(end.to)?.inputs[0]
    return input && { from, fromConnector, to: end.to, toConnector: input.id }
  }
  const output =
    end.fromConnector === undefined ? meantOutput(flow, end.from) : { from: end.from, fromConnector: end.fromConnector }
  return output && { ...output, to, toConnector }
}

/** Moves an end of a link as one change; the id that the link has then. */
export const relink = (
  doc: Y.Doc,
  flow: FlowModel,
  link: LinkModel,
  end: MovedEnd,
  origin: unknown,
): string | undefined => {
  const joined = joinedBy(flow, link, end)
  if (joined === undefined) return undefined
  const color = link.color === undefined ? {} : { color: link.color }
  return doc.transact(() => {
    removeLinks(doc, [link.id], origin)
    return addLink(doc, { id: newId(), ...joined, ...color }, origin)
  }, origin)
}
