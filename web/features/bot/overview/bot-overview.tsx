import { Box, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { ChangeLine } from '#web/entity/history/history-entry.tsx'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { agoOf } from '#web/format/time.ts'
import { ServicesCard } from '../../botservice/index.ts'
import { DayCard, INK } from '../../dashboard/index.ts'
import { LiveFigures } from '../../insight/index.ts'
import { BotStatistics } from './bot-statistics.tsx'
import { errorsQuery, type Overview, overviewQuery } from './overview-query.ts'
import { OverviewSkeleton } from './overview-skeleton.tsx'
import { Publishing } from './publishing.tsx'
import { WebChat } from './web-chat.tsx'

interface EditorsProps {
  readonly flow: Overview['editing'][number]
  readonly bot: string
}

const Editors = ({ flow, bot }: EditorsProps) => {
  const { t } = useTranslation('overview')
  return flow.people.map(person => (
    <HStack as="li" key={person.user} gap="3" px="4" py="2" borderTopWidth="1px">
      <PersonAvatar person={{ id: person.user, username: person.name }} size={26} />
      <Box flex="1" minW="0">
        <Text textStyle="dense" fontWeight="semibold" truncate>
          {person.name}
        </Text>
        <RouterLink
          to={flowAddress(flow.entity, flow.id, { bot })}
          textStyle="secondary"
          color="accent.fg"
          display="block"
          truncate
          focusVisibleRing="outside"
        >
          {t('isin', { name: flow.name })}
        </RouterLink>
      </Box>
    </HStack>
  ))
}

interface ContributorProps {
  readonly one: Overview['people'][number]
  readonly bot: string
}

const Contributor = ({ one: { person, edits, time }, bot }: ContributorProps) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  return (
    <HStack as="li" gap="3" px="4" py="2" borderTopWidth="1px">
      <PersonAvatar person={person} size={26} />
      <Box flex="1" minW="0">
        <Text textStyle="dense" fontWeight="semibold" truncate>
          {nameOf(person)}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {agoOf(time)}
        </Text>
      </Box>
      {can('readaudit') ? (
        <RouterLink
          to={`/audit?within=${bot}&user=${person.id}`}
          textStyle="secondary"
          color="accent.fg"
          borderRadius="xs"
          focusVisibleRing="outside"
          whiteSpace="nowrap"
        >
          {t('changes', { count: edits })}
        </RouterLink>
      ) : (
        <Text textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {t('changes', { count: edits })}
        </Text>
      )}
    </HStack>
  )
}

/** People in each flow of the bot now, and those with the most recent changes. */
const People = ({ bot, overview }: { readonly bot: string; readonly overview: Overview }) => {
  const { t } = useTranslation('overview')
  const { editing, people, days } = overview
  const now = editing.reduce((sum, flow) => sum + flow.people.length, 0)
  return (
    <Card
      title={t('people')}
      beside={
        now === 0 ? null : (
          <HStack gap="1.5" textStyle="secondary" color="positive.fg">
            <Box boxSize="2" borderRadius="full" bg="positive.solid" />
            {t('now', { count: now })}
          </HStack>
        )
      }
    >
      <Box as="ul" listStyleType="none">
        {editing.map(flow => (
          <Editors key={flow.id} flow={flow} bot={bot} />
        ))}
        {people.map(one => (
          <Contributor key={one.person.id} one={one} bot={bot} />
        ))}
      </Box>
      {people.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t('nobody', { count: days.length })}
        </Text>
      ) : null}
    </Card>
  )
}

const RouterLink = chakra(Link)
const SHOWN = 8

/** Changes to the bot and its contents by people and the program, newest first. */
const Happened = ({ bot, overview }: { readonly bot: string; readonly overview: Overview }) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const changes = overview.changes.slice(0, SHOWN)
  const isReady = useEntityTextsReady(changes.map(({ entity }) => entity))
  return (
    <Card
      title={t('happened')}
      beside={
        can('readaudit') ? (
          <RouterLink
            to={`/audit?within=${bot}`}
            textStyle="secondary"
            color="accent.fg"
            borderRadius="xs"
            focusVisibleRing="outside"
            _hover={{ textDecoration: 'underline' }}
          >
            {t('inaudit')}
          </RouterLink>
        ) : null
      }
    >
      {changes.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t('nothinghappened')}
        </Text>
      ) : isReady ? (
        <Box as="ul" listStyleType="none">
          {changes.map(change => (
            <ChangeLine key={`${change.entity}${change.entityid}${change.revision}${change.time}`} change={change} />
          ))}
        </Box>
      ) : null}
    </Card>
  )
}

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
      {data.live === undefined ? null : (
        <Box mb="4">
          <Card
            title={t('live')}
            beside={
              <RouterLink
                to={`/bot/insight/${bot}?days=1`}
                textStyle="secondary"
                color="accent.fg"
                borderRadius="xs"
                focusVisibleRing="outside"
              >
                {t('toresults')}
              </RouterLink>
            }
          >
            <LiveFigures live={data.live} />
          </Card>
        </Box>
      )}
      <BotStatistics bot={bot} overview={data} />
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
