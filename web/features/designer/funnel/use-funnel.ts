import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { http } from '#web/api/http.ts'
import { isoDayOf } from '#web/format/time.ts'
import type { Dropoff } from './funnel.ts'

export const PERIODS = [7, 14, 30, 90] as const
export type Period = (typeof PERIODS)[number]
/** Types of channels; '' is all of them. */
export const CHANNELS = ['webchat', 'whatsapp_meta', 'facebook', 'rest'] as const

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

const START: FunnelFilter = { days: 14, channel: '', revision: '', other: '' }

export const useFunnelFilter = () => {
  const [filter, setFilter] = useState(START)
  return { filter, put: (change: Partial<FunnelFilter>) => setFilter(held => ({ ...held, ...change })) }
}

/** What people did at the blocks of a dialog in a period; `revision` of it, all that ran where it is ''. */
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
