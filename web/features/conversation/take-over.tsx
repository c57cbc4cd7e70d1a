import { Button, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Headset } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActPanel } from '#web/components/act-panel.tsx'
import { notice } from '#web/notice/notice.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { visitorCode } from './status-chip.tsx'
import { WriteFirst } from './write-first.tsx'

interface Props {
  readonly conversation: Pick<
    AnswerOf<'GET /conversation/{id}'>,
    'id' | 'bot' | 'status' | 'channeltype' | 'user' | 'person'
  >
}

/** Answers a person in place of the bot, from the desk; writes first to the person of an ended conversation. */
export const TakeOver = ({ conversation }: Props) => {
  const { id, bot, status, channeltype, user } = conversation
  const { t: tt } = useTranslation('tool')
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const client = useQueryClient()
  const goOn = useGuardedNavigate()
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isOff, setOff] = useState(false)
  const takeOver = async () => {
    await http.post('/conversation/{id}/takeover', { params: { id }, body: {} })
    for (const key of ['conversation', 'desk']) void client.invalidateQueries({ queryKey: [key] })
    await goOn(`/desk?open=${id}`)
  }
  const press = async () => {
    setBusy(true)
    try {
      await takeOver()
    } catch (failure) {
      if (isProblem(failure) && failure.code === 'desk.off' && can('createagentchannel')) setOff(true)
      else notice.toast(failureOf(failure, t('failed')), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const name = user?.name ?? tt('conversation.visitor', { sign: visitorCode(conversation) })
  if (status === 'ended') return <WriteFirst id={id} bot={bot} channeltype={channeltype} name={name} />
  if (!can('takeoverconversation')) return null
  return (
    <>
      <Button ref={setButton} minH={{ base: '11', md: '8' }} loading={isBusy} onClick={() => void press()}>
        <Headset size={15} aria-hidden="true" />
        {t('takeover')}
      </Button>
      {isOff ? (
        <ActPanel
          anchor={button}
          title={t('enable.title')}
          action={t('enable.take')}
          icon={<Headset size={15} aria-hidden="true" />}
          isReady
          onAct={async () => {
            await http.post('/desk/enable', { body: { bot } })
            await takeOver()
          }}
          onClose={() => setOff(false)}
        >
          <Text textStyle="dense" color="fg.muted">
            {t('enable.text')}
          </Text>
        </ActPanel>
      ) : null}
    </>
  )
}
