import type { NodeChange, OnNodeDrag } from '@xyflow/react'
import { useCallback, useMemo, useRef } from 'react'
import { boxOf, contentsOf } from '../model/block-appearance.ts'
import type { Point } from '../model/geometry.ts'
import { createStore } from '../model/store.ts'
import type { BlockNodeType } from './block-node.tsx'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'
import { canSplitLink, linkAtBox } from './link-hit-test.ts'
import { OWN_LIFT } from './positions.ts'
import { type Guide, type SnapLines, snap, snapLinesOf } from './snap.ts'

const NO_GUIDES: readonly Guide[] = []

export interface DragReport {
  readonly ids: readonly string[]
  readonly dx: number
  readonly dy: number
}

interface Drag {
  readonly lead: string
  readonly from: Point
  readonly others: SnapLines
  /** Blocks React Flow does not drag: contents of dragged frames, and blocks not rendered. */
  readonly along: readonly string[]
  /** A single block that can split a link. */
  readonly parts: boolean
  report: DragReport | undefined
}

/** Start of a drag: the blocks that move along, and the snap targets among the others. */
const dragOf = (state: CanvasState, lead: string, nodes: readonly string[]): Drag => {
  const model = state.flow.get().nodes
  const carried = new Set(nodes)
  const { blocks } = state.selection.get()
  // Selected blocks move along, rendered or not.
  const dragged = blocks.has(lead) ? carried.union(blocks) : carried
  const size = blockSizeOf(state)
  const along = [...dragged.difference(carried), ...contentsOf(model, dragged, size)]
  const moved = new Set([...dragged, ...along])
  const others = [...model.values()].flatMap(other => (moved.has(other.id) ? [] : [boxOf(other, size)]))
  return {
    lead,
    from: state.positions.get(lead),
    others: snapLinesOf(others),
    along,
    parts: moved.size === 1 && canSplitLink(state.flow.get(), lead),
    report: undefined,
  }
}

/** Dragging blocks: they follow the pointer, come to rest level with others or on the grid, and move for good at the drop. */
export const useDrag = (
  state: CanvasState,
  tell: {
    readonly onDragging?: ((drag: DragReport | undefined) => void) | undefined
    readonly onDropped?: ((places: ReadonlyMap<string, Point>) => void) | undefined
    /** A block was dropped on a link. */
    readonly onParted?: ((block: string, link: string, at: Point) => void) | undefined
  },
) => {
  const guides = useMemo(() => createStore<readonly Guide[] | undefined>(undefined), [])
  const shield = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | undefined>(undefined)
  const free = useRef(false)
  const { onDragging, onDropped, onParted } = tell

  const onNodeDragStart = useCallback<OnNodeDrag<BlockNodeType>>(
    (_event, node, nodes) => {
      drag.current = dragOf(
        state,
        node.id,
        nodes.map(({ id }) => id),
      )
      shield.current?.toggleAttribute('data-up', true)
      // A drag canceled because someone removed the block ends without an event.
      const lower = () => {
        shield.current?.toggleAttribute('data-up', false)
        guides.set(undefined)
        // The drop itself comes after the press ended.
        setTimeout(() => state.parted.set(undefined))
      }
      window.addEventListener('pointerup', lower, { once: true })
      window.addEventListener('pointercancel', lower, { once: true })
    },
    [state, guides],
  )
  const onDrag = useCallback(
    (changes: readonly NodeChange<BlockNodeType>[]) => {
      const now = drag.current
      if (now === undefined) return
      const moves = changes.filter(change => change.type === 'position' && change.dragging && change.position)
      const lead = moves.find(change => 'id' in change && change.id === now.lead)
      const model = state.flow.get().nodes.get(now.lead)
      if (lead?.type !== 'position' || lead.position === undefined || model === undefined) return
      const at = snap({ ...boxOf(model, blockSizeOf(state)), ...lead.position }, now.others, free.current)
      const offset = { x: at.x - now.from.x, y: at.y - now.from.y }
      const ids = [...moves.flatMap(change => ('id' in change ? [change.id] : [])), ...now.along]
      guides.set(at.guides.length === 0 ? NO_GUIDES : at.guides)
      if (now.parts)
        state.parted.set(free.current ? undefined : linkAtBox(state, { ...boxOf(model, blockSizeOf(state)), ...at }))
      if (now.report?.dx === offset.x && now.report.dy === offset.y) return
      now.report = { ids, dx: offset.x, dy: offset.y }
      state.positions.lift(OWN_LIFT, new Map(ids.map(id => [id, offset])))
      onDragging?.(now.report)
    },
    [state, guides, onDragging],
  )
  const onNodeDrag = useCallback((event: { altKey: boolean }) => {
    free.current = event.altKey
  }, [])
  const onNodeDragStop = useCallback(() => {
    const report = drag.current?.report
    drag.current = undefined
    guides.set(undefined)
    const link = state.parted.get()
    state.parted.set(undefined)
    const [first] = report?.ids ?? []
    if (link !== undefined && first !== undefined) onParted?.(first, link, state.positions.get(first))
    else if (report !== undefined && (report.dx !== 0 || report.dy !== 0)) {
      onDropped?.(new Map(report.ids.map(id => [id, state.positions.get(id)])))
    }
    state.positions.drop(OWN_LIFT)
    if (report !== undefined) onDragging?.(undefined)
  }, [state, guides, onDragging, onDropped, onParted])

  return { guides, shield, onDrag, onNodeDragStart, onNodeDrag, onNodeDragStop }
}
