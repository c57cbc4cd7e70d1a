import type { Node, NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { isMarker } from '../model/look.ts'
import { useStoreValue } from '../store.ts'
import { BlockFace } from './block-face.tsx'
import { useCanvas } from './canvas-context.ts'
import { useWords } from './words.ts'

export type BlockNodeType = Node<Record<string, never>, 'block'>

/** One block on the canvas. Where it stands is React Flow's business, so that moving it renders no face again. */
export const BlockNode = memo(
  ({ id, selected }: NodeProps<BlockNodeType>) => {
    const canvas = useCanvas()
    const t = useWords()
    const node = useStoreValue(canvas.flow, flow => flow.nodes.get(id))
    const badge = useStoreValue(canvas.badges, badges => badges.get(id))
    const decoration = useStoreValue(canvas.decorations, decorations => decorations.get(id))
    const faded = useStoreValue(canvas.bright, bright => bright !== undefined && !bright.has(id))
    const target = useStoreValue(canvas.pull, pull =>
      pull === undefined ? undefined : targetState(pull, id, node?.inputs.length ?? 0),
    )
    const focused = useStoreValue(canvas.focus, focus => focus === id)
    if (node === undefined) return null
    return (
      <div
        className="pl-block"
        data-block={id}
        data-marker={isMarker(node) || undefined}
        data-selected={selected || undefined}
        data-diff={decoration?.kind}
        data-faded={faded || undefined}
        data-target={target}
        role="img"
        tabIndex={focused ? 0 : -1}
        aria-label={id}
      >
        <BlockFace node={node} t={t} badge={badge} diff={decoration?.kind} text={decoration?.text} />
      </div>
    )
  },
  (before, after) => before.id === after.id && before.selected === after.selected,
)

const targetState = (pull: { from: string; over: string | undefined }, id: string, inputs: number) => {
  if (pull.over === id) return 'over'
  if (inputs === 0) return 'closed'
  return pull.from === id ? 'source' : 'open'
}
