import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { User } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { agoOf } from '#web/format/time.ts'
import type { Conversation } from './conversation-query.ts'
import { StatusChip } from './status-chip.tsx'
import { signOf } from './visitor.ts'

const RouterLink = chakra(Link)

interface ListProps {
  readonly items: readonly Conversation[]
  readonly open: string | undefined
  addressOf(id: string): string
}

/** Conversations of a bot, the newest first, without any of their words. */
export const ConversationList = ({ items, open, addressOf }: ListProps) => {
  const { t } = useTranslation('tool')
  return (
    <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      {items.map(item => (
        <Box as="li" key={item.id} css={{ '&:not(:last-child)': { borderBottomWidth: '1px' } }}>
          <RouterLink
            to={addressOf(item.id)}
            replace
            aria-current={item.id === open ? 'true' : undefined}
            display="flex"
            gap="3"
            px="3.5"
            py="2.5"
            alignItems="center"
            minH="62px"
            outlineOffset="-2px"
            borderInlineStartWidth="3px"
            borderInlineStartColor={item.id === open ? 'accent.solid' : 'transparent'}
            bg={item.id === open ? 'accent.subtle' : undefined}
            _hover={item.id === open ? {} : { bg: 'bg.subtle' }}
          >
            <Box p="2" borderRadius="full" bg="bg.sunken" color="fg.muted" flex="none">
              <User size={16} aria-hidden="true" />
            </Box>
            <Box flex="1" minW="0">
              <HStack justify="space-between" gap="2">
                <Text textStyle="card" truncate>
                  {t('conversation.visitor', { sign: signOf(item) })}
                </Text>
                <Text textStyle="secondary" color="fg.muted" flex="none">
                  {agoOf(item.last)}
                </Text>
              </HStack>
              <HStack gap="2" mt="1" flexWrap="wrap">
                <StatusChip status={item.status} reason={item.reason} />
                <Text textStyle="secondary" color="fg.muted">
                  {t('conversation.line', { channel: item.channeltype, count: item.turns, release: item.release })}
                </Text>
              </HStack>
            </Box>
          </RouterLink>
        </Box>
      ))}
    </Box>
  )
}
