import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { ChevronDown, CircleCheck, Lock, Upload } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { overviewQuery } from '#web/features/bot/index.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { agoOf } from '#web/format/time.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { OutputsSection } from './outputs-section.tsx'
import { type PublishChoice, publishChoices } from './publish-choices.ts'
import { type Column, TestMatrix } from './test-matrix.tsx'
import { startDialogs, type TestRun, type useTestFilter } from './test-query.ts'

const PublishEntity = lazyPart(async () => (await import('#web/features/publish/index.ts')).PublishEntity)

interface ButtonProps {
  readonly held: boolean
  readonly choices: readonly PublishChoice[]
  onChoose(choice: PublishChoice): void
}

/** Publishes pending changes; with several choices, the user selects one first. */
const PublishButton = ({ held, choices, onChoose }: ButtonProps) => {
  const { t } = useTranslation('conversationtest')
  const [first] = choices
  if (first === undefined) return null
  const text = t(held ? 'untested.anyway.publish' : 'bar.publish')
  const look = held ? ({ variant: 'ghost', colorPalette: 'accent', color: 'accent.fg' } as const) : {}
  if (choices.length === 1)
    return (
      <Button {...look} onClick={() => onChoose(first)}>
        <Upload size={15} aria-hidden="true" />
        {text}
      </Button>
    )
  return (
    <ActionMenu
      label={t('bar.what')}
      actions={choices.map(choice => ({
        id: `${choice.entity} ${choice.id}`,
        label: choice.entity === 'dialogtask' ? t('bar.task', { ...choice }) : choice.name,
        run: () => onChoose(choice),
      }))}
    >
      <Button {...look}>
        <Upload size={15} aria-hidden="true" />
        {text}
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
    </ActionMenu>
  )
}

const LOOK = {
  held: { icon: Lock, border: 'danger.muted', bg: 'danger.subtle', disc: 'danger.muted', fg: 'danger.fg' },
  free: {
    icon: CircleCheck,
    border: 'positive.muted',
    bg: 'positive.subtle',
    disc: 'positive.muted',
    fg: 'positive.fg',
  },
  live: { icon: CircleCheck, border: 'border', bg: 'bg.surface', disc: 'bg.sunken', fg: 'fg' },
} as const

interface LineProps {
  readonly look: keyof typeof LOOK
  readonly title: string
  readonly text: ReactNode
  readonly children: ReactNode
}

const Line = ({ look, title, text, children }: LineProps) => {
  const { icon: Icon, border, bg, disc, fg } = LOOK[look]
  return (
    <HStack
      gap="3"
      rowGap="1"
      px="4"
      py="3"
      mb="3"
      borderWidth="1px"
      borderColor={border}
      borderRadius="lg"
      bg={bg}
      flexWrap="wrap"
    >
      <Box p="2" borderRadius="full" bg={disc} color={fg} flex="none">
        <Icon size={16} aria-hidden="true" />
      </Box>
      <Box role="status" minW="0" flex="1 1 200px">
        <Text textStyle="card" color={fg}>
          {title}
        </Text>
        <Text textStyle="dense">{text}</Text>
      </Box>
      {children}
    </HStack>
  )
}

interface BarProps {
  readonly bot: string
  /** Tests that fail and hold publishing back. */
  readonly gating: number
  /** Passed tests, and authors of the drafts. */
  readonly text: string
}

/** Whether what is drawn of a bot may go live, with the reasons of the tests, and the way to publish it. */
const PublishBar = ({ bot, gating, text }: BarProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const [chosen, setChosen] = useState<PublishChoice>()
  const overview = useQuery(overviewQuery(bot)).data
  const isHeld = gating > 0
  const permitted = overview === undefined ? [] : publishChoices(overview, can)
  const choices = isHeld ? permitted.filter(({ entity }) => can(`publishuntested${entity}`)) : permitted
  const waiting = overview?.pending.total ?? 0
  const who = isHeld && permitted.length > 0 && choices.length === 0 ? ` ${t('untested.maynot.publish')}` : ''
  if (!isHeld && overview === undefined) return null
  return (
    <>
      <Line
        look={isHeld ? 'held' : waiting > 0 ? 'free' : 'live'}
        title={isHeld ? t('held', { count: gating }) : waiting > 0 ? t('bar.free', { count: waiting }) : t('bar.live')}
        text={`${text}${who}`}
      >
        <Box ms={{ base: '8', sm: '0' }}>
          <PublishButton held={isHeld} choices={choices} onChoose={setChosen} />
        </Box>
      </Line>
      {chosen === undefined ? null : (
        <Suspense fallback={null}>
          <PublishEntity entity={chosen.entity} id={chosen.id} bot={bot} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type Draft = UseQueryResult<TestRun>
type Words = ReturnType<typeof useTranslation<'conversationtest'>>['t']

interface ListProps {
  readonly bot: string
  readonly tests: readonly RowOf<'conversationtest'>[]
  /** Those of the tests that the filter leaves. */
  readonly shown: readonly RowOf<'conversationtest'>[]
  readonly columns: readonly Column[]
  readonly draft: Draft
  readonly filter: ReturnType<typeof useTestFilter>
}

/** Names of the last authors, for display. */
const namesOf = (authors: Column['moment']['authors']): readonly string[] =>
  authors.flatMap(({ name, username }) =>
    typeof name === 'string' ? [name] : typeof username === 'string' ? [username] : [],
  )

/** Number of passed tests and dialogs with failures; the revision only if all tests run in one dialog. */
const heldText = (
  t: Words,
  given: {
    readonly passed: number
    readonly count: number
    readonly failsIn: readonly string[]
    readonly dialogs: number
    readonly moment: Column['moment'] | undefined
  },
): string => {
  const { passed, count, failsIn, dialogs, moment } = given
  if (failsIn.length > 0) return t('failsin', { passed, count, dialogs: failsIn.join(', ') })
  const people = namesOf(moment?.authors ?? []).join(', ')
  if (dialogs !== 1 || moment?.flow == null || people === '') return t('heldtext', { passed, count })
  return t('heldby', { passed, count, flow: moment.flow.name, revision: moment.flow.revision, people })
}

/** Dialogs, each once, with their names. */
const useDialogs = (dialogs: readonly string[]) => {
  const ids = [...new Set(dialogs)]
  const rows = useQueries({ queries: ids.map(id => detailQuery('dialog', id)) })
  return ids.map((id, place) => ({ value: id, label: String(rows[place]?.data?.name ?? '…') }))
}

const Filters = ({
  tests,
  filter,
  draft,
  dialogs,
  failing,
}: Pick<ListProps, 'tests' | 'filter' | 'draft'> & {
  readonly dialogs: ReturnType<typeof useDialogs>
  readonly failing: number
}) => {
  const { t } = useTranslation('conversationtest')
  const { only, search, dialog, put } = filter
  return (
    <HStack mb="3" gap="2" flexWrap="wrap">
      <SearchField
        label={t('search')}
        value={search}
        onChange={text => put({ search: text })}
        flex="1 1 180px"
        maxW="260px"
      />
      {dialogs.length < 2 ? null : (
        <Box flex="0 1 180px" minW="140px">
          <ChoiceControl
            id="dialog"
            label={t('begins')}
            none={t('alldialogs')}
            value={dialog}
            choices={dialogs}
            onChange={value => put({ dialog: value })}
          />
        </Box>
      )}
      <Box flex="0 1 160px" minW="130px">
        <ChoiceControl
          id="only"
          label={t('filter')}
          none={t('all', { count: tests.length })}
          value={only ?? ''}
          choices={[{ value: 'failed', label: t('failing', { count: failing }) }]}
          onChange={value => put({ only: value })}
        />
      </Box>
      {draft.data === undefined ? null : (
        <Text ms="auto" textStyle="secondary" color="fg.muted" title={t('lastrun')}>
          {agoOf(new Date(draft.dataUpdatedAt).toISOString())}
        </Text>
      )}
    </HStack>
  )
}

/** The tests that are looked for, by what they came to with each drawing, and the outputs that they take. */
export const TestsList = ({ bot, tests, shown, columns, draft, filter }: ListProps) => {
  const { t } = useTranslation('conversationtest')
  const { open, addressOf } = filter
  const outcomes = draft.data?.outcomes ?? []
  const failing = outcomes.filter(({ passed }) => !passed)
  const gating = failing.filter(outcome => outcome.gating).length
  const begins = startDialogs(outcomes)
  const dialogs = useDialogs(tests.flatMap(({ id }) => begins.get(id) ?? []))
  const failsIn = useDialogs(failing.flatMap(({ at }) => at?.dialog ?? []))
  const held = {
    passed: outcomes.length - failing.length,
    count: outcomes.length,
    failsIn: failsIn.map(({ label }) => label),
    dialogs: new Set(outcomes.flatMap(({ path }) => path.map(({ dialog }) => dialog))).size,
    moment: columns.at(-1)?.moment,
  }
  return (
    <Box hideBelow={open === undefined ? undefined : 'lg'} minW="0">
      {draft.data === undefined ? null : <PublishBar bot={bot} gating={gating} text={heldText(t, held)} />}
      {draft.error ? <ErrorLine text={t('notrun')} /> : null}
      <Filters tests={tests} filter={filter} draft={draft} dialogs={dialogs} failing={failing.length} />
      {shown.length === 0 ? (
        <Text textStyle="dense" color="fg.muted" py="6" textAlign="center">
          {t('nomatch')}
        </Text>
      ) : (
        <TestMatrix tests={shown} columns={columns} open={open} addressOf={addressOf} />
      )}
      <OutputsSection bot={bot} outputs={draft.data?.outputs ?? []} />
    </Box>
  )
}
