import { Box, HStack, Input, InputGroup, Text } from '@chakra-ui/react'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { agoOf } from '#web/format/time.ts'
import { OutputsSection } from './outputs-section.tsx'
import { PublishBar } from './publish-bar.tsx'
import { type Column, TestMatrix } from './test-matrix.tsx'
import { startDialogs, type TestRun, type useTestFilter } from './test-query.ts'

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
      <InputGroup startElement={<Search size={15} aria-hidden="true" />} flex="1 1 180px" maxW="260px">
        <Input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={event => put({ search: event.target.value })}
        />
      </InputGroup>
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
