import type { Json, NodeModel } from '#domain/flow/document/model.ts'
import { isMachineTitle } from '#domain/flow/text/machine-title.ts'
import type { Block, BlockCategory } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { type BlockSize, type Box, blockWidth, contains, type Size } from './geometry.ts'
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
