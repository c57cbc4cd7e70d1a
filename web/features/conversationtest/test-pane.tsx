import { Box, Button, Flex, HStack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FilePenLine, History, Play, Trash2, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { acceptStep, type FailedStep } from '#domain/conversation-test/accept-step.ts'
import { conversationtest } from '#schemas/entities/conversationtest.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Segments } from '#web/components/segments.tsx'
import { flowAddress, formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useName } from '#web/entity/entity-query.ts'
import { agoOf, dayOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import type { Column } from './test-matrix.tsx'
import type { LastRun, Outcome, TestMoment } from './test-query.ts'
import { TestSteps, TestValues } from './test-steps.tsx'
import { stepsOf } from './verdict-mark.tsx'

interface PaneProps {
  readonly bot: string
  readonly test: RowOf<'conversationtest'>
  readonly outcome: Outcome | undefined
  /** The oldest first. */
  readonly columns: readonly Column[]
  readonly isRunning: boolean
  onRun(): void
  onClose(): void
}

/** The first of the moments since which it fails without a break, and whether it held before. */
const brokenAt = (columns: readonly Column[], test: string): TestMoment | undefined => {
  const drawn = columns.filter(({ moment }) => moment.at !== 'published')
  const held = drawn.findLastIndex(({ outcomes }) => outcomes?.get(test)?.passed !== false)
  return held < 0 || drawn[held]?.outcomes?.get(test)?.passed !== true ? undefined : drawn[held + 1]?.moment
}

const Verdict = ({ outcome, broken }: { outcome: Outcome | undefined; broken: TestMoment | undefined }) => {
  const { t } = useTranslation('conversationtest')
  if (outcome === undefined) return null
  if (outcome.passed) return <Chip tone="positive">{t('passes')}</Chip>
  const revision = broken?.flow?.revision
  return <Chip tone="danger">{revision === undefined ? t('fails') : t('failssince', { revision })}</Chip>
}

/** Source of the test, its last run, and the edit that broke it. */
const Story = ({
  test,
  broken,
}: {
  readonly test: RowOf<'conversationtest'>
  readonly broken: TestMoment | undefined
}) => {
  const { t } = useTranslation('conversationtest')
  const { t: te } = useTranslation('entity/conversationtest')
  const author = useName('user', test.created_by ?? undefined)
  const last = test.last as LastRun | null
  const [breaker] = broken?.authors ?? []
  const person = typeof breaker?.name === 'string' ? breaker.name : breaker?.username
  const from = te(`field.source.option.${test.source as 'written'}`)
  const parts = [
    t('made', { from, day: dayOf(test.created_at), person: author ?? '' }),
    last === null ? t('neverran') : t('lastran', { ago: agoOf(last.time) }),
    ...(broken?.flow == null || typeof person !== 'string'
      ? []
      : [t('brokenby', { person, flow: broken.flow.name, revision: broken.flow.revision })]),
  ]
  return (
    <Text textStyle="secondary" color="fg.muted" mt="0.5">
      {parts.join(' · ')}
    </Text>
  )
}

/** Writes what came into the test, as an edit of it: all of it, or the words alone where that is something else. */
const useAccept = (test: RowOf<'conversationtest'>, outcome: Outcome | undefined) => {
  const { t } = useTranslation('conversationtest')
  const client = useQueryClient()
  const { can } = useSession()
  const [isBusy, setBusy] = useState(false)
  const failed = outcome === undefined || outcome.passed ? undefined : (outcome as FailedStep)
  const may = can('updateconversationtest')
  const file = failed === undefined || !may ? undefined : acceptStep(test.file, failed)
  const words = failed === undefined || !may ? undefined : acceptStep(test.file, failed, 'words')
  const accept = async (taken: string) => {
    setBusy(true)
    try {
      await http.patch('/{entity}/{id}', {
        params: { entity: 'conversationtest', id: test.id },
        body: { file: taken },
        revision: test.revision,
      })
      notice.toast(t('accepted'), { tone: 'positive' })
    } catch (error) {
      const words =
        isProblem(error, 409) || isProblem(error, 412) ? t('changedsince') : failureOf(error, t('notaccepted'))
      notice.toast(words, { tone: 'danger' })
    }
    await client.invalidateQueries({ queryKey: ['conversationtest'] })
    setBusy(false)
  }
  return {
    onAccept: file === undefined ? undefined : () => void accept(file),
    onAcceptWords: words === undefined || words === file ? undefined : () => void accept(words),
    isBusy,
  }
}

const MoreActions = ({ bot, test, onClose }: Pick<PaneProps, 'bot' | 'test' | 'onClose'>) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const navigate = useNavigate()
  const { remove, failed } = useEntityCommand(conversationtest)
  if (!can('deleteconversationtest')) return null
  return (
    <ActionMenu
      label={t('menu')}
      align="end"
      actions={[
        {
          id: 'history',
          label: t('history'),
          run: () => void navigate(formAddress(`/conversationtest/${test.id}`, { bot, history: true })),
        },
        {
          id: 'remove',
          label: t('remove'),
          icon: Trash2,
          danger: true,
          run: () => void remove(test).then(onClose, failed),
        },
      ]}
    >
      <IconButton icon={Ellipsis} label={t('menu')} size="sm" />
    </ActionMenu>
  )
}

interface ActionsProps extends Omit<PaneProps, 'columns'> {
  readonly broken: TestMoment | undefined
}

const Actions = ({ bot, test, outcome, broken, isRunning, onRun, onClose }: ActionsProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const shown = outcome?.at ?? outcome?.path.at(-1)
  const edit = formAddress(`/conversationtest/${test.id}`, { bot })
  return (
    <HStack gap="2" flexWrap="wrap" mt="2.5">
      {can('runconversationtest') ? (
        <Button size="sm" loading={isRunning} onClick={onRun}>
          <Play size={14} aria-hidden="true" />
          {t('run')}
        </Button>
      ) : null}
      {shown === undefined ? null : (
        <Button size="sm" asChild>
          <Link to={flowAddress('dialog', shown.dialog, { bot, block: shown.block })}>
            <Waypoints size={14} aria-hidden="true" />
            {t('seeflow')}
          </Link>
        </Button>
      )}
      {broken?.flow == null ? null : (
        <Button size="sm" asChild>
          <Link to={flowAddress(broken.flow.kind, broken.flow.id, { bot, at: broken.flow.revision })}>
            <History size={14} aria-hidden="true" />
            {t('changedin', { revision: broken.flow.revision })}
          </Link>
        </Button>
      )}
      <Button size="sm" asChild>
        <Link to={edit}>
          <FilePenLine size={14} aria-hidden="true" />
          {t(can('updateconversationtest') ? 'edit' : 'open')}
        </Link>
      </Button>
      <MoreActions bot={bot} test={test} onClose={onClose} />
    </HStack>
  )
}

/** One test: whether it holds, since when it does not, and its steps. */
export const TestPane = (props: PaneProps) => {
  const { bot, test, outcome, columns } = props
  const { t } = useTranslation('conversationtest')
  const accepting = useAccept(test, outcome)
  const [shown, setShown] = useState<'steps' | 'values'>('steps')
  const broken = outcome === undefined || outcome.passed ? undefined : brokenAt(columns, test.id)
  return (
    <Box
      as="section"
      aria-label={test.name}
      borderWidth="1px"
      borderRadius="lg"
      bg="bg"
      overflow="hidden"
      position={{ lg: 'sticky' }}
      top="0"
    >
      <Box px="4" py="3" borderBottomWidth="1px" bg="bg.surface">
        <Flex gap="2.5" align="center" flexWrap="wrap">
          <Text as="h2" textStyle="title" overflowWrap="anywhere">
            {test.name}
          </Text>
          <Verdict outcome={outcome} broken={broken} />
        </Flex>
        <Story test={test} broken={broken} />
        {test.description ? (
          <Text textStyle="dense" mt="1.5">
            {test.description}
          </Text>
        ) : null}
        <Actions {...props} broken={broken} />
        <Box mt="2.5">
          <Segments<'steps' | 'values'>
            label={t('shown')}
            value={shown}
            options={[
              { value: 'steps', label: t('conversation') },
              { value: 'values', label: t('values') },
            ]}
            onChange={setShown}
          />
        </Box>
      </Box>
      <Box
        p={{ base: '2', sm: '4' }}
        maxH={{ lg: 'calc(100dvh - 300px)' }}
        overflowY="auto"
        tabIndex={0}
        role="group"
        aria-label={t(shown === 'steps' ? 'steps' : 'values')}
      >
        {shown === 'steps' ? (
          <TestSteps steps={stepsOf(test.file)} outcome={outcome} {...accepting} />
        ) : (
          <TestValues bot={bot} test={test.id} outcome={outcome} columns={columns} />
        )}
      </Box>
    </Box>
  )
}
