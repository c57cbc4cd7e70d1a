import type { Node, NodeProps } from '@xyflow/react'
import { MessageSquare } from 'lucide-react'
import { memo } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { isMarker, shapeOf } from '../model/block-appearance.ts'
import { blockDescription, blockName } from '../model/block-text.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { BlockFace } from './block-face.tsx'
import { type LinkDrag, useCanvas, useWords } from './canvas-context.ts'
import { ShapeFace } from './shape-face.tsx'

/** Open comment threads of a block; a press opens them. The block's own name states the count. */
const TalkBadge = memo(({ block }: { readonly block: string }) => {
  const { threads, talk } = useCanvas()
  const count = useStoreValue(threads, all => all.get(block) ?? 0)
  if (count === 0) return null
  return (
    <span className="pl-talk nodrag" aria-hidden onClick={() => talk.set(block)}>
      <MessageSquare size={12} />
      {count}
    </span>
  )
})

export type BlockNodeType = Node<Record<string, never>, 'block'>

const targetState = ({ from, over, end }: LinkDrag, id: string, { inputs, outputs }: NodeModel) => {
  if (over === id) return 'over'
  if ((end === undefined ? inputs : outputs).length === 0) return 'closed'
  return from === id && end === undefined ? 'source' : 'open'
}

/** Full names take the whole flow into account; only the block that has the focus needs one. */
const useName = (node: NodeModel | undefined, focused: boolean) => {
  const { flow, badges, rings, threads } = useCanvas()
  const t = useWords()
  if (node === undefined) return {}
  if (!focused) return { 'aria-label': plainTitle(node, t) }
  const around = {
    flow: flow.get(),
    badge: badges.get().get(node.id),
    threads: threads.get().get(node.id) ?? 0,
    people: rings.get().get(node.id) ?? [],
  }
  return {
    'aria-label': blockName(node, around, t),
    'aria-description': blockDescription(node, around.flow, t),
  }
}

/** One block on the canvas. React Flow positions it, so moving renders no face again. */
export const BlockNode = memo(
  ({ id, selected }: NodeProps<BlockNodeType>) => {
    const canvas = useCanvas()
    const t = useWords()
    const node = useStoreValue(canvas.flow, flow => flow.nodes.get(id))
    const badge = useStoreValue(canvas.badges, badges => badges.get(id))
    const decoration = useStoreValue(canvas.decorations, decorations => decorations.get(id))
    const faded = useStoreValue(canvas.bright, bright => bright !== undefined && !bright.has(id))
    const target = useStoreValue(canvas.pull, pull =>
      pull === undefined || node === undefined ? undefined : targetState(pull, id, node),
    )
    const focused = useStoreValue(canvas.focus, focus => focus === id)
    const name = useName(node, focused)
    if (node === undefined) return null
    const shape = shapeOf(node)
    return (
      // biome-ignore lint/a11y/useSemanticElements: in a real button, Firefox gives the ports inside no events.
      <div
        className="pl-block"
        data-block={id}
        data-marker={isMarker(node) || undefined}
        data-shape={shape}
        data-selected={selected || undefined}
        data-diff={decoration?.kind}
        data-faded={faded || undefined}
        data-target={target}
        role="button"
        aria-pressed={selected}
        tabIndex={focused ? 0 : -1}
        {...name}
      >
        {shape !== undefined ? (
          <ShapeFace node={node} t={t} />
        ) : (
          <BlockFace
            node={node}
            t={t}
            badge={badge}
            diff={decoration?.kind}
            text={decoration?.text}
            heading={decoration?.title}
          />
        )}
        <TalkBadge block={id} />
      </div>
    )
  },
  (before, after) => before.id === after.id && before.selected === after.selected,
)
