import { Box, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { ServicesCard } from '../../botservice/index.ts'
import { DayCard, INK } from '../../dashboard/index.ts'
import { Figures } from './figures.tsx'
import { Happened } from './happened.tsx'
import { errorsQuery, overviewQuery } from './overview-query.ts'
import { OverviewSkeleton } from './overview-skeleton.tsx'
import { People } from './people.tsx'
import { Publishing } from './publishing.tsx'
import { WebChat } from './web-chat.tsx'

/** Two columns from this width of the page on, which the history beside it narrows. */
const WIDE = '@container (min-width: 880px)'

interface Props {
  readonly bot: string
  readonly hasDefaultTask: boolean
  readonly isStarted: boolean
}

/** State of a bot, above its form. */
export const BotOverview = ({ bot, hasDefaultTask, isStarted }: Props) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const { data, error, refetch } = useQuery(overviewQuery(bot))
  const mayReadFlows = can('readdialogtask') && (can('readdialog') || can('readhandler'))
  const errors = useQuery({ ...errorsQuery(bot), enabled: mayReadFlows }).data
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <OverviewSkeleton />
  return (
    <Box mb="6" css={{ containerType: 'inline-size' }}>
      <Figures bot={bot} overview={data} />
      <Box
        display="grid"
        gap="4"
        mt="4"
        alignItems="start"
        css={{ gridTemplateColumns: 'minmax(0, 1fr)', [WIDE]: { gridTemplateColumns: 'minmax(0, 1fr) 340px' } }}
      >
        <Stack gap="4" minW="0">
          {can('readbotservice') ? <ServicesCard bot={bot} /> : null}
          <Publishing bot={bot} hasDefaultTask={hasDefaultTask} isStarted={isStarted} overview={data} errors={errors} />
          <Happened bot={bot} overview={data} />
        </Stack>
        <Stack gap="4" minW="0">
          <WebChat bot={bot} isStarted={isStarted} />
          <People bot={bot} overview={data} />
          <DayCard
            title={t('chart')}
            file="bot-changes"
            days={data.days}
            series={[{ name: t('chart'), counts: data.edits, color: INK }]}
            drillDown={can('readaudit') ? { within: bot } : undefined}
          />
        </Stack>
      </Box>
      <Text as="h2" textStyle="title" mt="6" pt="5" borderTopWidth="1px">
        {t('settings')}
      </Text>
    </Box>
  )
}
