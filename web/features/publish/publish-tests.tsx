import { Box, chakra, HStack, Spinner } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { OutputLink, runQuery, type TestRun } from '#web/features/conversationtest/index.ts'
import { FailedTests, UntestedReason } from './failed-tests.tsx'

/** Flows to publish: dialogs and handlers of one bot by id, as drawn. */
export interface Going {
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
export const useTestGate = (going: Going | undefined): TestGate => {
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
export const PublishTests = ({ bot, gate, permission, reason, onReason }: PublishTestsProps) => {
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
  const untaken = run.outputs.filter(({ changed, taken }) => changed && !taken)
  return (
    <Box mt="3" pt="3" borderTopWidth="1px" role="group" aria-label={t('title')}>
      {failed.length > 0 ? (
        <FailedTests
          failed={failed.map(({ id, name, step = 0, kind = 'message' }) => ({ id, bot, name, step, kind }))}
        />
      ) : (
        <HStack gap="2" textStyle="dense" color={run.outcomes.length === 0 ? 'fg.muted' : 'positive.fg'}>
          {run.outcomes.length === 0 ? null : <CircleCheck size={16} aria-hidden="true" />}
          {run.outcomes.length === 0 ? t('publish.none') : t('publish.passed', { count: run.outcomes.length })}
        </HStack>
      )}
      {untaken.length === 0 ? null : <Untaken bot={bot} outputs={untaken} />}
      {failed.length === 0 ? null : (
        <UntestedReason permitted={can(permission)} what="publish" reason={reason} onReason={onReason} />
      )}
    </Box>
  )
}
