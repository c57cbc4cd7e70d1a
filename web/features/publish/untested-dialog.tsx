import { Box, Button, chakra, Text } from '@chakra-ui/react'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, type Problem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Modal } from '#web/components/modal.tsx'
import type { UntestedQuestion } from '#web/entity/untested.ts'
import { type FailedTest, FailedTests, UntestedReason } from './failed-tests.tsx'

/** The tests that a refusal names. */
const failedIn = ({ errors }: Problem): readonly FailedTest[] =>
  errors.flatMap(({ code, params = {} }) =>
    code === 'test'
      ? [
          {
            id: String(params.test ?? ''),
            bot: String(params.bot ?? ''),
            name: String(params.name ?? ''),
            step: Number(params.step ?? 0),
            kind: String(params.rule ?? 'message'),
          },
        ]
      : [],
  )

/** The tests that hold a command back, and the way past them for those who may. */
export const UntestedDialog = ({ entity, name, what, problem, goOn, answer }: UntestedQuestion) => {
  const { t } = useTranslation('conversationtest')
  const { t: ts } = useTranslation('shell')
  const { can } = useSession()
  const [reason, setReason] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const isReasoned = reason !== undefined && reason.trim() !== ''
  const may = can(`publishuntested${entity}`)
  const go = async () => {
    if (reason === undefined) return
    setBusy(true)
    setRefusal(undefined)
    try {
      await goOn(reason.trim())
      answer(true)
    } catch (error) {
      setRefusal(failureOf(error, t(`untested.failed.${what}`)))
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={560}
      icon={<ShieldAlert size={18} aria-hidden="true" />}
      title={t(`untested.title.${what}`, { name })}
      onClose={() => answer(false)}
      footer={
        <>
          <InstanceBadge />
          <Box flex="1" />
          <Button variant="ghost" data-autofocus="" onClick={() => answer(false)}>
            {ts(may ? 'cancel' : 'close')}
          </Button>
          {may ? (
            <Button variant="solid" loading={busy} disabled={!isReasoned} onClick={() => void go()}>
              {t(`untested.do.${what}`)}
            </Button>
          ) : null}
        </>
      }
    >
      <Text color="fg.muted" mb="3">
        {t(`untested.text.${what}`)}
      </Text>
      <FailedTests failed={failedIn(problem)} onFollow={() => answer(false)} />
      <UntestedReason permitted={may} what={what} reason={reason} onReason={setReason} />
      {refusal === undefined ? null : (
        <chakra.p role="alert" mt="3" textStyle="secondary" color="danger.fg">
          {refusal}
        </chakra.p>
      )}
    </Modal>
  )
}
