import { Box, Button, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { Card } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { numberText } from '#web/format/number.ts'
import { useAddress } from '#web/page/use-address.ts'
import { FigureLink, FigureName, RoundedNote, ShareFigure } from './figure.tsx'
import { botResultsQuery } from './insight-query.ts'
import { countText, type Share, type ShareName } from './insight-text.ts'

type Figures = AnswerOf<'GET /bot/metrics'>['all']

const FIGURES = ['contained', 'handoff', 'misunderstood', 'completed'] as const satisfies readonly ShareName[]
/** Rows shown first, and rows of a page once all are shown. */
const FEW_ROWS = 10
const PAGE_ROWS = 25

const shareIn = (of: Figures, name: (typeof FIGURES)[number]): Share => {
  switch (name) {
    case 'contained':
      return { part: of.contained, whole: of.closed }
    case 'handoff':
      return { part: of.handoff, whole: of.closed }
    case 'misunderstood':
      return { part: of.unrecognized, whole: of.texts }
    case 'completed':
      return { part: of.completed, whole: of.closed }
    default:
      return name satisfies never
  }
}

interface RowProps {
  readonly name: string
  readonly of: Figures
  /** Its results; undefined for the sums of all bots. */
  readonly to?: string
}

const ResultsRow = ({ name, of, to }: RowProps) => {
  const { t } = useTranslation('insight')
  const labelOf = (figure: string) => t('openresults', { name: t(`name.${figure}`), row: name })
  return (
    <tr data-sum={to === undefined || undefined}>
      <th scope="row">{to === undefined ? name : <FigureLink to={to}>{name}</FigureLink>}</th>
      <td data-label={t('name.started')}>
        <FigureLink to={to} label={labelOf('started')}>
          {countText(of.started)}
        </FigureLink>
      </td>
      {FIGURES.map(figure => (
        <td key={figure} data-label={t(`name.${figure}`)}>
          <ShareFigure share={shareIn(of, figure)} to={to} label={labelOf(figure)} />
        </td>
      ))}
    </tr>
  )
}

const ResultsTable = ({ results }: { readonly results: AnswerOf<'GET /bot/metrics'> }) => {
  const { t } = useTranslation('insight')
  const { all, items, total, days } = results
  return (
    <Box className="in-table in-bots" role="group" aria-label={t('bots.title')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('bots.bot')}</th>
            {['started', ...FIGURES].map(name => (
              <th key={name} scope="col">
                <FigureName name={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {total > 1 ? <ResultsRow name={t('bots.all')} of={all} /> : null}
          {items.map(({ id, name, ...of }) => (
            <ResultsRow key={id} name={name} of={of} to={`/bot/insight/${id}?days=${days}`} />
          ))}
        </tbody>
      </table>
    </Box>
  )
}

interface BotResultsProps {
  /** The last so many, today included. */
  readonly days: number
  /** Of the session: another one has other bots. */
  readonly level: string
}

/** Results of all bots in these days, most conversations first; each number opens the results of its bot. */
export const BotResultsCard = ({ days, level }: BotResultsProps) => {
  const { t } = useTranslation('insight')
  const { params, put } = useAddress()
  const isWhole = params.get('bots') === 'all'
  const page = isWhole ? Math.max(1, Number(params.get('page')) || 1) : 1
  const size = isWhole ? PAGE_ROWS : FEW_ROWS
  const { data, error, refetch, isPlaceholderData } = useQuery(botResultsQuery(level, { days, page, size }))
  if (data?.total === 0) return null
  const isEmpty = data?.all.started === 0
  const content = () => {
    if (data !== undefined && !isEmpty) return <ResultsTable results={data} />
    if (isEmpty)
      return (
        <Text px="4" py="6" borderTopWidth="1px" textStyle="dense" color="fg.muted" textAlign="center">
          {t('empty')}
        </Text>
      )
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
    return <Skeleton h="160px" m="4" borderRadius="md" />
  }
  const more = () =>
    isWhole ? (
      <Pagination
        state={{ page, size: PAGE_ROWS }}
        total={data?.total ?? 0}
        onChange={({ page: next = 1 }) => put({ page: String(next) })}
      />
    ) : (
      <Button mt="3" size="sm" variant="outline" onClick={() => put({ bots: 'all' })}>
        {t('bots.more', { shown: numberText(data?.total ?? 0) })}
      </Button>
    )
  return (
    <Box mb="4">
      <Card title={t('bots.title')}>
        <Box aria-busy={isPlaceholderData} opacity={isPlaceholderData ? 0.45 : 1}>
          {content()}
          {isEmpty ? null : <RoundedNote px="4" py="2" borderTopWidth="1px" />}
          {data !== undefined && !isEmpty && data.total > FEW_ROWS ? (
            <Box px="4" pb="3" borderTopWidth="1px">
              {more()}
            </Box>
          ) : null}
        </Box>
      </Card>
    </Box>
  )
}
