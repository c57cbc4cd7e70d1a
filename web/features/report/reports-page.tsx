import { PLACES } from 'virtual:place'
import { Box, Button, chakra, Grid, HStack, Input, Skeleton, Stack, Text } from '@chakra-ui/react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ChartColumn, Download, FileQuestionMark, Pencil, PlugZap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { hubEntries } from '#domain/menu.ts'
import { EMBED_LIFE_S } from '#schemas/api/report.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { folded } from '#schemas/fold-text.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useColorMode } from '#web/theme/color-mode.ts'

type ReportEntry = AnswerOf<'GET /reports'>['items'][number]

/** `bot`: only reports offered under it. */
const reportsQuery = (bot: string | undefined) =>
  queryOptions({
    queryKey: ['report', 'granted', bot ?? null],
    queryFn: () => http.get('/reports', bot === undefined ? {} : { query: { bot } }),
  })

/** Before a token ends, so that no click in the frame meets an ended one. */
const RENEW_MS = (EMBED_LIFE_S - 30) * 1000

/** The address of a frame, asked again before it ends while the page is looked at. Forgotten with the page. */
const embedQuery = (report: string, bot: string | undefined) =>
  queryOptions({
    queryKey: ['report', 'embed', report, bot ?? null],
    queryFn: () =>
      http.get('/report/{id}/embed', { params: { id: report }, ...(bot === undefined ? {} : { query: { bot } }) }),
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    refetchOnWindowFocus: true,
    retry: false,
    gcTime: 0,
  })

/** Bots that a report can be shown under. */
const botsQuery = queryOptions({
  queryKey: ['bot', 'list', 'names'],
  queryFn: () => http.get('/{entity}', { params: { entity: 'bot' }, query: { size: 100, sort: 'name' } }),
  placeholderData: keepPreviousData,
})

/** Minimum report count for a search field. */
const SEARCH_FROM = 8

/** Reports by the group that grants them; by the first one of several groups. */
const groupsOf = (reports: readonly ReportEntry[]): readonly (readonly [string, readonly ReportEntry[]])[] =>
  [...Map.groupBy(reports, ({ groups }) => groups[0] ?? '')].sort(([one], [other]) =>
    one === '' ? 1 : other === '' ? -1 : one.localeCompare(other),
  )

interface ReportListProps {
  readonly reports: readonly ReportEntry[]
  readonly chosen: string | undefined
  onChoose(id: string): void
}

interface EntryProps {
  readonly entry: ReportEntry
  readonly isChosen: boolean
  onChoose(): void
}

const Entry = ({ entry: { name, type }, isChosen, onChoose }: EntryProps) => {
  const Glyph = type === 'dashboard' ? ChartColumn : FileQuestionMark
  return (
    <chakra.button
      type="button"
      onClick={onChoose}
      {...(isChosen ? { 'aria-current': 'true' as const } : {})}
      display="flex"
      alignItems="center"
      gap="2.5"
      w="100%"
      minH={{ base: '11', md: '8' }}
      px="2"
      borderRadius="md"
      fontSize="sm"
      textAlign="start"
      cursor="pointer"
      color={isChosen ? 'accent.fg' : 'fg.muted'}
      fontWeight={isChosen ? 'semibold' : 'normal'}
      bg={isChosen ? 'accent.subtle' : 'transparent'}
      _hover={{ bg: isChosen ? 'accent.subtle' : 'bg.subtle', color: isChosen ? 'accent.fg' : 'fg' }}
      focusVisibleRing="inside"
    >
      <HStack as="span" flex="none">
        <Glyph size={16} strokeWidth={1.75} aria-hidden="true" />
      </HStack>
      <chakra.span minW="0" overflowWrap="anywhere">
        {name}
      </chakra.span>
    </chakra.button>
  )
}

/** Reports the user may see, for selection. */
const ReportList = ({ reports, chosen, onChoose }: ReportListProps) => {
  const { t } = useTranslation('tool')
  const [typed, setTyped] = useState('')
  const wanted = folded(typed.trim())
  const groups = groupsOf(reports.filter(({ name }) => folded(name).includes(wanted)))
  return (
    <chakra.nav aria-label={t('reports.list')} minW="0">
      {reports.length < SEARCH_FROM ? null : (
        <Input
          type="search"
          value={typed}
          placeholder={t('reports.search')}
          aria-label={t('reports.search')}
          onChange={event => setTyped(event.target.value)}
          mb="2"
        />
      )}
      {groups.map(([group, entries]) => (
        <Box key={group} mb="2">
          {groups.length === 1 && group === '' ? null : (
            <Text px="2" pt="2" pb="1" fontSize="2xs" fontWeight="semibold" color="fg.subtle" truncate>
              {group === '' ? t('reports.ungrouped') : group}
            </Text>
          )}
          {entries.map(entry => (
            <Entry key={entry.id} entry={entry} isChosen={entry.id === chosen} onChoose={() => onChoose(entry.id)} />
          ))}
        </Box>
      ))}
      {groups.length === 0 ? (
        <Text px="2" py="3" textStyle="dense" color="fg.muted" role="status">
          {t('reports.nothing')}
        </Text>
      ) : null}
    </chakra.nav>
  )
}

/** Permissions of the frame. Another origin serves it: `allow-same-origin` means its own. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups'
/** After this long without the frame having loaded the page says so. */
const SLOW_MS = 15_000

const addressOf = (url: string, isDark: boolean): string => {
  const address = new URL(url)
  address.hash = new URLSearchParams({
    bordered: 'false',
    titled: 'false',
    ...(isDark ? { theme: 'night' } : {}),
  }).toString()
  return address.href
}

interface Props {
  readonly report: ReportEntry
  readonly bot: string | undefined
}

const Loaded = ({ report, address }: { readonly report: ReportEntry; readonly address: string }) => {
  const { t } = useTranslation('tool')
  const [state, setState] = useState<'loading' | 'slow' | 'loaded'>('loading')
  useEffect(() => {
    const timer = setTimeout(() => setState(before => (before === 'loading' ? 'slow' : before)), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Box position="relative" h="100%" minH="420px">
      {state === 'loaded' ? null : <Skeleton position="absolute" inset="0" borderRadius="lg" />}
      {state === 'slow' ? (
        <Text position="absolute" top="4" left="4" right="4" textStyle="dense" color="fg.muted" role="status">
          {t('reports.slow', { host: new URL(address).host })}
        </Text>
      ) : null}
      <chakra.iframe
        title={report.name}
        src={address}
        sandbox={report.download ? `${SANDBOX} allow-downloads` : SANDBOX}
        referrerPolicy="no-referrer"
        onLoad={() => setState('loaded')}
        position="relative"
        display="block"
        w="100%"
        h="100%"
        minH="420px"
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        opacity={state === 'loaded' ? 1 : 0}
      />
    </Box>
  )
}

/** A Metabase report in an iframe. */
const ReportFrame = ({ report, bot }: Props) => {
  const isDark = useColorMode().shown === 'dark'
  const query = useQuery(embedQuery(report.id, bot))
  // A failed renewal leaves the frame that is there.
  if (query.data === undefined && query.error)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <ErrorState
          error={query.error}
          {...(isProblem(query.error, 403) ? {} : { onRetry: () => void query.refetch() })}
        />
      </Box>
    )
  if (query.data === undefined) return <Skeleton h="100%" minH="420px" borderRadius="lg" />
  const address = addressOf(query.data.url, isDark)
  // The fragment sets the appearance; a frame applies a new one only on load.
  return <Loaded key={address} report={report} address={address} />
}

const STEPS = ['embedding', 'settings', 'publish'] as const

interface NotSetUpProps {
  readonly missing: readonly string[]
  /** The bot whose page it is. */
  readonly bot: string | undefined
}

/** Why no report can be shown, how that is changed, and the figures that need no Metabase. */
const NotSetUp = ({ missing, bot }: NotSetUpProps) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const to = bot === undefined ? '/dashboard' : `/bot/insight/${bot}`
  return (
    <Box as="section" borderWidth="1px" borderRadius="lg" bg="bg.surface" p={{ base: '4', md: '6' }} maxW="720px">
      <HStack gap="3" mb="2">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          <PlugZap size={17} strokeWidth={1.75} aria-hidden="true" />
        </Box>
        <Text as="h2" textStyle="title">
          {t('reports.setup.title')}
        </Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted" mb="3">
        {t('reports.setup.text')}
      </Text>
      <Stack as="ol" gap="2" ps="5" listStyleType="decimal" textStyle="dense" mb="3">
        {STEPS.map(step => (
          <li key={step}>{t(`reports.setup.${step}`)}</li>
        ))}
      </Stack>
      <Text textStyle="secondary" color="fg.muted">
        {t('reports.setup.missing')}{' '}
        {missing.map((name, at) => (
          <span key={name}>
            {at > 0 ? ', ' : ''}
            <chakra.code textStyle="code">{name}</chakra.code>
          </span>
        ))}
      </Text>
      {can(bot === undefined ? 'showdashboard' : 'readbot') ? (
        <HStack gap="3" rowGap="2" flexWrap="wrap" mt="4" pt="4" borderTopWidth="1px">
          <Text flex="1 1 260px" textStyle="dense" color="fg.muted">
            {t('reports.setup.results')}
          </Text>
          <Button asChild>
            <Link to={to}>{t(bot === undefined ? 'reports.setup.ofbots' : 'reports.setup.ofbot')}</Link>
          </Button>
        </HStack>
      ) : null}
    </Box>
  )
}

const REPORT_QUERY = 'report'
const SHOWN_BOT_QUERY = 'bot'

/** Links to the lists of reports and groups, for users with access. */
const Manage = () => {
  const { can } = useSession()
  const label = useLabel()
  return (
    <HStack gap="2" flexWrap="wrap">
      {hubEntries(PLACES, 'reports', can).map(({ entity = '', to }) => (
        <Button key={to} asChild>
          <Link to={to}>{label.menu(entity)}</Link>
        </Button>
      ))}
    </HStack>
  )
}

const Empty = ({ isInBot }: { readonly isInBot: boolean }) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState
        icon={ChartColumn}
        title={t('reports.empty.title')}
        text={t(can('createreport') ? 'reports.empty.manager' : isInBot ? 'reports.empty.bot' : 'reports.empty.text')}
      >
        {can('createreport') ? (
          <Button variant="solid" asChild>
            <Link to="/report/new">{t('reports.empty.make')}</Link>
          </Button>
        ) : null}
      </EmptyState>
    </Box>
  )
}

interface ChosenProps {
  readonly report: ReportEntry
  /** The bot whose page it is. */
  readonly lockedBot: string | undefined
}

const BotChoice = ({ value, onChange }: { readonly value: string; readonly onChange: (bot: string) => void }) => {
  const { t } = useTranslation('tool')
  const bots = useQuery(botsQuery).data?.items ?? []
  return (
    <Box w="220px" maxW="100%">
      <ChoiceControl
        id="report-bot"
        label={t('reports.bot')}
        value={value}
        choices={bots.map(({ id, name }) => ({ value: id, label: String(name) }))}
        none={t('reports.choosebot')}
        onChange={onChange}
      />
    </Box>
  )
}

/** One report: its name, the bot it is about, and its frame. */
const Chosen = ({ report, lockedBot }: ChosenProps) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const [search, setSearch] = useSearchParams()
  const chosenBot = search.get(SHOWN_BOT_QUERY) ?? undefined
  const bot = lockedBot ?? (report.needsbot ? chosenBot : undefined)
  const isWaiting = report.needsbot && bot === undefined
  return (
    <Grid as="section" aria-label={report.name} templateRows="auto 1fr" gap="3" minW="0">
      <HStack gap="2.5" flexWrap="wrap" minH="8">
        <Text as="h2" textStyle="title" minW="0" overflowWrap="anywhere">
          {report.name}
        </Text>
        {report.download ? <Chip icon={Download}>{t('reports.download')}</Chip> : null}
        <Box flex="1" />
        {lockedBot === undefined && report.needsbot ? (
          <BotChoice
            value={chosenBot ?? ''}
            onChange={next =>
              setSearch({ [REPORT_QUERY]: report.id, ...(next === '' ? {} : { [SHOWN_BOT_QUERY]: next }) })
            }
          />
        ) : null}
        {can('updatereport') ? (
          <Button asChild>
            <Link to={`/report/${report.id}`}>
              <Pencil size={15} aria-hidden="true" />
              {t('reports.edit')}
            </Link>
          </Button>
        ) : null}
      </HStack>
      {isWaiting ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <EmptyState icon={ChartColumn} title={t('reports.needsbot')} text={t('reports.needsbottext')} />
        </Box>
      ) : (
        <ReportFrame key={`${report.id} ${bot}`} report={report} bot={bot} />
      )}
    </Grid>
  )
}

const Shown = ({
  reports,
  lockedBot,
}: {
  readonly reports: readonly ReportEntry[]
  readonly lockedBot: string | undefined
}) => {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get(REPORT_QUERY)
  const report = reports.find(({ id }) => id === wanted) ?? reports[0]
  if (report === undefined) return <Empty isInBot={lockedBot !== undefined} />
  const bot = search.get(SHOWN_BOT_QUERY)
  return (
    <Grid
      templateColumns={{ base: 'minmax(0, 1fr)', lg: '248px minmax(0, 1fr)' }}
      gap="5"
      alignItems="stretch"
      minH={{ lg: 'calc(100dvh - 240px)' }}
    >
      <ReportList
        reports={reports}
        chosen={report.id}
        onChoose={id => setSearch({ [REPORT_QUERY]: id, ...(bot === null ? {} : { [SHOWN_BOT_QUERY]: bot }) })}
      />
      <Chosen report={report} lockedBot={lockedBot} />
    </Grid>
  )
}

interface ReportsProps {
  readonly bot: string | undefined
  readonly title: string
  readonly purpose: string
}

const Reports = ({ bot, title, purpose }: ReportsProps) => {
  const query = useQuery(reportsQuery(bot))
  const { data } = query
  if (data === undefined && query.error)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  return (
    <Page title={title} purpose={purpose} actions={bot === undefined ? <Manage /> : undefined}>
      {data === undefined ? (
        <Skeleton h="420px" borderRadius="lg" />
      ) : data.missing.length > 0 ? (
        <NotSetUp missing={data.missing} bot={bot} />
      ) : (
        <Shown reports={data.items} lockedBot={bot} />
      )}
    </Page>
  )
}

const SEES = ['showreport', 'readreport', 'updatereport']

/** /reports: the reports that the person's report groups grant. */
export const ReportsPage = () => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  if (!SEES.some(can)) return <ErrorMessage code="403" />
  return <Reports bot={undefined} title={t('reports.title')} purpose={t('reports.purpose')} />
}

/** /bot/reports/{id}: global reports, about this bot. */
export const BotReportsPage = () => {
  const { t } = useTranslation('tool')
  const { id = '' } = useParams()
  const { can } = useSession()
  const bot = useQuery(detailQuery('bot', id))
  if (!SEES.some(can)) return <ErrorMessage code="403" />
  if (bot.error && bot.data === undefined) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  const purpose = t('reports.botpurpose', { name: String(bot.data?.name ?? '…') })
  return <Reports key={id} bot={id} title={t('reports.bottitle')} purpose={purpose} />
}
