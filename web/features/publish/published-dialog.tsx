import { Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheck, ExternalLink, MessageCircle, Radio } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { chatAddress } from '#web/chat-window/chat-window.ts'
import { Modal } from '#web/components/modal.tsx'
import { flowAddress, formAddress } from '#web/entity/address.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { type MissingStep, useReadiness } from './readiness.ts'
import {
  type ActsProps,
  missingParts,
  type PublishedFlow,
  type TryIt,
  type TryPart,
  useActs,
  useTry,
} from './try-bot.ts'

/** The page where a missing part is made. */
const placeOf = (step: MissingStep, bot: string): string => {
  switch (step.is) {
    case 'main':
      return formAddress(`/dialogtask/${step.task.id}`, { bot })
    case 'unpublished':
      return flowAddress('dialog', step.dialog.id, { bot })
    case 'channel':
      return `/bot/channel/${bot}`
    default:
      return formAddress(`/bot/${bot}`)
  }
}

const Step = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => (
  <HStack as="li" gap="3" minH="48px" py="1.5" borderTopWidth="1px" flexWrap="wrap">
    <Circle size={15} aria-hidden="true" />
    <Text flex="1 1 180px" textStyle="dense">
      {text}
    </Text>
    {children}
  </HStack>
)

const Steps = ({ missing, ...given }: ActsProps & { readonly missing: readonly MissingStep[] }) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const actOf = useActs()
  const [busy, setBusy] = useState<MissingStep['is']>()
  const [failed, setFailed] = useState<string>()
  const perform = async (step: MissingStep, run: () => Promise<unknown>) => {
    setBusy(step.is)
    setFailed(undefined)
    try {
      await run()
    } catch (error) {
      setFailed(failureOf(error, t('reach.failed')))
    }
    await client.invalidateQueries()
    setBusy(undefined)
  }
  const textOf = (step: MissingStep): string => {
    if (step.is === 'main') return t('reach.main', { name: step.task.name })
    return step.is === 'unpublished' ? t('reach.unpublished', { name: step.dialog.name }) : t(`reach.${step.is}`)
  }
  return (
    <>
      <Stack as="ul" gap="0" listStyleType="none" aria-label={t('reach.missing')}>
        {missing.map(step => {
          const act = actOf(given, step)
          return (
            <Step key={step.is} text={textOf(step)}>
              {act === undefined ? (
                <Button size="sm" asChild>
                  <Link to={placeOf(step, given.bot.id)}>{t('reach.see')}</Link>
                </Button>
              ) : (
                <Button
                  size="sm"
                  loading={busy === step.is}
                  disabled={busy !== undefined}
                  onClick={() => void perform(step, act.run)}
                >
                  {act.label}
                </Button>
              )}
            </Step>
          )
        })}
      </Stack>
      {failed === undefined ? null : (
        <Text role="alert" mt="2" textStyle="secondary" color="danger.fg">
          {failed}
        </Text>
      )}
    </>
  )
}

interface DialogProps {
  readonly bot: string
  readonly flow: PublishedFlow
  onClose(): void
}

/** Runs an act and closes; says why it failed. */
const useBegin = (onClose: () => void) => {
  const { t } = useTranslation('shell')
  const { isBusy, failure: failed, attempt } = useAttempt(t('reach.failed'))
  const begin = (act: () => Promise<unknown>) =>
    attempt(async () => {
      await act()
      onClose()
    })
  return { isBusy, failed, begin }
}

/** Says whether people can talk to a bot, and offers the acts that are missing. */
export const PublishedDialog = ({ bot: id, flow, onClose }: DialogProps) => {
  const { t } = useTranslation('shell')
  const readiness = useReadiness(id, flow.task)
  const { missing, chat, bot, task } = readiness
  const tryIt = useTry()({ ...readiness, flow })
  const { isBusy, failed, begin } = useBegin(onClose)
  const isLive = missing?.length === 0
  return (
    <Modal
      width={520}
      icon={isLive ? <Radio size={18} aria-hidden="true" /> : <CircleCheck size={18} aria-hidden="true" />}
      title={t(isLive ? 'reach.live' : 'reach.published', { name: flow.name })}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('close')}
          </Button>
          {isLive && chat !== undefined ? (
            <Button variant="outline" asChild>
              <a href={chatAddress(chat)} target="_blank" rel="noreferrer">
                <ExternalLink size={15} aria-hidden="true" />
                {t('reach.open')}
              </a>
            </Button>
          ) : null}
          {tryIt === undefined ? null : (
            <Button variant="solid" loading={isBusy} onClick={() => void begin(tryIt)}>
              <MessageCircle size={15} aria-hidden="true" />
              {t('reach.try')}
            </Button>
          )}
        </>
      }
    >
      <Text role="status" color="fg.muted" mb="2">
        {t(isLive ? 'reach.canwrite' : 'reach.cannot', { bot: String(bot?.name ?? '') })}
      </Text>
      {missing === undefined || isLive || bot === undefined ? null : (
        <Steps missing={missing} bot={bot} task={task} flow={flow} />
      )}
      {failed === undefined ? null : (
        <Text role="alert" mt="2" textStyle="secondary" color="danger.fg">
          {failed}
        </Text>
      )}
    </Modal>
  )
}

/** The result of publishing, in words. */
export interface PublishResult {
  readonly text: string
  /** People cannot talk to the bot yet. */
  readonly isLacking: boolean
  /** Makes what is missing and opens a chat; undefined where this person cannot. Rejects with the reason. */
  readonly tryIt: TryIt | undefined
  /** Parts that a chat needs and the bot lacks. */
  readonly parts: ReadonlySet<TryPart>
}

interface PublishedProps {
  /** Undefined where it may not be read. */
  readonly bot: string | undefined
  readonly flow: PublishedFlow
  tell(result: PublishResult): void
  onClose(): void
}

/** Tells the result of publishing once it is known, and closes. */
export const Published = ({ bot, flow, tell, onClose }: PublishedProps) => {
  const { t } = useTranslation('shell')
  const readiness = useReadiness(bot, flow.task)
  const { missing, isLoading, bot: row } = readiness
  const tryIt = useTry()({ ...readiness, flow })
  const end = useEffectEvent(() => {
    const isLacking = missing !== undefined && missing.length > 0
    const key = missing === undefined ? 'reach.published' : isLacking ? 'reach.publishedonly' : 'reach.live'
    const text = t(key, { name: flow.name, bot: String(row?.name ?? '') })
    tell({ text, isLacking, tryIt, parts: missingParts(missing ?? []) })
    onClose()
  })
  useEffect(() => {
    if (!isLoading) end()
  }, [isLoading])
  return null
}
