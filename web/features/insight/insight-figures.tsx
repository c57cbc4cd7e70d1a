import { Box, HStack, Stack, Text } from '@chakra-ui/react'
import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Card } from '#web/components/card.tsx'
import { Segments } from '#web/components/segments.tsx'
import { moneyText, numberText } from '#web/format/number.ts'
import { timeIn } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { FigureLink, FigureName, Quiet } from './figure.tsx'
import { CHARTS, type Insight, type InsightMetric, type InsightState } from './insight-query.ts'
import { countText, hourText, NONE, rateOf, type Share, shareText, timeText, weekdayText } from './insight-text.ts'

interface Props {
  readonly insight: Insight
  readonly state: InsightState
}

const token = (name: string): string => `var(--chakra-colors-${name})`
const TICK = { fill: token('fg-subtle'), style: { fontSize: 11 } }
const AXIS = { tick: TICK, tickLine: false, axisLine: false } as const
const TOOLTIP = {
  contentStyle: { background: token('bg-inverted'), border: 'none', borderRadius: 7, fontSize: 12 },
  labelStyle: { color: token('fg-inverted'), fontWeight: 600 },
  itemStyle: { color: token('fg-inverted'), padding: 0 },
} as const

interface Point {
  readonly key: string
  readonly label: string
  readonly count: number
  readonly shown: string
  /** The list of its conversations. */
  readonly to: string | undefined
}

/** Height of the bar of a hidden count. */
const HIDDEN_HEIGHT = 2

const WEEK = [1, 2, 3, 4, 5, 6, 0] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Steps of the arrow keys in a table, by rows and columns. */
const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ...{ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] },
  ...{ Home: [0, -HOURS.length], End: [0, HOURS.length] },
}
const within = (place: number, { length }: readonly unknown[]) => Math.min(Math.max(place, 0), length - 1)

interface Slot {
  readonly name: string
  readonly full: string
}

/**
 * Conversations by weekday and hour: a cell is darker the more it counts, and opens its conversations. Arrow keys move
 * between the cells, of which one is in the order of Tab. A phone has the hours as rows.
 */
const WeekTable = ({ insight, state }: Props) => {
  const { t } = useTranslation('insight')
  const isPhone = useMedia(PHONE)
  const [last, setLast] = useState({ row: 0, column: 0 })
  const days = WEEK.map(day => ({ day, name: weekdayText(day, 'short'), full: weekdayText(day, 'long') }))
  const hours = HOURS.map(hour => ({ hour, name: `${hour}h`, full: hourText(hour) }))
  const [rows, columns]: readonly (readonly Slot[])[] = isPhone ? [hours, days] : [days, hours]
  if (rows === undefined || columns === undefined) return null
  const at = { row: within(last.row, rows), column: within(last.column, columns) }
  const most = Math.max(1, ...insight.week.flat().map(count => count ?? 0))
  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = STEPS[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const row = within(at.row + step[0], rows)
    const column = within(at.column + step[1], columns)
    event.currentTarget.querySelector<HTMLElement>(`[data-at="${row} ${column}"]`)?.focus()
  }
  const cellOf = (row: number, column: number) => {
    const [day, hour] = isPhone ? [days[column], hours[row]] : [days[row], hours[column]]
    if (day === undefined || hour === undefined) return null
    const { [hour.hour]: count = 0 } = insight.week[day.day] ?? []
    const measure = `hour:${day.day}-${String(hour.hour).padStart(2, '0')}`
    const to = count === 0 ? undefined : state.listOf(measure)
    const focus = {
      'data-at': `${row} ${column}`,
      tabIndex: at.row === row && at.column === column ? 0 : -1,
      onFocus: () => setLast({ row, column }),
    }
    const heat = { '--heat': `${count === 0 ? 0 : 8 + (42 * (count ?? 0)) / most}%` } as CSSProperties
    if (to === undefined)
      return (
        <td key={column} style={heat} {...focus} {...(count === 0 ? { 'data-none': '', 'aria-label': '0' } : {})}>
          {count === 0 ? '·' : countText(count)}
        </td>
      )
    const name = `${day.full}, ${hour.full}`
    return (
      <td key={column} style={heat}>
        <RouterLink {...focus} to={to} aria-label={t('open', { name, shown: countText(count) })} title={name}>
          {countText(count)}
        </RouterLink>
      </td>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the cells of this table
    <table className="in-week" role="grid" aria-label={t('volume.week')} onKeyDown={move}>
      <thead>
        <tr>
          <td />
          {columns.map(({ name, full }) => (
            <th key={name} scope="col" abbr={full}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, full }, row) => (
          <tr key={name}>
            <th scope="row" abbr={full}>
              {name}
            </th>
            {columns.map((_, column) => cellOf(row, column))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Conversations by day, by hour of the day as an average, or by weekday and hour; each opens its conversations. */
export const VolumeCard = ({ insight, state }: Props) => {
  const { t } = useTranslation('insight')
  const { chart } = state
  return (
    <Card
      title={t(`volume.${chart}`)}
      beside={
        <HStack>
          <Segments
            label={t('volume.by')}
            value={chart}
            options={CHARTS.map(value => ({ value, label: t(`volume.as${value}`) }))}
            onChange={value => state.put({ chart: value })}
          />
        </HStack>
      }
    >
      {chart === 'week' ? (
        <Box className="in-weekbox">
          <WeekTable insight={insight} state={state} />
        </Box>
      ) : (
        <VolumeChart insight={insight} state={state} chart={chart} />
      )}
    </Card>
  )
}

/** Bars by day, or by hour of the day as an average. */
const VolumeChart = ({ insight, state, chart }: Props & { readonly chart: 'day' | 'hour' }) => {
  const { t, i18n } = useTranslation('insight')
  const navigate = useNavigate()
  const { listOf, filter } = state
  const days = Math.round((Date.parse(filter.to) - Date.parse(filter.from)) / 86_400_000) + 1
  const dayName = (day: string) =>
    timeIn(i18n.language, { day: '2-digit', month: '2-digit' }).format(new Date(`${day}T15:00:00Z`))
  const started = new Map(insight.rows.map(({ key, conversations }) => [key, conversations?.started]))
  const barOf = (count: number | null = 0, over = 1) => ({
    count: (count ?? HIDDEN_HEIGHT) / over,
    shown: count === null ? countText(count) : numberText(count / over, { maximumFractionDigits: 1 }),
  })
  const points: readonly Point[] =
    chart === 'day'
      ? Array.from({ length: days }, (_, place) =>
          new Date(Date.parse(filter.from) + place * 86_400_000).toISOString().slice(0, 10),
        ).map(day => ({
          key: day,
          label: dayName(day),
          ...barOf(started.get(day)),
          to: listOf('started', { firstday: day, lastday: day }),
        }))
      : insight.hours.map((count, hour) => {
          const key = String(hour).padStart(2, '0')
          return { key, label: `${hour}h`, ...barOf(count, days), to: listOf(`hour:${key}`) }
        })
  const open = (label: unknown) => {
    const point = points.find(one => one.label === label)
    if (point?.to !== undefined) void navigate(point.to)
  }
  return (
    <Box className="in-chart">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={[...points]}
          role="img"
          aria-label={t('volume.described', { title: t(`volume.${chart}`), count: insight.total.started ?? 0 })}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="18%"
          style={{ cursor: listOf('started') === undefined ? 'default' : 'pointer' }}
          onClick={({ activeLabel }) => open(activeLabel)}
        >
          <CartesianGrid vertical={false} stroke={token('border')} />
          <XAxis dataKey="label" {...AXIS} minTickGap={18} />
          <YAxis
            {...AXIS}
            allowDecimals={chart === 'hour'}
            tickCount={4}
            width={40}
            tickFormatter={n => numberText(Number(n))}
          />
          <Tooltip
            cursor={{ fill: token('bg-subtle') }}
            isAnimationActive={false}
            formatter={(_, __, { payload }) => [(payload as Point).shown, t('name.started')]}
            {...TOOLTIP}
          />
          <Bar
            dataKey="count"
            fill={token('fg-muted')}
            maxBarSize={28}
            radius={[3, 3, 0, 0]}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </Box>
  )
}

const OUTCOMES = ['completed', 'agent', 'gaveup', 'left', 'unserved', 'failed'] as const
const TONES: Readonly<Record<(typeof OUTCOMES)[number], string>> = {
  ...{ completed: 'positive.solid', agent: 'accent.solid', gaveup: 'warning.solid' },
  ...{ left: 'border.emphasized', unserved: 'danger.emphasized', failed: 'danger.solid' },
}

/** Outcomes of closed conversations, which add up to them. */
export const OutcomeCard = ({ insight, state }: Props) => {
  const { t } = useTranslation('insight')
  const { outcomes, closed } = insight.total
  return (
    <Card
      title={t('outcome.title')}
      beside={
        <Quiet>
          <FigureLink
            to={state.listOf('closed')}
            label={t('open', { name: t('measure.closed'), shown: countText(closed) })}
          >
            {t('outcome.of', { count: closed ?? 0, shown: countText(closed) })}
          </FigureLink>
        </Quiet>
      }
    >
      {closed ? (
        <HStack mx="4" mb="2" gap="1px" h="12px" borderRadius="sm" overflow="hidden" aria-hidden="true">
          {OUTCOMES.map(name => (
            <Box key={name} h="100%" bg={TONES[name]} style={{ width: `${(100 * (outcomes[name] ?? 0)) / closed}%` }} />
          ))}
        </HStack>
      ) : null}
      <dl className="in-list">
        {OUTCOMES.map(name => (
          <div key={name}>
            <dt>
              <Box boxSize="2" flex="none" borderRadius="full" bg={TONES[name]} aria-hidden="true" />
              <FigureName name={`outcome.${name}`} />
            </dt>
            <dd>
              <FigureLink
                to={state.listOf(name)}
                label={t('open', { name: t(`name.outcome.${name}`), shown: countText(outcomes[name]) })}
              >
                {countText(outcomes[name])}
              </FigureLink>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

interface LineProps {
  readonly name: string
  readonly value: string
  /** The list of its conversations. */
  readonly to?: string | undefined
  readonly detail?: string | undefined
}

const Line = ({ name, value, to, detail }: LineProps) => {
  const { t } = useTranslation('insight')
  return (
    <div>
      <dt>
        <FigureName name={name} />
      </dt>
      <dd>
        {detail === undefined ? null : <Quiet>{detail}</Quiet>}
        {to === undefined ? (
          <span>{value}</span>
        ) : (
          <FigureLink to={to} label={t('open', { name: t(`name.${name}`), shown: value })}>
            {value}
          </FigureLink>
        )}
      </dd>
    </div>
  )
}

const CAUSES = ['flow', 'menu', 'takeover'] as const

/** Figures that the tiles leave out. */
export const MoreCard = ({ insight, state }: Props) => {
  const { t } = useTranslation('insight')
  const { total, questions, settled } = insight
  const { listOf } = state
  const few = (part: string, whole: string) => t('few', { part, whole })
  const rate = (share: Share) => ({
    value: shareText(share, few),
    detail:
      rateOf(share) === undefined ? undefined : t('of', { part: countText(share.part), whole: countText(share.whole) }),
  })
  const { completed, reopened } = total.durable
  const kept = completed === null || reopened === null ? null : completed - reopened
  const mean = (of: InsightMetric['turns']) =>
    of.mean === null ? NONE : numberText(of.mean, { maximumFractionDigits: 1 })
  const median = (of: InsightMetric['turns']) =>
    of.p50 === null ? undefined : t('median', { shown: numberText(of.p50) })
  const { answer } = total
  return (
    <Card title={t('more')}>
      <dl className="in-list">
        <Line name="engaged" value={countText(total.engaged)} to={listOf('engaged')} />
        <Line name="active" value={countText(total.active)} to={listOf('active')} />
        <Line name="people" value={countText(total.people)} to={listOf('active')} />
        {CAUSES.map(cause => (
          <Line
            key={cause}
            name={`cause.${cause}`}
            value={countText(total.handoff[cause])}
            to={listOf(`handoff.${cause}`)}
          />
        ))}
        <Line
          name="unserved"
          {...rate({ part: total.outcomes.unserved, whole: total.handoff.count })}
          to={listOf('unserved')}
        />
        <Line
          name="durable"
          {...rate({ part: kept, whole: completed })}
          {...(settled < state.filter.from ? {} : { to: listOf('durable', { lastday: settled }) })}
        />
        <Line name="invalid" {...rate({ part: questions.invalid, whole: questions.answered })} />
        <Line
          name="answer"
          value={timeText(answer.p50)}
          detail={answer.p95 === null ? undefined : t('p95', { shown: timeText(answer.p95) })}
        />
        <Line name="turns" value={mean(total.turns)} detail={median(total.turns)} to={listOf('closed')} />
        <Line name="received" value={mean(total.received)} detail={median(total.received)} to={listOf('closed')} />
        <Line name="said" value={mean(total.said)} detail={median(total.said)} to={listOf('closed')} />
      </dl>
    </Card>
  )
}

/** Cost of messages by the prices in receipts, and apart from it by the price list. */
export const CostCard = ({ insight, state }: Props) => {
  const { t } = useTranslation('insight')
  const { cost, priced } = insight.total
  const lines = (['reported', 'computed'] as const).flatMap(kind => cost[kind].map(one => ({ kind, ...one })))
  const rest = (['unpriced', 'free', 'open'] as const).filter(name => cost[name] !== 0)
  return (
    <Card
      title={t('cost.title')}
      beside={
        priced === 0 ? undefined : (
          <Quiet>
            <FigureLink
              to={state.listOf('priced')}
              label={t('open', { name: t('measure.priced'), shown: countText(priced) })}
            >
              {t('cost.priced', { count: priced ?? 0, shown: countText(priced) })}
            </FigureLink>
          </Quiet>
        )
      }
    >
      {lines.length === 0 && rest.length === 0 ? (
        <Text px="4" py="6" borderTopWidth="1px" textStyle="dense" color="fg.muted" textAlign="center">
          {t('cost.empty')}
        </Text>
      ) : (
        <dl className="in-list">
          {lines.map(({ kind, currency, amount, count, each }) => (
            <div key={`${kind} ${currency}`}>
              <dt>
                <FigureName name={kind} />
              </dt>
              <dd>
                <Stack gap="0" alignItems="end">
                  <b>{each === null ? NONE : t('cost.each', { shown: moneyText(each, currency) })}</b>
                  <Quiet>
                    {t('cost.sum', {
                      count: count ?? 0,
                      shown: countText(count),
                      sum: amount === null ? NONE : moneyText(amount, currency),
                    })}
                  </Quiet>
                </Stack>
              </dd>
            </div>
          ))}
          {rest.map(name => (
            <Line key={name} name={name} value={countText(cost[name])} />
          ))}
        </dl>
      )}
    </Card>
  )
}
