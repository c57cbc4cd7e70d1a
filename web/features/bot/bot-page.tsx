import { Box, Button, HStack, SimpleGrid, Skeleton, Stack, Text } from '@chakra-ui/react'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { ListTree } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { bot } from '#schemas/entities/bot.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { TransferButton } from '#web/entity/form/transfer-dialog.tsx'
import { ChangeLine } from '#web/entity/history/history-entry.tsx'
import { useEntityTexts, useEntityTextsReady } from '#web/entity/label.ts'
import { StatusChip } from '#web/entity/list/cell.tsx'
import { DayCard, INK } from '#web/features/dashboard/index.ts'
import { LiveFigures } from '#web/features/insight/index.ts'
import { numberText } from '#web/format/number.ts'
import { agoOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { TextLink } from '#web/page/text-link.ts'
import { errorsQuery, type Overview, overviewQuery } from './overview/overview-query.ts'
import { Publishing } from './overview/publishing.tsx'
import { WebChat } from './overview/web-chat.tsx'
import { ServicesCard } from './services-page.tsx'

const OverviewSkeleton = () => (
  <Stack gap="4" mb="6" aria-hidden="true">
    <Skeleton h="96px" borderRadius="lg" />
    <Skeleton h="300px" borderRadius="lg" />
  </Stack>
)

interface Figure {
  readonly id: string
  readonly count: number
  /** Warning, else a description. */
  readonly note: string
  readonly isWarning?: boolean
  readonly to?: string | undefined
}

const total = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0)

/** Address of the audit of the bot and of what is in it. */
const auditAddress = (bot: string, action?: string) =>
  `/audit?within=${bot}${action === undefined ? '' : `&action=${action}`}`

const useFigures = (bot: string, overview: Overview): readonly Figure[] => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const { tasks, dialogs, handlers, versions, edits, publishes, days } = overview
  const toTasks = `/bot/dialogtask/${bot}`
  const toAudit = (action?: string) => (can('readaudit') ? auditAddress(bot, action) : undefined)
  const flows = (id: string, count: NonNullable<Overview['dialogs']>): Figure => {
    const waiting = count.total - count.published + count.modified
    return {
      id,
      count: count.total,
      note: count.total === 0 ? t('none') : waiting === 0 ? t('alllive') : t('notlive', { count: waiting }),
      isWarning: waiting > 0,
      to: toTasks,
    }
  }
  return [
    ...(tasks === undefined
      ? []
      : [
          {
            id: 'tasks',
            count: tasks.total,
            note: tasks.nomain.length > 0 ? t('nomaincount', { count: tasks.nomain.length }) : t('groups'),
            isWarning: tasks.nomain.length > 0,
            to: toTasks,
          },
        ]),
    ...(dialogs === undefined ? [] : [flows('dialogs', dialogs)]),
    ...(handlers === undefined ? [] : [flows('handlers', handlers)]),
    ...(versions === undefined
      ? []
      : [
          {
            id: 'versions',
            count: versions.total,
            note:
              versions.latest === null
                ? t('noversion')
                : `${versions.latest.name}, ${agoOf(versions.latest.created_at)}`,
            to: `/version/search?pid=${bot}`,
          },
        ]),
    {
      id: 'publishes',
      count: total(publishes),
      note: t('indays', { count: days.length }),
      to: toAudit('published'),
    },
    { id: 'edits', count: total(edits), note: t('indays', { count: days.length }), to: toAudit() },
  ]
}

const FigureText = ({ figure }: { readonly figure: Figure }) => {
  const { t } = useTranslation('overview')
  const { id, count, note, isWarning } = figure
  return (
    <>
      <Text textStyle="secondary" color="fg.muted">
        {t(`figure.${id}`)}
      </Text>
      <Text fontSize="2xl" fontWeight="semibold" lineHeight="32px" css={{ fontVariantNumeric: 'tabular-nums' }}>
        {numberText(count)}
      </Text>
      <Text textStyle="secondary" color={isWarning ? 'warning.fg' : 'fg.muted'} lineClamp={2} overflowWrap="anywhere">
        {note}
      </Text>
    </>
  )
}

/** Contents of the bot in numbers, linked to their lists. */
const BotStatistics = ({ bot, overview }: { readonly bot: string; readonly overview: Overview }) => {
  const { t } = useTranslation('overview')
  const figures = useFigures(bot, overview)
  return (
    <Box as="section" aria-label={t('figures')} bg="bg.surface" borderWidth="1px" borderRadius="lg" p="2">
      <SimpleGrid gap="1" css={{ gridTemplateColumns: 'repeat(auto-fit, minmax(118px, 1fr))' }}>
        {figures.map(figure =>
          figure.to === undefined ? (
            <Box key={figure.id} px="2" py="1.5">
              <FigureText figure={figure} />
            </Box>
          ) : (
            <RouterLink
              key={figure.id}
              to={figure.to}
              px="2"
              py="1.5"
              borderRadius="md"
              focusVisibleRing="outside"
              _hover={{ bg: 'bg.subtle' }}
            >
              <FigureText figure={figure} />
            </RouterLink>
          ),
        )}
      </SimpleGrid>
    </Box>
  )
}

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
        <TextLink to={`/audit?within=${bot}&user=${person.id}`} textStyle="secondary" whiteSpace="nowrap">
          {t('changes', { count: edits })}
        </TextLink>
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
          <TextLink to={`/audit?within=${bot}`} textStyle="secondary" _hover={{ textDecoration: 'underline' }}>
            {t('inaudit')}
          </TextLink>
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
const BotOverview = ({ bot, hasDefaultTask, isStarted }: Props) => {
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
              <TextLink to={`/bot/insight/${bot}?days=1`} textStyle="secondary">
                {t('toresults')}
              </TextLink>
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

/** Texts of the overview, loaded together: each that is missed while it renders begins it again. */
const TEXTS = ['shell', 'overview', 'operation', 'tool']
const NAMED = ['bot', 'botservice']

/** A bot: its settings, its status and what can be done with it. */
export const BotPage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const navigate = useNavigate()
  usePrefetchQuery(detailQuery('bot', id))
  usePrefetchQuery(overviewQuery(id))
  const { t } = useTranslation(TEXTS)
  useEntityTexts(NAMED)
  return (
    <EntityDetail
      key={id}
      entity={bot}
      id={id}
      listAt="/bot/search"
      above={row => (
        <Suspense fallback={<OverviewSkeleton />}>
          <BotOverview
            bot={id}
            hasDefaultTask={row.defaultdialogtask !== null}
            isStarted={row.runningstatus !== 'stopped'}
          />
        </Suspense>
      )}
      hidden={HIDDEN}
      beside={row => <StatusChip entity="bot" field="runningstatus" value={row.runningstatus ?? null} />}
      actions={row => (
        <>
          {can('transferbot') && typeof row.hierarchylevel === 'string' ? (
            <TransferButton entity="bot" id={id} name={String(row.name ?? '')} level={row.hierarchylevel} />
          ) : null}
          {can('readdialogtask') ? (
            <Button variant="solid" onClick={() => void navigate(`/bot/dialogtask/${id}`)}>
              <ListTree size={15} aria-hidden="true" />
              {t('opentasks')}
            </Button>
          ) : null}
        </>
      )}
    />
  )
}

const HIDDEN: ReadonlySet<string> = new Set(['runningstatus'])
