import { Box, chakra } from '@chakra-ui/react'
import { Bot, Check, DoorOpen, Headset } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CONVERSATION_STANDING } from '#schemas/api/conversation.ts'
import { numberText } from '#web/format/number.ts'
import type { ConversationPage } from './conversation-query.ts'

type Standing = (typeof CONVERSATION_STANDING)[number]

const ICON = { bot: Bot, agent: Headset, ended: Check, gaveup: DoorOpen } as const

interface FilterProps {
  readonly counts: ConversationPage['counts'] | undefined
  readonly value: Standing | undefined
  onChange(value: Standing | undefined): void
}

/** Conversation counts per status; a click filters by it, a second click shows all. */
export const StandingFilter = ({ counts, value, onChange }: FilterProps) => {
  const { t } = useTranslation('tool')
  return (
    <Box
      role="group"
      aria-label={t('conversation.filter.status')}
      display="flex"
      gap={{ base: '2', md: '0' }}
      overflowX="auto"
      borderWidth={{ md: '1px' }}
      borderRadius={{ md: 'lg' }}
      bg={{ md: 'bg.surface' }}
    >
      {CONVERSATION_STANDING.map(one => {
        const Icon = ICON[one]
        return (
          <chakra.button
            key={one}
            type="button"
            aria-pressed={value === one}
            onClick={() => onChange(value === one ? undefined : one)}
            display="flex"
            flexDirection={{ base: 'row', md: 'column' }}
            alignItems={{ base: 'center', md: 'start' }}
            gap={{ base: '2', md: '0' }}
            flex={{ base: 'none', md: 'auto' }}
            minH={{ base: '36px', md: 'auto' }}
            minW="0"
            px="2.5"
            py={{ base: '0', md: '1.5' }}
            cursor="pointer"
            outlineOffset="-2px"
            borderWidth={{ base: '1px', md: '0' }}
            borderStyle={{ base: value === one ? 'solid' : 'dashed', md: 'solid' }}
            borderColor={{ base: value === one ? 'accent.emphasized' : 'border.emphasized', md: 'border' }}
            borderRadius={{ base: 'md', md: '0' }}
            css={{ '@media (min-width: 768px)': { '&:not(:last-child)': { borderInlineEndWidth: '1px' } } }}
            {...(value === one ? { bg: 'accent.subtle', color: 'accent.fg' } : { _hover: { bg: 'bg.subtle' } })}
          >
            <chakra.span
              display="inline-flex"
              alignItems="center"
              gap="1.5"
              fontSize="xs"
              whiteSpace="nowrap"
              color={value === one ? undefined : one === 'gaveup' ? 'danger.fg' : 'fg.muted'}
            >
              <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
              {t(`conversation.standing.${one}`)}
            </chakra.span>
            <chakra.b fontSize={{ base: 'xs', md: 'md' }} fontVariantNumeric="tabular-nums">
              {counts === undefined ? '…' : numberText(counts[one])}
            </chakra.b>
          </chakra.button>
        )
      })}
    </Box>
  )
}
