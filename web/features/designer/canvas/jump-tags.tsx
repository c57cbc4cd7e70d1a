import { SquareArrowOutUpRight } from 'lucide-react'
import { memo, useCallback, useLayoutEffect, useRef } from 'react'
import { sizeOf } from '../model/block-appearance.ts'
import { useStoreValue } from '../model/store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import type { JumpTag } from './link-plan.ts'

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
export const JumpTags = memo(
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
