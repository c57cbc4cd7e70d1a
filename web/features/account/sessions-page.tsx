import { Box, Button, chakra, Flex, type HTMLChakraProps, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceName } from '#domain/people/device-name.ts'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { Problem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { levelsQuery } from '#web/shell/level.ts'

type Session = AnswerOf<'GET /auth/session'>['items'][number]

interface ItemProps {
  readonly item: Session
  /** Name of its level. */
  readonly level: string | undefined
  readonly busy: boolean
  onEnd(): void
}

/** One sign-in: browser, address, since when, until when. */
const SessionItem = ({ item: { current, started, expires, way, address, agent }, level, busy, onEnd }: ItemProps) => {
  const { t } = useTranslation('shell')
  const words = [
    t('sessions.since', { time: agoOf(started) }),
    t('sessions.until', { time: momentOf(expires) }),
    ...(level === undefined ? [] : [t('sessions.at', { level })]),
    ...(way === 'password' ? [] : [t(`sessions.way.${way}`)]),
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

interface ListProps extends HTMLChakraProps<'ul'> {
  readonly items: readonly Session[]
  readonly busy: boolean
  onEndOne(id: string): void
}

/** Sign-ins, each of which can be ended. */
export const SessionList = ({ items, busy, onEndOne, ...props }: ListProps) => {
  const levels = useQuery(levelsQuery)
  return (
    <chakra.ul listStyleType="none" {...props}>
      {items.map(item => (
        <SessionItem
          key={item.id}
          item={item}
          level={levels.data?.find(level => level.id === item.hierarchylevel)?.name}
          busy={busy}
          onEnd={() => onEndOne(item.id)}
        />
      ))}
    </chakra.ul>
  )
}

/** Ends sign-ins, reads them again, and tells the outcome in a notice. */
export const useEndSessions = (refetch: () => Promise<unknown>) => {
  const { t } = useTranslation('shell')
  const [busy, setBusy] = useState(false)
  const end = async (write: Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await write
      await refetch()
      notice.snack(done, { tone: 'positive' })
    } catch (failure) {
      notice.snack(failure instanceof Problem ? failure.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, end }
}

const KEY = ['account', 'sessions']

/** /account/sessions: one's own sign-ins, each of which can be ended from here. */
export const SessionsPage = () => {
  const { t } = useTranslation('shell')
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: () => http.get('/auth/session'),
  })
  const { busy, end } = useEndSessions(sessions.refetch)
  const items = sessions.data?.items ?? []
  const others = items.filter(({ current }) => !current)
  const endOf = (body: BodyOf<'POST /auth/session/end'>, done: string) =>
    void end(http.post('/auth/session/end', { body }), done)

  return (
    <Page
      title={t('sessions.title')}
      purpose={t('sessions.text')}
      width={720}
      actions={
        others.length > 1 ? (
          <Button variant="outline" disabled={busy} onClick={() => endOf({ others: true }, t('sessions.othersended'))}>
            {t('sessions.others')}
          </Button>
        ) : undefined
      }
    >
      {sessions.isError ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <SessionList
          items={items}
          busy={busy}
          onEndOne={id => endOf({ ids: [id] }, t('sessions.ended'))}
          bg="bg.surface"
          borderWidth="1px"
          borderRadius="lg"
          overflow="hidden"
        />
      )}
      {items.length === 1 ? (
        <Text textStyle="secondary" color="fg.muted" mt="3">
          {t('sessions.alone')}
        </Text>
      ) : null}
    </Page>
  )
}
