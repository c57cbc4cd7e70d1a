import { useStore } from '@xyflow/react'
import { Check, TriangleAlert } from 'lucide-react'
import { boxOf } from '../model/block-appearance.ts'
import { useStoreValue } from '../model/store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import { ViewportLayer } from './viewport-layer.tsx'
import './visit.css'

/** Conversation activity at a block. */
export interface Visit {
  /** Text on its corner: run count, time, duration; '' before it runs. */
  readonly label: string
  /** The label where the block is small on the screen. */
  readonly short?: string
  /** It runs later. */
  readonly later?: boolean
  readonly failed?: boolean
  /** A test ended there that did not hold. */
  readonly broken?: boolean
}

interface VisitLayerProps {
  readonly visits: ReadonlyMap<string, Visit>
  /** The block that runs or waits now, and a word for what it does. */
  readonly at: string | undefined
  readonly word?: string
  /** The block before which the next turn stops, and a word for that. */
  readonly stop?: string | undefined
  readonly stopWord?: string
}

const NEVER: Visit = { label: '' }
/** Below it a label may be wider than its block. */
const MIN_LABEL_ZOOM = 0.75

const Word = ({ children }: { readonly children: string | undefined }) =>
  children === undefined ? null : <em>{children}</em>

/** Blocks that ran, and the current block. */
export const VisitLayer = ({ visits, at, word, stop, stopWord }: VisitLayerProps) => {
  const { flow } = useCanvas()
  const size = useBlockSize()
  const nodes = useStoreValue(flow, model => model.nodes)
  const zoom = useStore(state => Math.round(state.transform[2] * 20) / 20)
  const blocks = new Set([...visits.keys(), ...[at, stop].filter(each => each !== undefined)])
  return (
    <ViewportLayer>
      <div className="pl-visits" style={{ '--screen': 1 / Math.max(zoom, 0.05) } as React.CSSProperties} aria-hidden>
        {[...blocks].map(block => {
          const node = nodes.get(block)
          if (node === undefined) return null
          const { x, y, width, height } = boxOf(node, size)
          const { label, short = label, later = false, failed = false, broken = false } = visits.get(block) ?? NEVER
          return (
            <span
              key={block}
              className="pl-visit"
              data-visit={block}
              data-at={block === at || undefined}
              data-stop={block === stop || undefined}
              data-later={later || undefined}
              data-broken={broken || undefined}
              style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
            >
              {label === '' ? null : (
                <b data-failed={failed || undefined}>
                  {failed ? <TriangleAlert size={10} /> : <Check size={10} />}
                  {zoom < MIN_LABEL_ZOOM ? short : label}
                </b>
              )}
              <Word>{block === at ? word : block === stop ? stopWord : undefined}</Word>
            </span>
          )
        })}
      </div>
    </ViewportLayer>
  )
}
