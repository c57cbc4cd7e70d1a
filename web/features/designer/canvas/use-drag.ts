import type { NodeChange, OnNodeDrag } from '@xyflow/react'
import { useCallback, useMemo, useRef } from 'react'
import type { Point } from '../model/geometry.ts'
import { boxOf, contentsOf } from '../model/look.ts'
import { createStore } from '../model/store.ts'
import type { BlockNodeType } from './block-node.tsx'
import { blockSizeOf, type CanvasState } from './canvas-context.ts'
import { type Guide, type Stops, snap, stopsAmong } from './snap.ts'

/** The owner of this person's own lift, beside those of the others in the room. */
export const OWN_LIFT = 'own'
const NO_GUIDES: readonly Guide[] = []

export interface DragReport {
  readonly ids: readonly string[]
  readonly dx: number
  readonly dy: number
}

interface Drag {
  readonly lead: string
  readonly from: Point
  readonly others: Stops
  /** What React Flow does not carry: what lies in frames that are dragged, and what is not drawn. */
  readonly along: readonly string[]
  report: DragReport | undefined
}

/** Dragging blocks: they follow the pointer, come to rest level with others or on the grid, and move for good at the drop. */
export const useDrag = (
  state: CanvasState,
  tell: {
    readonly onDragging?: ((drag: DragReport | undefined) => void) | undefined
    readonly onDropped?: ((places: ReadonlyMap<string, Point>) => void) | undefined
  },
) => {
  const guides = useMemo(() => createStore<readonly Guide[] | undefined>(undefined), [])
  const shield = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | undefined>(undefined)
  const free = useRef(false)
  const { onDragging, onDropped } = tell

  const onNodeDragStart = useCallback<OnNodeDrag<BlockNodeType>>(
    (_event, node, nodes) => {
      const model = state.flow.get().nodes
      const carried = new Set(nodes.map(({ id }) => id))
      const { blocks } = state.selection.get()
      // What is selected with it goes along, drawn or not.
      const dragged = blocks.has(node.id) ? carried.union(blocks) : carried
      const size = blockSizeOf(state)
      const along = [...dragged.difference(carried), ...contentsOf(model, dragged, size)]
      const moved = new Set([...dragged, ...along])
      const others = [...model.values()].flatMap(other => (moved.has(other.id) ? [] : [boxOf(other, size)]))
      shield.current?.toggleAttribute('data-up', true)
      // A drag that is called off, because someone removed the block, ends without being told.
      const lower = () => {
        shield.current?.toggleAttribute('data-up', false)
        guides.set(undefined)
      }
      window.addEventListener('pointerup', lower, { once: true })
      window.addEventListener('pointercancel', lower, { once: true })
      drag.current = {
        lead: node.id,
        from: state.positions.get(node.id),
        others: stopsAmong(others),
        along,
        report: undefined,
      }
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
    if (report !== undefined && (report.dx !== 0 || report.dy !== 0)) {
      onDropped?.(new Map(report.ids.map(id => [id, state.positions.get(id)])))
    }
    state.positions.drop(OWN_LIFT)
    if (report !== undefined) onDragging?.(undefined)
  }, [state, guides, onDragging, onDropped])

  return { guides, shield, onDrag, onNodeDragStart, onNodeDrag, onNodeDragStop }
}
