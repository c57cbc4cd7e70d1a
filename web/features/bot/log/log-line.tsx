import { Box, chakra, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { flowAddress } from '#web/entity/address.ts'
import { useName } from '#web/entity/entity-query.ts'
import { useLogDetail, useLogWords } from '#web/entity/log-words.ts'
import { dayOf, secondOf } from '#web/format/time.ts'
import type { Line } from './log-query.ts'

const RouterLink = chakra(Link)

const EDGE = { info: 'transparent', warn: 'warning.solid', error: 'danger.solid' } as const
const WORD = { info: 'info.fg', warn: 'warning.fg', error: 'danger.fg' } as const

const JUMP = {
  color: 'accent.fg',
  fontWeight: 'semibold',
  whiteSpace: 'nowrap',
  borderRadius: 'xs',
  focusVisibleRing: 'outside',
  _hover: { textDecoration: 'underline' },
} as const

/** To where it happened. */
const Jumps = ({ bot, line: { dialog, block, conversation } }: { readonly bot: string; readonly line: Line }) => {
  const { t } = useTranslation('operation')
  const { can } = useSession()
  return (
    <HStack gap="4" ms={{ md: 'auto' }} flex="none">
      {dialog === null || !can('readdialog') ? null : (
        <RouterLink {...JUMP} to={flowAddress('dialog', dialog, { bot, ...(block === null ? {} : { block }) })}>
          {t('log.block')}
        </RouterLink>
      )}
      {conversation === null ? null : (
        <RouterLink {...JUMP} to={`/bot/conversation/${bot}?open=${conversation}`}>
          {t('log.conversation')}
        </RouterLink>
      )}
    </HStack>
  )
}

/** One line of a bot's log: time, level as word and edge, where, what, and how often within the hour. */
export const LogLine = ({ bot, line }: { readonly bot: string; readonly line: Line }) => {
  const { t } = useTranslation('operation')
  const words = useLogWords()
  const detailOf = useLogDetail()
  const { time, level, code, dialog, service, release, detail, count } = line
  const name = useName('dialog', dialog)
  return (
    <Box
      as="li"
      data-level={level}
      display="flex"
      flexWrap={{ base: 'wrap', md: 'nowrap' }}
      alignItems="baseline"
      columnGap="3"
      px="4"
      py="1"
      fontFamily="mono"
      fontSize="xs"
      borderInlineStartWidth="3px"
      borderInlineStartColor={EDGE[level]}
      bg={level === 'error' ? 'danger.subtle' : undefined}
    >
      <chakra.time color="fg.muted" flex="none" dateTime={time}>
        {dayOf(time)} {secondOf(time)}
      </chakra.time>
      <chakra.span color={WORD[level]} fontWeight="semibold" w="6ch" flex="none">
        {t(`log.level.${level}`)}
      </chakra.span>
      <chakra.span flex={{ base: '1 1 100%', md: '1 1 auto' }} minW="0" overflowWrap="anywhere">
        {words(code)}
        <chakra.span color="fg.muted">
          {[
            name ?? undefined,
            service?.split(':')[0],
            release === null ? undefined : `r${release}`,
            detail === null ? undefined : detailOf(code, detail),
          ]
            .filter(part => part !== undefined)
            .map(part => ` · ${part}`)
            .join('')}
        </chakra.span>
      </chakra.span>
      {count > 1 ? (
        <chakra.span
          flex="none"
          px="1.5"
          borderRadius="sm"
          bg="bg.surface"
          fontWeight="semibold"
          aria-label={t('log.times', { count })}
        >
          ×{count}
        </chakra.span>
      ) : null}
      <Jumps bot={bot} line={line} />
    </Box>
  )
}
