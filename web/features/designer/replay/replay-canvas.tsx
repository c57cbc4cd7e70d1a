import type { Viewport } from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { durationOf, secondOf } from '#web/format/time.ts'
import {
  CanvasContext,
  type CanvasState,
  createCanvasState,
  TranslateContext,
  useCanvas,
} from '../canvas/canvas-context.ts'
import { CanvasProvider, FlowCanvas } from '../canvas/flow-canvas.tsx'
import { createPositions } from '../canvas/positions.ts'
import { VisitLayer } from '../canvas/visit-layer.tsx'
import { useCamera } from '../canvas/zoom.ts'
import type { RevisionFlow } from '../history/scene.ts'
import { traversedLinks } from '../model/block-appearance.ts'
import { createStore } from '../model/store.ts'
import type { FlowNames } from '../session/flow-names.ts'
import { translatorOf } from '../session/translator.ts'
import { useReferences } from '../session/use-references.ts'
import { linkStepsOf, visitsAt } from './replay-moments.ts'
import type { Walk } from './use-replay-player.ts'

interface WalkCanvasProps {
  readonly flow: RevisionFlow
  readonly dialog: string
  readonly names: FlowNames
  readonly walk: Walk
  /** The dialog's last viewport. */
  readonly camera: { at?: Viewport }
  /** Tools over the canvas. */
  readonly children: (canvas: CanvasState) => React.ReactNode
}

const VISIT_WORDS = { timeOf: (ms: number) => secondOf(new Date(ms).toISOString()), durationOf }

const Walked = ({ flow, dialog, names, walk, children }: WalkCanvasProps) => {
  const canvas = useCanvas()
  const { t } = useTranslation('replay')
  const root = useRef<HTMLDivElement>(null)
  const bringIntoSight = useCamera(root)
  const { moments, index, at } = walk
  const visits = useMemo(() => visitsAt(moments, index, dialog, VISIT_WORDS), [moments, index, dialog])
  const block = at.step?.dialog === dialog ? at.step.block : undefined
  useEffect(() => {
    const steps = (from: number, to: number) => linkStepsOf(moments.slice(from, to), dialog)
    canvas.linkMarks.set(traversedLinks(flow.model, steps(0, index), steps(index, moments.length)))
    canvas.bright.set(new Set(visits.keys()))
  }, [canvas, flow, moments, index, dialog, visits])
  useEffect(() => {
    const node = block === undefined ? undefined : flow.model.nodes.get(block)
    if (node !== undefined) bringIntoSight([node], 'some')
  }, [block, flow, bringIntoSight])
  const waits = at.step !== undefined && at.step.out === null && at.turn.status === 'waiting'
  const name = names.flow?.name ?? ''
  return (
    <div ref={root} className="pt-view pr-view" data-region="canvas">
      <FlowCanvas state={canvas} label={t('canvas', { name })} readOnly past tool="pan">
        <VisitLayer visits={visits} at={block} {...(waits ? { word: t('waits') } : {})} />
      </FlowCanvas>
      {children(canvas)}
    </div>
  )
}

/** A dialog at the revision that ran, with what the conversation did in it so far and what it does later. */
export const ReplayCanvas = (props: WalkCanvasProps) => {
  const { t } = useTranslation(['designer', 'block'])
  const { flow, names, camera } = props
  const [canvas] = useState(() => {
    const store = createStore(flow.model)
    return createCanvasState(store, createPositions(store), { camera })
  })
  useEffect(() => () => canvas.positions.stop(), [canvas])
  const { nameOf } = useReferences(canvas.flow, names)
  const words = useMemo(() => translatorOf((key, values) => t(key, values ?? {}), nameOf), [t, nameOf])
  return (
    <TranslateContext value={words}>
      <CanvasContext value={canvas}>
        <CanvasProvider>
          <Walked {...props} />
        </CanvasProvider>
      </CanvasContext>
    </TranslateContext>
  )
}
