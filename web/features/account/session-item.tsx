import { Box, Button, Flex, Text } from '@chakra-ui/react'
import { MonitorSmartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { deviceName } from '#domain/people/device-name.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { Chip } from '#web/components/chip.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'

interface ItemProps {
  readonly item: AnswerOf<'GET /auth/session'>['items'][number]
  /** Name of its level. */
  readonly level: string | undefined
  readonly busy: boolean
  onEnd(): void
}

/** One sign-in: browser, address, since when, until when. */
export const SessionItem = ({ item: { current, started, expires, address, agent }, level, busy, onEnd }: ItemProps) => {
  const { t } = useTranslation('shell')
  const words = [
    t('sessions.since', { time: agoOf(started) }),
    t('sessions.until', { time: momentOf(expires) }),
    ...(level === undefined ? [] : [t('sessions.at', { level })]),
  ]
  return (
    <Flex as="li" align="center" gap="3" px="4" py="3" _notFirst={{ borderTopWidth: '1px' }}>
      <Box color="fg.muted" flex="none">
        <MonitorSmartphone size={17} strokeWidth={1.75} aria-hidden />
      </Box>
      <Box flex="1" minW="0">
        <Text textStyle="card" title={agent ?? ''} overflowWrap="anywhere">
          {[deviceName(agent), address ?? t('sessions.unknown')].filter(Boolean).join(' · ')}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          <span title={momentOf(started)}>{words.join(' · ')}</span>
        </Text>
      </Box>
      {current ? (
        <Chip tone="positive">{t('sessions.current')}</Chip>
      ) : (
        <Button
          variant="outline"
          disabled={busy}
          onClick={onEnd}
          aria-label={`${t('sessions.end')}: ${momentOf(started)}`}
        >
          {t('sessions.end')}
        </Button>
      )}
    </Flex>
  )
}
