import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { Bot, Eye, EyeOff, MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { AddStatement } from '#web/nlu/add-statement.tsx'
import type { UnrecognizedLine } from './unrecognized-query.ts'

const RouterLink = chakra(Link)

interface Props {
  readonly project: string
  readonly line: UnrecognizedLine
  onAdded(line: UnrecognizedLine, intent: string, undo: () => Promise<void>): void
  /** Takes it off the list, or puts it back. */
  readonly onDismiss: (() => void) | undefined
}

/** Count, time, bot and a link to the conversation. */
const LineFacts = ({ line }: Pick<Props, 'line'>) => {
  const { t } = useTranslation('unrecognized')
  const { can } = useSession()
  const { text, count, time, bot, conversation } = line
  return (
    <HStack mt="1" gap="1" columnGap="3" flexWrap="wrap" textStyle="secondary" color="fg.muted">
      <Text as="span" fontVariantNumeric="tabular-nums">
        {t('said', { count })}
      </Text>
      <time dateTime={time} title={momentOf(time)}>
        {agoOf(time)}
      </time>
      {can('readbot') ? (
        <>
          <HStack as="span" gap="1">
            <Bot size={13} aria-hidden="true" />
            <ReferenceName to="bot" id={bot} />
          </HStack>
          <RouterLink
            to={`/bot/conversation/${bot}?open=${conversation}`}
            aria-label={`${t('conversation')}: ${text}`}
            display="inline-flex"
            alignItems="center"
            gap="1"
            minH={{ base: '8', md: 'auto' }}
            color="accent.fg"
            _hover={{ textDecoration: 'underline' }}
            focusVisibleRing="outside"
          >
            <MessagesSquare size={13} aria-hidden="true" />
            {t('conversation')}
          </RouterLink>
        </>
      ) : null}
    </HStack>
  )
}

/** Words that led nowhere, and the intent that they are to be a statement of. */
export const UnrecognizedRow = ({ project, line, onAdded, onDismiss }: Props) => {
  const { t } = useTranslation('unrecognized')
  const { text, intent, confidence, dismissed } = line
  const Glyph = dismissed ? Eye : EyeOff
  const percent = Math.round(confidence * 100)
  const closest = percent === 0 ? undefined : (intent ?? undefined)
  return (
    <Box
      as="li"
      display="flex"
      flexDirection={{ base: 'column', lg: 'row' }}
      gap={{ base: '2.5', lg: '6' }}
      alignItems={{ lg: 'center' }}
      px="4"
      py="3"
      borderTopWidth="1px"
    >
      <Box flex="1" minW="0">
        <HStack gap="2" flexWrap="wrap">
          <Text as="q" fontSize={{ base: 'md', md: 'sm' }} lineHeight="1.6" minW="0" overflowWrap="anywhere">
            {text}
          </Text>
          <Chip minW="0" flexShrink="1">
            <Text as="span" truncate>
              {closest === undefined ? t('noguess') : t('guess', { intent: closest, confidence: percent })}
            </Text>
          </Chip>
        </HStack>
        <LineFacts line={line} />
      </Box>
      {dismissed ? null : (
        <Box w={{ lg: '360px' }} flex="none">
          <AddStatement
            project={project}
            text={text}
            guess={closest}
            onAdded={added => onAdded(line, added.intent, () => added.undo())}
          />
        </Box>
      )}
      {onDismiss === undefined ? null : (
        <Button
          variant="ghost"
          size={{ base: 'md', lg: 'sm' }}
          flex="none"
          alignSelf={{ base: 'start', lg: 'center' }}
          aria-label={t(dismissed ? 'bringbackline' : 'dismissline', { text })}
          onClick={onDismiss}
        >
          <Glyph size={15} aria-hidden="true" />
          {t(dismissed ? 'bringback' : 'dismiss')}
        </Button>
      )}
    </Box>
  )
}
