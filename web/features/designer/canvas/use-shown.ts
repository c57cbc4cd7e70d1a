import { useStore } from '@xyflow/react'
import { useMemo } from 'react'
import { useStoreValue } from '../store.ts'
import { type CanvasState, useCanvas } from './canvas-context.ts'
import { type Box, overlaps } from './geometry.ts'
import type { LinkPlan, PlannedLink } from './link-plan.ts'

/** Fewer links than this are all drawn. */
const MANY = 250
/** The view is looked at in steps of this many flow pixels, so that panning seldom asks again. */
const CELL = 400

const cells = (from: number, to: number) => [Math.floor(from / CELL), Math.ceil(to / CELL)] as const

/** Where a link may run: between its ends, and below or above them where it bends. */
const boxOf = (state: CanvasState, { link, offset, targetWidth, height }: PlannedLink): Box => {
  const a = state.positions.get(link.from)
  const b = state.positions.get(link.to)
  const x = Math.min(a.x, b.x) - 160
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + offset, b.x + targetWidth) + 160 - x,
    height: Math.max(a.y, b.y) + height + 160 - y,
  }
}

type Tags = [string, NonNullable<ReturnType<LinkPlan['tags']['get']>>]

/** The links and tags that can be seen now; what is selected is always drawn. */
export const useShown = (
  plan: LinkPlan,
): { readonly links: readonly PlannedLink[]; readonly tags: readonly Tags[] } => {
  const state = useCanvas()
  const all = plan.links.size < MANY
  const region = useStore(({ transform: [x, y, zoom], width, height }) =>
    all ? '' : [...cells(-x / zoom, (width - x) / zoom), ...cells(-y / zoom, (height - y) / zoom)].join(),
  )
  const selection = useStoreValue(state.selection)
  const tagged = useStoreValue(state.jumpTags)
  const traced = useStoreValue(state.traced)
  return useMemo(() => {
    const [left, right, top, bottom] = region.split(',').map(Number)
    if (all || left === undefined || right === undefined || top === undefined || bottom === undefined) {
      return { links: [...plan.links.values()], tags: [...plan.tags] }
    }
    const view = { x: left * CELL, y: top * CELL, width: (right - left) * CELL, height: (bottom - top) * CELL }
    const chosen = ({ link }: PlannedLink) =>
      link.id === traced ||
      selection.links.has(link.id) ||
      selection.blocks.has(link.from) ||
      selection.blocks.has(link.to)
    return {
      links: [...plan.links.values()].filter(
        planned => chosen(planned) || (!(planned.jump && tagged) && overlaps(boxOf(state, planned), view)),
      ),
      tags: [...plan.tags].filter(([id]) =>
        overlaps({ ...state.positions.get(id), width: 2 * plan.size.width, height: 4 * plan.size.height }, view),
      ),
    }
  }, [all, region, plan, selection, tagged, traced, state])
}
