import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { agoOf } from '#web/format/time.ts'
import type { Overview } from './overview-query.ts'

const RouterLink = chakra(Link)

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
        <RouterLink
          to={`/audit?within=${bot}&user=${person.id}`}
          textStyle="secondary"
          color="accent.fg"
          borderRadius="xs"
          focusVisibleRing="outside"
          whiteSpace="nowrap"
        >
          {t('changes', { count: edits })}
        </RouterLink>
      ) : (
        <Text textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {t('changes', { count: edits })}
        </Text>
      )}
    </HStack>
  )
}

/** People in each flow of the bot now, and those with the most recent changes. */
export const People = ({ bot, overview }: { readonly bot: string; readonly overview: Overview }) => {
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
