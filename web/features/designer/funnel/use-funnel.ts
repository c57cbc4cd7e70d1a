import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { isoDayOf } from '#web/format/time.ts'
import { useAddress } from '#web/page/use-address.ts'
import type { Dropoff } from './funnel.ts'

export const PERIODS = [7, 14, 30, 90] as const
export type Period = (typeof PERIODS)[number]
/** Types of channels; '' is all of them. */
export const CHANNELS = ['webchat', 'whatsapp_meta', 'facebook', 'rest', 'whatsapp_simulated'] as const

const DAY_MS = 86_400_000
/** Counts are read again while people talk. Milliseconds. */
const FRESH = 30_000

export interface FunnelFilter {
  readonly days: Period
  readonly channel: string
  /** '' is all that ran. */
  readonly revision: string
  /** The revision that is compared with; '' for none. */
  readonly other: string
}

const UNITS = ['people', 'share', 'time'] as const
export type Unit = (typeof UNITS)[number]
const COMPARISONS = ['difference', 'beside'] as const
export type Comparison = (typeof COMPARISONS)[number]
const NAMES = { days: 'days', channel: 'channel', revision: 'revision', other: 'with' } as const
const USUAL_DAYS = 14

const oneOf = <T>(all: readonly T[], value: unknown, otherwise: T): T => all.find(one => one === value) ?? otherwise
const revisionIn = (text: string | null): string => (text !== null && /^[1-9]\d{0,14}$/u.test(text) ? text : '')

const filterIn = (search: URLSearchParams): FunnelFilter => ({
  days: oneOf<Period>(PERIODS, Number(search.get(NAMES.days)), USUAL_DAYS),
  channel: oneOf<string>(['', ...CHANNELS], search.get(NAMES.channel), ''),
  revision: revisionIn(search.get(NAMES.revision)),
  other: revisionIn(search.get(NAMES.other)),
})

/** The funnel's settings, in the address. */
export const useFunnelAddress = () => {
  const { params, put } = useAddress()
  const filter = filterIn(params)
  return {
    filter,
    unit: oneOf(UNITS, params.get('unit'), 'people'),
    comparison: oneOf(COMPARISONS, params.get('view'), 'difference'),
    put: (change: Partial<FunnelFilter>) => {
      const { days, ...texts } = change
      const named = Object.entries(texts).map(([name, value]) => [NAMES[name as keyof typeof texts], value] as const)
      put({
        ...Object.fromEntries(named),
        ...(days === undefined ? {} : { days: days === USUAL_DAYS ? undefined : String(days) }),
      })
    },
    putUnit: (unit: Unit) => put({ unit: unit === 'people' ? undefined : unit }),
    putComparison: (view: Comparison) => put({ view: view === 'difference' ? undefined : view }),
  }
}

/** The block of the panel, in the address in place of the one before. */
export const useChosenBlock = () => {
  const [chosen, choose] = useState(() => new URLSearchParams(location.search).get(DESIGNER_QUERY.block) ?? undefined)
  useEffect(() => {
    if (chosen === undefined) return
    const url = new URL(location.href)
    url.searchParams.set(DESIGNER_QUERY.block, chosen)
    if (url.href !== location.href) history.replaceState(history.state, '', url)
  }, [chosen])
  return [chosen, choose] as const
}

/** Counts per block of a dialog in a period; of one `revision`, or of all that ran if ''. */
export const useDropoff = (
  bot: string | undefined,
  dialog: string,
  { days, channel }: FunnelFilter,
  revision: string,
  enabled = true,
) => {
  const to = isoDayOf(Date.now())
  const from = isoDayOf(Date.now() - (days - 1) * DAY_MS)
  const query = {
    dialog,
    from,
    to,
    ...(channel === '' ? {} : { channel }),
    ...(revision === '' ? {} : { revision: Number(revision) }),
  }
  return useQuery<Dropoff>({
    queryKey: ['dropoff', bot, query],
    queryFn: ({ signal }) => http.get('/bot/{id}/dropoff', { params: { id: bot ?? '' }, query, signal }),
    enabled: enabled && bot !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: FRESH,
  })
}

/** Counts and shares as the reader's language writes them. */
export const useNumbers = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const count = new Intl.NumberFormat(i18n.language)
    const share = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
    const points = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
    return {
      /** Null: fewer than five, withheld. */
      countOf: (value: number | null): string => (value === null ? '< 5' : count.format(value)),
      shareOf: (value: number): string => share.format(value),
      /** Difference of two shares in percentage points. */
      differenceOf: (one: number | undefined, other: number | undefined): string | undefined =>
        one === undefined || other === undefined ? undefined : ` (${points.format((one - other) * 100)})`,
    }
  }, [i18n.language])
}
