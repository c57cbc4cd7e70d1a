import { isMachineTitle } from '#domain/flow/machine-title.ts'
import type { NodeModel } from '#domain/flow/model.ts'
import type { BlockCategory } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { type Box, blockWidth, SIZE } from '../canvas/geometry.ts'
import type { Translate } from './label.ts'

export const categoryOf = (type: string): BlockCategory => blockOf(type)?.category ?? 'flow'
export const iconOf = (type: string): string => blockOf(type)?.icon ?? 'Puzzle'
export const typeName = (type: string, t: Translate): string => t(`block:type.${type}`, { defaultValue: type })

/** Markers, and what is shown like one: types of other makers. */
export const isMarker = (node: NodeModel): boolean => node.type === 'marker' || !node.known

export const widthOf = (node: NodeModel): number => blockWidth(node.outputs.length)
export const boxOf = (node: NodeModel): Box => ({ x: node.x, y: node.y, width: widthOf(node), height: SIZE.height })

/** The line in bold: the person's own title, or the type's name while the title is a machine's. */
export const shownTitle = (node: NodeModel, t: Translate): { readonly text: string; readonly own: boolean } =>
  isMachineTitle(node.title, node.type)
    ? { text: typeName(node.type, t), own: isMarker(node) }
    : { text: node.title, own: true }
