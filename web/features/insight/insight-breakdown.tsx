import { Box, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card } from '#web/components/card.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { numberText } from '#web/format/number.ts'
import { dayOf } from '#web/format/time.ts'
import { CardSkeleton, Change, FigureLink, FigureName, Quiet, ShareFigure } from './figure.tsx'
import { BREAKDOWNS, type InsightMetric, type InsightRow, type InsightState, insightQuery } from './insight-query.ts'
import {
  countText,
  FEW_CLOSED,
  IS_GOOD,
  MEASURES,
  NONE,
  pointsOf,
  type ShareName,
  shareOf,
  shareText,
  timeText,
} from './insight-text.ts'

const COLUMNS: readonly ShareName[] = ['contained', 'handoff', 'misunderstood', 'completed', 'gaveup', 'rating']
const PAIR: readonly ShareName[] = ['contained', 'misunderstood', 'completed', 'gaveup', 'rating']
/** Fewer closed conversations make a difference that says little. */
const ENOUGH_CLOSED = 200

interface PairRowProps {
  readonly name: ShareName
  readonly one: InsightRow
  readonly other: InsightRow
  readonly state: InsightState
}

const PairRow = ({ name, one, other, state }: PairRowProps) => {
  const { t } = useTranslation('insight')
  const shares = [one, other].flatMap(({ key, conversations }) =>
    conversations === undefined ? [] : [{ key, share: shareOf(conversations, name) }],
  )
  const [now, before] = shares
  const points = now === undefined || before === undefined ? undefined : pointsOf(now.share, before.share)
  return (
    <tr>
      <th scope="row">
        <FigureName name={name} />
      </th>
      {shares.map(({ key, share }, place) => (
        <td key={place === 0 ? 'one' : 'other'}>
          <ShareFigure
            share={share}
            to={state.listOf(MEASURES[name], { release: key })}
            label={t('openrelease', { name: t(`name.${name}`), number: key })}
          />
        </td>
      ))}
      <td>{points === undefined ? NONE : <Change change={points} unit="points" isGood={IS_GOOD[name]} />}</td>
    </tr>
  )
}

/** Two releases side by side: differences only where both have enough closed conversations. */
export const ReleasePair = ({
  rows: loaded,
  state,
}: {
  /** Undefined while loading. */
  readonly rows: readonly InsightRow[] | undefined
  readonly state: InsightState
}) => {
  const { t } = useTranslation('insight')
  const rows = loaded ?? []
  const [newest, older] = rows
  const pick = (place: number, usual: InsightRow | undefined) =>
    rows.find(({ key }) => key === state.compare[place]) ?? usual
  const [one, other] = [pick(0, newest), pick(1, older)]
  const select = (place: 0 | 1, row: InsightRow) => (
    <Select
      size="xs"
      w="auto"
      minW="84px"
      field={{ 'aria-label': t(`pair.choose${place}`) }}
      value={row.key}
      options={rows.map(({ key }) => [key, t('releaseno', { number: key })])}
      onChange={chosen => {
        const keys = [one?.key ?? '', other?.key ?? '']
        keys[place] = chosen
        state.put({ compare: keys.join('.') })
      }}
    />
  )
  if (one?.conversations === undefined || other?.conversations === undefined)
    return (
      <Card title={t('pair.title')}>
        {loaded === undefined ? (
          <CardSkeleton />
        ) : (
          <Text px="4" py="6" borderTopWidth="1px" textStyle="dense" color="fg.muted" textAlign="center">
            {t('pair.empty')}
          </Text>
        )}
      </Card>
    )
  const [mine, theirs] = [one.conversations, other.conversations]
  const closed = Math.min(mine.closed ?? 0, theirs.closed ?? 0)
  const note = closed < FEW_CLOSED ? t('pair.few') : closed < ENOUGH_CLOSED ? t('pair.little') : undefined
  const count = (of: InsightMetric, release: string) => (
    <FigureLink
      to={state.listOf('closed', { release })}
      label={t('open', { name: t('measure.closed'), shown: countText(of.closed) })}
    >
      {countText(of.closed)}
    </FigureLink>
  )
  return (
    <Card title={t('pair.title')} beside={note === undefined ? undefined : <Quiet>{note}</Quiet>}>
      <Box className="in-table" role="region" aria-label={t('pair.figure')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHiddenName />
              </th>
              <th scope="col">{select(0, one)}</th>
              <th scope="col">{select(1, other)}</th>
              <th scope="col">{t('pair.difference')}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">
                <FigureName name="closed" />
              </th>
              <td>{count(mine, one.key)}</td>
              <td>{count(theirs, other.key)}</td>
              <td>{NONE}</td>
            </tr>
            {PAIR.map(name => (
              <PairRow key={name} name={name} one={one} other={other} state={state} />
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}

const VisuallyHiddenName = () => {
  const { t } = useTranslation('insight')
  return <span className="in-hidden">{t('pair.figure')}</span>
}

interface CellsProps {
  readonly row: InsightRow
  /** Name of the row. */
  readonly name: string
  readonly state: InsightState
}

const Cells = ({ row: { key, conversations, desk, dialog }, name, state }: CellsProps) => {
  const { t } = useTranslation('insight')
  const filter: Readonly<Record<string, string>> =
    state.by === 'day' ? { firstday: key, lastday: key } : { [state.by]: key }
  return (
    <>
      {conversations === undefined ? null : (
        <>
          <td data-label={t('measure.closed')}>
            <FigureLink
              to={state.listOf('closed', filter)}
              label={t('openrow', { name: t('measure.closed'), row: name })}
            >
              {countText(conversations.closed)}
            </FigureLink>
          </td>
          {COLUMNS.map(column => (
            <td key={column} data-label={t(`name.${column}`)}>
              <ShareFigure
                share={shareOf(conversations, column)}
                to={state.listOf(MEASURES[column], filter)}
                label={t('openrow', { name: t(`name.${column}`), row: name })}
              />
            </td>
          ))}
        </>
      )}
      {dialog === undefined ? null : (
        <>
          <td data-label={t('name.entered')}>
            <FigureLink
              to={state.listOf(`dialog.entered:${key}`)}
              label={t('openrow', { name: t('name.entered'), row: name })}
            >
              {countText(dialog.entered)}
            </FigureLink>
          </td>
          <td data-label={t('name.completion')}>
            <ShareFigure
              share={{ part: dialog.completed, whole: dialog.entered }}
              to={state.listOf(`dialog.completed:${key}`)}
              label={t('openrow', { name: t('name.completion'), row: name })}
            />
          </td>
        </>
      )}
      {desk === undefined ? null : (
        <>
          <td data-label={t('name.requested')}>
            {state.by === 'queue' ? (
              <FigureLink
                to={`/desk/metrics?queue=${key}`}
                label={t('openqueue', { queue: name, shown: numberText(desk.requested) })}
              >
                {numberText(desk.requested)}
              </FigureLink>
            ) : (
              numberText(desk.requested)
            )}
          </td>
          <td data-label={t('name.waited')}>{timeText(desk.waiting.p50)}</td>
          <td data-label={t('name.first')}>{timeText(desk.first.p50)}</td>
          <td data-label={t('name.rating')}>
            {shareText({ part: desk.csat.good, whole: desk.csat.rated }, (part, whole) => t('few', { part, whole }))}
          </td>
        </>
      )}
    </>
  )
}

const HEADS: Readonly<Record<string, readonly string[]>> = {
  task: ['entered', 'completion'],
  queue: ['requested', 'waited', 'first', 'rating'],
  agent: ['requested', 'waited', 'first', 'rating'],
}

/** Figures of conversations by day, release, channel or origin; of chats by queue or agent; completion by task. */
export const Breakdown = ({ bot, state }: { readonly bot: string; readonly state: InsightState }) => {
  const { t } = useTranslation('insight')
  const label = useLabel()
  const { by } = state
  const { data } = useQuery(insightQuery(bot, { ...state.filter, by }))
  const rows = data?.by === by ? data.rows : []
  const nameOf = ({ key, name }: InsightRow): string =>
    by === 'release'
      ? t('release', { number: key })
      : by === 'channel'
        ? key === 'bot'
          ? t('linked')
          : label.option('channel', 'type', key)
        : by === 'origin'
          ? t(`origin.${key}`)
          : by === 'day'
            ? dayOf(key)
            : name
  return (
    <Card
      title={t('breakdown.title')}
      beside={
        <HStack overflowX="auto" maxW="100%">
          <Segments
            label={t('breakdown.by')}
            value={by}
            options={BREAKDOWNS.map(value => ({ value, label: t(`by.${value}`) }))}
            onChange={value => state.put({ by: value })}
          />
        </HStack>
      }
    >
      {data?.by !== by ? (
        <CardSkeleton />
      ) : rows.length === 0 ? (
        <Text px="4" py="6" borderTopWidth="1px" textStyle="dense" color="fg.muted" textAlign="center">
          {t(by === 'queue' || by === 'agent' ? 'breakdown.nochats' : 'breakdown.empty')}
        </Text>
      ) : (
        <Box className="in-table" role="region" aria-label={t(`by.${by}`)} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t(`by.${by}`)}</th>
                {(HEADS[by] ?? ['closed', ...COLUMNS]).map(head => (
                  <th key={head} scope="col">
                    <FigureName name={head} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => {
                const { key } = row
                const name = nameOf(row)
                return (
                  <tr key={key}>
                    <th scope="row">{name}</th>
                    <Cells row={row} name={name} state={state} />
                  </tr>
                )
              })}
            </tbody>
          </table>
        </Box>
      )}
    </Card>
  )
}
