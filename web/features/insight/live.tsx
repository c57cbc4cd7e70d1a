import './insight.css'
import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { Radio } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { numberText } from '#web/format/number.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { FigureLink } from './figure.tsx'
import { countText, shareText } from './insight-text.ts'

type Live = NonNullable<AnswerOf<'GET /bot/{id}/overview'>['live']>
type LiveBots = NonNullable<AnswerOf<'GET /home'>['live']>

interface LiveFigure {
  readonly name: string
  readonly shown: string
  readonly to: string | undefined
  readonly isUrgent?: boolean
}

const useFigures = (live: Live): readonly LiveFigure[] => {
  const { t } = useTranslation('insight')
  const { id, day, talking, agents, waiting, started, closed, contained, texts, unrecognized } = live
  const list = `/bot/conversation/${id}`
  const { can } = useSession()
  const today = (measure: string) =>
    can('readconversation') ? `${list}?${new URLSearchParams({ measure, firstday: day, lastday: day })}` : undefined
  const few = (part: string, whole: string) => t('few', { part, whole })
  return [
    { name: 'talking', shown: countText(talking), to: `${list}?standing=bot` },
    { name: 'agents', shown: countText(agents), to: `${list}?standing=agent` },
    { name: 'waiting', shown: countText(waiting), to: `${list}?standing=agent`, isUrgent: (waiting ?? 0) > 0 },
    { name: 'today', shown: countText(started), to: today('started') },
    { name: 'contained', shown: shareText({ part: contained, whole: closed }, few), to: today('contained') },
    { name: 'misunderstood', shown: shareText({ part: unrecognized, whole: texts }, few), to: today('misunderstood') },
  ]
}

/** State of a bot now and its day up to now; each number opens its conversations. */
export const LiveFigures = ({ live }: { readonly live: Live }) => {
  const { t } = useTranslation('insight')
  const figures = useFigures(live)
  return (
    <dl className="in-live" aria-label={t('live.title')}>
      {figures.map(({ name, shown, to, isUrgent }) => (
        <div key={name}>
          <dt>{t(`live.${name}`)}</dt>
          <dd>
            <FigureLink to={to} label={t('open', { name: t(`live.${name}`), shown })}>
              <chakra.b color={isUrgent ? 'danger.fg' : undefined}>{shown}</chakra.b>
            </FigureLink>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Bots with conversations now or today. */
export const LiveCard = ({ live }: { readonly live: LiveBots }) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  const { items, more } = live
  const isCompared = can('showdashboard')
  if (items.length === 0) return null
  return (
    <Card
      title={t('live.title')}
      beside={
        <HStack gap="1.5" textStyle="secondary" color="positive.fg">
          <Radio size={14} aria-hidden="true" />
          {t('live.now')}
        </HStack>
      }
    >
      <Box as="ul" listStyleType="none">
        {items.map(bot => (
          <Box as="li" key={bot.id} borderTopWidth="1px" pt="2.5" pb="1">
            <RouterLink
              to={`/bot/insight/${bot.id}?days=1`}
              display="block"
              px="4"
              textStyle="card"
              truncate
              focusVisibleRing="outside"
              _hover={{ textDecoration: 'underline' }}
            >
              {bot.name}
            </RouterLink>
            <LiveFigures live={bot} />
          </Box>
        ))}
      </Box>
      {more === 0 && !isCompared ? null : (
        <HStack px="4" py="2" gap="3" flexWrap="wrap" borderTopWidth="1px" textStyle="secondary" color="fg.muted">
          {more === 0 ? null : <Text>{t('live.more', { count: more, shown: numberText(more) })}</Text>}
          {isCompared ? (
            <RouterLink to="/dashboard?days=7" color="accent.fg" focusVisibleRing="outside">
              {t('bots.compare')}
            </RouterLink>
          ) : null}
        </HStack>
      )}
    </Card>
  )
}
