import { SimpleGrid } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import type { AuditQuery } from './audit-address.ts'
import type { DashboardData } from './dashboard-query.ts'
import { INK, token } from './day-bars.tsx'
import { DayCard } from './day-card.tsx'
import { EditsCard } from './edits-card.tsx'
import { BotStates, LockedPeople } from './state-cards.tsx'

interface Props {
  readonly data: DashboardData
  /** Made-up numbers have no audit behind them. */
  readonly isExample?: boolean
}

/** Every chart that the caller may see. */
export const DashboardCards = ({ data, isExample = false }: Props) => {
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
