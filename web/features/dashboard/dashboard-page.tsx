import { Box, Button, HStack, SimpleGrid, Skeleton, Text, Wrap } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { personColor } from '#domain/color.ts'
import { DASHBOARD_PERIODS } from '#schemas/api/home.ts'
import { bot } from '#schemas/entities/bot.ts'
import { user } from '#schemas/entities/user.ts'
import { useSession } from '#web/api/session.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { listAddress } from '#web/entity/list/list-state.ts'
import { BotResultsCard } from '#web/features/insight/index.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { ChartCard, Swatch } from './chart-card.tsx'
import {
  type AuditQuery,
  type DashboardData,
  DEFAULT_PERIOD,
  dashboardQuery,
  exampleDashboard,
  type Period,
  periodOf,
} from './dashboard-query.ts'
import { DayCard, INK, token, uniqueNames } from './day-bars.tsx'

interface EditsCardProps {
  readonly days: readonly string[]
  readonly edits: DashboardData['edits']
  readonly drillDown: AuditQuery | undefined
}

/** Edits per person and day. */
const EditsCard = ({ days, edits, drillDown }: EditsCardProps) => {
  const { t } = useTranslation('tool')
  const names = uniqueNames(edits.map(({ person }) => (person === null ? t('dashboard.others') : nameOf(person))))
  const colors = edits.map(({ person }) =>
    token(person === null ? 'border-emphasized' : `person-${personColor(person.id)}`),
  )
  const series = edits.map(({ person, counts }, at) => ({
    name: names[at] ?? '',
    counts,
    color: colors[at] ?? INK,
    repeat: colors.slice(0, at).filter(color => color === colors[at]).length,
    ...(person === null ? {} : { query: { figure: 'edits' as const, user: person.id } }),
  }))
  return (
    <DayCard
      title={t('dashboard.card.edits')}
      file="dashboard-edits"
      drillDown={drillDown}
      days={days}
      series={series}
      legend={
        <Wrap gap="4" rowGap="1" mt="2" textStyle="secondary">
          {edits.map(({ person }, at) => (
            <HStack key={names[at]} gap="1.5">
              <Swatch {...(series[at] ?? { color: INK })} />
              {person === null ? null : <PersonAvatar person={person} size={18} />}
              <Text>{names[at]}</Text>
            </HStack>
          ))}
        </Wrap>
      }
    />
  )
}

const STATUSES = ['running', 'started', 'pending', 'stopped'] as const
const COLORS = {
  running: 'positive.solid',
  started: 'info.solid',
  pending: 'warning.solid',
  stopped: 'border.emphasized',
} as const

const BotStates = ({ bots }: { readonly bots: NonNullable<DashboardData['bots']> }) => {
  const { t } = useTranslation('tool')
  const label = useLabel()
  const isReady = useEntityTextsReady(['bot'])
  const states = STATUSES.map(status => ({
    status,
    count: bots[status] ?? 0,
    name: isReady ? label.option('bot', 'runningstatus', status) : '',
  }))
  const isEmpty = states.every(({ count }) => count === 0)
  const title = t('dashboard.card.bots')
  return (
    <ChartCard
      title={title}
      beside={t('dashboard.now')}
      file="dashboard-bots"
      table={{ columns: [t('dashboard.state'), title], rows: states.map(({ name, count }) => [name, count]) }}
      empty={isEmpty ? t('dashboard.nobots') : undefined}
    >
      <SimpleGrid columns={{ base: 2, sm: 4 }} gap="2" mb="3">
        {states.map(({ status, count, name }) => (
          <RouterLink
            key={status}
            to={listAddress(bot, { runningstatus: status })}
            borderRadius="md"
            focusVisibleRing="outside"
            _hover={{ bg: 'bg.subtle' }}
          >
            <Text fontSize="2xl" fontWeight="semibold" lineHeight="32px">
              {count}
            </Text>
            <HStack gap="1.5" textStyle="secondary" color="fg.muted">
              <Box boxSize="2" flex="none" borderRadius={status === 'stopped' ? '1px' : 'full'} bg={COLORS[status]} />
              {name.toLocaleLowerCase()}
            </HStack>
          </RouterLink>
        ))}
      </SimpleGrid>
      <HStack
        role="img"
        aria-label={`${title}: ${states.map(({ name, count }) => `${name} ${count}`).join(', ')}`}
        gap="2px"
        h="8px"
        borderRadius="full"
        overflow="hidden"
      >
        {states.map(({ status, count }) =>
          count === 0 ? null : <Box key={status} h="100%" bg={COLORS[status]} style={{ flexGrow: count }} />,
        )}
      </HStack>
    </ChartCard>
  )
}

/** Locked-out people. */
const LockedPeople = ({ locked }: { readonly locked: NonNullable<DashboardData['locked']> }) => {
  const { t } = useTranslation('tool')
  const title = t('dashboard.card.locked')
  return (
    <ChartCard
      title={title}
      beside={t('dashboard.now')}
      file="dashboard-locked"
      table={{
        columns: [t('dashboard.person'), t('dashboard.username')],
        rows: locked.people.map(person => [nameOf(person), person.username ?? '']),
      }}
      empty={locked.total === 0 ? t('dashboard.nolocked') : undefined}
    >
      <HStack gap="3" align="flex-start">
        <Box bg="warning.subtle" color="warning.fg" borderRadius="full" p="2" flex="none">
          <Lock size={15} aria-hidden="true" />
        </Box>
        <Box minW="0">
          <Text textStyle="dense" fontWeight="semibold">
            {t('dashboard.locked', { count: locked.total })}
          </Text>
          <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
            {locked.people.map(nameOf).join(', ')}
          </Text>
          <RouterLink
            to={listAddress(user, { locked: 'true' })}
            textStyle="secondary"
            color="accent.fg"
            focusVisibleRing="outside"
          >
            {t('dashboard.showlocked')}
          </RouterLink>
        </Box>
      </HStack>
    </ChartCard>
  )
}

interface Props {
  readonly data: DashboardData
  /** Made-up numbers have no audit behind them. */
  readonly isExample?: boolean
}

/** Every chart that the caller may see. */
const DashboardCards = ({ data, isExample = false }: Props) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const opens = (query: AuditQuery) => (can('readaudit') && !isExample ? query : undefined)
  const { days, edits, editors, publishes, signins, bots, locked } = data
  const most = Math.max(0, ...editors)
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
      <EditsCard days={days} edits={edits} drillDown={opens({ figure: 'edits' })} />
      <DayCard
        title={t('dashboard.card.editors')}
        file="dashboard-editors"
        drillDown={opens({ figure: 'edits' })}
        days={days}
        series={[{ name: t('dashboard.card.editors'), counts: editors, color: INK }]}
        beside={t('dashboard.mosteditors', { count: most })}
      />
      <DayCard
        title={t('dashboard.card.publishes')}
        file="dashboard-publishes"
        drillDown={opens({ figure: 'publishes' })}
        days={days}
        series={[{ name: t('dashboard.card.publishes'), counts: publishes, color: INK }]}
      />
      {signins ? (
        <DayCard
          title={t('dashboard.card.signins')}
          file="dashboard-signins"
          drillDown={opens({ figure: 'signins' })}
          days={days}
          series={[
            { name: t('dashboard.succeeded'), counts: signins.succeeded, color: INK },
            {
              name: t('dashboard.failed'),
              counts: signins.failed,
              color: token('danger-solid'),
              query: { figure: 'failedsignins' },
            },
          ]}
        />
      ) : null}
      {bots ? <BotStates bots={bots} /> : null}
      {locked ? <LockedPeople locked={locked} /> : null}
    </SimpleGrid>
  )
}

const PERIOD_QUERY = 'days'
const WIDTH = 1280
const CARDS = ['edits', 'editors', 'publishes', 'signins']

/** Stores the period in the address. */
const usePeriod = () => {
  const [params, setParams] = useSearchParams()
  const choose = (days: Period) => setParams(days === DEFAULT_PERIOD ? {} : { [PERIOD_QUERY]: days }, { replace: true })
  return [periodOf(params.get(PERIOD_QUERY)), choose] as const
}

const Periods = ({ value, onChange }: { readonly value: Period; onChange(days: Period): void }) => {
  const { t } = useTranslation('tool')
  const options = DASHBOARD_PERIODS.map(days => ({
    value: days,
    label: t('dashboard.period', { count: Number(days) }),
  }))
  return <Segments label={t('dashboard.periods')} value={value} options={options} onChange={onChange} />
}

const Waiting = () => (
  <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" aria-hidden="true">
    {CARDS.map(name => (
      <Skeleton key={name} h="290px" borderRadius="lg" />
    ))}
  </SimpleGrid>
)

/** Activity in the caller's levels. */
export const DashboardPage = () => {
  const { t } = useTranslation(['tool', 'shell'])
  const { can, user } = useSession()
  const [days, choose] = usePeriod()
  const { data, error, refetch } = useQuery({
    ...dashboardQuery(days, user.hierarchylevel),
    enabled: can('showdashboard'),
  })
  if (!can('showdashboard')) return <ErrorMessage code="403" />
  return (
    <Page
      title={t('shell:menu.dashboard')}
      purpose={t('purpose.dashboard')}
      width={WIDTH}
      actions={
        <>
          <Periods value={days} onChange={choose} />
          <Button asChild>
            <Link to="/dashboard/example">{t('dashboard.example')}</Link>
          </Button>
        </>
      }
    >
      {can('readbot') ? <BotResultsCard days={Number(days)} level={user.hierarchylevel} /> : null}
      {data ? (
        <DashboardCards data={data} />
      ) : error ? (
        <PageLoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

/** The same charts with made-up numbers. */
export const DashboardExamplePage = () => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const [days, choose] = usePeriod()
  if (!can('showdashboard')) return <ErrorMessage code="403" />
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })
  return (
    <Page title={t('dashboard.exampletitle')} width={WIDTH} actions={<Periods value={days} onChange={choose} />}>
      <Box role="note" bg="info.subtle" color="info.fg" borderRadius="lg" px="4" py="3" mb="4" textStyle="dense">
        <Text>{t('dashboard.exampletext')}</Text>
        <Link to="/dashboard">
          <Text as="span" textDecoration="underline">
            {t('dashboard.back')}
          </Text>
        </Link>
      </Box>
      <DashboardCards data={exampleDashboard(Number(days), today)} isExample />
    </Page>
  )
}
