import { HStack, SimpleGrid, Text, Wrap } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { personColor } from '#domain/person-color.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { uniqueNames } from './activity.ts'
import type { DashboardData } from './dashboard-query.ts'
import { token } from './day-bars.tsx'
import { DayCard } from './day-card.tsx'
import { BotStates, LockedPeople } from './state-cards.tsx'

const INK = token('fg-muted')

/** Every chart that the caller may see. */
export const DashboardCards = ({ data }: { readonly data: DashboardData }) => {
  const { t } = useTranslation('tool')
  const { days, edits, editors, publishes, signins, bots, locked } = data
  const names = uniqueNames(edits.map(({ person }) => (person === null ? t('dashboard.others') : nameOf(person))))
  const series = edits.map(({ person, counts }, at) => ({
    name: names[at] ?? '',
    counts,
    color: token(person === null ? 'border-emphasized' : `person-${personColor(person.id)}`),
  }))
  const most = Math.max(0, ...editors)
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
      <DayCard
        name="edits"
        days={days}
        series={series}
        legend={
          <Wrap gap="4" rowGap="1" mt="2" textStyle="secondary">
            {edits.map(({ person }, at) => (
              <HStack key={names[at]} gap="1.5">
                {person === null ? null : <PersonAvatar person={person} size={18} />}
                <Text>{names[at]}</Text>
              </HStack>
            ))}
          </Wrap>
        }
      />
      <DayCard
        name="editors"
        days={days}
        series={[{ name: t('dashboard.card.editors'), counts: editors, color: INK }]}
        beside={t('dashboard.mosteditors', { count: most })}
      />
      <DayCard
        name="publishes"
        days={days}
        series={[{ name: t('dashboard.card.publishes'), counts: publishes, color: INK }]}
      />
      {signins ? (
        <DayCard
          name="signins"
          days={days}
          series={[
            { name: t('dashboard.succeeded'), counts: signins.succeeded, color: INK },
            { name: t('dashboard.failed'), counts: signins.failed, color: token('danger-solid') },
          ]}
        />
      ) : null}
      {bots ? <BotStates bots={bots} /> : null}
      {locked ? <LockedPeople locked={locked} /> : null}
    </SimpleGrid>
  )
}
