import type { ReactNode } from 'react'
import type { FlowModel, Json, NodeModel } from '#domain/flow/document/model.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import type { Block, BlockCategory } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { type BlockSize, type Box, blockWidth, contains, type Point, type Size } from './geometry.ts'
import type { Translate } from './label.ts'

export const categoryOf = (type: string): BlockCategory => blockOf(type)?.category ?? 'flow'
export const iconOf = (type: string): string => blockOf(type)?.icon ?? 'Puzzle'
export const typeName = (type: string, t: Translate): string => t(`block:type.${type}`, { defaultValue: type })

/** Markers, and what is shown like one: types of other makers. */
export const isMarker = (node: NodeModel): boolean => node.type === 'marker' || !node.known

export const shapeOf = (node: NodeModel): Block['shape'] => blockOf(node.type)?.shape
export const isFrame = (node: NodeModel): boolean => shapeOf(node) === 'frame'

/** Maximum in the block's declaration; a file may exceed it. */
const LARGEST = 20_000

const least = (value: Json | undefined, smallest: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(LARGEST, Math.max(smallest, value)) : smallest

/** Sheets and frames say how large they are. */
export const shapeSize = ({ properties }: NodeModel): Size => ({
  width: least(properties.width, 80),
  height: least(properties.height, 60),
})

/** As large as every block, but for sheets and frames. */
export const sizeOf = (node: NodeModel, size: BlockSize): Size =>
  shapeOf(node) === undefined ? { width: blockWidth(node.outputs.length, size), height: size.height } : shapeSize(node)
export const boxOf = (node: NodeModel, size: BlockSize): Box => ({ x: node.x, y: node.y, ...sizeOf(node, size) })

/** Blocks fully inside the frames, other frames included; without the frames themselves. */
export const contentsOf = (
  nodes: ReadonlyMap<string, NodeModel>,
  frames: Iterable<string>,
  size: BlockSize,
): ReadonlySet<string> => {
  const inside = new Set<string>()
  for (const id of frames) {
    const frame = nodes.get(id)
    if (frame === undefined || !isFrame(frame)) continue
    const room = boxOf(frame, size)
    for (const node of nodes.values()) if (node !== frame && contains(room, boxOf(node, size))) inside.add(node.id)
  }
  for (const id of frames) inside.delete(id)
  return inside
}

/** The line in bold: the person's own title, or the type's name while the title is a machine's. */
export const shownTitle = (node: NodeModel, t: Translate): { readonly text: string; readonly own: boolean } =>
  isMachineTitle(node.title, node.type)
    ? { text: typeName(node.type, t), own: isMarker(node) }
    : { text: node.title, own: true }

/** Difference of a block or link from another moment; used by history only. */
export interface Decoration {
  readonly kind: 'added' | 'changed' | 'removed'
  /** Old place of a moved block: drawn as a ghost with an arrow to its new one. */
  readonly from?: Point
  /** Shown instead of the preview lines: a word difference. */
  readonly text?: ReactNode
  /** Shown instead of the title. */
  readonly title?: ReactNode
}

export type Badge = 'warning' | 'error'

/**
 * Mark of conversation activity on a link: already walked, walked later, or the number of people; of two drawings: taken in
 * both, in today's alone, or in the draft alone.
 */
export interface LinkMark {
  readonly kind: 'walked' | 'later' | 'people' | 'both' | 'today' | 'after'
  /** Flow pixels; without one as wide as its kind is. */
  readonly width?: number
}

/** A block that ran, and the output that it left by; null where it waits or the dialog ends. */
export interface LinkStep {
  readonly block: string
  readonly out: string | null
}

/** Walked links, by the outputs of the steps; `later` only if not walked before. */
export const traversedLinks = (
  { links }: FlowModel,
  walked: readonly LinkStep[],
  later: readonly LinkStep[] = [],
): ReadonlyMap<string, LinkMark> => {
  const keyOf = (block: string, connector: string) => `${block} ${connector}`
  const keys = (steps: readonly LinkStep[]) =>
    new Set(steps.flatMap(({ block, out }) => (out === null ? [] : [keyOf(block, out)])))
  const before = keys(walked)
  const after = keys(later)
  const marks = new Map<string, LinkMark>()
  for (const [id, { from, fromConnector }] of links) {
    const key = keyOf(from, fromConnector)
    if (before.has(key)) marks.set(id, { kind: 'walked' })
    else if (after.has(key)) marks.set(id, { kind: 'later' })
  }
  return marks
}

/** Number of visits to a block. A step that continues after a wait, as with an answer, is the same visit. */
export const visitCount = (steps: readonly { readonly frame: number; readonly out: string | null }[]): number =>
  steps.filter(({ frame, out }, at) => {
    const before = steps[at - 1]
    return !(out !== null && before !== undefined && before.out === null && before.frame === frame)
  }).length

/** Another person in the room. */
export interface Peer {
  readonly client: number
  readonly id: string
  readonly name: string
  /** '1' to '8', a person color of the theme. */
  readonly color: string
  readonly viewer: boolean
}

/** Pointer of a person in flow coordinates. `over` is relative to a block, whose size may differ for each person. */
export interface Cursor extends Point {
  readonly over?: { readonly block: string; readonly across: number; readonly down: number } | undefined
}
