import { DoorOpen, RotateCcw, TrendingDown } from 'lucide-react'
import { memo, useEffect, useMemo, useState } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { durationOf } from '#web/format/time.ts'
import { blockSizeOf, type CanvasState, createCanvasState, useBlockSize, useCanvas } from '../canvas/canvas-context.ts'
import { CanvasProvider, FlowCanvas } from '../canvas/flow-canvas.tsx'
import { createPositions } from '../canvas/positions.ts'
import { ViewportLayer } from '../canvas/viewport-layer.tsx'
import { sizeOf } from '../model/block-appearance.ts'
import { createStore, useStoreValue } from '../model/store.ts'
import { type BlockFunnel, type Dropoff, funnelsOf, linkWidths, spreadRows } from './funnel.ts'
import { type Unit, useNumbers } from './use-funnel.ts'

interface StripProps {
  readonly funnel: BlockFunnel
  /** The same block of the comparison; null where it is not in it. */
  readonly other: BlockFunnel | null | undefined
  readonly unit: Unit
  readonly whole: number
  /** The revision since which it loses more people. */
  readonly worse: number | undefined
}

const Strip = memo(({ funnel, other, unit, whole, worse }: StripProps) => {
  const { countOf, shareOf, differenceOf } = useNumbers()
  const { entered, left, leftShare, retried, retriedShare, took } = funnel
  const asShare = unit === 'share'
  const difference = other === undefined || other === null ? undefined : differenceOf(leftShare, other.leftShare)
  if (unit === 'time')
    return (
      <>
        <b>{took === null ? '–' : durationOf(took)}</b>
        {other == null || other.took === null ? null : <small>{durationOf(other.took)}</small>}
      </>
    )
  return (
    <>
      <b>{asShare && entered !== null && whole > 0 ? shareOf(entered / whole) : countOf(entered)}</b>
      {other === undefined ? null : <small>{other === null ? '–' : countOf(other.entered)}</small>}
      {left === 0 ? null : (
        <span className="pf-left">
          <DoorOpen size={11} />
          {asShare && leftShare !== undefined
            ? shareOf(leftShare)
            : leftShare === undefined
              ? countOf(left)
              : shareOf(leftShare)}
          {difference}
        </span>
      )}
      {worse === undefined ? null : (
        <span className="pf-worse-mark">
          <TrendingDown size={11} />r{worse}
        </span>
      )}
      {retried === 0 ? null : (
        <span>
          <RotateCcw size={10} />
          {retriedShare === undefined ? countOf(retried) : shareOf(retriedShare)}
        </span>
      )}
    </>
  )
})

interface LayerProps extends Pick<StripProps, 'unit'> {
  readonly funnels: ReadonlyMap<string, BlockFunnel>
  readonly others: ReadonlyMap<string, BlockFunnel> | undefined
  readonly worsened: Dropoff['worsened']
}

/** A strip under each block: entries, exits there and retries. */
const FunnelLayer = ({ funnels, others, unit, worsened }: LayerProps) => {
  const { flow } = useCanvas()
  const size = useBlockSize()
  const nodes = useStoreValue(flow, model => model.nodes)
  const whole = Math.max(0, ...[...funnels.values()].map(({ entered }) => entered ?? 0))
  return (
    <ViewportLayer>
      <div className="pf-strips">
        {[...funnels.values()].map(funnel => {
          const node = nodes.get(funnel.block)
          if (node === undefined) return null
          const { width, height } = sizeOf(node, size)
          return (
            <span
              key={funnel.block}
              className="pf-block"
              data-funnel={funnel.block}
              data-tone={funnel.tone}
              style={{ width, height, transform: `translate(${node.x}px, ${node.y}px)` }}
            >
              <span className="pf-strip">
                <Strip
                  funnel={funnel}
                  other={others === undefined ? undefined : (others.get(funnel.block) ?? null)}
                  unit={unit}
                  whole={whole}
                  worse={worsened.find(({ block }) => block === funnel.block)?.revision}
                />
              </span>
            </span>
          )
        })}
      </div>
    </ViewportLayer>
  )
}

interface FunnelCanvasProps {
  readonly model: FlowModel
  readonly dropoff: Dropoff
  readonly compared?: Dropoff | undefined
  readonly unit: Unit
  readonly label: string
  readonly live: CanvasState
  readonly onBlock: (block: string | undefined) => void
  readonly children?: (canvas: CanvasState) => React.ReactNode
}

/** A flow with what people did in it: rows a little apart, links as wide as people went along. */
export const FunnelCanvas = ({ model, dropoff, compared, unit, label, live, onBlock, children }: FunnelCanvasProps) => {
  const [canvas] = useState(() => {
    const flow = createStore(spreadRows(model, blockSizeOf(live).height))
    return createCanvasState(flow, createPositions(flow), { compact: live.compact, camera: { ...live.camera } })
  })
  useEffect(() => () => canvas.positions.stop(), [canvas])
  const funnels = useMemo(() => funnelsOf(dropoff), [dropoff])
  const others = useMemo(() => compared && funnelsOf(compared), [compared])
  const chosen = useStoreValue(canvas.selection, ({ blocks }) => [...blocks][0])
  useEffect(() => onBlock(chosen), [onBlock, chosen])
  useEffect(() => {
    canvas.flow.set(spreadRows(model, blockSizeOf(live).height))
    canvas.linkMarks.set(linkWidths(model, dropoff))
    canvas.bright.set(new Set(funnels.keys()))
  }, [canvas, live, model, dropoff, funnels])
  return (
    <CanvasProvider>
      <FlowCanvas state={canvas} label={label} readOnly tool="pan">
        <FunnelLayer funnels={funnels} others={others} unit={unit} worsened={dropoff.worsened} />
      </FlowCanvas>
      {children?.(canvas)}
    </CanvasProvider>
  )
}
