import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock, Copy, KeyRound, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { webhook } from '#schemas/entities/webhook.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { durationOf, minuteOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'

type Delivery = AnswerOf<'GET /webhook/{id}/delivery'>['items'][number]
type TestAnswer = AnswerOf<'POST /webhook/{id}/test'>

const REFETCH_MS = 5_000
const DAY_MS = 86_400_000
const NONE: ReadonlySet<string> = new Set()

const LOOKS = {
  arrived: { icon: CircleCheck, tone: 'positive' },
  failing: { icon: Clock, tone: 'warning' },
  givenup: { icon: CircleAlert, tone: 'danger' },
} as const satisfies Readonly<Record<Delivery['state'], object>>

interface LineProps {
  readonly delivery: Delivery
  readonly onRetry: (() => void) | undefined
}

/** One event: when, what, and how far it came. */
const DeliveryLine = ({ delivery, onRetry }: LineProps) => {
  const { t } = useTranslation('entity/webhook')
  const { time, type, state, tries, status, reason, next, answer = '', replay, ms } = delivery
  const { icon: Icon, tone } = LOOKS[state]
  const facts = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(reason === null ? [] : [reason]),
    durationOf(ms),
    ...(tries > 1 || state !== 'arrived' ? [t('delivery.tries', { count: tries })] : []),
    ...(next === null ? [] : [t('delivery.next', { time: minuteOf(next) })]),
    ...(replay ? [t('delivery.replayed')] : []),
  ]
  return (
    <HStack as="li" align="baseline" gap="3" rowGap="1" py="2" borderTopWidth="1px" flexWrap="wrap">
      <chakra.time dateTime={time} textStyle="secondary" color="fg.muted" w="120px" flex="none">
        {momentOf(time)}
      </chakra.time>
      <Box flex="1 1 200px" minW="0">
        <Text textStyle="dense" fontFamily="mono" overflowWrap="anywhere">
          {type}
        </Text>
        <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {facts.join(' · ')}
        </Text>
        {state === 'arrived' || answer === '' ? null : (
          <Text textStyle="secondary" color="fg.muted" fontFamily="mono" overflowWrap="anywhere">
            {answer}
          </Text>
        )}
      </Box>
      {onRetry === undefined || state === 'arrived' ? null : (
        <Button size="xs" variant="outline" onClick={onRetry}>
          <RotateCcw size={13} aria-hidden="true" />
          {t('delivery.retry')}
        </Button>
      )}
      <Chip tone={tone}>
        <Icon size={12} aria-hidden="true" />
        {t(`delivery.state.${state}`)}
      </Chip>
    </HStack>
  )
}

/** The last attempts, and a replay of the last day. */
const Deliveries = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('entity/webhook')
  const { can } = useSession()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const queryKey = ['webhook', 'delivery', id]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => http.get('/webhook/{id}/delivery', { params: { id }, signal }),
    refetchInterval: REFETCH_MS,
  })
  if (data === undefined) return null
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notice.toast(done, { tone: 'positive' })
      await client.invalidateQueries({ queryKey })
    } catch (failure) {
      notice.toast(failureOf(failure, t('delivery.failed')), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const retry = (event: string) =>
    act(() => http.post('/webhook/{id}/retry', { params: { id }, body: { ids: [event] } }), t('delivery.retried'))
  const replay = () => {
    const from = new Date(Date.now() - DAY_MS).toISOString()
    return act(() => http.post('/webhook/{id}/replay', { params: { id }, body: { from } }), t('delivery.replaying'))
  }
  const isEditor = can('updatewebhook')
  return (
    <Box as="section" aria-labelledby="deliveries" maxW="960px" mt="6">
      <HStack gap="3" flexWrap="wrap" mb="2">
        <Box flex="1 1 240px" minW="0">
          <Text as="h2" id="deliveries" textStyle="card">
            {t('delivery.title')}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {data.items.length === 0 ? t('delivery.none') : t('delivery.text')}
          </Text>
        </Box>
        {isEditor ? (
          <Button variant="outline" loading={isBusy} onClick={() => void replay()}>
            <RotateCcw size={15} aria-hidden="true" />
            {t('delivery.replay')}
          </Button>
        ) : null}
      </HStack>
      <Box as="ul" listStyleType="none">
        {data.items.map(delivery => (
          <DeliveryLine
            key={delivery.event}
            delivery={delivery}
            onRetry={isEditor ? () => void retry(delivery.event) : undefined}
          />
        ))}
      </Box>
    </Box>
  )
}

const ShownSecret = ({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const { t: own } = useTranslation('entity/webhook')
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    notice.snack(t('copied'))
  }
  return (
    <Modal
      open
      title={own('shown.title')}
      icon={<KeyRound size={18} aria-hidden="true" />}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('close')}
          </Button>
          <Button variant="solid" data-autofocus="" onClick={() => void copy()}>
            <Copy size={15} aria-hidden="true" />
            {t('copy')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted" mb="3">
        {own('shown.text')}
      </Text>
      <Text fontFamily="mono" bg="bg.sunken" borderRadius="md" px="3" py="2" userSelect="all" overflowWrap="anywhere">
        {secret}
      </Text>
    </Modal>
  )
}

/** Outcome of the last test. */
const Receipt = ({ answer: { ok, status, reason, time } }: { readonly answer: TestAnswer }) => {
  const { t } = useTranslation('entity/webhook')
  const facts = [...(status === null ? [] : [`HTTP ${status}`]), ...(reason === null ? [] : [reason])]
  return (
    <Text role={ok ? 'status' : 'alert'} mb="4" textStyle="dense" color={ok ? 'positive.fg' : 'danger.fg'}>
      {[ok ? t('delivery.ok', { time: durationOf(time) }) : t('action.test.failed'), ...facts].join(' · ')}
    </Text>
  )
}

/** A webhook: its form, a test, and below it what became of the events. */
export const WebhookPage = () => {
  const { id = '' } = useParams()
  const [secret, setSecret] = useState<string>()
  const { answer, button } = useConnectionTest('webhook', () => http.post('/webhook/{id}/test', { params: { id } }))
  return (
    <>
      <EntityDetail
        entity={webhook}
        id={id}
        listAt="/webhook/search"
        hidden={NONE}
        above={() => (answer === undefined ? null : <Receipt answer={answer} />)}
        actions={() => button}
        below={() => <Deliveries key={id} id={id} />}
        onActed={(action, result) => {
          if (action === 'rotate' && typeof result.secret === 'string') setSecret(result.secret)
        }}
      />
      {secret === undefined ? null : <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
