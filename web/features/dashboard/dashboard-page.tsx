import { Box, Button, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { DASHBOARD_PERIODS } from '#schemas/api/home.ts'
import { useSession } from '#web/api/session.ts'
import { Segments } from '#web/components/segments.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { DashboardCards } from './dashboard-cards.tsx'
import { DEFAULT_PERIOD, dashboardQuery, type Period, periodOf } from './dashboard-query.ts'
import { exampleDashboard } from './example.ts'

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
