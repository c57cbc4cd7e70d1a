import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { COMFORTABLE, overlaps, type Size } from '../../model/geometry.ts'
import { boxOf, contentsOf, isFrame, shapeSize } from '../../model/look.ts'

/** More blocks than this are not moved for the sake of one. */
const MAX_MOVED = 150

/** Changes that make room: blocks at new places, and frames that grow with their contents. */
export interface Room {
  readonly flow: FlowModel
  readonly moved: readonly NodeModel[]
  readonly grown: readonly (readonly [frame: string, size: Size])[]
}

/** A block and its link targets, as far as they are below it. */
const downFrom = ({ nodes, links }: FlowModel, first: NodeModel, but: string): Set<string> => {
  const outgoing = Map.groupBy(links.values(), link => link.from)
  const found = new Set([first.id])
  for (const id of found) {
    for (const { to } of outgoing.get(id) ?? []) {
      const node = nodes.get(to)
      if (to !== but && node !== undefined && node.y >= first.y) found.add(to)
    }
  }
  return found
}

/**
 * Moves a block down with its successors, and with blocks they would overlap; their relative order is unchanged. `but`
 * stays. Undefined if too many would move.
 */
export const makeRoom = (flow: FlowModel, first: NodeModel, but: string, by: number): Room | undefined => {
  const { nodes } = flow
  const going = downFrom(flow, first, but)
  const blocks = [...nodes.values()].filter(node => !isFrame(node))
  for (const id of going) {
    const node = nodes.get(id)
    if (node === undefined) continue
    if (going.size > MAX_MOVED) return undefined
    const box = boxOf(node, COMFORTABLE)
    const swept = { ...box, height: box.height + by }
    for (const other of blocks)
      if (!going.has(other.id) && other.y >= node.y && overlaps(swept, boxOf(other, COMFORTABLE))) going.add(other.id)
  }
  if (going.has(but)) return undefined
  const grown: [string, Size][] = []
  for (const frame of nodes.values()) {
    if (!isFrame(frame)) continue
    const inside = contentsOf(nodes, [frame.id], COMFORTABLE)
    if (inside.isDisjointFrom(going)) continue
    if (inside.isSubsetOf(going)) going.add(frame.id)
    else grown.push([frame.id, { ...shapeSize(frame), height: shapeSize(frame).height + by }])
  }
  const moved = [...going].flatMap(id => nodes.get(id) ?? []).map(node => ({ ...node, y: node.y + by }))
  return { flow: { ...flow, nodes: new Map([...nodes, ...moved.map(node => [node.id, node] as const)]) }, moved, grown }
}
