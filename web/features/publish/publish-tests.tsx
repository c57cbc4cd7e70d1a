import { Box, chakra, HStack, Spinner, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { OutputLink, runQuery, type TestRun, testAddress } from '#web/features/conversationtest/index.ts'
import { SwitchControl } from '#web/form/control/switch-control.tsx'
import { TextControl } from '#web/form/control/text-control.tsx'

/** What would go live: dialogs and handlers of one bot by id, as they are drawn. */
export interface Going {
  readonly bot: string
  readonly dialogs: readonly string[]
  readonly handlers: readonly string[]
}

/** What the tests say of a publishing, and the reason with which one goes past them. */
interface TestGate {
  readonly run: TestRun | undefined
  readonly isChecking: boolean
  readonly failed: TestRun['outcomes']
}

const RouterLink = chakra(Link)
const MAX_OUTPUTS = 8

/** Runs the gating tests against what would be published. */
export const useTestGate = (going: Going | undefined): TestGate => {
  const { can } = useSession()
  const { bot = '', dialogs = [], handlers = [] } = going ?? {}
  const isAsked = bot !== '' && can('readconversationtest')
  const asked = { publish: { dialogs, handlers }, gating: true }
  // What is drawn changes without that the question does.
  const run = useQuery({ ...runQuery(bot, asked), enabled: isAsked, staleTime: 0, gcTime: 0 })
  const data = isAsked ? run.data : undefined
  return {
    run: data,
    isChecking: isAsked && run.isFetching && data === undefined,
    failed: data?.outcomes.filter(({ passed }) => !passed) ?? [],
  }
}

const Failed = ({ bot, failed }: { readonly bot: string; readonly failed: TestRun['outcomes'] }) => {
  const { t } = useTranslation('conversationtest')
  return (
    <>
      <HStack gap="2" color="danger.fg" mb="1" textStyle="dense" fontWeight="semibold">
        <CircleAlert size={16} aria-hidden="true" />
        {t('publish.failed', { count: failed.length })}
      </HStack>
      <chakra.ul listStyleType="none" maxH="160px" overflowY="auto" tabIndex={0} aria-label={t('title')}>
        {failed.map(({ id, name, step, kind }) => (
          <chakra.li key={id} display="flex" gap="2" alignItems="baseline" textStyle="dense" py="0.5" ps="6">
            <chakra.span color="danger.fg" flex="none" alignSelf="center">
              <X size={13} aria-hidden="true" />
            </chakra.span>
            <RouterLink to={testAddress(bot, id)} textDecoration="underline" fontWeight="semibold">
              {name}
            </RouterLink>
            <chakra.span color="fg.muted">
              {step === undefined || step === 0 ? '' : `${t('publish.step', { step })} · `}
              {t(`kind.${(kind ?? 'message') as 'message'}`)}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
    </>
  )
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
  const id = useId()
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
        <Failed bot={bot} failed={failed} />
      ) : (
        <HStack gap="2" textStyle="dense" color={run.outcomes.length === 0 ? 'fg.muted' : 'positive.fg'}>
          {run.outcomes.length === 0 ? null : <CircleCheck size={16} aria-hidden="true" />}
          {run.outcomes.length === 0 ? t('publish.none') : t('publish.passed', { count: run.outcomes.length })}
        </HStack>
      )}
      {untaken.length === 0 ? null : <Untaken bot={bot} outputs={untaken} />}
      {failed.length === 0 ? null : can(permission) ? (
        <Box mt="3">
          <HStack gap="2.5">
            <SwitchControl
              id={`${id}anyway`}
              value={reason !== undefined}
              onChange={isOn => onReason(isOn ? '' : undefined)}
            />
            <Text as="span" id={`${id}anyway-label`}>
              {t('publish.anyway')}
            </Text>
          </HStack>
          {reason === undefined ? null : (
            <Box mt="2">
              <chakra.label htmlFor={`${id}reason`} textStyle="dense" fontWeight="medium" color="fg.muted">
                {t('publish.reason')}
              </chakra.label>
              <TextControl id={`${id}reason`} value={reason} max={2000} onChange={value => onReason(value ?? '')} />
              <Text textStyle="secondary" color="fg.muted" mt="1">
                {t('publish.reasonhint')}
              </Text>
            </Box>
          )}
        </Box>
      ) : (
        <Text mt="2" textStyle="dense" color="fg.muted">
          {t('publish.maynot')}
        </Text>
      )}
    </Box>
  )
}
