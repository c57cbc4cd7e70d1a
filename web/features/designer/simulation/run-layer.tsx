import { useStore } from '@xyflow/react'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useBlockSize, useCanvas } from '../canvas/canvas-context.ts'
import { ViewportLayer } from '../canvas/viewport-layer.tsx'
import { boxOf } from '../model/look.ts'
import { useStoreValue } from '../model/store.ts'

interface RunLayerProps {
  /** How often each block of this dialog has run. */
  readonly counts: ReadonlyMap<string, number>
  /** The block that runs next or that waits. */
  readonly at: string | undefined
  readonly status: string
  /** The block before which the next turn stops. */
  readonly stop: string | undefined
}

/** What has run, how often, and where the conversation stands. */
export const RunLayer = ({ counts, at, status, stop }: RunLayerProps) => {
  const { t } = useTranslation('simulation')
  const { flow } = useCanvas()
  const size = useBlockSize()
  const nodes = useStoreValue(flow, model => model.nodes)
  const zoom = useStore(state => Math.round(state.transform[2] * 20) / 20)
  const blocks = new Set([...counts.keys(), ...[at, stop].filter(each => each !== undefined)])
  return (
    <ViewportLayer>
      <div className="ps-marks" style={{ '--screen': 1 / Math.max(zoom, 0.05) } as React.CSSProperties} aria-hidden>
        {[...blocks].map(block => {
          const node = nodes.get(block)
          if (node === undefined) return null
          const { x, y, width, height } = boxOf(node, size)
          const count = counts.get(block) ?? 0
          return (
            <span
              key={block}
              className="ps-mark"
              data-at={block === at || undefined}
              data-stop={block === stop || undefined}
              style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
            >
              {count === 0 ? null : (
                <b>
                  <Check size={10} />
                  {count}×
                </b>
              )}
              {block === at ? <em>{t(`status.${status}`)}</em> : block === stop ? <em>{t('stop')}</em> : null}
            </span>
          )
        })}
      </div>
    </ViewportLayer>
  )
}
