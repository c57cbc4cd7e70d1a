import { HStack, Text, Wrap } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { personColor } from '#domain/person-color.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { uniqueNames } from './activity.ts'
import type { AuditQuery } from './audit-address.ts'
import type { DashboardData } from './dashboard-query.ts'
import { INK, token } from './day-bars.tsx'
import { DayCard } from './day-card.tsx'
import { Swatch } from './series-fill.tsx'

interface Props {
  readonly days: readonly string[]
  readonly edits: DashboardData['edits']
  readonly drillDown: AuditQuery | undefined
}

/** Edits per person and day. */
export const EditsCard = ({ days, edits, drillDown }: Props) => {
  const { t } = useTranslation('tool')
  const names = uniqueNames(edits.map(({ person }) => (person === null ? t('dashboard.others') : nameOf(person))))
  const colors = edits.map(({ person }) =>
    token(person === null ? 'border-emphasized' : `person-${personColor(person.id)}`),
  )
  const series = edits.map(({ person, counts }, at) => ({
    name: names[at] ?? '',
    counts,
    color: colors[at] ?? INK,
    repeat: colors.slice(0, at).filter(color => color === colors[at]).length,
    ...(person === null ? {} : { query: { figure: 'edits' as const, user: person.id } }),
  }))
  return (
    <DayCard
      title={t('dashboard.card.edits')}
      file="dashboard-edits"
      drillDown={drillDown}
      days={days}
      series={series}
      legend={
        <Wrap gap="4" rowGap="1" mt="2" textStyle="secondary">
          {edits.map(({ person }, at) => (
            <HStack key={names[at]} gap="1.5">
              <Swatch {...(series[at] ?? { color: INK })} />
              {person === null ? null : <PersonAvatar person={person} size={18} />}
              <Text>{names[at]}</Text>
            </HStack>
          ))}
        </Wrap>
      }
    />
  )
}
