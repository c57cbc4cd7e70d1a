import { useStore } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import type { LinkModel } from '#domain/flow/document/model.ts'
import { type Box, overlaps } from '../../model/geometry.ts'
import { useStoreValue } from '../../model/store.ts'
import { type CanvasState, useCanvas } from '../canvas-context.ts'
import type { LinkPlan, PlannedLink } from '../link-plan.ts'

/** The view is looked at in steps of this many flow pixels, so that panning seldom asks again. */
const CELL = 400

const cells = (from: number, to: number) => [Math.floor(from / CELL), Math.ceil(to / CELL)] as const

/** Extent of a link: between its ends, and below or above them at its bends. */
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

/**
 * The links and tags that are drawn: those of drawn blocks, what is chosen itself, and long links that only cross the view
 * where they are no tags; of what is selected with a block, no more, or selecting all would draw all links of a flow. As
 * with blocks, none comes or goes while the view hurries.
 */
export const useShown = (
  plan: LinkPlan,
): { readonly links: readonly PlannedLink[]; readonly tags: readonly Tags[] } => {
  const state = useCanvas()
  const tagged = useStoreValue(state.jumpTags)
  const hurrying = useStoreValue(state.motion.hurrying)
  const last = useRef('')
  const region = useStore(({ transform: [x, y, zoom], width, height }) =>
    tagged
      ? ''
      : hurrying
        ? last.current
        : [...cells(-x / zoom, (width - x) / zoom), ...cells(-y / zoom, (height - y) / zoom)].join(),
  )
  last.current = region
  const drawn = useStoreValue(state.drawn)
  const selection = useStoreValue(state.selection)
  const traced = useStoreValue(state.traced)
  const marks = useStoreValue(state.linkMarks)
  return useMemo(() => {
    const [left = 0, right = 0, top = 0, bottom = 0] = region.split(',').map(Number)
    const view = { x: left * CELL, y: top * CELL, width: (right - left) * CELL, height: (bottom - top) * CELL }
    const isChosen = ({ id }: LinkModel) => id === traced || selection.links.has(id)
    const isWalked = (id: string) => (marks.get(id)?.kind ?? 'people') !== 'people'
    const isLit = ({ from, to, id }: LinkModel) =>
      selection.blocks.has(from) || selection.blocks.has(to) || isWalked(id)
    const isNear = ({ from, to }: LinkModel) => drawn.has(from) || drawn.has(to)
    const isShown = (planned: PlannedLink): boolean => {
      const { link, jump } = planned
      if (isChosen(link)) return true
      if (jump && tagged && !isLit(link)) return false
      return isNear(link) || (region !== '' && overlaps(boxOf(state, planned), view))
    }
    return {
      links: [...plan.links.values()].filter(isShown),
      tags: [...plan.tags].filter(([id]) => drawn.has(id)),
    }
  }, [region, plan, drawn, selection, tagged, traced, marks, state])
}
