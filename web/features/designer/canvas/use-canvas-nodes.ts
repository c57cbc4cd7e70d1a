import type { NodeChange, OnNodesChange } from '@xyflow/react'
import { useCallback, useEffect, useState } from 'react'
import type { FlowModel } from '#domain/flow/model.ts'
import { widthOf } from '../model/look.ts'
import type { BlockNodeType } from './block-node.tsx'
import type { CanvasState, Selection } from './canvas-context.ts'
import { SIZE } from './geometry.ts'

const NO_DATA: Record<string, never> = {}
const NO_HANDLES: [] = []
const LIFTED = 1

const nodeFor = (state: CanvasState, id: string, before: BlockNodeType | undefined): BlockNodeType | undefined => {
  const model = state.flow.get().nodes.get(id)
  if (model === undefined) return undefined
  const position = state.positions.get(id)
  const width = widthOf(model)
  const selected = state.selection.get().blocks.has(id)
  // Above those it is carried over, whoever carries it.
  const zIndex = state.positions.lifted(id) ? LIFTED : 0
  const same =
    before?.position.x === position.x &&
    before.position.y === position.y &&
    before.width === width &&
    before.zIndex === zIndex &&
    before.selected === selected
  if (same) return before
  // Sizes are known beforehand, so React Flow has nothing to measure.
  const measured = { width, height: SIZE.height }
  return { id, type: 'block', position, data: NO_DATA, ...measured, measured, handles: NO_HANDLES, selected, zIndex }
}

const rebuilt = (state: CanvasState, before: readonly BlockNodeType[]): BlockNodeType[] => {
  const known = new Map(before.map(node => [node.id, node]))
  return [...state.flow.get().nodes.keys()].flatMap(id => nodeFor(state, id, known.get(id)) ?? [])
}

const refreshed = (state: CanvasState, before: BlockNodeType[], ids: ReadonlySet<string>): BlockNodeType[] =>
  before.map(node => (ids.has(node.id) ? (nodeFor(state, node.id, node) ?? node) : node))

/** Blocks whose presence in a set changed. */
const toggled = (before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> =>
  before.symmetricDifference(after)

const selectionAfter = (before: Selection, changes: readonly NodeChange<BlockNodeType>[]): Selection => {
  const blocks = new Set(before.blocks)
  for (const change of changes) {
    if (change.type !== 'select') continue
    if (change.selected) blocks.add(change.id)
    else blocks.delete(change.id)
  }
  if (toggled(before.blocks, blocks).size === 0) return before
  return { blocks, links: blocks.size === 0 ? before.links : new Set() }
}

/**
 * React Flow's nodes, kept in step with the flow, with where blocks are drawn and with the selection. A drag does not
 * come in here: `onDrag` decides where the blocks go.
 */
export const useCanvasNodes = (
  state: CanvasState,
  onDrag: (changes: readonly NodeChange<BlockNodeType>[]) => void,
): { readonly nodes: BlockNodeType[]; readonly onNodesChange: OnNodesChange<BlockNodeType> } => {
  const [nodes, setNodes] = useState(() => rebuilt(state, []))
  useEffect(() => {
    let model: FlowModel = state.flow.get()
    let blocks = state.selection.get().blocks
    setNodes(before => rebuilt(state, before))
    const stops = [
      state.positions.onMoved(ids => setNodes(before => refreshed(state, before, ids))),
      state.flow.subscribe(() => {
        const nodesBefore = model.nodes
        model = state.flow.get()
        if (nodesBefore !== model.nodes) setNodes(before => rebuilt(state, before))
      }),
      state.selection.subscribe(() => {
        const changed = toggled(blocks, state.selection.get().blocks)
        blocks = state.selection.get().blocks
        if (changed.size > 0) setNodes(before => refreshed(state, before, changed))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [state])
  const onNodesChange = useCallback<OnNodesChange<BlockNodeType>>(
    changes => {
      state.selection.set(before => selectionAfter(before, changes))
      onDrag(changes)
    },
    [state, onDrag],
  )
  return { nodes, onNodesChange }
}
