import { memo, useMemo, useRef } from 'react'
import { type LinkShape, SIZE } from '../model/geometry.ts'
import { useStoreValue } from '../model/store.ts'
import { useBlockSize, useCanvas, useWords } from './canvas-context.ts'
import { JumpTags } from './jump-tags.tsx'
import { type LinkPlan, type PlannedLink, planLinks } from './link-plan.ts'
import { currentLinkShape, useLinkAppearance, useLinkElement, useLinkObstacles } from './use-link.ts'
import { RepaintBoundary, ViewportLayer } from './viewport-layer.tsx'
import { useShown } from './virtualization/use-visible-links.ts'

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
