import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { channelType, isWhatsapp } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useLabel } from '#web/entity/label.ts'
import { readAll } from '#web/entity/read-all.ts'
import { numberText } from '#web/format/number.ts'
import { momentOf } from '#web/format/time.ts'

export type Health = AnswerOf<'GET /channel/{id}/health'>
type HealthState = Health['state']

/** Only while the page is visible. */
const REFETCH_INTERVAL_MS = 15_000

export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'health', id],
    queryFn: ({ signal }) => http.get('/channel/{id}/health', { params: { id }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })

/** All channels of a bot in one call. */
export const botHealthQuery = (bot: string) =>
  queryOptions({
    queryKey: ['channel', 'bothealth', bot],
    queryFn: ({ signal }) => http.get('/bot/{id}/channelhealth', { params: { id: bot }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })

export const channelsQuery = (bot: string) =>
  queryOptions({
    queryKey: ['channel', 'list', { bot, all: true }],
    queryFn: ({ signal }) => readAll('channel', { bot, sort: 'name' }, signal),
  })

export const TONE = {
  off: 'neutral',
  incomplete: 'warning',
  stopped: 'neutral',
  error: 'danger',
  failing: 'danger',
  warning: 'warning',
  new: 'info',
  quiet: 'neutral',
  ok: 'positive',
} as const satisfies Readonly<Record<HealthState, string>>

/** Groups of states by which the list is narrowed. */
export const GROUPS = {
  works: ['ok', 'new', 'quiet'],
  attention: ['error', 'failing', 'warning', 'incomplete'],
  off: ['stopped', 'off'],
} as const satisfies Readonly<Record<string, readonly HealthState[]>>

export type Group = keyof typeof GROUPS

export const isInGroup = (group: Group, state: HealthState): boolean =>
  (GROUPS[group] as readonly HealthState[]).includes(state)

/** Channels that need a person come first. */
const ORDER: readonly HealthState[] = [
  'error',
  'failing',
  'warning',
  'incomplete',
  'ok',
  'new',
  'quiet',
  'stopped',
  'off',
]

export const rankOf = (state: HealthState): number => ORDER.indexOf(state)

/** The one thing that helps, by the code of a cause. */
const ACTS: Readonly<Record<string, Act>> = {
  unauthorized: 'replace',
  token: 'replace',
  missing: 'fill',
  stopped: 'bot',
  settings: 'settings',
  unproven: 'settings',
  unconnected: 'test',
  unrouted: 'settings',
  unreachable: 'test',
  certificate: 'test',
  timeout: 'test',
  provider: 'test',
  receipts: 'settings',
  banned: 'account',
  removed: 'account',
  noanswers: 'account',
  notemplates: 'account',
  banplanned: 'account',
  limited: 'account',
  quality: 'account',
  tier: 'account',
}

export type Act = 'replace' | 'fill' | 'settings' | 'bot' | 'log' | 'test' | 'account'

export const actOf = ({ code, account }: Health): Act | undefined => {
  if (code === '' || code === 'quiet') return undefined
  const act = ACTS[code] ?? 'log'
  return act === 'account' && account === null ? 'log' : act
}

/** Causes whose detail is a moment, or empty. */
const DATED: ReadonlySet<string> = new Set(['noanswers', 'notemplates', 'banplanned'])

/** The cause of a state in words; empty when there is nothing to say. */
export const useCause = () => {
  const { t } = useTranslation('entity/channel')
  const label = useLabel()
  return (
    { code, detail, title }: Pick<Health, 'code' | 'detail' | 'title'>,
    { type }: Pick<RowOf<'channel'>, 'type'>,
  ): string => {
    if (code === '') return ''
    const field = channelType(type)?.token
    const nameOf = (name: string) => label.field('channel', name, type)
    // Providers call no address without https: the detail is that address.
    if (code === 'unconnected' && detail.startsWith('http:')) return t('health.code.unsafe', { what: detail })
    if (code === 'banned' && !isWhatsapp(type)) return t('health.code.bannedpage', { what: detail })
    if (DATED.has(code))
      return t(detail === '' ? `health.code.${code}` : `health.code.${code}until`, { what: momentOf(detail) })
    const what =
      code === 'missing'
        ? nameOf(detail)
        : code === 'tier'
          ? numberText(Number(detail))
          : [detail, title].filter(Boolean).join(' ')
    return t(`health.code.${code}`, {
      what,
      count: Number(detail),
      field: field === undefined ? '' : nameOf(field),
    })
  }
}
