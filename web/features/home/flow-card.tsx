import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FlowMiniature } from '#web/components/flow-miniature.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { agoOf } from '#web/format/time.ts'
import type { HomeEditing, HomeFlow } from './home-query.ts'

const RouterLink = chakra(Link)

interface Props {
  readonly flow: HomeFlow
  readonly editing: HomeEditing | undefined
}

/** A flow one worked on, seen from far, with who is in it now. */
export const FlowCard = ({ flow, editing }: Props) => {
  const { t } = useTranslation('shell')
  const bot = flow.parents.find(parent => parent.entity === 'bot')
  const last = flow.card?.editors[0]
  return (
    <RouterLink
      to={flowAddress(flow.entity, flow.id, { bot: bot?.id })}
      display="block"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
      transition="border-color 90ms"
      _hover={{ borderColor: 'border.emphasized' }}
      focusVisibleRing="outside"
    >
      <Box position="relative" borderBottomWidth="1px">
        <FlowMiniature blocks={flow.card?.miniature ?? []} />
        <HStack position="absolute" left="3" bottom="2" gap="0">
          {editing?.people.slice(0, 4).map(person => (
            <Box key={person.user} me="-1">
              <PersonAvatar person={{ id: person.user, username: person.name }} ring />
            </Box>
          ))}
        </HStack>
      </Box>
      <Box px="3" py="2.5">
        <HStack justify="space-between" gap="2">
          <Text textStyle="card" truncate>
            {flow.name}
          </Text>
          <Text textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
            {t('home.blocks', { count: flow.card?.blocks ?? 0 })}
          </Text>
        </HStack>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {flow.parents.map(parent => parent.name).join(' · ')}
        </Text>
        <Text textStyle="secondary" color="fg.subtle" mt="1">
          {last ? `${nameOf(last.person)}, ${agoOf(last.time)}` : ''}
        </Text>
      </Box>
    </RouterLink>
  )
}
