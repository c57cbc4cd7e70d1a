import { PLACES } from 'virtual:place'
import { Box, Button, chakra, Grid, HStack, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download, Pencil, PlugZap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { hubEntries } from '#domain/menu.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { ErrorMessage, PageLoadError } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { ReportFrame } from './report-frame.tsx'
import { ReportList } from './report-list.tsx'
import { botsQuery, type ReportEntry, reportsQuery } from './report-query.ts'

const STEPS = ['embedding', 'settings', 'publish'] as const

/** Why no report can be shown, and how that is changed. */
const NotSetUp = ({ missing }: { readonly missing: readonly string[] }) => {
  const { t } = useTranslation('tool')
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
        {report.download ? (
          <Chip>
            <Download size={12} aria-hidden="true" />
            {t('reports.download')}
          </Chip>
        ) : null}
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
        <NotSetUp missing={data.missing} />
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
  if (bot.error) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  const purpose = t('reports.botpurpose', { name: String(bot.data?.name ?? '…') })
  return <Reports key={id} bot={id} title={t('reports.bottitle')} purpose={purpose} />
}
