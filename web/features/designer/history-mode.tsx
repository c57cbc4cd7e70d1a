import { Button } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { useWords } from './canvas/canvas-context.ts'
import { ZoomTools } from './chrome/floating-tools.tsx'
import { BackToNow, BarActions } from './history/bar-actions.tsx'
import { ChangePanel } from './history/change-panel.tsx'
import { Dock } from './history/dock.tsx'
import { momentFlags, usePublishings } from './history/flag.ts'
import { changeEntries } from './history/scene.ts'
import { useMode } from './mode/mode-context.ts'
import { useStoreValue } from './model/store.ts'
import { useDesigner } from './session/designer.ts'
import { useNames } from './session/flow-names.ts'
import type { FlowAddress } from './session/room/flow-address.ts'
import './history/history.css'
import './history/mark.css'
import './session/edit-history/edit-session.css'
import './history/dock.css'
import './history/change.css'
import './history/phone.css'
import { useCamera } from './canvas/zoom.ts'
import { Legend } from './history/legend.tsx'
import { InkBand } from './history/past-revision-banner.tsx'
import { RestoreFlow } from './history/restore-flow.tsx'
import { RevisionCanvas, useRevisionCanvas } from './history/revision-canvas.tsx'
import { SessionList } from './history/session-list.tsx'
import { useScene } from './history/use-scene.ts'
import { momentIn, type Travel, TravelContext, useMoments, usePlay, useTravel } from './history/use-travel.ts'
import { useTravelKeys } from './history/use-travel-keys.ts'

interface JourneyProps {
  readonly travel: Travel
  readonly onLeave: () => void
}

const Journey = ({ travel, onLeave }: JourneyProps) => {
  const { t } = useTranslation('history')
  const words = useWords()
  const phone = useMedia(PHONE)
  const names = useNames()
  const { canvas: live } = useDesigner()
  const root = useRef<HTMLDivElement>(null)
  const bringIntoSight = useCamera(root)
  const canvas = useRevisionCanvas(live)
  const [person, setPerson] = useState<string>()
  const [tab, setTab] = useState<'edits' | 'changed'>('edits')
  const { shown, error, late, retry } = useScene(travel, words)
  const play = usePlay(travel, late)
  const publishings = usePublishings(travel.address, travel.moments)
  const flags = useMemo(() => [...publishings, ...momentFlags(travel.moments)], [publishings, travel.moments])
  const block = useStoreValue(canvas.selection, ({ blocks }) => [...blocks][0])

  useEffect(() => {
    if (shown !== undefined) canvas.show(shown.scene)
  }, [canvas, shown])
  const visited = useRef('')
  const place = `${travel.session.first.revision} ${travel.view}`
  useEffect(() => {
    if (shown === undefined || late) return
    const unless = visited.current === place ? 'some' : 'most'
    visited.current = place
    const changed = changeEntries(shown.scene, words)
    bringIntoSight(
      changed.map(({ node }) => node),
      unless,
    )
  }, [shown, late, place, words, bringIntoSight])
  const select = useCallback(
    (id: string) => {
      const node = canvas.flow.get().nodes.get(id)
      canvas.selection.set({ blocks: new Set([id]), links: new Set() })
      if (node !== undefined) bringIntoSight([node], 'never')
    },
    [canvas, bringIntoSight],
  )
  const stopped =
    <A extends readonly unknown[]>(run: (...given: A) => void) =>
    (...given: A) => {
      play.stop()
      run(...given)
    }
  useTravelKeys({
    step: stopped(travel.step),
    stepSession: stopped(travel.stepSession),
    end: stopped(last => travel.go((last ? travel.head : (travel.moments[0] ?? travel.head)).revision)),
    play: play.toggle,
    leave: onLeave,
  })

  const list = <SessionList person={person} onPerson={setPerson} flags={publishings} />
  const panel = <ChangePanel shown={shown} late={late} block={block} onBlock={select} />
  const dock = <Dock flags={flags} playing={play.playing} onPlay={play.toggle} phone={phone} />
  const view = (
    <div ref={root} className="pt-view" data-region="canvas" data-late={late || undefined}>
      <RevisionCanvas canvas={canvas} name={names.flow?.name ?? ''} />
      {phone ? null : <Legend />}
      {phone ? null : <ZoomTools canvas={canvas} />}
      {error === null ? null : (
        <div className="pt-failed">
          <ErrorState error={error} onRetry={retry} />
        </div>
      )}
    </div>
  )
  return (
    <TravelContext value={travel}>
      {phone ? (
        <div className="pt-phone">
          <InkBand phone />
          <div className="pt-phone-actions">
            <BackToNow onLeave={onLeave} small />
            <RestoreFlow small />
          </div>
          {view}
          {dock}
          <fieldset className="pl-seg pt-views" aria-label={t('flow.view')}>
            <button type="button" aria-pressed={tab === 'edits'} onClick={() => setTab('edits')}>
              {t('flow.edits')}
            </button>
            <button type="button" aria-pressed={tab === 'changed'} onClick={() => setTab('changed')}>
              {t('flow.changed')}
            </button>
          </fieldset>
          <div className="pt-phone-body">{tab === 'edits' ? list : panel}</div>
        </div>
      ) : (
        <div className="pt-history">
          <BarActions onLeave={onLeave} />
          <div className="pt-left" data-region="left">
            {list}
          </div>
          <div className="pt-middle">
            <InkBand phone={false} />
            {view}
            {dock}
          </div>
          <div className="pt-right" data-region="inspector">
            {panel}
          </div>
        </div>
      )}
    </TravelContext>
  )
}

/** Time travel: the flow at any of its moments, what changed, and the way to bring it back. */
export const HistoryMode = (address: FlowAddress) => {
  const { t } = useTranslation('history')
  const { send } = useMode()
  const { key } = useLocation()
  const { kind, id } = address
  const place = useMemo(() => ({ kind, id }), [kind, id])
  const query = useMoments(place)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router knows no more than that the address is another one.
  const start = useMemo(() => momentIn(new URLSearchParams(location.search)), [key])
  const travel = useTravel(place, query.data?.moments ?? [], query.data?.complete ?? false, start)
  const leave = useCallback(() => send({ type: 'EDIT' }), [send])
  if (travel !== undefined) return <Journey travel={travel} onLeave={leave} />
  if (query.isPending) return <DesignerSkeleton />
  const back = <Button onClick={leave}>{t('flow.back')}</Button>
  return (
    <div className="pt-nothing">
      {query.error === null ? (
        <EmptyState icon={History} title={t('flow.empty')} text={t('flow.emptyText')}>
          {back}
        </EmptyState>
      ) : (
        <>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          {back}
        </>
      )}
    </div>
  )
}
