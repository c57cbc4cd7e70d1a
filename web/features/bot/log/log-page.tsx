import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Pause, Play, ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { RemovableChip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { Segments } from '#web/components/segments.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { detailQuery, useName } from '#web/entity/entity-query.ts'
import { useLogDetail, useLogWords } from '#web/entity/log-words.ts'
import { dayOf, secondOf } from '#web/format/time.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { useAddress } from '#web/page/use-address.ts'
import { useDebouncedValue } from '#web/timer.ts'

type LogLines = AnswerOf<'GET /bot/{id}/logs'>
type Line = LogLines['items'][number]
type Level = Line['level']

interface LogFilter {
  readonly level: Level | undefined
  readonly search: string
  readonly service: string | undefined
}

const PAGE = 100
/** Interval of requests for new lines while following, in ms. */
const FOLLOW_MS = 2_000

/** More new lines reload the newest page. */
const MAX_NEWS = 500

const queryOf = ({ level, search, service }: LogFilter, size: number) => ({
  size,
  ...(level === undefined ? {} : { level }),
  ...(search === '' ? {} : { search }),
  ...(service === undefined ? {} : { service }),
})

/** The newest lines, and older ones page by page. Its first page is read again while the log is followed. */
const linesQuery = (bot: string, filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['bot', 'log', bot, filter],
    queryFn: ({ pageParam, signal }) =>
      http.get('/bot/{id}/logs', {
        params: { id: bot },
        query: { ...queryOf(filter, PAGE), ...(pageParam === undefined ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ older }) => older ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** LogLines after those shown, oldest first, and counts per level. */
const newLogLinesQuery = (bot: string, filter: LogFilter, after: string | undefined) =>
  queryOptions({
    queryKey: ['bot', 'lognews', bot, filter, after],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/logs', {
        params: { id: bot },
        query: { ...queryOf(filter, MAX_NEWS), after: after ?? '' },
        signal,
      }),
    enabled: after !== undefined,
    refetchInterval: FOLLOW_MS,
    placeholderData: before => before,
  })

const EDGE = { info: 'transparent', warn: 'warning.solid', error: 'danger.solid' } as const
const WORD = { info: 'info.fg', warn: 'warning.fg', error: 'danger.fg' } as const

const JUMP = {
  color: 'accent.fg',
  fontWeight: 'semibold',
  whiteSpace: 'nowrap',
  borderRadius: 'xs',
  focusVisibleRing: 'outside',
  _hover: { textDecoration: 'underline' },
} as const

/** To where it happened. */
const Jumps = ({ bot, line: { dialog, block, conversation } }: { readonly bot: string; readonly line: Line }) => {
  const { t } = useTranslation('operation')
  const { can } = useSession()
  return (
    <HStack gap="4" ms={{ md: 'auto' }} flex="none">
      {dialog === null || !can('readdialog') ? null : (
        <RouterLink {...JUMP} to={flowAddress('dialog', dialog, { bot, ...(block === null ? {} : { block }) })}>
          {t('log.block')}
        </RouterLink>
      )}
      {conversation === null ? null : (
        <RouterLink {...JUMP} to={`/bot/conversation/${bot}?open=${conversation}`}>
          {t('log.conversation')}
        </RouterLink>
      )}
    </HStack>
  )
}

/** One line of a bot's log: time, level as word and edge, where, what, and how often within the hour. */
const LogLine = ({ bot, line }: { readonly bot: string; readonly line: Line }) => {
  const { t } = useTranslation('operation')
  const words = useLogWords()
  const detailOf = useLogDetail()
  const { time, level, code, dialog, service, release, detail, count } = line
  const name = useName('dialog', dialog)
  return (
    <Box
      as="li"
      data-level={level}
      display="flex"
      flexWrap={{ base: 'wrap', md: 'nowrap' }}
      alignItems="baseline"
      columnGap="3"
      px="4"
      py="1"
      fontFamily="mono"
      fontSize="xs"
      borderInlineStartWidth="3px"
      borderInlineStartColor={EDGE[level]}
      bg={level === 'error' ? 'danger.subtle' : undefined}
    >
      <chakra.time color="fg.muted" flex="none" dateTime={time}>
        {dayOf(time)} {secondOf(time)}
      </chakra.time>
      <chakra.span color={WORD[level]} fontWeight="semibold" w="6ch" flex="none">
        {t(`log.level.${level}`)}
      </chakra.span>
      <chakra.span flex={{ base: '1 1 100%', md: '1 1 auto' }} minW="0" overflowWrap="anywhere">
        {words(code)}
        <chakra.span color="fg.muted">
          {[
            name ?? undefined,
            service?.split(':')[0],
            release === null ? undefined : `r${release}`,
            detail === null ? undefined : detailOf(code, detail),
          ]
            .filter(part => part !== undefined)
            .map(part => ` · ${part}`)
            .join('')}
        </chakra.span>
      </chakra.span>
      {count > 1 ? (
        <chakra.span
          flex="none"
          px="1.5"
          borderRadius="sm"
          bg="bg.surface"
          fontWeight="semibold"
          aria-label={t('log.times', { count })}
        >
          ×{count}
        </chakra.span>
      ) : null}
      <Jumps bot={bot} line={line} />
    </Box>
  )
}

/** Lines of a bot's log, newest first. Pausing counts new lines; resuming shows them. */
const useLog = (bot: string, filter: LogFilter) => {
  /** Ids of the new lines that are shown while it is paused. */
  const [paused, setPaused] = useState<ReadonlySet<string>>()
  const pages = useInfiniteQuery(linesQuery(bot, filter))
  const first = pages.data?.pages[0]
  const begin = first?.newest
  const news = useQuery(newLogLinesQuery(bot, filter, begin))
  const fresh = news.data?.items ?? []
  const isOverfull = paused === undefined && fresh.length >= MAX_NEWS
  const { refetch } = pages
  useEffect(() => {
    if (isOverfull) void refetch()
  }, [isOverfull, refetch])
  const shown = paused === undefined ? fresh : fresh.filter(({ id }) => paused.has(id))
  const latest = news.data ?? first
  const older = pages.data?.pages.flatMap(({ items }) => items)
  return {
    /** Undefined while they are read for the first time. */
    lines: older === undefined ? undefined : [...shown.toReversed(), ...older],
    error: pages.error,
    retry: () => void pages.refetch(),
    counts: latest?.counts,
    /** Names of the nodes whose lines are missing. */
    silent: latest?.silent ?? [],
    /** False: the node that answers hears no other one. */
    isHeard: latest?.heard ?? true,
    isFiltered: filter.level !== undefined || filter.search !== '' || filter.service !== undefined,
    isFollowing: paused === undefined,
    /** Lines that came while it is paused. */
    waiting: fresh.length - shown.length,
    pause: () => setPaused(new Set(fresh.map(({ id }) => id))),
    resume: () => setPaused(undefined),
    older: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  }
}

const LEVELS = ['info', 'warn', 'error'] as const
const SEARCH_MS = 300

/** The filter is the page's address. */
const useFilter = () => {
  const { params, put } = useAddress()
  const level = LEVELS.find(one => one === params.get('level'))
  return {
    level,
    words: params.get('search') ?? '',
    service: params.get('service') ?? undefined,
    put: (name: string, value: string | undefined) => put({ [name]: value }),
  }
}

interface BarProps {
  readonly log: ReturnType<typeof useLog>
  readonly filter: ReturnType<typeof useFilter>
}

const Bar = ({ log, filter }: BarProps) => {
  const { t } = useTranslation('operation')
  const { counts, isFollowing, waiting } = log
  const levels = LEVELS.map(level => ({ value: level, label: `${t(`log.level.${level}`)} ${counts?.[level] ?? ''}` }))
  return (
    <HStack px="4" py="2" gap="3" flexWrap="wrap" borderBottomWidth="1px">
      <HStack gap="1.5" textStyle="secondary" color={isFollowing ? 'positive.fg' : 'fg.muted'} flex="1" minW="120px">
        <Box boxSize="2" borderRadius="full" bg={isFollowing ? 'positive.solid' : 'border.emphasized'} />
        {isFollowing ? t('log.following') : t('log.paused', { count: waiting })}
      </HStack>
      {filter.service === undefined ? null : (
        <RemovableChip name={t('log.service')} disabled={false} onRemove={() => filter.put('service', undefined)}>
          {filter.service.split(':')[0]}
        </RemovableChip>
      )}
      <SearchField
        label={t('log.search')}
        value={filter.words}
        onChange={text => filter.put('search', text)}
        w={{ base: '100%', sm: '240px' }}
      />
      <Segments<Level | 'all'>
        label={t('log.levels')}
        value={filter.level ?? 'all'}
        options={[{ value: 'all', label: t('log.all') }, ...levels]}
        onChange={value => filter.put('level', value === 'all' ? undefined : value)}
      />
      <Button onClick={isFollowing ? log.pause : log.resume}>
        {isFollowing ? <Pause size={15} aria-hidden="true" /> : <Play size={15} aria-hidden="true" />}
        {isFollowing ? t('log.pause') : t('log.resume')}
      </Button>
    </HStack>
  )
}

const Lines = ({ bot, log }: { readonly bot: string; readonly log: ReturnType<typeof useLog> }) => {
  const { t } = useTranslation('operation')
  const { lines, error, older, isFiltered } = log
  if (error && lines === undefined) return <ErrorState error={error} onRetry={log.retry} />
  if (lines === undefined) return <RowsSkeleton rows={8} />
  if (lines.length === 0) {
    const text = isFiltered ? t('log.nomatch') : t('log.emptytext')
    return <EmptyState icon={ScrollText} title={isFiltered ? t('log.nothing') : t('log.empty')} text={text} />
  }
  return (
    <>
      <chakra.ol listStyleType="none" py="1" aria-label={t('log.lines')}>
        {lines.map(line => (
          <LogLine key={line.id} bot={bot} line={line} />
        ))}
      </chakra.ol>
      {older === undefined ? (
        <Text px="4" pb="3" textStyle="secondary" color="fg.muted">
          {t('log.end')}
        </Text>
      ) : (
        <Box px="4" pb="3">
          <Button size="sm" onClick={older}>
            {t('log.older')}
          </Button>
        </Box>
      )}
    </>
  )
}

/** Says whose lines are missing. */
const Missing = ({ log: { silent, isHeard } }: { readonly log: ReturnType<typeof useLog> }) => {
  const { t } = useTranslation('operation')
  if (isHeard && silent.length === 0) return null
  return (
    <Text role="status" px="4" py="2" textStyle="secondary" color="warning.fg" borderBottomWidth="1px">
      {isHeard ? t('log.silent', { count: silent.length, nodes: silent.join(', ') }) : t('log.alone')}
    </Text>
  )
}

/** /bot/settings/botlogs/{id}: log of a bot, live; `service` limits it to one channel. */
export const LogPage = () => {
  const { t } = useTranslation('operation')
  const { id = '' } = useParams()
  const filter = useFilter()
  const asked: LogFilter = {
    level: filter.level,
    search: useDebouncedValue(filter.words, SEARCH_MS),
    service: filter.service,
  }
  const bot = useQuery(detailQuery('bot', id))
  const log = useLog(id, asked)
  if (bot.error && bot.data === undefined) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  return (
    <Page title={t('log.title')} purpose={t('log.purpose', { name: String(bot.data?.name ?? '…') })}>
      <Box as="section" borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        <Bar log={log} filter={filter} />
        <Missing log={log} />
        <Box bg="bg.sunken" minH="240px">
          <Lines bot={id} log={log} />
        </Box>
      </Box>
    </Page>
  )
}
