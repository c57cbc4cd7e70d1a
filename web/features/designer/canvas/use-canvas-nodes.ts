import { type NodeChange, type OnNodesChange, useStoreApi } from '@xyflow/react'
import { useCallback, useEffect, useState } from 'react'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { isFrame, sizeOf } from '../model/block-appearance.ts'
import type { BlockNodeType } from './block-node.tsx'
import { blockSizeOf, type CanvasState, type Selection } from './canvas-context.ts'
import type { Positions } from './positions.ts'
import { OWN_LIFT } from './positions.ts'

const NO_DATA: Record<string, never> = {}
const NO_HANDLES: [] = []
const LIFTED = 1
/** So many carried blocks are pictures that the browser moves: more of them cost more than arranging the flow does. */
const PICTURES = 20
const UNDER = -1
/** A frame is taken by its title: inside of it, one selects as on the empty canvas. */
const THROUGH = { pointerEvents: 'none' } as const

const depthOf = (model: NodeModel | undefined, isCarried: boolean): number =>
  model !== undefined && isFrame(model) ? UNDER : isCarried ? LIFTED : 0

const nodeFor = (state: CanvasState, id: string, before: BlockNodeType | undefined): BlockNodeType | undefined => {
  const model = state.flow.get().nodes.get(id)
  if (model === undefined) return undefined
  const position = state.positions.get(id)
  const size = sizeOf(model, blockSizeOf(state))
  const frame = isFrame(model)
  const selected = state.selection.get().blocks.has(id)
  // Dragged blocks stay rendered at any camera position, above other blocks, also when others drag.
  const dragging = state.positions.lifted(id)
  const zIndex = depthOf(model, dragging)
  const same =
    before?.position.x === position.x &&
    before.position.y === position.y &&
    before.width === size.width &&
    before.height === size.height &&
    before.dragging === dragging &&
    before.selected === selected
  if (same) return before
  // Sizes are known beforehand, so React Flow has nothing to measure.
  const drawn = { position, ...size, measured: size, handles: NO_HANDLES, zIndex, dragging }
  const node: BlockNodeType = { id, type: 'block', data: NO_DATA, ...drawn, selected }
  // A lasso around blocks must not take the frame under them along.
  return frame ? { ...node, selectable: false, style: THROUGH } : node
}

/** The same array where no block came, went, moved or grew: React Flow looks at each block of a new one. */
const rebuilt = (state: CanvasState, before: BlockNodeType[]): BlockNodeType[] => {
  const known = new Map(before.map(node => [node.id, node]))
  const drawn = state.drawn.get()
  const after = [...state.flow.get().nodes.keys()].flatMap(id =>
    drawn.has(id) ? (nodeFor(state, id, known.get(id)) ?? []) : [],
  )
  return after.length === before.length && after.every((node, index) => node === before[index]) ? before : after
}

const refreshed = (state: CanvasState, before: BlockNodeType[], ids: ReadonlySet<string>): BlockNodeType[] =>
  before.map(node => (ids.has(node.id) ? (nodeFor(state, node.id, node) ?? node) : node))

/** Blocks whose presence in a set changed. */
const toggled = (before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> =>
  before.symmetricDifference(after)

const drawnOf = (selection: Selection, drawn: ReadonlySet<string>): Selection => ({
  ...selection,
  blocks: selection.blocks.intersection(drawn),
})

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

const isPictured = ({ carried }: Positions) => carried.get().size <= PICTURES

/** Puts what React Flow drew of a block somewhere else, without anything being rendered. */
const createMover = (store: ReturnType<typeof useStoreApi>, { flow, positions }: CanvasState) => {
  const drawn = new Map<string, HTMLElement>()
  const elementOf = (id: string): HTMLElement | undefined => {
    const known = drawn.get(id)
    if (known?.isConnected) return known
    const found = store.getState().domNode?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
    if (found == null) return undefined
    drawn.set(id, found)
    return found
  }
  return (id: string) => {
    const { x, y } = positions.get(id)
    const element = elementOf(id)
    const isCarried = positions.lifted(id)
    if (element !== undefined) {
      element.style.transform = `translate(${x}px,${y}px)`
      element.style.zIndex = String(depthOf(flow.get().nodes.get(id), isCarried))
      element.toggleAttribute('data-carried', isCarried && isPictured(positions))
    }
    if (!isCarried) drawn.delete(id)
  }
}

/**
 * React Flow's nodes, kept in step with the flow, with where blocks are drawn and with the selection. A drag does not
 * come in here: `onDrag` decides where the blocks go. While they are carried, by whomever, their elements alone move:
 * React Flow looks through all nodes for each place of one.
 */
export const useCanvasNodes = (
  state: CanvasState,
  onDrag: (changes: readonly NodeChange<BlockNodeType>[]) => void,
): { readonly nodes: BlockNodeType[]; readonly onNodesChange: OnNodesChange<BlockNodeType> } => {
  const [nodes, setNodes] = useState(() => rebuilt(state, []))
  const store = useStoreApi()
  useEffect(() => {
    const move = createMover(store, state)
    const carried = new Set<string>()
    let model: FlowModel = state.flow.get()
    let blocks = state.selection.get().blocks
    setNodes(before => rebuilt(state, before))
    const stops = [
      state.positions.onMoved(ids => {
        const changed = new Set<string>()
        for (const id of ids) {
          move(id)
          const isCarried = state.positions.lifted(id)
          if (isCarried && carried.has(id)) continue
          // Blocks dragged by others update only their element until the drop.
          if (!isCarried || !isPictured(state.positions) || state.positions.lifts(OWN_LIFT, id)) changed.add(id)
          if (isCarried) carried.add(id)
          else carried.delete(id)
        }
        if (changed.size > 0) setNodes(before => refreshed(state, before, changed))
      }),
      state.flow.subscribe(() => {
        const nodesBefore = model.nodes
        model = state.flow.get()
        if (nodesBefore !== model.nodes) setNodes(before => rebuilt(state, before))
      }),
      state.drawn.subscribe(() => setNodes(before => rebuilt(state, before))),
      state.compact.subscribe(() => setNodes(before => rebuilt(state, before))),
      state.selection.subscribe(() => {
        const changed = toggled(blocks, state.selection.get().blocks)
        blocks = state.selection.get().blocks
        if (changed.size > 0) setNodes(before => refreshed(state, before, changed))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [state, store])
  const onNodesChange = useCallback<OnNodesChange<BlockNodeType>>(
    changes => {
      // React Flow only knows rendered blocks: a new selection must also deselect the others.
      const { multiSelectionActive } = store.getState()
      const isAnew = !multiSelectionActive && changes.some(({ type }) => type === 'select')
      state.selection.set(before => selectionAfter(isAnew ? drawnOf(before, state.drawn.get()) : before, changes))
      onDrag(changes)
    },
    [state, store, onDrag],
  )
  return { nodes, onNodesChange }
}
