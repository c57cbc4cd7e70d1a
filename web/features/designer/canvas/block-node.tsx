import type { Node, NodeProps } from '@xyflow/react'
import { MessageSquare, Minus, OctagonAlert, Plus, Triangle, TriangleAlert } from 'lucide-react'
import { type CSSProperties, Fragment, memo, type ReactNode } from 'react'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { type Badge, type Decoration, isMarker, shapeOf, shownTitle } from '../model/block-appearance.ts'
import { blockDescription, blockName } from '../model/block-text.ts'
import { portShare } from '../model/geometry.ts'
import { isOtherwise, plainTitle, type Translate, wayWords } from '../model/label.ts'
import { type Preview, previewOf } from '../model/preview.ts'
import { linksFrom } from '../model/reading-order.ts'
import { useStoreValue } from '../model/store.ts'
import { type LinkDrag, useCanvas, useWords } from './canvas-context.ts'
import { ShapeFace } from './shape-face.tsx'
import { Tile } from './tile.tsx'

/** Outputs whose words fit below them; others show theirs under the pointer. */
const MAX_NAMED = 6

/** Outputs whose words fit below them in one line; those of more may take two. */
const MAX_WIDE = 2

/** Connectors of a block's links, as one text. */
const linkedFrom = (flow: FlowModel, id: string): string =>
  JSON.stringify(linksFrom(flow, id).map(({ fromConnector }) => fromConnector))

/**
 * The outputs on a block's bottom edge: one dot, or numbered discs in order with the otherwise way last. Words stand below
 * those without a link, whose label would say them.
 */
const Ports = memo(({ node, t }: { readonly node: NodeModel; readonly t: Translate }) => {
  const { flow } = useCanvas()
  const count = node.outputs.length
  const linked = useStoreValue(flow, model => (count > 1 ? linkedFrom(model, node.id) : ''))
  const held = new Set(linked === '' ? [] : (JSON.parse(linked) as string[]))
  return node.outputs.map((output, index) => {
    const words = wayWords(node, output, index, t)
    const left = `${100 * portShare(index, count)}%`
    return (
      <Fragment key={output.id}>
        <span
          className="pl-port nodrag nopan"
          data-connector={output.id}
          data-kind={count === 1 ? 'single' : isOtherwise(output) ? 'otherwise' : 'numbered'}
          style={{ left }}
        >
          <i>{count === 1 ? '' : isOtherwise(output) ? '↳' : index + 1}</i>
        </span>
        {count === 1 || words === '' ? null : (
          <span
            className="pl-way"
            aria-hidden
            data-narrow={count > MAX_WIDE || undefined}
            data-quiet={held.has(output.id) || count > MAX_NAMED || undefined}
            style={{ left, '--room': `calc(${100 / count}% - 4px)` } as CSSProperties}
          >
            {words}
          </span>
        )}
      </Fragment>
    )
  })
})

const PreviewLines = ({ preview }: { readonly preview: Preview }) => (
  <span className="pl-preview" data-code={preview.code || undefined} data-empty={preview.empty || undefined}>
    {preview.parts.map((part, index) => {
      const key = `${index}${part.text}`
      if (part.kind === 'variable') return <mark key={key}>{part.text}</mark>
      return part.kind === 'way' ? <b key={key}>{part.text}</b> : <span key={key}>{part.text} </span>
    })}
  </span>
)

const DIFF = { added: Plus, changed: Triangle, removed: Minus } as const

const Corner = ({
  badge,
  diff,
}: {
  readonly badge: Badge | undefined
  readonly diff: Decoration['kind'] | undefined
}) => {
  if (diff !== undefined) {
    const Icon = DIFF[diff]
    return (
      <span className="pl-diff" data-diff={diff}>
        <Icon size={13} strokeWidth={2.5} aria-hidden />
      </span>
    )
  }
  if (badge === undefined) return null
  return (
    <span className="pl-badge" data-badge={badge}>
      {badge === 'error' ? <OctagonAlert size={12} aria-hidden /> : <TriangleAlert size={12} aria-hidden />}
    </span>
  )
}

/** Words of so many letters stand on a line at every zoom and size of blocks. */
const SHORT = 8

/**
 * Letter count of the longest word, for the style sheet: zoomed out, the letters are so large that it must not break.
 */
const longestWord = (title: string): CSSProperties | undefined => {
  const longest = Math.max(...title.split(/[\s-]+/u).map(word => word.length))
  return longest > SHORT ? ({ '--longest': longest } as CSSProperties) : undefined
}

interface BlockFaceProps {
  readonly node: NodeModel
  readonly t: Translate
  readonly badge?: Badge | undefined
  readonly diff?: Decoration['kind'] | undefined
  readonly text?: ReactNode
  readonly heading?: ReactNode
}

/** A block's appearance; the size is fixed. */
const BlockFace = memo(({ node, t, badge, diff, text, heading }: BlockFaceProps) => {
  const title = shownTitle(node, t)
  const marker = isMarker(node)
  return (
    <>
      <Tile type={node.type} />
      <span className="pl-body">
        <span className="pl-title" data-own={title.own || undefined} style={longestWord(title.text)}>
          {heading ?? title.text}
        </span>
        {marker && node.known ? null : text === undefined ? (
          <PreviewLines preview={previewOf(node, t)} />
        ) : (
          <span className="pl-preview">{text}</span>
        )}
      </span>
      <Ports node={node} t={t} />
      <Corner badge={badge} diff={diff} />
    </>
  )
})

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
