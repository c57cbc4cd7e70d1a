import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { dayOf } from '#web/format/time.ts'
import type { Dropoff, totalsOf } from './funnel.ts'
import {
  CHANNELS,
  type Comparison,
  type FunnelFilter,
  PERIODS,
  type Period,
  type Unit,
  useNumbers,
} from './use-funnel.ts'

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
export const FunnelBar = ({ filter, put, revisions, totals, ...shown }: FunnelBarProps) => {
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
