import { Box, chakra, SimpleGrid, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { numberText } from '#web/format/number.ts'
import { agoOf } from '#web/format/time.ts'
import type { Overview } from './overview-query.ts'

const RouterLink = chakra(Link)

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
export const BotStatistics = ({ bot, overview }: { readonly bot: string; readonly overview: Overview }) => {
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
