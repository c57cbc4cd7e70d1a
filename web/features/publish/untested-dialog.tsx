import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Modal } from '#web/components/modal.tsx'
import type { UntestedQuestion } from '#web/entity/untested.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { RouterLink } from '#web/page/router-link.ts'
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

/** Errors in the blocks of a revision, with the way to a look at it. */
const OutdatedBlocks = ({ problem, place, answer }: Pick<UntestedQuestion, 'problem' | 'place' | 'answer'>) => {
  const { t } = useTranslation('conversationtest')
  const { count, flowrevision } = problem.params
  const faults = problem.errors.filter(({ code }) => code === 'flow')
  if (faults.length === 0) return null
  return (
    <Box mb="3">
      <HStack gap="2" color="danger.fg" mb="1" textStyle="dense" fontWeight="semibold" align="start">
        <Box flex="none" pt="0.5">
          <CircleAlert size={16} aria-hidden="true" />
        </Box>
        {t('untested.outdated', { count: Number(count), revision: flowrevision })}
      </HStack>
      <chakra.ul listStyleType="none" maxH="160px" overflowY="auto" tabIndex={0} aria-label={t('untested.errors')}>
        {faults.map(({ path, message, params }) => (
          <chakra.li key={`${path} ${String(params?.rule)} ${String(params?.name)}`} textStyle="dense" py="0.5" ps="6">
            {message}
          </chakra.li>
        ))}
      </chakra.ul>
      {place === undefined ? null : (
        <Box ps="6" pt="1" textStyle="dense">
          <RouterLink to={place} color="accent.fg" textDecoration="underline" onClick={() => answer(false)}>
            {t('untested.see', { revision: flowrevision })}
          </RouterLink>
        </Box>
      )}
    </Box>
  )
}

/** The tests and errors that hold a command back, and the way past them for those who may. */
export const UntestedDialog = ({ entity, name, what, problem, place, goOn, answer }: UntestedQuestion) => {
  const { t } = useTranslation('conversationtest')
  const { t: ts } = useTranslation('shell')
  const { can } = useSession()
  const [reason, setReason] = useState<string>()
  const { isBusy: busy, failure: refusal, attempt } = useAttempt(t(`untested.failed.${what}`))
  const failed = failedIn(problem)
  const isReasoned = reason !== undefined && reason.trim() !== ''
  const may = can(`publishuntested${entity}`)
  const go = async () => {
    if (reason === undefined) return
    await attempt(async () => {
      await goOn(reason.trim())
      answer(true)
    })
  }
  return (
    <Modal
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
      <OutdatedBlocks problem={problem} answer={answer} {...(place === undefined ? {} : { place })} />
      {failed.length === 0 ? null : <FailedTests failed={failed} onFollow={() => answer(false)} />}
      <UntestedReason permitted={may} what={what} reason={reason} onReason={setReason} />
      {refusal === undefined ? null : (
        <chakra.p role="alert" mt="3" textStyle="secondary" color="danger.fg">
          {refusal}
        </chakra.p>
      )}
    </Modal>
  )
}
