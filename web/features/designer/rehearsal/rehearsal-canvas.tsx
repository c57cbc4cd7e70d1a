import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
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
import { type RevisionFlow, type Scene, sceneOf } from '../history/scene.ts'
import type { LinkMark } from '../model/block-appearance.ts'
import { createStore } from '../model/store.ts'
import type { FlowNames } from '../session/flow-names.ts'
import { translatorOf, useReferences } from '../session/use-references.ts'

/** Number of conversations that left a block by an output, today and after. */
export interface Way {
  readonly dialog: string
  readonly block: string
  readonly out: string | null
  readonly today: number
  readonly after: number
}

interface RehearsalCanvasProps {
  readonly before: RevisionFlow
  readonly after: RevisionFlow
  readonly dialog: string
  readonly names: FlowNames
  readonly ways: readonly Way[]
  /** The block behind which the paths part. */
  readonly parts: string | undefined
  readonly children: (canvas: CanvasState) => React.ReactNode
}

const keyOf = (block: string, out: string): string => `${block} ${out}`

/** Links of two drawings by who takes them: a new link is taken after alone, a removed one today alone. */
const linkMarks = ({ model, links }: Scene, ways: ReadonlyMap<string, Way>): ReadonlyMap<string, LinkMark> => {
  const marks = new Map<string, LinkMark>()
  for (const [id, { from, fromConnector }] of model.links) {
    const way = ways.get(keyOf(from, fromConnector))
    const diff = links.get(id)
    const isToday = way !== undefined && way.today > 0 && diff !== 'added'
    const isAfter = way !== undefined && way.after > 0 && diff !== 'removed'
    if (isToday || isAfter) marks.set(id, { kind: isToday && isAfter ? 'both' : isToday ? 'today' : 'after' })
  }
  return marks
}

const Drawn = ({
  scene,
  dialog,
  names,
  ways,
  parts,
  children,
}: Omit<RehearsalCanvasProps, 'before' | 'after'> & { scene: Scene }) => {
  const canvas = useCanvas()
  const { t } = useTranslation('rehearsal')
  const root = useRef<HTMLDivElement>(null)
  const bringIntoSight = useCamera(root)
  const own = useMemo(() => ways.filter(way => way.dialog === dialog), [ways, dialog])
  const visits = useMemo(() => {
    const blocks = Map.groupBy(own, ({ block }) => block)
    const most = (found: readonly Way[], side: 'today' | 'after') => Math.max(...found.map(way => way[side]))
    return new Map(
      [...blocks].map(([block, found]) => {
        const [today, after] = [most(found, 'today'), most(found, 'after')]
        const label = today === after ? String(today) : `${today} → ${after}`
        return [block, { label: Math.max(today, after) > 1 ? label : '' }] as const
      }),
    )
  }, [own])
  useEffect(() => {
    const byOutput = new Map(own.flatMap(way => (way.out === null ? [] : [[keyOf(way.block, way.out), way] as const])))
    canvas.decorations.set(new Map([...scene.blocks].map(([id, { kind }]) => [id, { kind }])))
    canvas.linkDecorations.set(scene.links)
    canvas.linkMarks.set(linkMarks(scene, byOutput))
    canvas.bright.set(own.length === 0 ? undefined : new Set(visits.keys()))
  }, [canvas, scene, own, visits])
  useEffect(() => {
    const node = parts === undefined ? undefined : scene.model.nodes.get(parts)
    if (node !== undefined) bringIntoSight([node], 'some')
  }, [parts, scene, bringIntoSight])
  return (
    <div ref={root} className="pt-view" data-region="canvas">
      <FlowCanvas state={canvas} label={t('canvas', { name: names.flow?.name ?? '' })} readOnly past tool="pan">
        <VisitLayer visits={visits} at={parts} />
      </FlowCanvas>
      {children(canvas)}
    </div>
  )
}

/** The draft of a dialog over what is published, with the two ways that conversations take. */
export const RehearsalCanvas = ({ before, after, ...props }: RehearsalCanvasProps) => {
  const { t } = useTranslation(['designer', 'block'])
  const [canvas] = useState(() => {
    const store = createStore(after.model)
    return createCanvasState(store, createPositions(store), { camera: {} })
  })
  useEffect(() => () => canvas.positions.stop(), [canvas])
  const { nameOf } = useReferences(canvas.flow, props.names)
  const words = useMemo(() => translatorOf((key, values) => t(key, values ?? {}), nameOf), [t, nameOf])
  const scene = useMemo(() => sceneOf(before, after, words), [before, after, words])
  useEffect(() => canvas.flow.set(scene.model), [canvas, scene])
  return (
    <TranslateContext value={words}>
      <CanvasContext value={canvas}>
        <CanvasProvider>
          <Drawn scene={scene} {...props} />
        </CanvasProvider>
      </CanvasContext>
    </TranslateContext>
  )
}
