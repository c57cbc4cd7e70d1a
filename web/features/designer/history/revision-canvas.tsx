import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WordPart } from '#domain/flow/diff/word-diff.ts'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { blockSizeOf, type CanvasState, createCanvasState } from '../canvas/canvas-context.ts'
import { FlowCanvas } from '../canvas/flow-canvas.tsx'
import { openingViewport } from '../canvas/opening-viewport.ts'
import { createPositions } from '../canvas/positions.ts'
import type { Decoration } from '../model/block-appearance.ts'
import { createStore } from '../model/store.ts'
import { type BlockScene, reuseUnchanged, type Scene } from './scene.ts'
import { InlineTextDiff } from './value-diff.tsx'

const LEAD = 14

/** A block shows two lines: cuts text before the first changed word to keep the change visible. */
const fromFirstChange = (parts: readonly WordPart[]): readonly WordPart[] => {
  const [first, ...rest] = parts
  if (first?.kind !== 'same' || first.text.length <= 2 * LEAD || rest.length === 0) return parts
  return [{ kind: 'same', text: `…${first.text.slice(-LEAD)}` }, ...rest]
}

const decorationOf = ({ kind, from, title, preview }: BlockScene): Decoration => ({
  kind,
  ...(from === undefined ? {} : { from }),
  ...(title === undefined ? {} : { title: <InlineTextDiff parts={title} /> }),
  ...(preview === undefined ? {} : { text: <InlineTextDiff parts={fromFirstChange(preview)} /> }),
})

const EMPTY: FlowModel = { schema: 1, nodes: new Map(), links: new Map() }

/** A separate canvas for the past: it shares only the camera with the live one. */
export const useRevisionCanvas = (live: CanvasState): CanvasState & { show(scene: Scene): void } => {
  const [canvas] = useState(() => {
    const flow = createStore(EMPTY)
    live.camera.at ??= openingViewport(live.flow.get(), { width: innerWidth, height: innerHeight }, blockSizeOf(live))
    const state = createCanvasState(flow, createPositions(flow), { camera: live.camera, compact: live.compact })
    const show = (scene: Scene) => {
      state.decorations.set(new Map([...scene.blocks].map(([id, block]) => [id, decorationOf(block)])))
      state.linkDecorations.set(scene.links)
      flow.set(before => reuseUnchanged(before, scene.model))
    }
    return { ...state, show }
  })
  useEffect(() => () => canvas.positions.stop(), [canvas])
  return canvas
}

interface PastCanvasProps {
  readonly canvas: CanvasState
  readonly name: string
}

/** The flow as it stood: to look at, not to change. */
export const RevisionCanvas = ({ canvas, name }: PastCanvasProps) => {
  const { t } = useTranslation('history')
  return <FlowCanvas state={canvas} label={t('flow.canvas', { name })} readOnly past tool="pan" />
}
