import { Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheck, ExternalLink, Radio } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Modal } from '#web/components/modal.tsx'
import { flowAddress, formAddress } from '#web/entity/address.ts'
import type { Row } from '#web/entity/entity-query.ts'
import type { MissingStep } from './missing-steps.ts'
import { useReadiness } from './readiness.ts'

const chatAddress = (channel: string): string => `${location.origin}/chat/${channel}`

/** A flow that was just published. */
interface PublishedFlow {
  readonly kind: 'dialog' | 'handler'
  readonly id: string
  readonly name: string
  /** Its task. */
  readonly task: string | undefined
}

interface ActsProps {
  readonly bot: Row
  readonly task: Row | undefined
  readonly flow: PublishedFlow
}

const patch = ({ id, revision }: Row, entity: string, body: Readonly<Record<string, string>>) =>
  http.patch('/{entity}/{id}', { params: { entity, id }, body, revision })

/** The call that makes a missing part, where this person may make it and it is known which. */
const useActs = ({ bot, task, flow }: ActsProps) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  return (step: MissingStep): { readonly label: string; readonly run: () => Promise<unknown> } | undefined => {
    switch (step.is) {
      case 'default':
        if (task === undefined || !can('updatebot')) return undefined
        return {
          label: t('reach.use', { name: String(task.name) }),
          run: () => patch(bot, 'bot', { defaultdialogtask: task.id }),
        }
      case 'main':
        if (task === undefined || flow.kind !== 'dialog' || flow.task !== step.task.id) return undefined
        if (!can('updatedialogtask')) return undefined
        return {
          label: t('reach.use', { name: flow.name }),
          run: () => patch(task, 'dialogtask', { principaldialog: flow.id }),
        }
      case 'channel':
        if (!can('createchannel')) return undefined
        return {
          label: t('reach.makechat'),
          run: () => http.post('/{entity}', { params: { entity: 'channel' }, body: { bot: bot.id, type: 'webchat' } }),
        }
      case 'start':
        if (!can('startbot')) return undefined
        return {
          label: t('reach.startbot'),
          run: () =>
            http.post('/{entity}/{id}/{action}', { params: { entity: 'bot', id: bot.id, action: 'start' }, body: {} }),
        }
      default:
        return undefined
    }
  }
}

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
  const actOf = useActs(given)
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
          const act = actOf(step)
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

/** Says whether people can talk to a bot, and offers the acts that are missing. */
export const PublishedDialog = ({ bot: id, flow, onClose }: DialogProps) => {
  const { t } = useTranslation('shell')
  const { missing, chat, bot, task } = useReadiness(id, flow.task)
  const isLive = missing?.length === 0
  return (
    <Modal
      open
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
            <Button variant="solid" asChild>
              <a href={chatAddress(chat)} target="_blank" rel="noreferrer">
                <ExternalLink size={15} aria-hidden="true" />
                {t('reach.open')}
              </a>
            </Button>
          ) : null}
        </>
      }
    >
      <Text role="status" color="fg.muted" mb="2">
        {t(isLive ? 'reach.canwrite' : 'reach.cannot', { bot: String(bot?.name ?? '') })}
      </Text>
      {missing === undefined || isLive || bot === undefined ? null : (
        <Steps missing={missing} bot={bot} task={task} flow={flow} />
      )}
    </Modal>
  )
}

/** The result of publishing, in words. */
interface PublishResult {
  readonly text: string
  /** People cannot talk to the bot yet. */
  readonly isLacking: boolean
  /** Address of the bot's web chat. */
  readonly chat: string | undefined
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
  const { missing, isLoading, chat, bot: row } = useReadiness(bot, flow.task)
  const end = useEffectEvent(() => {
    const isLacking = missing !== undefined && missing.length > 0
    const key = missing === undefined ? 'reach.published' : isLacking ? 'reach.publishedonly' : 'reach.live'
    const text = t(key, { name: flow.name, bot: String(row?.name ?? '') })
    tell({ text, isLacking, chat: isLacking || chat === undefined ? undefined : chatAddress(chat) })
    onClose()
  })
  useEffect(() => {
    if (!isLoading) end()
  }, [isLoading])
  return null
}
