import { useStore } from '@xyflow/react'
import { SquareArrowOutUpRight } from 'lucide-react'
import { memo, type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import type { LinkModel } from '#domain/flow/document/model.ts'
import { sizeOf } from '../model/block-appearance.ts'
import { type Box, gutterShape, type LinkShape, linkShape, overlaps, SIZE } from '../model/geometry.ts'
import { useStoreValue } from '../model/store.ts'
import { type CanvasState, useBlockSize, useCanvas, useWords } from './canvas-context.ts'
import { type JumpTag, type LinkPlan, type PlannedLink, planLinks } from './link-plan.ts'
import type { Positions } from './positions.ts'
import { RepaintBoundary, ViewportLayer } from './viewport-layer.tsx'

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
const useShown = (plan: LinkPlan): { readonly links: readonly PlannedLink[]; readonly tags: readonly Tags[] } => {
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

/** The blocks that a link keeps clear of. */
type Around = () => ReadonlyMap<string, Box>

/** Route of a link between its blocks' current places; an upward one avoids `around`, if given. */
const currentLinkShape = (
  { link, offset, targetWidth, height }: PlannedLink,
  positions: Positions,
  around?: Around,
): LinkShape => {
  const from = positions.get(link.from)
  const to = positions.get(link.to)
  const port = { x: from.x + offset, y: from.y + height }
  const target = { x: to.x, y: to.y, width: targetWidth, height }
  return around !== undefined && target.y < port.y
    ? gutterShape(port, target, around().values())
    : linkShape(port, target)
}

/** Appearance of a link; undefined if a tag replaces it. */
const useLinkAppearance = ({ link, jump, color }: PlannedLink) => {
  const canvas = useCanvas()
  const selected = useStoreValue(canvas.selection, selection => selection.links.has(link.id))
  const lit = useStoreValue(canvas.selection, ({ blocks }) => blocks.has(link.from) || blocks.has(link.to))
  const faded = useStoreValue(
    canvas.bright,
    bright => bright !== undefined && !(bright.has(link.from) && bright.has(link.to)),
  )
  const diff = useStoreValue(canvas.linkDecorations, decorations => decorations.get(link.id))
  const parted = useStoreValue(canvas.parted, id => id === link.id)
  const tagged = useStoreValue(canvas.jumpTags) && jump
  const traced = useStoreValue(canvas.traced, id => id === link.id)
  const mark = useStoreValue(canvas.linkMarks, marks => marks.get(link.id))
  const isWalked = mark !== undefined && mark.kind !== 'people'
  if (tagged && !lit && !selected && !traced && !isWalked) return undefined
  return {
    'data-selected': selected || undefined,
    'data-lit': lit || traced || undefined,
    'data-parted': parted || undefined,
    'data-faded': faded || undefined,
    'data-diff': diff,
    'data-mark': mark?.kind,
    ...(color === undefined && mark?.width === undefined
      ? {}
      : { style: { '--c-link': color, '--mark-width': mark?.width } as React.CSSProperties }),
  }
}

/** Boxes a link avoids: a path taken by a conversation never runs behind a block. */
const useLinkObstacles = (look: ReturnType<typeof useLinkAppearance>): Around | undefined => {
  const { boxes } = useCanvas()
  const mark = look?.['data-mark']
  return mark === 'walked' || mark === 'later' ? boxes : undefined
}

/** The element of a link, redrawn as its blocks are dragged, without a React render. */
const useLinkElement = <E extends Element>(
  planned: PlannedLink,
  shown: boolean,
  draw: (element: E, shape: LinkShape, planned: PlannedLink) => void,
  around?: Around,
): RefObject<E | null> => {
  const { positions } = useCanvas()
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    const drawn = element.current
    if (!shown || drawn === null) return
    const redraw = () => draw(drawn, currentLinkShape(planned, positions, around), planned)
    redraw()
    return positions.watch([planned.link.from, planned.link.to], redraw)
  }, [positions, planned, shown, draw, around])
  return element
}

interface JumpTagsProps {
  readonly block: string
  /** Beside the block, because links leave it downwards. */
  readonly aside: boolean
  readonly tags: readonly JumpTag[]
  readonly carried: boolean
  readonly onFly: (block: string) => void
}

const sameTags = (a: readonly JumpTag[], b: readonly JumpTag[]) =>
  a.length === b.length &&
  a.every((tag, index) => {
    const other = b[index]
    return tag.link === other?.link && tag.title === other.title && tag.mark === other.mark && tag.to === other.to
  })

/** Links that go up or far, as tags: a click flies to the other end. Outside of the tab order; the keys follow links. */
const JumpTags = memo(
  ({ block, aside, tags, carried, onFly }: JumpTagsProps) => {
    const { positions, flow, traced } = useCanvas()
    const size = useBlockSize()
    const root = useRef<HTMLDivElement>(null)
    const width = useStoreValue(flow, model => {
      const node = model.nodes.get(block)
      return node === undefined ? size.width : sizeOf(node, size).width
    })
    const place = useCallback(() => {
      const { x, y } = positions.get(block)
      return aside ? `translate(${x + width + 12}px, ${y + 10}px)` : `translate(${x}px, ${y + size.height + 16}px)`
    }, [positions, block, aside, width, size])
    useLayoutEffect(() => {
      const move = () => {
        if (root.current !== null) root.current.style.transform = place()
      }
      move()
      return positions.watch([block], move)
    }, [positions, block, place])
    return (
      <div
        ref={root}
        className="pl-tags"
        data-aside={aside || undefined}
        data-carried={carried || undefined}
        style={{ transform: place(), width: aside ? undefined : width }}
      >
        {tags.map(tag => (
          <button
            key={tag.link}
            type="button"
            className="pl-tag nopan nodrag"
            tabIndex={-1}
            aria-hidden
            title={tag.title}
            onClick={() => onFly(tag.to)}
            onPointerEnter={() => traced.set(tag.link)}
            onPointerLeave={() => traced.set(undefined)}
          >
            {tag.mark === '' ? null : <b>{tag.mark}</b>}
            <SquareArrowOutUpRight size={11} aria-hidden />
            <span>{tag.title}</span>
          </button>
        ))}
      </div>
    )
  },
  (a, b) =>
    a.block === b.block &&
    a.aside === b.aside &&
    a.carried === b.carried &&
    sameTags(a.tags, b.tags) &&
    a.onFly === b.onFly,
)

const CHARACTER = 6.4
const MAX_LENGTH = 26
const HEIGHT = 20
/** From the middle of a pill to the line that its letters stand on. */
const BASE = 4

const cutOf = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text)

/** A pill of the size its words take, without measuring: measuring a thousand would stop the page. */
const widthOf = (text: string) => [...cutOf(text)].length * CHARACTER + 18

/**
 * Coordinates, not a transform: browsers lay out transformed elements separately, here each label and each line
 * between.
 */
const placeOf = ({ middle: { x, y } }: LinkShape, { label }: PlannedLink) => ({
  box: { x: x - widthOf(label) / 2, y: y - HEIGHT / 2 },
  words: { x, y: y + BASE },
})

const isShort = ({ length }: LinkShape) => length < SIZE.label

const linkLabelRedraw = (group: SVGGElement, shape: LinkShape, planned: PlannedLink): void => {
  const { box, words } = placeOf(shape, planned)
  group.toggleAttribute('data-short', isShort(shape))
  for (const [element, { x, y }] of [
    [group.firstElementChild, box],
    [group.lastElementChild, words],
  ] as const) {
    element?.setAttribute('x', String(x))
    element?.setAttribute('y', String(y))
  }
}

/** A link's condition at its middle, above all lines so that none crosses its text. */
const LinkLabel = memo(({ planned }: { readonly planned: PlannedLink }) => {
  const { positions } = useCanvas()
  const look = useLinkAppearance(planned)
  const around = useLinkObstacles(look)
  const group = useLinkElement(planned, look !== undefined, linkLabelRedraw, around)
  if (look === undefined) return null
  const shape = currentLinkShape(planned, positions, around)
  const { box, words } = placeOf(shape, planned)
  const { label } = planned
  return (
    <g
      ref={group}
      className="pl-label"
      data-label={planned.link.id}
      data-short={isShort(shape) ? '' : undefined}
      {...look}
    >
      <rect {...box} width={widthOf(label)} height={HEIGHT} rx={HEIGHT / 2} />
      <text {...words} textAnchor="middle">
        {cutOf(label)}
      </text>
    </g>
  )
})

const HEAD = { top: [-4.5, -7, 4.5, -7], left: [-7, -4.5, -7, 4.5], right: [7, -4.5, 7, 4.5] } as const

/** The line with its arrow head: one path, so that there is one thing to style and paint while a block is carried. */
const strokeOf = ({ path, arrow, end: { x, y }, side }: LinkShape): string => {
  const [ax, ay, bx, by] = HEAD[side]
  return arrow ? `${path}M${x + ax},${y + ay}L${x},${y}L${x + bx},${y + by}` : path
}

const redraw = (group: SVGGElement, shape: LinkShape): void => {
  group.lastElementChild?.setAttribute('d', strokeOf(shape))
  if (group.children.length > 1) group.firstElementChild?.setAttribute('d', shape.path)
}

interface LinkProps {
  readonly planned: PlannedLink
  /** A dragged link takes no presses. */
  readonly carried?: boolean
}

const FlowLink = memo(({ planned, carried = false }: LinkProps) => {
  const { positions } = useCanvas()
  const look = useLinkAppearance(planned)
  const around = useLinkObstacles(look)
  const group = useLinkElement(planned, look !== undefined, redraw, around)
  if (look === undefined) return null
  const shape = currentLinkShape(planned, positions, around)
  return (
    <g ref={group} className="pl-link" data-link={planned.link.id} {...look}>
      {carried ? null : <path className="pl-hit" d={shape.path} />}
      <path className="pl-stroke" d={strokeOf(shape)} />
    </g>
  )
})

interface LinkLayerProps {
  readonly onSelect: (id: string, more: boolean) => void
  readonly onFly: (block: string) => void
}

const linkAt = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<SVGGElement>('[data-link]')?.dataset.link : undefined

interface LinksProps {
  readonly links: readonly PlannedLink[]
  readonly carried?: boolean
}

const Links = ({ links, carried = false }: LinksProps) => (
  <>
    {links.map(planned => (
      <FlowLink key={planned.link.id} planned={planned} carried={carried} />
    ))}
    {links.map(planned => (planned.label === '' ? null : <LinkLabel key={planned.link.id} planned={planned} />))}
  </>
)

/** Links of dragged blocks in their own SVG: other links get no layout or paint as these move. */
const CarriedLinks = ({ links }: LinksProps) => (
  <svg className="pl-links" data-carried aria-hidden>
    <RepaintBoundary />
    <Links links={links} carried />
  </svg>
)

/** All links behind the blocks, and the tags of those that go up or far. */
export const LinkLayer = memo(({ onSelect, onFly }: LinkLayerProps) => {
  const canvas = useCanvas()
  const t = useWords()
  const size = useBlockSize()
  const flow = useStoreValue(canvas.flow)
  const tagged = useStoreValue(canvas.jumpTags)
  const last = useRef<LinkPlan | undefined>(undefined)
  const plan = useMemo(() => {
    last.current = planLinks(flow, t, size, last.current)
    return last.current
  }, [flow, t, size])
  const { links, tags } = useShown(plan)
  const carried = useStoreValue(canvas.positions.carried)
  const isCarried = ({ link }: PlannedLink) => carried.has(link.from) || carried.has(link.to)
  const [moving, resting] =
    carried.size === 0 ? [[], links] : [links.filter(isCarried), links.filter(link => !isCarried(link))]
  return (
    <ViewportLayer>
      <svg
        className="pl-links"
        aria-hidden
        onPointerDown={event => {
          const id = linkAt(event.target)
          if (id === undefined || event.button !== 0) return
          event.stopPropagation()
          onSelect(id, event.shiftKey)
        }}
      >
        <Links links={resting} />
      </svg>
      {moving.length === 0 ? null : <CarriedLinks links={moving} />}
      {tagged
        ? tags.map(([id, under]) => (
            <JumpTags
              key={id}
              block={id}
              aside={under.aside}
              tags={under.tags}
              carried={carried.has(id)}
              onFly={onFly}
            />
          ))
        : null}
    </ViewportLayer>
  )
})
