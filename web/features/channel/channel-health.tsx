import { HStack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import { dayOf, secondOf } from '#web/format/time.ts'

const REFETCH_INTERVAL_MS = 15_000

const TONE = {
  off: 'neutral',
  incomplete: 'warning',
  error: 'danger',
  warning: 'warning',
  new: 'info',
  quiet: 'info',
  ok: 'positive',
} as const

const healthQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'health', id],
    queryFn: ({ signal }) => http.get('/channel/{id}/health', { params: { id }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })

/** State of a channel with its cause, and when something last came in and went out. */
export const ChannelHealth = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('entity/channel')
  const label = useLabel()
  const { data } = useQuery(healthQuery(id))
  if (data === undefined) return null
  const { state, code, detail, lastin, lastout, waiting } = data
  const what = code === 'missing' ? label.field('channel', detail) : detail
  const facts = [
    ...(code === '' ? [] : [t(`health.code.${code}`, { what })]),
    ...(waiting === 0 ? [] : [t('health.waiting', { count: waiting })]),
    ...(lastin === null ? [] : [t('health.in', { time: `${dayOf(lastin)} ${secondOf(lastin)}` })]),
    ...(lastout === null ? [] : [t('health.out', { time: `${dayOf(lastout)} ${secondOf(lastout)}` })]),
  ]
  return (
    <HStack gap="2.5" mb="3" flexWrap="wrap" role="status">
      <Chip tone={TONE[state]}>{t(`health.state.${state}`)}</Chip>
      <Text textStyle="dense" color="fg.muted" overflowWrap="anywhere">
        {facts.join(' · ')}
      </Text>
    </HStack>
  )
}
