import { useCallback, useEffect, useMemo } from 'react'
import type { CanvasState } from './canvas/canvas-context.ts'
import { useWords } from './canvas/translate-context.ts'
import type { useCamera } from './canvas/use-camera.ts'
import type { Visit } from './canvas/visit-layer.tsx'
import { shownTitle, typeName } from './model/look.ts'
import { useStoreValue } from './model/store.ts'
import { useDesigner } from './session/designer.ts'
import { useNames } from './session/names-context.ts'
import { drawnAs, editedBlock, type RanBlock } from './simulation/edited-since.ts'
import { type SimulationView, useSimulation } from './simulation/use-simulation.ts'

/** A conversation with the open dialog, and what was changed of it since. */
export const useTestRun = (bot: string | undefined) => {
  const { address, canvas: live } = useDesigner()
  const flow = useStoreValue(live.flow)
  const drawn = useCallback(
    ({ dialog, block }: RanBlock) => (dialog === address.id ? drawnAs(flow, block) : ''),
    [address.id, flow],
  )
  const run = useSimulation({ bot, dialog: address.id, drawnAs: drawn })
  const edited = useMemo(() => editedBlock(run.view?.steps ?? [], run.drawn, drawn), [run.view, run.drawn, drawn])
  return { run, edited }
}

interface FollowedRun {
  readonly canvas: CanvasState
  readonly view: SimulationView | undefined
  readonly visits: ReadonlyMap<string, Visit>
  readonly at: string | undefined
  readonly bringIntoSight: ReturnType<typeof useCamera>
}

/** Fades what has not run, and keeps in sight where the conversation stands. */
export const useFollowing = ({ canvas, view, visits, at, bringIntoSight }: FollowedRun): void => {
  const { canvas: live } = useDesigner()
  useEffect(() => {
    canvas.bright.set(view === undefined ? undefined : new Set([...visits.keys(), ...(at === undefined ? [] : [at])]))
  }, [canvas, visits, at, view])
  useEffect(() => {
    const node = at === undefined ? undefined : live.flow.get().nodes.get(at)
    if (node !== undefined) bringIntoSight([node], 'some')
  }, [at, live, bringIntoSight])
}

/** Names of blocks; those of other dialogs by dialog and type. */
export const useBlockName = (view: SimulationView | undefined) => {
  const words = useWords()
  const names = useNames()
  const { canvas: live } = useDesigner()
  const nodes = useStoreValue(live.flow, model => model.nodes)
  return useCallback(
    (block: string): string => {
      const node = nodes.get(block)
      if (node !== undefined) return shownTitle(node, words).text
      const step = view?.steps.find(each => each.block === block)
      const dialog = names.dialogs?.find(({ id }) => id === step?.dialog)?.name
      return step === undefined ? '' : `${dialog ?? ''} · ${typeName(step.type, words)}`
    },
    [nodes, words, view, names.dialogs],
  )
}
