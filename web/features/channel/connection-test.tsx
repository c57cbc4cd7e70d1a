import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Check, Link2, PlugZap, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { channelType } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useLabel } from '#web/entity/label.ts'
import { durationOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'

export type TestAnswer = AnswerOf<'POST /channel/{id}/test'>

/**
 * Connection tests of channels with their last answers; a test also renews the health, which depends on the token. To
 * connect registers the channel's address at its provider, and tests.
 */
export const useChannelTests = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const [answers, setAnswers] = useState<ReadonlyMap<string, TestAnswer>>(new Map())
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const run = async (id: string, path: 'test' | 'connect'): Promise<TestAnswer | undefined> => {
    setBusy(before => new Set(before).add(id))
    try {
      const answer = await http.post(`/channel/{id}/${path}`, { params: { id } })
      setAnswers(before => new Map(before).set(id, answer))
      await client.invalidateQueries({ queryKey: ['channel'] })
      return answer
    } catch (error) {
      notice.toast(isProblem(error) && error.status > 0 ? error.message : t('error.noanswer'), { tone: 'danger' })
      return undefined
    } finally {
      setBusy(before => new Set([...before].filter(each => each !== id)))
    }
  }
  return { answers, busy, test: (id: string) => run(id, 'test'), connect: (id: string) => run(id, 'connect') }
}

interface ConnectProps {
  readonly row: RowOf<'channel'>
  readonly isBusy: boolean
  onConnect(): void
}

/** Registers the address of a channel at its provider, for types whose providers have a call for that. */
export const ConnectButton = ({ row, isBusy, onConnect }: ConnectProps) => {
  const { t } = useTranslation('entity/channel')
  const { can } = useSession()
  if (channelType(row.type)?.connects !== true || !row.enable || !can('updatechannel')) return null
  return (
    <Button size="sm" variant="outline" loading={isBusy} title={t('health.connecthint')} onClick={onConnect}>
      <Link2 size={14} aria-hidden="true" />
      {t('health.connect')}
    </Button>
  )
}

interface Props extends ConnectProps {
  readonly answer: AnswerOf<'POST /channel/{id}/test'> | undefined
  onTest(): void
}

/** The parts of a connection test as steps, with a button that runs it. */
export const ConnectionTest = ({ row, answer, isBusy, onTest, onConnect }: Props) => {
  const { t } = useTranslation('entity/channel')
  const label = useLabel()
  const { can } = useSession()
  const isConnecting = channelType(row.type)?.connects === true
  return (
    <>
      <HStack mb="2" gap="2" flexWrap="wrap">
        <Text as="h3" textStyle="card" flex={isConnecting ? '1 0 100%' : '1 0 auto'}>
          {t('health.test')}
          {answer === undefined ? null : (
            <Text as="span" textStyle="secondary" color="fg.muted" fontWeight="normal">
              {` ${durationOf(answer.time)}`}
            </Text>
          )}
        </Text>
        <ConnectButton row={row} isBusy={isBusy} onConnect={onConnect} />
        {can('testchannel') ? (
          <Button size="sm" loading={isBusy} title={t('action.test.saved')} onClick={onTest}>
            <PlugZap size={14} aria-hidden="true" />
            {t('action.test.do')}
          </Button>
        ) : null}
      </HStack>
      <Box role="status" aria-live="polite">
        {answer === undefined ? (
          <Text textStyle="dense" color="fg.muted">
            {t('health.untested')}
          </Text>
        ) : null}
        {answer?.checks.map(({ part, ok, detail, missing, time }) => (
          <HStack key={part} align="start" gap="2.5" py="2" borderTopWidth="1px" _first={{ borderTopWidth: 0 }}>
            <Box
              colorPalette={ok ? 'positive' : 'danger'}
              bg="colorPalette.subtle"
              color="colorPalette.fg"
              borderRadius="full"
              p="1"
              flex="none"
            >
              {ok ? <Check size={12} aria-hidden="true" /> : <X size={12} aria-hidden="true" />}
            </Box>
            <Box minW="0" flex="1">
              <Text textStyle="dense" fontWeight="semibold">
                {t(`action.test.part.${part}`)}
              </Text>
              <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
                {detail === '' ? t('action.test.works') : detail}
                {missing.length === 0
                  ? ''
                  : ` (${missing.map(name => label.field('channel', name, row.type)).join(', ')})`}
              </Text>
            </Box>
            {time === null ? null : (
              <Text textStyle="secondary" color="fg.muted" flex="none">
                {durationOf(time)}
              </Text>
            )}
          </HStack>
        ))}
      </Box>
    </>
  )
}
