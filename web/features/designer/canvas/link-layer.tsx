import { memo, useMemo, useRef } from 'react'
import { useStoreValue } from '../store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import { FlowLink } from './flow-link.tsx'
import { JumpTags } from './jump-tags.tsx'
import { type LinkPlan, planLinks } from './link-plan.ts'
import { useShown } from './use-shown.ts'
import { ViewportLayer } from './viewport-layer.tsx'
import { useWords } from './words.ts'

interface LinkLayerProps {
  readonly onSelect: (id: string, more: boolean) => void
  readonly onFly: (block: string) => void
}

const linkAt = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<SVGGElement>('[data-link]')?.dataset.link : undefined

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
        {links.map(planned => (
          <FlowLink key={planned.link.id} planned={planned} />
        ))}
      </svg>
      {tagged
        ? tags.map(([id, under]) => (
            <JumpTags key={id} block={id} aside={under.aside} tags={under.tags} onFly={onFly} />
          ))
        : null}
    </ViewportLayer>
  )
})
