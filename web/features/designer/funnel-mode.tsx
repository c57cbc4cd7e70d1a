import { useQuery } from '@tanstack/react-query'
import { DoorOpen, Download, RotateCcw, TrendingDown } from 'lucide-react'
import { memo, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { ZoomTools } from './chrome/floating-tools.tsx'
import { type BlockFunnel, type Dropoff, funnelsOf, linkWidths, spreadRows, totalsOf } from './funnel/funnel.ts'
import { funnelCsv } from './funnel/funnel-csv.ts'
import { FunnelPanel } from './funnel/funnel-panel.tsx'
import {
  CHANNELS,
  type Comparison,
  type FunnelFilter,
  PERIODS,
  type Period,
  type Unit,
  useChosenBlock,
  useDropoff,
  useFunnelAddress,
  useNumbers,
} from './funnel/use-funnel.ts'
import { flowAtQuery } from './history/scene.ts'
import { useMode } from './mode/mode-context.ts'
import { createStore, useStoreValue } from './model/store.ts'
import { useDesigner } from './session/designer.ts'
import { useNames } from './session/flow-names.ts'
import { usePhone } from './session/use-phone.ts'
import './funnel/funnel.css'
import { IconButton } from '#web/components/hint.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { dayOf, durationOf } from '#web/format/time.ts'
import { blockSizeOf, type CanvasState, createCanvasState, useBlockSize, useCanvas } from './canvas/canvas-context.ts'
import { CanvasProvider, FlowCanvas } from './canvas/flow-canvas.tsx'
import { createPositions } from './canvas/positions.ts'
import { ViewportLayer } from './canvas/viewport-layer.tsx'
import { sizeOf } from './model/block-appearance.ts'

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
const FunnelCanvas = ({ model, dropoff, compared, unit, label, live, onBlock, children }: FunnelCanvasProps) => {
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

interface FunnelBarProps {
  readonly filter: FunnelFilter
  readonly put: (change: Partial<FunnelFilter>) => void
  readonly revisions: Dropoff['revisions']
  readonly totals: ReturnType<typeof totalsOf>
  readonly unit: Unit
  readonly onUnit: (unit: Unit) => void
  readonly comparison: Comparison
  readonly onComparison: (comparison: Comparison) => void
  readonly onExport: () => void
}

/** Of when, of which channel and of which revision, and with which other one it is compared. */
const Filters = ({ filter, put, revisions }: Pick<FunnelBarProps, 'filter' | 'put' | 'revisions'>) => {
  const { t } = useTranslation('funnel')
  const choices = revisions.map(({ revision, since }) => ({
    value: String(revision),
    label: t('revision', { revision, day: dayOf(since) }),
  }))
  return (
    <>
      <ChoiceControl
        id="pf-period"
        label={t('period')}
        value={String(filter.days)}
        chosen
        choices={PERIODS.map(count => ({ value: String(count), label: t('days', { count }) }))}
        onChange={value => put({ days: Number(value) as Period })}
      />
      <ChoiceControl
        id="pf-channel"
        label={t('channel')}
        none={t('allchannels')}
        value={filter.channel}
        choices={CHANNELS.map(value => ({ value, label: t(`of.${value}`) }))}
        onChange={channel => put({ channel })}
      />
      <ChoiceControl
        id="pf-revision"
        label={t('revisions')}
        none={t('allrevisions')}
        value={filter.revision}
        choices={choices}
        onChange={revision => put({ revision })}
      />
      <ChoiceControl
        id="pf-other"
        label={t('compare')}
        none={t('nocompare')}
        value={filter.other}
        choices={choices.filter(({ value }) => value !== filter.revision)}
        onChange={other => put({ other })}
      />
    </>
  )
}

/** Filters and display options. */
const FunnelBar = ({ filter, put, revisions, totals, ...shown }: FunnelBarProps) => {
  const { t } = useTranslation('funnel')
  const { countOf, shareOf } = useNumbers()
  return (
    <div className="pf-bar" role="toolbar" aria-label={t('filters')}>
      <Filters filter={filter} put={put} revisions={revisions} />
      {filter.other === '' ? null : (
        <Segments<Comparison>
          label={t('compare')}
          value={shown.comparison}
          options={[
            { value: 'difference', label: t('difference') },
            { value: 'beside', label: t('beside') },
          ]}
          onChange={shown.onComparison}
        />
      )}
      <p className="pf-total" role="status">
        {t('total', { entered: countOf(totals.entered), ended: countOf(totals.ended), share: shareOf(totals.share) })}
      </p>
      <Segments<Unit>
        label={t('show')}
        value={shown.unit}
        options={[
          { value: 'people', label: t('people') },
          { value: 'share', label: '%' },
          { value: 'time', label: t('time') },
        ]}
        onChange={shown.onUnit}
      />
      <IconButton icon={Download} label={t('export')} onClick={shown.onExport} />
    </div>
  )
}

const Legend = () => {
  const { t } = useTranslation('funnel')
  return (
    <p className="pl-float pf-legend">
      <span>
        <DoorOpen size={14} aria-hidden />
        {t('legend.left')}
      </span>
      <span>
        <RotateCcw size={13} aria-hidden />
        {t('legend.retried')}
      </span>
      <span>
        <i />
        {t('legend.width')}
      </span>
      <span>
        <i data-red="" />
        {t('legend.red')}
      </span>
    </p>
  )
}

/** A dialog as a revision had it; as it is drawn where no revision of it ran yet. */
const useModel = (revision: number | undefined) => {
  const { address, canvas } = useDesigner()
  const live = useStoreValue(canvas.flow)
  const { data, error, refetch } = useQuery({
    ...flowAtQuery(address, revision ?? 0),
    enabled: revision !== undefined,
  })
  return { model: revision === undefined ? live : data?.model, error, retry: () => void refetch() }
}

interface ViewsProps {
  readonly name: string
  readonly model: FlowModel
  readonly dropoff: Dropoff
  readonly compared: Dropoff | undefined
  readonly other: { readonly model: FlowModel; readonly revision: string } | undefined
  readonly revision: string
  readonly unit: Unit
  readonly onBlock: (block: string | undefined) => void
}

/** The funnel on its canvas, or two beside each other. */
const Views = ({ name, model, dropoff, compared, other, revision, unit, onBlock }: ViewsProps) => {
  const { t } = useTranslation('funnel')
  const { canvas: live } = useDesigner()
  const phone = usePhone()
  const titleOf = (one: string) => (one === '' ? t('allrevisions') : t('one', { revision: one }))
  return (
    <div className="pf-views" data-region="canvas">
      <section className="pf-view">
        {other === undefined ? null : <h2>{titleOf(revision)}</h2>}
        {dropoff.blocks.length > 0 ? null : (
          <div className="pf-empty">
            <p role="status">{t('empty')}</p>
          </div>
        )}
        <FunnelCanvas
          key={revision}
          model={model}
          dropoff={dropoff}
          compared={other === undefined ? compared : undefined}
          unit={unit}
          label={t('canvas', { name })}
          live={live}
          onBlock={onBlock}
        >
          {canvas => (
            <>
              <ZoomTools canvas={canvas} />
              {phone || other !== undefined ? null : <Legend />}
            </>
          )}
        </FunnelCanvas>
      </section>
      {other === undefined || compared === undefined ? null : (
        <section className="pf-view">
          <h2>{titleOf(other.revision)}</h2>
          <FunnelCanvas
            key={other.revision}
            model={other.model}
            dropoff={compared}
            unit={unit}
            label={t('canvas', { name: titleOf(other.revision) })}
            live={live}
            onBlock={onBlock}
          />
        </section>
      )}
    </div>
  )
}

/** Counts of a period, of the comparison, and the flow models of both. */
const useCounts = (filter: FunnelFilter) => {
  const { bot } = useNames()
  const { address } = useDesigner()
  const dropoff = useDropoff(bot?.id, address.id, filter, filter.revision)
  const compared = useDropoff(bot?.id, address.id, filter, filter.other, filter.other !== '')
  const newest = dropoff.data?.revisions[0]?.revision
  const drawn = useModel(filter.revision === '' ? newest : Number(filter.revision))
  const other = useModel(filter.other === '' ? newest : Number(filter.other))
  const totals = useMemo(
    () => totalsOf(dropoff.data?.blocks ?? [], drawn.model?.nodes ?? new Map()),
    [dropoff.data, drawn.model],
  )
  return { dropoff, compared, drawn, other, totals }
}

const saveFunnel = (dropoff: Dropoff | undefined, model: FlowModel | undefined, name = 'funnel'): void => {
  if (dropoff === undefined || model === undefined) return
  saveFile(new Blob([funnelCsv(dropoff, model)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
}

/** Paths and exits of people, over the dialog as it ran. */
export const FunnelMode = () => {
  const { t } = useTranslation('funnel')
  const names = useNames()
  const { canvas: live } = useDesigner()
  const { send } = useMode()
  const { filter, unit, comparison, put, putUnit, putComparison } = useFunnelAddress()
  const [chosen, choose] = useChosenBlock()
  const { dropoff, compared, drawn, other, totals } = useCounts(filter)
  const onBlock = useCallback(
    (block: string | undefined) => {
      if (block !== undefined) choose(block)
    },
    [choose],
  )
  const edit = (block: string) => {
    live.selection.set({ blocks: new Set([block]), links: new Set() })
    send({ type: 'EDIT' })
  }
  const error = dropoff.error ?? drawn.error
  if (error !== null && dropoff.data === undefined)
    return <ErrorState error={error} onRetry={() => void dropoff.refetch()} />
  if (dropoff.data === undefined || drawn.model === undefined) return <DesignerSkeleton />
  const isBeside = filter.other !== '' && comparison === 'beside' && other.model !== undefined
  const isDrawn = chosen !== undefined && live.flow.get().nodes.has(chosen)
  return (
    <section className="pf-mode" aria-label={t('mode')}>
      <div className="pf-middle">
        <FunnelBar
          filter={filter}
          put={put}
          revisions={dropoff.data.revisions}
          totals={totals}
          unit={unit}
          onUnit={putUnit}
          comparison={comparison}
          onComparison={putComparison}
          onExport={() => saveFunnel(dropoff.data, drawn.model, names.flow?.name)}
        />
        <Views
          name={names.flow?.name ?? ''}
          model={drawn.model}
          dropoff={dropoff.data}
          compared={filter.other === '' ? undefined : compared.data}
          other={isBeside && other.model ? { model: other.model, revision: filter.other } : undefined}
          revision={filter.revision}
          unit={unit}
          onBlock={onBlock}
        />
      </div>
      <FunnelPanel
        model={drawn.model}
        dropoff={dropoff.data}
        chosen={chosen}
        onBlock={choose}
        onEdit={isDrawn || chosen === undefined ? edit : undefined}
      />
    </section>
  )
}
