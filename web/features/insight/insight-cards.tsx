import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { GraduationCap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { DESIGNER_QUERY, flowAddress } from '#web/entity/address.ts'
import { numberText } from '#web/format/number.ts'
import { AddStatement } from '#web/nlu/add-statement.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { CardSkeleton, FigureLink, Quiet } from './figure.tsx'
import { drawnTitlesQuery, type Insight, type InsightState } from './insight-query.ts'
import { countText, FEW_CLOSED, percentText, sumOf } from './insight-text.ts'

/** Rows of a card. */
const ROWS = 6

const Empty = ({ text }: { readonly text: string }) => (
  <Text px="4" py="6" borderTopWidth="1px" textStyle="dense" color="fg.muted" textAlign="center">
    {text}
  </Text>
)

interface MeterProps {
  /** From 0 to 1. */
  readonly share: number
  readonly tone?: 'warning' | 'danger' | undefined
}

const Meter = ({ share, tone }: MeterProps) => (
  <Box aria-hidden="true" w={{ base: '64px', md: '92px' }} h="8px" flex="none" borderRadius="full" bg="bg.sunken">
    <Box
      h="100%"
      borderRadius="full"
      bg={tone === undefined ? 'fg.muted' : `${tone}.solid`}
      style={{ width: `${Math.round(Math.min(1, share) * 100)}%` }}
    />
  </Box>
)

/** Keeps the meters of a card in one column. */
const Value = ({ children }: { readonly children: React.ReactNode }) => (
  <Box minW="60px" flex="none" textAlign="end">
    {children}
  </Box>
)

const Row = ({ children }: { readonly children: React.ReactNode }) => (
  <HStack as="li" px="4" py="2" gap="3" borderTopWidth="1px" textStyle="dense" minH="10">
    {children}
  </HStack>
)

/** Shares of lost visits above which a block is amber, and red. */
const AMBER = 0.05
const RED = 0.1

/** Blocks where conversations ended, most of them first. */
export const DropoffCard = ({ bot, dropoff }: { readonly bot: string; readonly dropoff: Insight['dropoff'] }) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const rows = dropoff.slice(0, ROWS)
  const dialogs = [...new Set(rows.map(({ dialog }) => dialog))]
  const titles = useQueries({
    queries: dialogs.map(dialog => ({ ...drawnTitlesQuery(dialog), enabled: can('readdialog') })),
  })
  const titleOf = (dialog: string, block: string) => titles[dialogs.indexOf(dialog)]?.data?.[block]
  return (
    <Card title={t('dropoff.title')} beside={<Quiet>{t('dropoff.beside')}</Quiet>}>
      {rows.length === 0 ? (
        <Empty text={t('dropoff.empty')} />
      ) : (
        <Box as="ul" listStyleType="none">
          {rows.map(({ dialog, name, block, entered, lost }) => {
            const share = entered === null || lost === null || entered === 0 ? undefined : lost / entered
            const tone =
              share === undefined || (entered ?? 0) < FEW_CLOSED
                ? undefined
                : share >= RED
                  ? 'danger'
                  : share >= AMBER
                    ? 'warning'
                    : undefined
            const title = titleOf(dialog, block) || t('dropoff.block')
            return (
              <Row key={`${dialog} ${block}`}>
                <Box flex="1" minW="0">
                  <Text truncate>{title}</Text>
                  <Text truncate textStyle="secondary" color="fg.muted">
                    {name}
                  </Text>
                </Box>
                {share === undefined ? null : <Meter share={share} tone={tone} />}
                <Value>
                  <FigureLink
                    to={`${flowAddress('dialog', dialog, { bot, block })}&${DESIGNER_QUERY.mode}=${DESIGNER_QUERY.funnel}`}
                    label={t('dropoff.open', { block: title })}
                  >
                    {share === undefined || (entered ?? 0) < FEW_CLOSED
                      ? t('few', { part: countText(lost), whole: countText(entered) })
                      : percentText(share)}
                  </FigureLink>
                </Value>
              </Row>
            )
          })}
        </Box>
      )}
    </Card>
  )
}

/** Completion of each dialog. */
export const CompletionCard = ({
  rows,
  state,
}: {
  readonly rows: Insight['rows'] | undefined
  readonly state: InsightState
}) => {
  const { t } = useTranslation('insight')
  const shown = (rows ?? []).filter(({ dialog }) => dialog !== undefined).slice(0, ROWS)
  return (
    <Card title={t('completion.title')} beside={<Quiet>{t('completion.beside')}</Quiet>}>
      {rows === undefined ? (
        <CardSkeleton />
      ) : shown.length === 0 ? (
        <Empty text={t('completion.empty')} />
      ) : (
        <Box as="ul" listStyleType="none">
          {shown.map(({ key, name, dialog }) => {
            const { entered = null, completed = null } = dialog ?? {}
            const isFew = entered === null || completed === null || entered < FEW_CLOSED
            return (
              <Row key={key}>
                <Text flex="1" minW="0" truncate>
                  {name}
                </Text>
                {isFew || entered === 0 ? null : <Meter share={completed / entered} />}
                <Value>
                  <FigureLink
                    to={state.listOf(`dialog.completed:${key}`)}
                    label={t('completion.open', { dialog: name })}
                  >
                    {isFew
                      ? t('few', { part: countText(completed), whole: countText(entered) })
                      : percentText(completed / entered)}
                  </FigureLink>
                </Value>
              </Row>
            )
          })}
        </Box>
      )}
    </Card>
  )
}

/** Groups of scores on a scale, as people speak of them. */
const GROUPS: Readonly<
  Record<string, readonly { readonly tone: string; readonly from: number; readonly to: number }[]>
> = {
  nps: [
    { tone: 'positive', from: 9, to: 10 },
    { tone: 'neutral', from: 7, to: 8 },
    { tone: 'danger', from: 0, to: 6 },
  ],
  5: [
    { tone: 'positive', from: 4, to: 5 },
    { tone: 'neutral', from: 3, to: 3 },
    { tone: 'danger', from: 1, to: 2 },
  ],
  3: [
    { tone: 'positive', from: 3, to: 3 },
    { tone: 'neutral', from: 2, to: 2 },
    { tone: 'danger', from: 1, to: 1 },
  ],
  thumbs: [
    { tone: 'positive', from: 1, to: 1 },
    { tone: 'danger', from: 0, to: 0 },
  ],
}

/** Ratings by scale. */
export const RatingCard = ({ insight, state }: { readonly insight: Insight; readonly state: InsightState }) => {
  const { t } = useTranslation('insight')
  const { csat, nps } = insight.total
  const asked = sumOf(csat.asked, nps.asked)
  const rated = sumOf(csat.rated, nps.rated)
  const scales = Object.keys(GROUPS).filter(scale => insight.scores.some(score => score.scale === scale))
  const countOf = (scale: string, from: number, to: number) =>
    sumOf(
      ...insight.scores
        .filter(score => score.scale === scale && score.score >= from && score.score <= to)
        .map(({ count }) => count),
    )
  return (
    <Card
      title={t('rating.title')}
      beside={
        asked === 0 ? undefined : <Quiet>{t('rating.of', { rated: countText(rated), asked: countText(asked) })}</Quiet>
      }
    >
      {scales.length === 0 ? (
        <Empty text={t('rating.empty')} />
      ) : (
        <Stack gap="3" px="4" pb="3" pt="1">
          {scales.map(scale => {
            const groups = (GROUPS[scale] ?? []).map(group => ({ ...group, n: countOf(scale, group.from, group.to) }))
            const all = sumOf(...groups.map(({ n }) => n)) || 1
            return (
              <Box key={scale}>
                <Text textStyle="secondary" color="fg.muted" mb="1">
                  {t(`rating.scale.${scale}`)}
                </Text>
                <HStack gap="1px" h="12px" borderRadius="sm" overflow="hidden" aria-hidden="true">
                  {groups.map(({ tone, n }) =>
                    n === 0 ? null : (
                      <Box
                        key={tone}
                        h="100%"
                        bg={tone === 'neutral' ? 'border.emphasized' : `${tone}.solid`}
                        style={{ width: `${(100 * (n ?? 0)) / all}%` }}
                      />
                    ),
                  )}
                </HStack>
                <HStack gap="4" mt="1.5" flexWrap="wrap" textStyle="secondary">
                  {groups.map(({ tone, from, to, n }) => (
                    <HStack key={tone} gap="1.5">
                      <Box
                        boxSize="2"
                        borderRadius="full"
                        bg={tone === 'neutral' ? 'border.emphasized' : `${tone}.solid`}
                      />
                      <span>
                        {t(`rating.group.${scale === 'thumbs' ? `thumbs${from}` : from === to ? 'one' : 'range'}`, {
                          from,
                          to,
                        })}
                      </span>
                      <FigureLink to={state.listOf(`score:${scale}-${from}-${to}`)} label={t('rating.open')}>
                        <b>{countText(n)}</b>
                      </FigureLink>
                    </HStack>
                  ))}
                </HStack>
              </Box>
            )
          })}
        </Stack>
      )}
    </Card>
  )
}

type Line = AnswerOf<'GET /nluproject/{id}/unrecognized'>['items'][number]

const MisunderstoodLine = ({ bot, project, line }: { bot: string; project: string; line: Line }) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const [isTaught, setTaught] = useState(false)
  const { text, count, conversation, intent, confidence } = line
  return (
    <Box as="li" px="4" py="2" borderTopWidth="1px" textStyle="dense">
      <HStack gap="3" minH="6">
        <Text as="q" flex="1" minW="0" truncate title={text}>
          {text}
        </Text>
        <FigureLink to={`/bot/conversation/${bot}?open=${conversation}`} label={t('misunderstood.open', { text })}>
          {numberText(count)}
        </FigureLink>
        {can('updateintent') ? (
          <Button
            size="xs"
            variant="ghost"
            color="accent.fg"
            aria-expanded={isTaught}
            aria-label={t('misunderstood.teachline', { text })}
            onClick={() => setTaught(!isTaught)}
          >
            {t('misunderstood.teach')}
          </Button>
        ) : null}
      </HStack>
      {isTaught ? (
        <Box mt="1.5" mb="1">
          <AddStatement project={project} text={text} guess={confidence > 0 ? (intent ?? undefined) : undefined} />
        </Box>
      ) : null}
    </Box>
  )
}

/** Texts that the bot did not recognize, most frequent first, each made a statement in place. */
export const MisunderstoodCard = ({
  bot,
  project,
}: {
  readonly bot: string
  readonly project: string | null | undefined
}) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const mayRead = can('readconversation') && can('readnluproject')
  const { data } = useQuery({
    // Read again with the intents: a line that is a statement by now is not listed.
    queryKey: ['intent', 'unrecognized', project],
    queryFn: ({ signal }) => http.get('/nluproject/{id}/unrecognized', { params: { id: project ?? '' }, signal }),
    enabled: mayRead && Boolean(project),
  })
  const lines = (data?.items ?? [])
    .filter(line => line.bot === bot && !line.dismissed)
    .toSorted((one, other) => other.count - one.count)
  return (
    <Card
      title={t('misunderstood.title')}
      beside={
        project && lines.length > ROWS ? (
          <RouterLink
            to={`/nluproject/unrecognized/${project}`}
            textStyle="secondary"
            color="accent.fg"
            display="inline-flex"
            alignItems="center"
            gap="1"
            focusVisibleRing="outside"
          >
            <GraduationCap size={14} aria-hidden="true" />
            {t('misunderstood.all', { count: lines.length })}
          </RouterLink>
        ) : undefined
      }
    >
      {!mayRead ? (
        <Empty text={t('misunderstood.hidden')} />
      ) : !project ? (
        <Empty text={t('misunderstood.noproject')} />
      ) : lines.length === 0 ? (
        <Empty text={t('misunderstood.empty')} />
      ) : (
        <Box as="ul" listStyleType="none">
          {lines.slice(0, ROWS).map(line => (
            <MisunderstoodLine key={line.line} bot={bot} project={project} line={line} />
          ))}
        </Box>
      )}
    </Card>
  )
}
