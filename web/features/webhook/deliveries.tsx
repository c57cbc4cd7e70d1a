import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, CircleAlert, CircleCheck, Clock, RotateCcw, Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import { agoOf, durationOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'

type Delivery = AnswerOf<'GET /webhook/{id}/delivery'>['items'][number]
type Filter = 'all' | 'failing' | 'givenup'

const REFETCH_MS = 5_000
const DAY_MS = 86_400_000
/** Lines of deliveries are kept for so many days. */
const KEPT_DAYS = 7

const LOOKS = {
  arrived: { icon: CircleCheck, tone: 'positive' },
  failing: { icon: Clock, tone: 'warning' },
  givenup: { icon: CircleAlert, tone: 'danger' },
} as const satisfies Readonly<Record<Delivery['state'], object>>

/** Kinds that name their entity. */
const VERBS: Readonly<Record<string, 'created' | 'changed' | 'removed' | 'restored'>> = {
  'entity.created': 'created',
  'entity.changed': 'changed',
  'entity.removed': 'removed',
  'entity.restored': 'restored',
}

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()

interface LineProps {
  readonly delivery: Delivery
  readonly onRetry: (() => void) | undefined
}

/** One event: its kind, when, and how far it came. */
const DeliveryLine = ({ delivery, onRetry }: LineProps) => {
  const { t } = useTranslation('entity/webhook')
  const label = useLabel()
  const { event, entity, time, type, state, tries, status, reason, next, answer = '', replay, ms } = delivery
  const { icon: Icon, tone } = LOOKS[state]
  const verb = VERBS[type]
  const facts = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(reason === null ? [] : [reason]),
    durationOf(ms),
    ...(tries > 1 ? [t('delivery.tries', { count: tries })] : []),
    ...(next === null ? [] : [t('delivery.next', { time: momentOf(next) })]),
    ...(replay ? [t('delivery.replayed')] : []),
  ]
  return (
    <HStack as="li" align="start" gap="3" rowGap="2" px="4" py="2.5" borderTopWidth="1px" flexWrap="wrap">
      <Box flex="1 1 260px" minW="0">
        <HStack gap="2" rowGap="0" align="baseline" flexWrap="wrap">
          <Text textStyle="card">
            {verb === undefined
              ? label.option('webhook', 'types', type)
              : t(`delivery.${verb}`, { name: label.name(entity) })}
          </Text>
          <chakra.code textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
            {`evt_${event}`}
          </chakra.code>
        </HStack>
        <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          <chakra.time dateTime={time} title={momentOf(time)}>
            {agoOf(time)}
          </chakra.time>
          {` · ${facts.join(' · ')}`}
        </Text>
        {state === 'arrived' || answer === '' ? null : (
          <Text
            mt="1"
            px="2"
            py="1"
            borderRadius="md"
            bg="bg.sunken"
            textStyle="secondary"
            fontFamily="mono"
            overflowWrap="anywhere"
            lineClamp={3}
          >
            {answer}
          </Text>
        )}
      </Box>
      <HStack gap="2" flex="none">
        <Chip tone={tone} icon={Icon}>
          {t(`delivery.state.${state}`)}
        </Chip>
        {onRetry === undefined || state === 'arrived' ? null : (
          <Button size="sm" variant="outline" onClick={onRetry}>
            <RotateCcw size={14} aria-hidden="true" />
            {t('delivery.retry')}
          </Button>
        )}
      </HStack>
    </HStack>
  )
}

/** Carries out what sends events again, and says what came of it. */
const useSendAgain = (id: string) => {
  const { t } = useTranslation('entity/webhook')
  const client = useQueryClient()
  const { isBusy, attempt } = useNoticedAttempt(t('delivery.failed'))
  const act = (work: () => Promise<string>) =>
    attempt(async () => {
      notice.snack(await work(), { tone: 'positive' })
      await client.invalidateQueries({ queryKey: ['webhook', 'delivery', id] })
    })
  const replay = (body: { readonly from: string; readonly only: 'failed' | 'all' }) =>
    http.post('/webhook/{id}/replay', { params: { id }, body })
  return {
    isBusy,
    one: (event: string) =>
      act(async () => {
        const { ids } = await http.post('/webhook/{id}/retry', { params: { id }, body: { ids: [event] } })
        return t('delivery.retried', { count: ids.length })
      }),
    failed: () =>
      act(async () => {
        const { count } = await replay({ from: daysAgo(KEPT_DAYS), only: 'failed' })
        return t('delivery.retried', { count: count ?? 0 })
      }),
    lastDay: () =>
      act(async () => {
        await replay({ from: daysAgo(1), only: 'all' })
        return t('delivery.replaying')
      }),
  }
}

type SendAgain = ReturnType<typeof useSendAgain>

/** Sends what failed, or after a question everything of a day, again. */
const SendAgainMenu = ({ isBusy, failed, lastDay }: SendAgain) => {
  const { t } = useTranslation(['entity/webhook', 'shell'])
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  const sendDay = () => {
    close()
    void lastDay()
  }
  return (
    <>
      <ActionMenu
        label={t('delivery.again')}
        align="end"
        actions={[
          { id: 'failed', label: t('delivery.onlyfailed'), icon: RotateCcw, run: () => void failed() },
          { id: 'day', label: t('delivery.lastday'), icon: Send, run: () => setAsked(true) },
        ]}
      >
        <Button size="sm" variant="outline" loading={isBusy}>
          {t('delivery.again')}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      </ActionMenu>
      <Modal
        open={isAsked}
        title={t('delivery.question')}
        icon={<Send size={18} aria-hidden="true" />}
        onClose={close}
        footer={
          <>
            <Button variant="ghost" onClick={close}>
              {t('shell:cancel')}
            </Button>
            <Button variant="solid" data-autofocus="" onClick={sendDay}>
              {t('delivery.send')}
            </Button>
          </>
        }
      >
        <Text color="fg.muted">{t('delivery.consequence')}</Text>
      </Modal>
    </>
  )
}

interface LinesProps {
  readonly items: readonly Delivery[]
  readonly shown: Filter
  readonly onRetry: ((event: string) => void) | undefined
}

const Lines = ({ items, shown, onRetry }: LinesProps) => {
  const { t } = useTranslation('entity/webhook')
  if (items.length === 0)
    return shown === 'all' ? (
      <EmptyState small icon={Send} title={t('delivery.none')} text={t('delivery.nonetext')} />
    ) : (
      <Text px="4" py="3" borderTopWidth="1px" color="fg.muted">
        {t(`delivery.nothing.${shown}`)}
      </Text>
    )
  return (
    <>
      <Box as="ul" listStyleType="none" ps="0">
        {items.map(delivery => (
          <DeliveryLine
            key={delivery.event}
            delivery={delivery}
            onRetry={onRetry === undefined ? undefined : () => onRetry(delivery.event)}
          />
        ))}
      </Box>
      <Text px="4" py="2.5" borderTopWidth="1px" textStyle="secondary" color="fg.muted">
        {t('delivery.text')}
      </Text>
    </>
  )
}

/** When the last event arrived, and how many wait. */
const Progress = ({ behind, last }: Pick<AnswerOf<'GET /webhook/{id}/delivery'>, 'behind' | 'last'>) => {
  const { t } = useTranslation('entity/webhook')
  const facts = [
    ...(last === null ? [] : [t('delivery.last', { time: agoOf(last) })]),
    ...(behind === null || behind === 0 ? [] : [t('delivery.behind', { count: behind })]),
  ]
  if (facts.length === 0) return null
  return (
    <Text px="4" pb="2" mt="-1" textStyle="secondary" color="fg.muted">
      {facts.join(' · ')}
    </Text>
  )
}

/** The last attempts, and the ways to send events again. */
export const Deliveries = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('entity/webhook')
  const { can } = useSession()
  const [shown, setShown] = useState<Filter>('all')
  const again = useSendAgain(id)
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook', 'delivery', id, shown],
    queryFn: ({ signal }) => {
      const query = shown === 'all' ? {} : { status: shown }
      return http.get('/webhook/{id}/delivery', { params: { id }, query, signal })
    },
    refetchInterval: REFETCH_MS,
  })
  const isEditor = can('updatewebhook')
  const options = (['all', 'failing', 'givenup'] as const).map(value => ({
    value,
    label: value === 'all' ? t('delivery.all') : t(`delivery.state.${value}`),
  }))
  return (
    <Box maxW="960px" mt="6">
      <Card
        title={t('delivery.title')}
        beside={
          <>
            <Segments<Filter> label={t('delivery.shown')} value={shown} options={options} onChange={setShown} />
            {isEditor ? <SendAgainMenu {...again} /> : null}
          </>
        }
      >
        {data === undefined ? (
          error === null ? (
            <RowsSkeleton />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <Progress {...data} />
            <Lines items={data.items} shown={shown} onRetry={isEditor ? event => void again.one(event) : undefined} />
          </>
        )}
      </Card>
    </Box>
  )
}
