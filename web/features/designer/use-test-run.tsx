import { EyeOff } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { secondOf } from '#web/format/time.ts'
import { type CanvasState, useWords } from './canvas/canvas-context.ts'
import type { Visit } from './canvas/visit-layer.tsx'
import type { useCamera } from './canvas/zoom.ts'
import { shownTitle, typeName } from './model/block-appearance.ts'
import { useStoreValue } from './model/store.ts'
import type { HeldValue } from './replay/replay-moments.ts'
import { type StartFrom, startFrom } from './replay/start-from.ts'
import { useDesigner } from './session/designer.ts'
import { useNames } from './session/flow-names.ts'
import {
  drawnAs,
  type ExecutedBlock,
  editedBlock,
  type SimulationStart,
  type SimulationView,
  useSimulation,
} from './simulation/use-simulation.ts'

/** A conversation with the open dialog, and what was changed of it since. */
export const useTestRun = (bot: string | undefined) => {
  const { address, canvas: live } = useDesigner()
  const flow = useStoreValue(live.flow)
  const drawn = useCallback(
    ({ dialog, block }: ExecutedBlock) => (dialog === address.id ? drawnAs(flow, block) : ''),
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
export const useFollowTestRun = ({ canvas, view, visits, at, bringIntoSight }: FollowedRun): void => {
  const { canvas: live, address } = useDesigner()
  // Without a waiting block, the last visited one.
  const seen = at ?? view?.steps.findLast(({ dialog }) => dialog === address.id)?.block
  useEffect(() => {
    canvas.bright.set(view === undefined ? undefined : new Set([...visits.keys(), ...(at === undefined ? [] : [at])]))
  }, [canvas, visits, at, view])
  useEffect(() => {
    const node = seen === undefined ? undefined : live.flow.get().nodes.get(seen)
    if (node !== undefined) bringIntoSight([node], 'some')
  }, [seen, live, bringIntoSight])
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

type Begin = (more?: Partial<SimulationStart>) => void

/**
 * Starts the test once: if the address names a moment of a conversation, there and with its values. A previous run
 * continues instead.
 */
export const useStartTestRun = (bot: string | undefined, begin: Begin, isResumed: boolean): StartFrom | undefined => {
  const { address, canvas } = useDesigner()
  const [from, setFrom] = useState<StartFrom>()
  const isBegun = useRef(false)
  useEffect(() => {
    if (bot === undefined || isBegun.current) return
    isBegun.current = true
    const search = new URLSearchParams(location.search)
    const conversation = search.get(DESIGNER_QUERY.from)
    if (conversation === null) {
      if (!isResumed) begin()
      return
    }
    const { nodes } = canvas.flow.get()
    const checkedAs = ({ by }: HeldValue): string | undefined => {
      const data = by?.dialog === address.id ? nodes.get(by.block)?.properties.data : undefined
      return typeof data === 'object' && data !== null && 'validationType' in data
        ? String(data.validationType)
        : undefined
    }
    const place = { turn: Number(search.get(DESIGNER_QUERY.turn)), step: Number(search.get(DESIGNER_QUERY.step)) }
    http.get('/conversation/{id}/replay', { params: { id: conversation } }).then(
      replay => {
        const start = startFrom(replay, place, checkedAs)
        setFrom(start)
        if (start === undefined) return begin()
        const { block, release, values } = start
        begin({ ...values, ...(block === undefined ? {} : { block }), release, paused: true })
      },
      () => begin(),
    )
  }, [bot, begin, isResumed, address.id, canvas])
  return from
}

/** States that a test continues a conversation, and which of its values are examples. */
export const TestStartNote = ({ from }: { readonly from: StartFrom | undefined }) => {
  const { t } = useTranslation('simulation')
  if (from === undefined) return null
  return (
    <p className="ps-from" role="status">
      {t('begun', { time: secondOf(new Date(from.time).toISOString()), release: from.release })}
      {from.examples.length === 0 ? null : (
        <span>
          <EyeOff size={12} aria-hidden />
          {t('examples', { names: from.examples.join(', ') })}
        </span>
      )}
    </p>
  )
}
