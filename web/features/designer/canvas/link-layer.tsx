import { ViewportPortal } from '@xyflow/react'
import { memo, useRef } from 'react'
import { useStoreValue } from '../store.ts'
import { useCanvas } from './canvas-context.ts'
import { FlowLink } from './flow-link.tsx'
import { JumpTags } from './jump-tags.tsx'
import { type LinkPlan, planLinks } from './link-plan.ts'
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
  const flow = useStoreValue(canvas.flow)
  const tagged = useStoreValue(canvas.jumpTags)
  const last = useRef<LinkPlan | undefined>(undefined)
  const plan = planLinks(flow, t, last.current)
  last.current = plan
  return (
    <ViewportPortal>
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
        {[...plan.links.values()].map(planned => (
          <FlowLink key={planned.link.id} planned={planned} />
        ))}
      </svg>
      {tagged
        ? [...plan.tags].map(([id, { aside, tags }]) => (
            <JumpTags key={id} block={id} aside={aside} tags={tags} onFly={onFly} onSelect={onSelect} />
          ))
        : null}
    </ViewportPortal>
  )
})
