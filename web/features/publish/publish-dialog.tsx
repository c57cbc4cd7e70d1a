import { Box, Button, chakra, HStack, Spinner, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Upload } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Modal } from '#web/components/modal.tsx'
import { OutputLink, runQuery, type TestRun } from '#web/features/conversationtest/index.ts'
import { PublishRehearsal } from '#web/features/rehearsal/index.ts'
import { FailedTests, UntestedReason } from './failed-tests.tsx'

/** Flows to publish: dialogs and handlers of one bot by id, as drawn. */
interface Going {
  readonly bot: string
  readonly dialogs: readonly string[]
  readonly handlers: readonly string[]
}

/** Test result of a publication, and the reason to publish despite failures. */
interface TestGate {
  readonly run: TestRun | undefined
  readonly isChecking: boolean
  readonly failed: TestRun['outcomes']
}

const MAX_OUTPUTS = 8

/** Runs the gating tests against what would be published. */
const useTestGate = (going: Going | undefined): TestGate => {
  const { can } = useSession()
  const { bot = '', dialogs = [], handlers = [] } = going ?? {}
  const isAsked = bot !== '' && can('readconversationtest')
  const asked = { publish: { dialogs, handlers }, gating: true }
  // Never cached: flows change, the key does not.
  const run = useQuery({ ...runQuery(bot, asked), enabled: isAsked, staleTime: 0, gcTime: 0 })
  const data = isAsked ? run.data : undefined
  return {
    run: data,
    isChecking: isAsked && run.isFetching && data === undefined,
    failed: data?.outcomes.filter(({ passed }) => !passed) ?? [],
  }
}

const Untaken = ({ bot, outputs }: { readonly bot: string; readonly outputs: TestRun['outputs'] }) => {
  const { t } = useTranslation('conversationtest')
  return (
    <chakra.details mt="2">
      <chakra.summary textStyle="dense" color="warning.fg" cursor="pointer">
        {t('publish.untaken', { count: outputs.length })}
      </chakra.summary>
      <chakra.ul listStyleType="none" ps="4" pt="1" display="grid" gap="0.5">
        {outputs.slice(0, MAX_OUTPUTS).map(output => (
          <chakra.li key={`${output.dialog} ${output.block} ${output.out}`} minW="0">
            <OutputLink output={output} bot={bot} />
          </chakra.li>
        ))}
        {outputs.length > MAX_OUTPUTS ? <li>…</li> : null}
      </chakra.ul>
    </chakra.details>
  )
}

interface PublishTestsProps {
  readonly bot: string
  readonly gate: TestGate
  /** The permission that goes past failing tests. */
  readonly permission: string
  /** Undefined while one does not want to go past them. */
  readonly reason: string | undefined
  onReason(reason: string | undefined): void
}

/** Which tests fail with what would go live, which outputs none takes, and the way past for those who may. */
const PublishTests = ({ bot, gate, permission, reason, onReason }: PublishTestsProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const { run, isChecking, failed } = gate
  if (isChecking)
    return (
      <HStack role="status" gap="2" mt="3" textStyle="dense" color="fg.muted">
        <Spinner size="xs" />
        {t('publish.checking')}
      </HStack>
    )
  if (run === undefined) return null
  const isTested = run.outcomes.length > 0
  // Without tests no output is taken: their number says nothing.
  const untaken = run.total > 0 ? run.outputs.filter(({ changed, taken }) => changed && !taken) : []
  return (
    <Box mt="3" pt="3" borderTopWidth="1px" role="group" aria-label={t('title')}>
      {failed.length > 0 ? (
        <FailedTests
          failed={failed.map(({ id, name, step = 0, kind = 'message' }) => ({ id, bot, name, step, kind }))}
        />
      ) : (
        <HStack gap="2" textStyle="dense" color={isTested ? 'positive.fg' : 'fg.muted'}>
          {isTested ? <CircleCheck size={16} aria-hidden="true" /> : null}
          {isTested
            ? t('publish.passed', { count: run.outcomes.length })
            : t(run.total > 0 ? 'publish.free' : 'publish.none')}
        </HStack>
      )}
      {untaken.length === 0 ? null : <Untaken bot={bot} outputs={untaken} />}
      {failed.length === 0 ? null : (
        <UntestedReason permitted={can(permission)} what="publish" reason={reason} onReason={onReason} />
      )}
    </Box>
  )
}

interface PublishDialogProps {
  readonly title: string
  /** Something other than the publishing itself disables the button: the changes are not read yet, or hold errors. */
  readonly blocked: boolean
  readonly busy: boolean
  /** Why the server refused. */
  readonly refusal?: string | undefined
  /** Flows to run the bot's tests against; undefined while loading. */
  readonly going: Going | undefined
  /** Entity to publish: `publishuntested…` permits publishing with failed tests. */
  readonly entity: 'dialog' | 'handler' | 'dialogtask'
  /** The dialogs to publish. */
  readonly children: ReactNode
  /** `reason`: why it goes live although tests fail. */
  onPublish(reason?: string): void
  /** Publishes, makes what a chat needs, and opens it. */
  onTry?(reason?: string): void
  onClose(): void
}

/** Confirms publishing of dialogs or handlers; the caller shows changes and authors. */
export const PublishDialog = (props: PublishDialogProps) => {
  const { title, blocked, busy, refusal, going, entity, children, onPublish, onTry, onClose } = props
  const { t } = useTranslation('shell')
  const gate = useTestGate(going)
  const [reason, setReason] = useState<string>()
  const isHeld = gate.failed.length > 0
  const isReasoned = reason !== undefined && reason.trim() !== ''
  const isStopped = blocked || (isHeld && !isReasoned)
  return (
    <Modal
      width={560}
      icon={<Upload size={18} aria-hidden="true" />}
      title={title}
      onClose={onClose}
      footer={
        <>
          <InstanceBadge />
          <Box flex="1" />
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            variant={onTry === undefined ? 'solid' : 'outline'}
            {...(onTry === undefined ? { 'data-autofocus': '' } : {})}
            loading={busy}
            disabled={isStopped}
            onClick={() => (isHeld ? onPublish(reason) : onPublish())}
          >
            {t('publish.do')}
          </Button>
          {onTry === undefined ? null : (
            <Button
              variant="solid"
              data-autofocus=""
              loading={busy}
              disabled={isStopped}
              onClick={() => (isHeld ? onTry(reason) : onTry())}
            >
              {t('publish.try')}
            </Button>
          )}
        </>
      }
    >
      <Text color="fg.muted" mb="2">
        {t('publish.text')}
      </Text>
      {children}
      {going === undefined ? null : (
        <PublishTests
          bot={going.bot}
          gate={gate}
          permission={`publishuntested${entity}`}
          reason={reason}
          onReason={setReason}
        />
      )}
      {going === undefined ? null : <PublishRehearsal drawn={going} />}
      {refusal === undefined ? null : (
        <chakra.p role="alert" mt="3" textStyle="secondary" color="danger.fg">
          {refusal}
        </chakra.p>
      )}
    </Modal>
  )
}
