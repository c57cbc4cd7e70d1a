import './insight.css'
import { Box, Button, HStack, Input, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { BellRing, CalendarCheck, CalendarPlus, ChartColumn, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { channel as channelEntity } from '#schemas/entities/channel.ts'
import { CONVERSATION_ORIGINS } from '#schemas/events/conversation.ts'
import type { RowOf } from '#schemas/row.ts'
import { fileUrl, http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { FilterChip } from '#web/entity/list/filter-chip.tsx'
import { numberText } from '#web/format/number.ts'
import { dayOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { Change, FigureLink, FigureName, Quiet, RoundedNote } from './figure.tsx'
import { Breakdown, ReleasePair } from './insight-breakdown.tsx'
import { CompletionCard, DropoffCard, MisunderstoodCard, RatingCard } from './insight-cards.tsx'
import { CostCard, MoreCard, OutcomeCard, VolumeCard } from './insight-figures.tsx'
import {
  type Insight,
  type InsightRow,
  type InsightState,
  insightQuery,
  PERIODS,
  useInsightFilter,
} from './insight-query.ts'
import {
  countText,
  growthOf,
  IS_GOOD,
  MEASURES,
  pointsOf,
  rateOf,
  type ShareName,
  shareOf,
  shareText,
  sumOf,
  timeText,
} from './insight-text.ts'

type BotRow = Pick<RowOf<'bot'>, 'id' | 'revision' | 'weeklyreport'>

/** Switches the report of each week on or off. */
const WeeklyButton = ({ bot }: { readonly bot: BotRow }) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const command = useEntityCommand(botEntity)
  const { id, revision, weeklyreport } = bot
  if (!can('updatebot')) return null
  const change = async () => {
    try {
      await http.patch('/{entity}/{id}', {
        params: { entity: 'bot', id },
        body: { weeklyreport: !weeklyreport },
        revision,
      })
      await command.refresh()
      notice.snack(t(weeklyreport ? 'weekly.undone' : 'weekly.done'), { tone: 'positive' })
    } catch (error) {
      command.failed(error)
    }
  }
  const Icon = weeklyreport ? CalendarCheck : CalendarPlus
  return (
    <Button variant="outline" size="sm" aria-pressed={weeklyreport} onClick={() => void change()}>
      <Icon size={15} aria-hidden="true" />
      {t(weeklyreport ? 'weekly.off' : 'weekly.on')}
    </Button>
  )
}

const TILES: readonly ShareName[] = ['contained', 'handoff', 'misunderstood', 'completed', 'gaveup']

interface TilesProps {
  readonly insight: Insight
  readonly before: Insight | undefined
  readonly state: InsightState
}

const ShareTile = ({ name, insight, before, state }: TilesProps & { readonly name: ShareName }) => {
  const { t } = useTranslation('insight')
  const share = shareOf(insight.total, name)
  const shown = shareText(share, (part, whole) => t('few', { part, whole }))
  return (
    <div>
      <dt>
        <FigureName name={name} />
      </dt>
      <dd>
        <FigureLink to={state.listOf(MEASURES[name])} label={t('open', { name: t(`name.${name}`), shown })}>
          <b>{shown}</b>
        </FigureLink>
        <Change
          change={before === undefined ? undefined : pointsOf(share, shareOf(before.total, name))}
          unit="points"
          isGood={IS_GOOD[name]}
        />
        {rateOf(share) === undefined || share.part === null || share.whole === null ? null : (
          <Quiet>{t('of', { part: numberText(share.part), whole: numberText(share.whole) })}</Quiet>
        )}
      </dd>
    </div>
  )
}

const Tiles = (given: TilesProps) => {
  const { t } = useTranslation('insight')
  const { insight, before, state } = given
  const { total, desk } = insight
  const { nps } = total
  const asked = sumOf(total.csat.asked, nps.asked)
  const score =
    nps.rated === null || nps.rated === 0 || nps.promoters === null || nps.detractors === null
      ? undefined
      : Math.round((100 * (nps.promoters - nps.detractors)) / nps.rated)
  return (
    <dl className="in-tiles">
      <div>
        <dt>
          <FigureName name="started" />
        </dt>
        <dd>
          <FigureLink
            to={state.listOf('started')}
            label={t('open', { name: t('name.started'), shown: countText(total.started) })}
          >
            <b>{countText(total.started)}</b>
          </FigureLink>
          <Change change={growthOf(total.started, before?.total.started ?? null)} unit="percent" isGood={undefined} />
          <FigureLink
            to={state.listOf('open')}
            label={t('open', { name: t('measure.open'), shown: countText(total.open) })}
          >
            <Quiet>{t('stillopen', { shown: countText(total.open) })}</Quiet>
          </FigureLink>
        </dd>
      </div>
      {TILES.map(name => (
        <ShareTile key={name} name={name} {...given} />
      ))}
      <div>
        <dt>
          <FigureName name="first" />
        </dt>
        <dd>
          <b>{timeText(desk.first.p50)}</b>
          {desk.requested === 0 ? null : (
            <RouterLink to="/desk/metrics" className="in-quiet-link">
              {t('chats', { count: desk.requested, shown: numberText(desk.requested) })}
            </RouterLink>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <FigureName name="rating" />
        </dt>
        <dd>
          <FigureLink
            to={state.listOf('rated')}
            label={t('open', { name: t('name.rating'), shown: countText(total.rated) })}
          >
            <b>{shareText(shareOf(total, 'rating'), (part, whole) => t('few', { part, whole }))}</b>
          </FigureLink>
          {score === undefined ? null : (
            <Quiet>{t('nps', { score: numberText(score, { signDisplay: 'exceptZero' }) })}</Quiet>
          )}
          {asked === 0 ? null : (
            <Quiet>
              {t('rating.of', {
                rated: countText(sumOf(total.csat.rated, nps.rated)),
                asked: countText(asked),
              })}
            </Quiet>
          )}
        </dd>
      </div>
    </dl>
  )
}

const Filters = ({ state, releases }: { readonly state: InsightState; readonly releases: readonly string[] }) => {
  const { t } = useTranslation('insight')
  const label = useLabel()
  const { days, channel, release, origin, filter, put } = state
  return (
    <HStack gap="2" rowGap="2" flexWrap="wrap" mb="3">
      <Segments
        label={t('period')}
        value={days}
        options={PERIODS.map(value => ({ value, label: t(`days.${value}`) }))}
        onChange={value => put({ days: value, from: '', to: '' })}
      />
      <HStack gap="1" textStyle="dense" color="fg.muted">
        {(['from', 'to'] as const).map(end => (
          <Input
            key={end}
            type="date"
            size="xs"
            w="136px"
            aria-label={t(`range.${end}`)}
            value={filter[end]}
            onChange={event => {
              const next = { from: filter.from, to: filter.to, [end]: event.target.value }
              if (next.from !== '' && next.to !== '' && next.from <= next.to) put({ ...next, days: '' })
            }}
          />
        ))}
      </HStack>
      <FilterChip
        title={t('by.channel')}
        value={channel}
        options={channelEntity.fields.type.options.map(type => ({
          value: type,
          label: label.option('channel', 'type', type),
        }))}
        onChange={value => put({ channel: value })}
      />
      <FilterChip
        title={t('by.release')}
        value={release}
        options={[...new Set([...releases, ...(release === undefined ? [] : [release])])].map(value => ({
          value,
          label: t('release', { number: value }),
        }))}
        onChange={value => put({ release: value })}
      />
      <FilterChip
        title={t('by.origin')}
        value={origin}
        options={CONVERSATION_ORIGINS.map(value => ({ value, label: t(`origin.${value}`) }))}
        onChange={value => put({ origin: value })}
      />
    </HStack>
  )
}

const Notes = ({ insight }: { readonly insight: Insight }) => {
  const { t } = useTranslation('insight')
  const { removed, otherdays, total, timezone } = insight
  const [first] = otherdays
  return (
    <Text mt="3" textStyle="secondary" color="fg.muted">
      {[
        t('note.zone', { zone: timezone }),
        removed === 0 ? '' : t('note.removed', { count: removed ?? 2, shown: countText(removed) }),
        total.understanding.unclear ? t('note.unclear', { count: total.understanding.unclear }) : '',
        first === undefined ? '' : t('note.version', { day: dayOf(first.day), version: first.version }),
      ]
        .filter(Boolean)
        .join(' ')}
    </Text>
  )
}

interface FiguresProps {
  readonly bot: string
  readonly project: string | null | undefined
  readonly insight: Insight
  readonly before: Insight | undefined
  /** Both undefined while loading. */
  readonly releases: readonly InsightRow[] | undefined
  readonly tasks: readonly InsightRow[] | undefined
  readonly state: InsightState
  /** The figures belong to the previous filter. */
  readonly isLate: boolean
}

const Figures = ({ bot, project, insight, before, releases, tasks, state, isLate }: FiguresProps) => {
  const { t } = useTranslation('insight')
  return (
    <Box
      aria-busy={isLate}
      opacity={isLate ? 0.45 : 1}
      transition="opacity 160ms"
      transitionDelay={isLate ? '200ms' : '0ms'}
    >
      <RoundedNote mb="2" />
      <Tiles insight={insight} before={before} state={state} />
      <Box className="in-grid">
        <Box className="in-wide">
          <VolumeCard insight={insight} state={state} />
        </Box>
        <ReleasePair rows={releases} state={state} />
      </Box>
      <Box className="in-three">
        <MisunderstoodCard bot={bot} project={project} />
        <DropoffCard bot={bot} dropoff={insight.dropoff} />
        <CompletionCard rows={tasks} state={state} />
      </Box>
      <Box className="in-row">
        <Breakdown bot={bot} state={state} />
      </Box>
      <Box className="in-three">
        <OutcomeCard insight={insight} state={state} />
        <MoreCard insight={insight} state={state} />
        <Box className="in-stack">
          <RatingCard insight={insight} state={state} />
          <CostCard insight={insight} state={state} />
        </Box>
      </Box>
      <Notes insight={insight} />
      <VisuallyHidden role="status">{isLate ? '' : t('shown', { count: insight.total.started ?? 0 })}</VisuallyHidden>
    </Box>
  )
}

/** /bot/insight/{id}: how the conversations of a bot end, by day, release, channel and task. */
export const InsightPage = () => {
  const { t } = useTranslation('insight')
  const { id = '' } = useParams()
  const { can } = useSession()
  const bot = useQuery(detailQuery('bot', id))
  const state = useInsightFilter(id, bot.data?.timezone || 'America/Sao_Paulo')
  // Its days are not known before.
  const enabled = bot.data !== undefined
  const insight = useQuery({ ...insightQuery(id, { ...state.filter, by: 'day' }), enabled })
  const earlier = useQuery({ ...insightQuery(id, { ...state.before, by: 'day' }), enabled })
  const isLate = insight.isPlaceholderData || earlier.isPlaceholderData
  const { release: _, ...filter } = state.filter
  const releases = useQuery({ ...insightQuery(id, { ...filter, by: 'release' }), enabled }).data
  const tasks = useQuery({ ...insightQuery(id, { ...state.filter, by: 'task' }), enabled }).data
  if (bot.error && bot.data === undefined) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  const { data } = insight
  const releaseRows = releases?.by === 'release' ? releases.rows : undefined
  const project = (bot.data as { readonly nluproject?: string | null } | undefined)?.nluproject
  return (
    <Page
      title={t('title')}
      purpose={t(can('readconversation') ? 'purpose' : 'range.of', {
        from: dayOf(state.filter.from),
        to: dayOf(state.filter.to),
      })}
      actions={
        <HStack gap="2" flexWrap="wrap">
          {bot.data === undefined ? null : <WeeklyButton bot={bot.data} />}
          {can('readmetricalert') ? (
            <Button asChild variant="outline" size="sm">
              <Link to={`/bot/settings/metricalert/${id}`}>
                <BellRing size={15} aria-hidden="true" />
                {t('alerts')}
              </Link>
            </Button>
          ) : null}
          <Button asChild variant="outline" size="sm">
            <a
              href={fileUrl('/bot/{id}/metrics/export', { params: { id }, query: { ...state.filter, by: state.by } })}
              download
            >
              <Download size={15} aria-hidden="true" />
              {t('export')}
            </a>
          </Button>
        </HStack>
      }
    >
      <Filters state={state} releases={releaseRows?.map(({ key }) => key) ?? []} />
      {data === undefined ? (
        insight.error ? (
          <ErrorState error={insight.error} onRetry={() => void insight.refetch()} />
        ) : (
          <RowsSkeleton rows={6} />
        )
      ) : data.total.started === 0 && data.desk.requested === 0 ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <EmptyState icon={ChartColumn} title={t('empty')} text={t('emptytext')}>
            {state.days === '90' ? null : (
              <Button
                variant="outline"
                onClick={() => state.put({ days: '90', from: '', to: '', channel: '', release: '', origin: '' })}
              >
                {t('widen')}
              </Button>
            )}
          </EmptyState>
        </Box>
      ) : (
        <Figures
          bot={id}
          project={project}
          insight={data}
          before={earlier.data}
          releases={releaseRows}
          tasks={tasks?.by === 'task' ? tasks.rows : undefined}
          state={state}
          isLate={isLate}
        />
      )}
    </Page>
  )
}
