import { Box, Button, chakra, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Headset, Hourglass, UserMinus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { numberText } from '#web/format/number.ts'
import { durationOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'

const TICK_MS = 1_000

/** The present moment, each second, ms. */
export const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Time since a moment (ISO 8601), in whole seconds. */
export const waitOf = (since: string, now: number): string =>
  durationOf(Math.max(0, Math.floor((now - Date.parse(since)) / TICK_MS) * TICK_MS))

/** Takes one who waits out of the queue of an agent channel, or all. Needs the texts of `agentchannel`. */
export const useClearQueue = (channel: string) => {
  const { t } = useTranslation('entity/agentchannel')
  const client = useQueryClient()
  const { isBusy, attempt } = useNoticedAttempt(t('queue.notcleared'))
  const clear = (conversation?: string) =>
    attempt(async () => {
      const body = conversation === undefined ? {} : { conversation }
      const { cleared } = await http.post('/agentchannel/{id}/clearqueue', { params: { id: channel }, body })
      notice.snack(t('queue.cleared', { count: cleared }), { tone: 'positive' })
      await client.invalidateQueries({ queryKey: ['agentchannel', 'queue', channel] })
      await client.invalidateQueries({ queryKey: ['conversation'] })
    })
  return { isBusy, clear }
}

type AgentQueue = AnswerOf<'GET /agentchannel/{id}/queue'>

const REFETCH_INTERVAL_MS = 5_000

export const queueQuery = (channel: string) =>
  queryOptions({
    queryKey: ['agentchannel', 'queue', channel],
    queryFn: ({ signal }) => http.get('/agentchannel/{id}/queue', { params: { id: channel }, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })

type Talk = AgentQueue['items'][number]

const PERCENT = { style: 'percent', maximumFractionDigits: 1 } as const

/** Beyond, a waiting time stands out. */
const LONG_WAIT_MS = 120_000

interface QueueProps {
  readonly channel: string
  readonly queue: AgentQueue
}

interface FigureProps {
  readonly label: string
  readonly value: string
  /** Of the value. */
  readonly tone?: string | undefined
  /** Scale or period of the value. */
  readonly text: string
  readonly textTone?: string | undefined
}

const Figure = ({ label, value, tone, text, textTone }: FigureProps) => (
  <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" px="4" py="3" minW="0">
    <Text textStyle="dense" color="fg.muted">
      {label}
    </Text>
    <Text textStyle="title" fontVariantNumeric="tabular-nums" color={tone ?? 'fg'}>
      {value}
    </Text>
    <Text textStyle="secondary" color={textTone ?? 'fg.muted'}>
      {text}
    </Text>
  </Box>
)

/** Figures of now and of today. Counts that are hidden from the reader are few. */
const Figures = ({ queue, now }: { readonly queue: AgentQueue; readonly now: number }) => {
  const { t } = useTranslation('entity/agentchannel')
  const { waiting, talking, today, places } = queue
  const isAlert = queue.alert !== null && waiting >= queue.alert
  const isLong = ({ waiting: since }: Talk) => since !== null && now - Date.parse(since) > LONG_WAIT_MS
  const long = queue.items.filter(isLong).length
  const { waited, mean, givenup } = today
  return (
    <SimpleGrid columns={{ base: 2, lg: 4 }} gap="3" mb="4">
      <Figure
        label={t('queue.waiting')}
        value={numberText(waiting)}
        tone={isAlert ? 'danger.fg' : undefined}
        text={long > 0 ? t('queue.long', { count: long }) : t('queue.notlong')}
        textTone={long > 0 ? 'warning.fg' : undefined}
      />
      <Figure
        label={t('queue.mean')}
        value={mean === null ? '–' : durationOf(Math.round(mean / TICK_MS) * TICK_MS)}
        text={waited === null ? t('queue.fewtoday') : t('queue.oftoday', { count: waited })}
      />
      <Figure
        label={t('queue.talking')}
        value={numberText(talking)}
        text={
          places === null
            ? t('queue.elsewhere')
            : `${t('queue.places', { count: places.all })} · ${t('queue.agents', { count: places.agents })}`
        }
      />
      <Figure
        label={t('queue.givenup')}
        value={givenup === null ? '1–4' : numberText(givenup)}
        text={waited && givenup ? t('queue.share', { share: numberText(givenup / waited, PERCENT) }) : t('queue.today')}
      />
    </SimpleGrid>
  )
}

const CHANGE = { color: 'accent.fg', fontWeight: 'semibold', textStyle: 'dense' } as const

const PLACEHOLDER = /(\{(?:position|wait|queue|agent|next)\})/u

/** Words and placeholders of a text, each with its end. */
const partsOf = (text: string) => {
  let end = 0
  return text.split(PLACEHOLDER).map(part => {
    end += part.length
    return { part, end }
  })
}

/** A text with its placeholders, as the person reads it. */
const ReadText = ({ text }: { readonly text: string }) => {
  const { t } = useTranslation('entity/agentchannel')
  return (
    <Text borderWidth="1px" borderRadius="lg" px="3" py="2" bg="bg.canvas" whiteSpace="pre-line">
      {partsOf(text).map(({ part, end }) =>
        part.startsWith('{') && part.endsWith('}') ? (
          <chakra.span
            key={end}
            px="1"
            borderRadius="sm"
            bg="category.datamanagement.muted"
            color="category.datamanagement.fg"
          >
            {t(`queue.value.${part.slice(1, -1)}`)}
          </chakra.span>
        ) : (
          part
        ),
      )}
    </Text>
  )
}

/** Text for waiting people, by queue at the desk, with a link to change it. */
const Reads = ({ channel, queue }: QueueProps) => {
  const { t } = useTranslation('entity/agentchannel')
  const { reads, places } = queue
  return (
    <Box as="section" aria-label={t('queue.reads')} mt="4" borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <HStack px="4" py="2.5" justify="space-between" borderBottomWidth="1px">
        <Text as="h2" textStyle="card">
          {t('queue.reads')}
        </Text>
        {places === null ? (
          <RouterLink to={`/agentchannel/${channel}`} {...CHANGE}>
            {t('queue.change')}
          </RouterLink>
        ) : null}
      </HStack>
      <Stack px="4" py="3" gap="3">
        {reads.length === 0 ? <Text color="fg.muted">{t('queue.readsnothing')}</Text> : null}
        {reads.map(read => (
          <Box key={read.id}>
            {read.queue === null ? null : (
              <HStack justify="space-between" mb="1" textStyle="dense">
                <Text color="fg.muted">{t('queue.inqueue', { name: read.queue })}</Text>
                <RouterLink to={`/deskqueue/${read.id}`} {...CHANGE}>
                  {t('queue.change')}
                </RouterLink>
              </HStack>
            )}
            <ReadText text={read.text} />
          </Box>
        ))}
      </Stack>
    </Box>
  )
}

const Line = ({ talk, now, onClear }: { readonly talk: Talk; readonly now: number; readonly onClear?: () => void }) => {
  const { t } = useTranslation('entity/agentchannel')
  const since = talk.waiting ?? talk.requested
  const ms = Math.max(0, now - Date.parse(since))
  const isLong = talk.waiting !== null && ms > LONG_WAIT_MS
  const Sign = talk.waiting === null ? Headset : Hourglass
  return (
    <HStack as="li" px="4" py="2.5" gap="3" borderTopWidth="1px" colorPalette={isLong ? 'danger' : 'gray'}>
      <Box color="fg.muted" flexShrink="0">
        <Sign size={16} aria-hidden="true" />
      </Box>
      <Box flex="1" minW="0">
        <Text truncate>{t('queue.person', { id: talk.conversation.slice(0, 8) })}</Text>
        <Text textStyle="dense" color="fg.muted">
          {talk.place === null
            ? t(talk.waiting === null ? 'queue.talks' : 'queue.waits')
            : t('queue.place', { place: talk.place })}
        </Text>
      </Box>
      <Text
        color={isLong ? 'colorPalette.fg' : 'fg.muted'}
        fontWeight={isLong ? 'semibold' : 'normal'}
        whiteSpace="nowrap"
      >
        {durationOf(ms)}
      </Text>
      {onClear === undefined || talk.waiting === null ? null : (
        <IconButton icon={UserMinus} label={t('queue.clearone')} onClick={onClear} />
      )}
    </HStack>
  )
}

const Queue = ({ channel, queue }: QueueProps) => {
  const { t } = useTranslation('entity/agentchannel')
  const { can } = useSession()
  const now = useNow()
  const { isBusy, clear } = useClearQueue(channel)
  const mayClear = queue.clearing && can('clearqueueagentchannel')
  const isAlert = queue.alert !== null && queue.waiting >= queue.alert
  return (
    <Box maxW="960px">
      <Figures queue={queue} now={now} />
      {isAlert ? (
        <Text role="alert" mb="3" color="danger.fg">
          {t('queue.alert', { count: queue.waiting })}
        </Text>
      ) : null}
      <Box as="section" aria-label={t('queue.title')} borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <HStack px="4" py="2.5" justify="space-between">
          <Text as="h2" textStyle="card">
            {t('queue.title')}
          </Text>
          {mayClear ? (
            <Button
              size="sm"
              variant="outline"
              loading={isBusy}
              disabled={queue.waiting === 0}
              onClick={() => void clear()}
            >
              <UserMinus size={15} aria-hidden="true" />
              {t('action.clearqueue.do')}
            </Button>
          ) : null}
        </HStack>
        {queue.items.length === 0 ? (
          <Text px="4" pb="4" color="fg.muted">
            {t('queue.empty')}
          </Text>
        ) : (
          <Box as="ul" listStyleType="none">
            {queue.items.map(talk => (
              <Line
                key={talk.conversation}
                talk={talk}
                now={now}
                {...(mayClear ? { onClear: () => void clear(talk.conversation) } : {})}
              />
            ))}
          </Box>
        )}
      </Box>
      <Reads channel={channel} queue={queue} />
    </Box>
  )
}

/** People waiting for an agent, longest first, and open chats. */
const QueueList = ({ channel }: { readonly channel: string }) => {
  const { t } = useTranslation('entity/agentchannel')
  const query = useQuery(queueQuery(channel))
  if (query.data === undefined && query.error)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <RowsSkeleton />
  if (!query.data.enabled) return <EmptyState icon={Hourglass} title={t('queue.off')} />
  return <Queue channel={channel} queue={query.data} />
}

const Shown = ({ channel }: { readonly channel: Row }) => {
  const { t } = useTranslation('entity/agentchannel')
  return (
    <Page title={String(channel.name)} name={t('page.queue')}>
      <ParentTabs entity="agentchannel" id={channel.id} active="queue" />
      <QueueList channel={channel.id} />
    </Page>
  )
}

/** /agentchannel/queue/{id} */
export const QueuePage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const query = useQuery(detailQuery('agentchannel', id))
  const ready = useEntityTextsReady(['agentchannel'])
  if (!can('readagentchannel')) return <ErrorMessage code="403" />
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  return <Shown key={id} channel={query.data} />
}
