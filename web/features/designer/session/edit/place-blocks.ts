import type * as Y from 'yjs'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode, moveNodes, removeLinks, setField, showOfferedChoices } from '#domain/flow/document/edit.ts'
import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { paste } from '#domain/flow/document/paste.ts'
import { patchFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow, readNode } from '#domain/flow/document/read-flow.ts'
import { openOutputs } from '#domain/flow/graph/open-outputs.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { collisionFreeShift, type Placed } from '../../canvas/collision-free-shift.ts'
import { portPoint } from '../../canvas/link-plan.ts'
import type { OutputRef } from '../../canvas/use-link-drag.ts'
import { boxOf, contentsOf, isFrame, shapeSize } from '../../model/block-appearance.ts'
import {
  type Box,
  bounds,
  COMFORTABLE,
  centerOf,
  isJump,
  overlaps,
  type Point,
  SIZE,
  type Size,
} from '../../model/geometry.ts'

/** More blocks than this are not moved for the sake of one. */
const MAX_MOVED = 150

/** Changes that make room: blocks at new places, and frames that grow with their contents. */
interface Room {
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
const makeRoom = (flow: FlowModel, first: NodeModel, but: string, by: number): Room | undefined => {
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

/** Typical tag size, and the first tag's offset from its block. Flow pixels. */
const TAG = { right: 12, down: 10, width: 120, height: 26 }

/** Space right of blocks for the tags of their far links: placed blocks do not cover it. */
export const linkTagBoxes = ({ nodes, links }: FlowModel): readonly Placed[] => {
  const counts = new Map<NodeModel, number>()
  for (const { from, fromConnector, to } of links.values()) {
    const source = nodes.get(from)
    const target = nodes.get(to)
    if (source === undefined || target === undefined) continue
    if (!isJump(portPoint(source, fromConnector, source, COMFORTABLE), boxOf(target, COMFORTABLE))) continue
    counts.set(source, (counts.get(source) ?? 0) + 1)
  }
  return [...counts].map(([source, count]) => {
    const { x, y, width } = boxOf(source, COMFORTABLE)
    return {
      isFrame: false,
      box: { x: x + width + TAG.right, y: y + TAG.down, width: TAG.width, height: count * TAG.height },
    }
  })
}

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid
/** Offset of a copy right of and below its origin, if free. Flow pixels. */
const ASIDE = 2 * SIZE.grid

export const newId = () => `n${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`

/** Shared block sizes, independent of this person's display: placement uses them. */
const placed = (node: NodeModel): Placed => ({ box: boxOf(node, COMFORTABLE), isFrame: isFrame(node) })
const placedIn = (flow: FlowModel) => [...[...flow.nodes.values()].map(placed), ...linkTagBoxes(flow)]

/** The blocks of a file, as they are drawn. */
export const blocksOf = (file: FlowFile): readonly NodeModel[] => {
  const read = createFlow()
  patchFlow(read, file, 'read')
  const { nodes } = readFlow(read)
  read.destroy()
  return [...nodes.values()]
}

/**
 * Puts copied blocks around a point, or beside where they were, in their own shape and on top of nothing; their new ids.
 * `blocks` are those of the file.
 */
export const insertCopiedBlocks = (
  doc: Y.Doc,
  flow: FlowModel,
  file: FlowFile,
  blocks: readonly NodeModel[],
  around: Point | undefined,
  origin: unknown,
): readonly string[] => {
  const group = blocks.map(placed)
  const all = bounds(group.map(({ box }) => box))
  if (all === undefined) return []
  const middle = centerOf(all)
  const wish = around === undefined ? { x: ASIDE, y: ASIDE } : { x: around.x - middle.x, y: around.y - middle.y }
  return paste(doc, file, collisionFreeShift(wish, group, placedIn(flow)), newId, origin)
}

/** Whether one comes after another as a flow runs: below it, or at its right and no higher. */
const comesAfter = ({ x, y }: Point, source: Box): boolean =>
  y >= source.y + source.height || (x >= source.x + source.width && y >= source.y)

/**
 * Adds a block at a place, or at the nearest one where it covers nothing, within a change of the caller's; one that is
 * wished for after its source is after it in either case.
 */
const putAt = (
  doc: Y.Doc,
  flow: FlowModel,
  block: { readonly id: string; readonly type: string; readonly title: string },
  wish: Point,
  source: NodeModel | undefined,
  origin: unknown,
): NodeModel | undefined => {
  addNode(doc, { ...block, x: onGrid(wish.x), y: onGrid(wish.y) }, origin)
  showOfferedChoices(doc, block.id, origin)
  const made = readNode(doc, block.id)
  if (made === undefined) return undefined
  const sourceBox = source && boxOf(source, COMFORTABLE)
  const isMeant = (by: Point) =>
    sourceBox === undefined ||
    !comesAfter(made, sourceBox) ||
    comesAfter({ x: made.x + by.x, y: made.y + by.y }, sourceBox)
  const { x, y } = collisionFreeShift({ x: 0, y: 0 }, [placed(made)], placedIn(flow), isMeant)
  moveNodes(doc, new Map([[made.id, { x: made.x + x, y: made.y + y }]]), origin)
  return made
}

/** A block to add; `properties` beside its defaults. */
interface NewBlock {
  readonly type: string
  readonly title: string
  readonly properties?: JsonObject
}

/** Adds a block, linked from `after` if possible, replacing its link; returns its id. */
export const insertBlock = (
  doc: Y.Doc,
  flow: FlowModel,
  block: NewBlock,
  wish: Point,
  after: OutputRef | undefined,
  origin: unknown,
): string => {
  const id = newId()
  doc.transact(() => {
    const input = putAt(doc, flow, { id, ...block }, wish, flow.nodes.get(after?.from ?? ''), origin)?.inputs[0]
    if (after !== undefined && input !== undefined)
      addLink(doc, { id: newId(), ...after, to: id, toConnector: input.id }, origin)
  }, origin)
  return id
}

/** A block that was added after another one, and how they are joined. */
export interface Added {
  readonly id: string
  /**
   * `kept`: the output leads where it led, for nothing leads on from the new block. `closed`: nothing can lead to the new
   * block. `apart`: there is nothing to join.
   */
  readonly how: 'after' | 'between' | 'kept' | 'closed' | 'apart'
  /** Previous link target. */
  readonly target?: string
}

/** The one link that leaves this output; of an output that many may leave, none. */
const linkFrom = ({ nodes, links }: FlowModel, { from, fromConnector }: OutputRef): LinkModel | undefined => {
  const output = nodes.get(from)?.outputs.find(({ id }) => id === fromConnector)
  if (output?.multiple === true) return undefined
  return [...links.values()].find(link => link.from === from && link.fromConnector === fromConnector)
}

/** Default output to continue from: the first without a link, else the first. */
export const preferredOutput = (flow: FlowModel, block: string): OutputRef | undefined => {
  const outputs = (flow.nodes.get(block)?.outputs ?? []).map(({ id }) => ({ from: block, fromConnector: id }))
  return outputs.find(output => linkFrom(flow, output) === undefined) ?? outputs[0]
}

/** Outputs of blocks that run and lead nowhere yet. */
const openEnds = ({ nodes, links }: FlowModel): OutputRef[] => {
  const linked = new Set([...links.values()].map(({ from, fromConnector }) => JSON.stringify([from, fromConnector])))
  return [...nodes.values()]
    .filter(({ type }) => blockOf(type)?.runs === true)
    .flatMap(node =>
      openOutputs(node, output => linked.has(JSON.stringify([node.id, output]))).map(output => ({
        from: node.id,
        fromConnector: output.id,
      })),
    )
}

/** Predecessor of a new block without a selection: the flow's only open end, if there is exactly one. */
export const onlyOpenEnd = (flow: FlowModel, type: string): InsertionPoint | undefined => {
  const block = blockOf(type)
  if (block?.runs !== true || !block.hasInput) return undefined
  const [output, other] = openEnds(flow)
  const source = other === undefined ? flow.nodes.get(output?.from ?? '') : undefined
  return source && { source, output }
}

/** Room for one more block between two, from the upper one's bottom to the lower one's top. Flow pixels. */
const ROOM = COMFORTABLE.height + 2 * ASIDE

const wishAfter = (source: NodeModel, target: NodeModel | undefined): Point => {
  const { x, y, height } = boxOf(source, COMFORTABLE)
  const gap = target === undefined ? 0 : target.y - y - height
  if (target === undefined || gap < ROOM) return { x, y: y + height + ASIDE }
  return { x: (x + target.x) / 2, y: y + height + (gap - COMFORTABLE.height) / 2 }
}

/** Moves the blocks below down for an inserted block, if the gap is too small. */
const roomBetween = (flow: FlowModel, source: NodeModel, target: NodeModel | undefined): Room | undefined => {
  if (target === undefined) return undefined
  const { y, height } = boxOf(source, COMFORTABLE)
  const gap = target.y - y - height
  const missing = Math.ceil((ROOM - gap) / SIZE.grid) * SIZE.grid
  return gap < 0 || missing <= 0 ? undefined : makeRoom(flow, target, source.id, missing)
}

/** Predecessor of a new block: a block, one of its outputs, or one of its outgoing links. */
export interface InsertionPoint {
  readonly source: NodeModel
  readonly output?: OutputRef | undefined
  readonly link?: LinkModel | undefined
}

const joinOf = (type: string, { output }: InsertionPoint, before: LinkModel | undefined): Added['how'] => {
  const block = blockOf(type)
  if (output === undefined || block?.runs !== true) return 'apart'
  if (!block.hasInput) return 'closed'
  if (before === undefined) return 'after'
  return block.hasOutput ? 'between' : 'kept'
}

/** Leads a link to a block instead, and that block's first output for any answer to where the link led. */
export const insertIntoLink = (
  doc: Y.Doc,
  link: LinkModel,
  { id, inputs, outputs }: NodeModel,
  origin: unknown,
): void => {
  const [input] = inputs
  const onward = outputs.find(({ choice }) => choice === undefined)
  if (input === undefined || onward === undefined) return
  const { from, fromConnector, to, toConnector, toSubConnector, color } = link
  const end = { to, toConnector, toSubConnector, ...(color === undefined ? {} : { color }) }
  removeLinks(doc, [link.id], origin)
  addLink(doc, { id: newId(), from: id, fromConnector: onward.id, ...end }, origin)
  addLink(doc, { id: newId(), from, fromConnector, to: id, toConnector: input.id }, origin)
}

/**
 * Adds a block after another one as one change; the output's old target then follows the new block, and moves down for
 * it.
 */
export const insertBlockAfter = (
  doc: Y.Doc,
  flow: FlowModel,
  block: NewBlock,
  after: InsertionPoint,
  origin: unknown,
): Added => {
  const { source, output } = after
  const before = after.link ?? (output === undefined ? undefined : linkFrom(flow, output))
  const how = joinOf(block.type, after, before)
  const id = newId()
  doc.transact(() => {
    const target = how === 'between' ? flow.nodes.get(before?.to ?? '') : undefined
    const room = roomBetween(flow, source, target)
    moveNodes(doc, new Map(room?.moved.map(node => [node.id, node])), origin)
    for (const [frame, { height }] of room?.grown ?? []) setField(doc, frame, ['height'], height, origin)
    const around = room?.flow ?? flow
    const wish = wishAfter(source, target && around.nodes.get(target.id))
    const made = putAt(doc, around, { id, ...block }, wish, around.nodes.get(source.id), origin)
    const input = made?.inputs[0]
    if (output === undefined || input === undefined || !(how === 'between' || how === 'after')) return
    if (before !== undefined && made !== undefined && made.outputs.length > 0)
      return insertIntoLink(doc, before, made, origin)
    addLink(doc, { id: newId(), ...output, to: id, toConnector: input.id }, origin)
  }, origin)
  return { id, how, ...(before === undefined ? {} : { target: before.to }) }
}
