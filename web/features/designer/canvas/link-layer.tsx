import { memo, useMemo, useRef } from 'react'
import { useStoreValue } from '../model/store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import { Ground } from './canvas-extent.tsx'
import { FlowLink } from './flow-link.tsx'
import { JumpTags } from './jump-tags.tsx'
import { LinkLabel } from './link-label.tsx'
import { type LinkPlan, type PlannedLink, planLinks } from './link-plan.ts'
import { useWords } from './translate-context.ts'
import { ViewportLayer } from './viewport-layer.tsx'
import { useShown } from './virtualization/use-visible-links.ts'

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
    <Ground />
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
