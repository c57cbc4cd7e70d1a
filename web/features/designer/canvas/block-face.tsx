import { Minus, OctagonAlert, Plus, Triangle, TriangleAlert } from 'lucide-react'
import { type CSSProperties, memo, type ReactNode } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { type Badge, type Decoration, isMarker, shownTitle } from '../model/block-appearance.ts'
import { portShare } from '../model/geometry.ts'
import { isOtherwise, outputLabel, type Translate } from '../model/label.ts'
import { type Preview, previewOf } from '../model/preview.ts'
import { Tile } from './tile.tsx'

/** The outputs on a block's bottom edge: one dot, or numbered discs in order with the otherwise way last. */
const Ports = ({ node, t }: { readonly node: NodeModel; readonly t: Translate }) => {
  const count = node.outputs.length
  return node.outputs.map((output, index) => (
    <span
      key={output.id}
      className="pl-port nodrag nopan"
      data-connector={output.id}
      data-kind={count === 1 ? 'single' : isOtherwise(output) ? 'otherwise' : 'numbered'}
      style={{ left: `${100 * portShare(index, count)}%` }}
      title={outputLabel(node, output, index, t) || undefined}
    >
      <i>{count === 1 ? '' : isOtherwise(output) ? '↳' : index + 1}</i>
    </span>
  ))
}

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
export const BlockFace = memo(({ node, t, badge, diff, text, heading }: BlockFaceProps) => {
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
