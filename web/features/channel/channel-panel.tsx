import { Box, Button, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, CheckCheck, Clock, ExternalLink, Send, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { channelType, isPushed, missingFields } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { logAddress } from '#web/entity/address.ts'
import { useLabel } from '#web/entity/label.ts'
import { useLogDetail, useLogWords } from '#web/entity/log-words.ts'
import { durationOf, minuteOf, secondOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { TextLink } from '#web/page/text-link.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { ActButton } from './act-button.tsx'
import { nameOf } from './channel-row.tsx'
import { StateChip } from './channel-state.tsx'
import { ConnectionTest, type TestAnswer } from './connection-test.tsx'
import { type Health, isInGroup, TONE, useCause } from './health-query.ts'

const SHOWN = 8
const EVENTS_REFRESH_MS = 5_000

/** The newest lines of the log about a channel. */
const LastEvents = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const { t: tl } = useTranslation('operation')
  const words = useLogWords()
  const detailOf = useLogDetail()
  const service = `${row.type}:${row.id}`
  const { data } = useQuery({
    queryKey: ['channel', 'events', row.id],
    queryFn: ({ signal }) =>
      http.get('/bot/{id}/logs', { params: { id: row.bot }, query: { size: SHOWN, service }, signal }),
    refetchInterval: EVENTS_REFRESH_MS,
  })
  const lines = [...(data?.items ?? [])].sort((one, other) => (one.time < other.time ? 1 : -1))
  return (
    <>
      <HStack mb="2">
        <Text as="h3" textStyle="card" flex="1">
          {t('health.events')}
        </Text>
        <TextLink to={logAddress(row.bot, service)} textStyle="secondary" fontWeight="semibold">
          {tl('log.title')}
        </TextLink>
      </HStack>
      {data !== undefined && lines.length === 0 ? (
        <Text textStyle="dense" color="fg.muted">
          {t('health.noevents')}
        </Text>
      ) : null}
      <Box as="ul" listStyleType="none">
        {lines.map(({ id, time, level, code, detail }) => (
          <HStack as="li" key={id} align="baseline" gap="2.5" py="1" fontSize="xs">
            <chakra.time dateTime={time} fontFamily="mono" color="fg.muted" flex="none">
              {secondOf(time)}
            </chakra.time>
            <Text as="span" minW="0" overflowWrap="anywhere" color={level === 'info' ? 'fg' : 'danger.fg'}>
              {words(code)}
              {detail === null ? null : <chakra.span color="fg.muted">{` · ${detailOf(code, detail)}`}</chakra.span>}
            </Text>
          </HStack>
        ))}
      </Box>
    </>
  )
}

type Sent = AnswerOf<'POST /channel/{id}/testmessage'>

const LOOK_MS = 1_000
/** Receipts that come later are not waited for. */
const MAX_LOOKS = 60

const LOOKS = {
  sent: { icon: Check, tone: 'info' },
  delivered: { icon: CheckCheck, tone: 'positive' },
  read: { icon: CheckCheck, tone: 'positive' },
  failed: { icon: X, tone: 'danger' },
  refused: { icon: X, tone: 'danger' },
  unauthorized: { icon: X, tone: 'danger' },
  waiting: { icon: Clock, tone: 'warning' },
  unknown: { icon: Clock, tone: 'warning' },
} as const satisfies Readonly<Record<Sent['state'], object>>

/** The newest state of a message that the provider took, as its receipts tell it. */
const useReceipt = (channel: string, sent: Sent | undefined): Sent | undefined => {
  const id = sent?.id ?? ''
  const { data } = useQuery({
    queryKey: ['channel', 'testmessage', channel, id],
    queryFn: ({ signal }) =>
      http.get('/channel/{id}/testmessage/{message}', { params: { id: channel, message: id }, signal }),
    enabled: id !== '',
    refetchInterval: ({ state: { data: known, dataUpdateCount: looks } }) =>
      known?.state === 'read' || known?.state === 'failed' || looks > MAX_LOOKS ? false : LOOK_MS,
  })
  return data === undefined || sent === undefined ? sent : { ...data, time: sent.time }
}

/** State of a test message, with the duration of the call and of its delivery. */
const Outcome = ({ sent, to }: { readonly sent: Sent; readonly to: string }) => {
  const { t } = useTranslation('entity/channel')
  const { icon: Icon, tone } = LOOKS[sent.state]
  const facts = [to, sent.detail, sent.after === null ? '' : t('testmessage.after', { time: durationOf(sent.after) })]
  return (
    <HStack align="start" gap="2.5" mt="3">
      <Box colorPalette={tone} bg="colorPalette.subtle" color="colorPalette.fg" borderRadius="full" p="1" flex="none">
        <Icon size={12} aria-hidden="true" />
      </Box>
      <Box minW="0" flex="1">
        <Text textStyle="dense" fontWeight="semibold">
          {t(`testmessage.state.${sent.state}`)}
        </Text>
        <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {facts.filter(fact => fact !== '').join(' · ')}
        </Text>
      </Box>
      <Text textStyle="secondary" color="fg.muted" flex="none">
        {durationOf(sent.time)}
      </Text>
    </HStack>
  )
}

/** Sends words to one person, to see that the saved channel works. */
const TestMessage = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const [to, setTo] = useState('')
  const [text, setText] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [answer, setAnswer] = useState<{ readonly sent: Sent; readonly to: string }>()
  const sent = useReceipt(row.id, answer?.sent)
  const words = text ?? t('testmessage.default')
  const isReady = row.enable && missingFields(row).length === 0
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure('')
    try {
      const body = { to: to.trim(), text: words }
      setAnswer({ sent: await http.post('/channel/{id}/testmessage', { params: { id: row.id }, body }), to: body.to })
    } catch (error) {
      setAnswer(undefined)
      const own = isProblem(error) ? error.errors[0]?.message : undefined
      setFailure(own ?? failureOf(error, t('testmessage.failed')))
    } finally {
      setBusy(false)
    }
  }
  const hint = channelType(row.type)?.windowHours === undefined ? 'testmessage.tohintany' : 'testmessage.tohint'
  return (
    <>
      <Text as="h3" textStyle="card" mb="2">
        {t('testmessage.title')}
      </Text>
      {isReady ? (
        <form onSubmit={event => void send(event)}>
          <Stack gap="3">
            <Field.Root invalid={failure !== ''}>
              <Field.Label>{t('testmessage.to')}</Field.Label>
              <Input value={to} maxLength={200} autoComplete="off" onChange={event => setTo(event.target.value)} />
              {failure === '' ? (
                <Field.HelperText>{t(hint)}</Field.HelperText>
              ) : (
                <Field.ErrorText>{failure}</Field.ErrorText>
              )}
            </Field.Root>
            <Field.Root>
              <Field.Label>{t('testmessage.text')}</Field.Label>
              <Input value={words} maxLength={500} onChange={event => setText(event.target.value)} />
            </Field.Root>
            <Button
              type="submit"
              size="sm"
              alignSelf="start"
              loading={isBusy}
              disabled={to.trim() === '' || words.trim() === ''}
            >
              <Send size={14} aria-hidden="true" />
              {t('testmessage.send')}
            </Button>
          </Stack>
        </form>
      ) : (
        <Text textStyle="dense" color="fg.muted">
          {t(row.enable ? 'testmessage.incomplete' : 'testmessage.disabled')}
        </Text>
      )}
      <Box role="status" aria-live="polite">
        {sent === undefined ? null : <Outcome sent={sent} to={answer?.to ?? ''} />}
      </Box>
    </>
  )
}

const REFRESH_MS = 15_000
const HOUR_MS = 3_600_000
const HOURS = 24
const HEIGHT_PX = 40
const LOW_PX = 2

/** Begin of the day of the browser's clock. */
const midnight = (): number => new Date().setHours(0, 0, 0, 0)

interface CountProps {
  readonly label: string
  readonly count: number
  readonly isBad?: boolean
}

const Count = ({ label, count, isBad = false }: CountProps) => {
  const { i18n } = useTranslation()
  return (
    <Box flex="1" minW="0">
      <Text textStyle="title" fontVariantNumeric="tabular-nums" {...(isBad ? { color: 'danger.fg' } : {})}>
        {count.toLocaleString(i18n.language)}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {label}
      </Text>
    </Box>
  )
}

/** Messages of a channel since midnight: counts, and a bar for each hour. */
const TodayActivity = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const { data } = useQuery({
    queryKey: ['channel', 'activity', row.id],
    queryFn: ({ signal }) =>
      http.get('/channel/{id}/activity', {
        params: { id: row.id },
        query: { from: new Date(midnight()).toISOString() },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  })
  if (data === undefined) return null
  const { hours, in: received, out, failed } = data
  const totals = hours.map(hour => hour.in + hour.out + hour.failed)
  const most = Math.max(1, ...totals)
  const begin = midnight()
  return (
    <>
      <Text as="h3" textStyle="card" mb="2">
        {t('today.title')}
      </Text>
      <HStack gap="3" align="start">
        <Count label={t('today.in')} count={received} />
        <Count label={t('today.out')} count={out} />
        <Count label={t('today.failed')} count={failed} isBad={failed > 0} />
      </HStack>
      {received + out + failed === 0 ? (
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('today.none')}
        </Text>
      ) : (
        <HStack
          role="img"
          aria-label={t('today.counts', { in: received, out, failed })}
          gap="2px"
          align="end"
          h={`${HEIGHT_PX}px`}
          mt="3"
        >
          {Array.from({ length: Math.max(HOURS, hours.length) }, (_, at) => {
            const hour = hours[at]
            const from = new Date(begin + at * HOUR_MS).toISOString()
            const share = (totals[at] ?? 0) / most
            return (
              <Box
                key={from}
                flex="1"
                borderRadius="2px"
                title={hour === undefined ? undefined : t('today.hour', { ...hour, from: minuteOf(from) })}
                bg={
                  hour === undefined
                    ? 'border'
                    : hour.failed > 0
                      ? 'danger.solid'
                      : at === hours.length - 1
                        ? 'fg'
                        : 'fg.subtle'
                }
                h={`${LOW_PX + Math.round(share * (HEIGHT_PX - LOW_PX))}px`}
              />
            )
          })}
        </HStack>
      )}
      <HStack justify="space-between" textStyle="secondary" color="fg.muted" aria-hidden="true" mt="1">
        {[0, 6, 12, 18, 24].map(hour => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
      </HStack>
    </>
  )
}

const PanelPart = ({ children }: { readonly children: ReactNode }) => (
  <Box p="4" borderTopWidth="1px">
    {children}
  </Box>
)

interface PartsProps {
  readonly row: RowOf<'channel'>
  readonly answer: TestAnswer | undefined
  readonly isBusy: boolean
  onTest(): void
  onConnect(): void
}

/** A test message, the messages of today, and the last events. */
export const ChannelFacts = ({ row }: Pick<PartsProps, 'row'>) => {
  const { can } = useSession()
  return (
    <>
      {isPushed(row.type) && can('testchannel') ? (
        <PanelPart>
          <TestMessage key={row.id} row={row} />
        </PanelPart>
      ) : null}
      <PanelPart>
        <TodayActivity row={row} />
      </PanelPart>
      {can('readbot') ? (
        <PanelPart>
          <LastEvents row={row} />
        </PanelPart>
      ) : null}
    </>
  )
}

/** The test of what is saved, and the facts of the channel. */
export const PanelParts = ({ row, ...test }: PartsProps) => (
  <>
    <PanelPart>
      <ConnectionTest row={row} {...test} />
    </PanelPart>
    <ChannelFacts row={row} />
  </>
)

interface Props extends PartsProps {
  readonly health: Health
  onClose(): void
}

/** State of a channel with its cause and act. */
const Cause = ({ row, health, onTest }: Pick<Props, 'row' | 'health' | 'onTest'>) => {
  const { t } = useTranslation('entity/channel')
  const cause = useCause()
  const tone = TONE[health.state]
  const isWrong = isInGroup('attention', health.state)
  return (
    <Box
      p="4"
      borderTopWidth="1px"
      {...(isWrong ? { colorPalette: tone, bg: 'colorPalette.subtle', borderColor: 'colorPalette.muted' } : {})}
    >
      <StateChip health={health} isOnTint={isWrong} />
      {health.code === '' ? null : (
        <Text mt="2" textStyle="dense" overflowWrap="anywhere">
          {cause(health, row)}
        </Text>
      )}
      {health.waiting === 0 ? null : (
        <Text mt="1" textStyle="dense">
          {t('health.waiting', { count: health.waiting })}
        </Text>
      )}
      <ActButton row={row} health={health} onTest={onTest} variant="solid" size="sm" mt="3" />
    </Box>
  )
}

/** Beside the list: cause and act of a channel, its test, and its last events. */
export const ChannelPanel = ({ row, health, answer, isBusy, onTest, onConnect, onClose }: Props) => {
  const { t } = useTranslation('entity/channel')
  const { t: ts } = useTranslation('shell')
  const label = useLabel()
  const type = label.option('channel', 'type', row.type)
  const name = nameOf(row, type)
  // For any focus: a button that runs a test loses it.
  useShortcut('Escape', onClose)
  return (
    <chakra.aside aria-label={name} w="340px" flex="none" overflow="auto" bg="bg.surface" borderInlineStartWidth="1px">
      <HStack p="4" gap="2">
        <Box flex="1" minW="0">
          <Text as="h2" textStyle="title" overflowWrap="anywhere">
            {name}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {type}
          </Text>
        </Box>
        <RouterLink
          to={`/channel/${row.id}?pid=${row.bot}`}
          aria-label={ts('open')}
          title={ts('open')}
          p="2"
          borderRadius="md"
          color="fg.muted"
          focusVisibleRing="outside"
          _hover={{ bg: 'bg.hover' }}
        >
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
        </RouterLink>
        <IconButton icon={X} label={t('health.close')} onClick={onClose} />
      </HStack>
      <Cause row={row} health={health} onTest={onTest} />
      <PanelParts {...{ row, answer, isBusy, onTest, onConnect }} />
    </chakra.aside>
  )
}
