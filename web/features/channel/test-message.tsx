import { Box, Button, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, CheckCheck, Clock, Send, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { channelType, missingFields } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { durationOf } from '#web/format/time.ts'

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
export const TestMessage = ({ row }: { readonly row: RowOf<'channel'> }) => {
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
