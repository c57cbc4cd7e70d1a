import { Box, Button, Grid, HStack, Progress, Text } from '@chakra-ui/react'
import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, FileUp, FlaskConical, MessageSquareText, Play, Plus, X } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { RowOf } from '#schemas/row.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useEntityTexts } from '#web/entity/label.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import type { Column } from './test-matrix.tsx'
import { TestPane } from './test-pane.tsx'
import {
  filteredTests,
  momentsQuery,
  type Outcome,
  runQuery,
  type TestMoment,
  type TestRun,
  testsQuery,
  useTestFilter,
} from './test-query.ts'
import { TestsList } from './tests-list.tsx'

interface RunAll {
  /** Undefined while none is run. */
  readonly progress: { readonly done: number; readonly of: number } | undefined
  run(tests: readonly RowOf<'conversationtest'>[]): Promise<void>
  stop(): void
}

/** Runs tests one after another and keeps what each came to. */
const useRunAll = (): RunAll => {
  const { t } = useTranslation('conversationtest')
  const client = useQueryClient()
  const [progress, setProgress] = useState<RunAll['progress']>()
  const isStopped = useRef(false)
  const run = async (tests: readonly RowOf<'conversationtest'>[]) => {
    isStopped.current = false
    let passed = 0
    let done = 0
    setProgress({ done, of: tests.length })
    try {
      for (const { id } of tests) {
        if (isStopped.current) break
        const answer = await http.post('/{entity}/{id}/{action}', {
          params: { entity: 'conversationtest', id, action: 'run' },
          body: {},
        })
        done += 1
        if ((answer.result as { readonly passed?: boolean } | undefined)?.passed === true) passed += 1
        setProgress({ done, of: tests.length })
      }
      const tone = passed === done ? 'positive' : 'danger'
      notice.toast(t('ran', { passed, count: done }), { tone })
    } catch (error) {
      notice.toast(failureOf(error, t('notrun')), { tone: 'danger' })
    }
    setProgress(undefined)
    await client.invalidateQueries({ queryKey: ['conversationtest'] })
  }
  return {
    progress,
    run,
    stop: () => {
      isStopped.current = true
    },
  }
}

const byTest = (outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> =>
  new Map(outcomes.map(outcome => [outcome.id, outcome]))

const DRAFT: TestMoment = { at: 'draft', time: null, flow: null, authors: [] }

/** The flows that tests ran through, sorted: the key of a query. */
const flowsOf = (outcomes: readonly Outcome[], tests: ReadonlySet<string>): readonly string[] =>
  [...new Set(outcomes.flatMap(({ id, flows }) => (tests.has(id) ? flows : [])))].toSorted()

/**
 * The matrix column by column: the draft first, then, one after another, what came before it. Only edits of flows that
 * `tests` run through make columns: edits of other flows cannot change an outcome.
 */
const useColumns = (bot: string, draft: UseQueryResult<TestRun>, tests: ReadonlySet<string>) => {
  const flows = flowsOf(draft.data?.outcomes ?? [], tests)
  const moments = useQuery({ ...momentsQuery(bot, flows), enabled: flows.length > 0 })
  const [newest = DRAFT, ...earlier] = moments.data ?? []
  const runs = useQueries({
    queries: earlier.map(({ at }) => ({
      ...runQuery(bot, { at: at as 'published', brief: true }),
      enabled: draft.data !== undefined,
    })),
  })
  const column = (moment: TestMoment, outcomes: readonly Outcome[] | undefined): Column => ({
    moment,
    outcomes: outcomes && byTest(outcomes),
  })
  const before = earlier.map((moment, place) => column(moment, runs[place]?.data?.outcomes))
  return [...before.reverse(), column(newest, draft.data?.outcomes)]
}

const ImportTests = lazyPart(async () => (await import('./import-tests.tsx')).ImportTests)

interface BodyProps {
  readonly bot: string
  readonly tests: readonly RowOf<'conversationtest'>[]
  readonly runAll: ReturnType<typeof useRunAll>
  readonly imports: (() => void) | undefined
}

const Body = ({ bot, tests, runAll, imports }: BodyProps) => {
  const { t } = useTranslation('conversationtest')
  const filter = useTestFilter()
  const { open, put } = filter
  const draft = useQuery({ ...runQuery(bot, {}), enabled: tests.length > 0 })
  const shown = filteredTests(tests, draft.data?.outcomes ?? [], filter)
  const columns = useColumns(bot, draft, new Set(open === undefined ? shown.map(({ id }) => id) : [open]))
  if (tests.length === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState icon={FlaskConical} title={t('empty')} text={t('emptytext')}>
          {imports === undefined ? null : (
            <Button onClick={imports}>
              <FileUp size={15} aria-hidden="true" />
              {t('import.do')}
            </Button>
          )}
        </EmptyState>
      </Box>
    )
  const test = tests.find(({ id }) => id === open)
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 6fr) minmax(0, 5fr)' }} gap="4" alignItems="start">
      <TestsList bot={bot} tests={tests} shown={shown} columns={columns} draft={draft} filter={filter} />
      {test === undefined ? (
        <Text hideBelow="lg" color="fg.muted" textStyle="dense" pt="16" textAlign="center">
          {t(open === undefined ? 'choose' : 'gone')}
        </Text>
      ) : (
        <Box minW="0">
          <Button hideFrom="lg" size="sm" mb="2" onClick={() => put({ open: '' })}>
            <ArrowLeft size={14} aria-hidden="true" />
            {t('alltests')}
          </Button>
          <TestPane
            key={test.id}
            bot={bot}
            test={test}
            outcome={draft.data?.outcomes.find(({ id }) => id === test.id)}
            columns={columns}
            isRunning={runAll.progress !== undefined}
            onRun={() => void runAll.run([test])}
            onClose={() => put({ open: '' })}
          />
        </Box>
      )}
    </Grid>
  )
}

const Running = ({ progress, stop }: Pick<BodyProps['runAll'], 'progress' | 'stop'>) => {
  const { t } = useTranslation('conversationtest')
  if (progress === undefined || progress.of < 2) return null
  return (
    <HStack gap="3" mb="3" role="status">
      <Progress.Root
        value={progress.done}
        max={progress.of}
        size="xs"
        flex="1"
        colorPalette="accent"
        aria-label={t('running', progress)}
      >
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
      <Text textStyle="secondary" color="fg.muted">
        {t('running', progress)}
      </Text>
      <Button size="xs" variant="ghost" onClick={stop}>
        <X size={13} aria-hidden="true" />
        {t('stop')}
      </Button>
    </HStack>
  )
}

/** To the test mode of the dialog that the bot begins with, where a run is kept as a test. */
const RecordNew = ({ bot }: { readonly bot: RowOf<'bot'> }) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const task = bot.defaultdialogtask ?? ''
  const may = can('createconversationtest') && can('updatedialog') && can('readdialogtask')
  const { data } = useQuery({ ...detailQuery('dialogtask', task), enabled: may && task !== '' })
  const dialog = data?.principaldialog
  if (!may || typeof dialog !== 'string' || dialog === '') return null
  return (
    <Button asChild>
      <Link to={flowAddress('dialog', dialog, { bot: bot.id, test: true })}>
        <MessageSquareText size={15} aria-hidden="true" />
        {t('record')}
      </Link>
    </Button>
  )
}

interface ActionsProps extends Pick<BodyProps, 'runAll' | 'imports'> {
  readonly bot: RowOf<'bot'> | undefined
  readonly id: string
  readonly rows: readonly RowOf<'conversationtest'>[] | undefined
}

const PageActions = ({ bot, id, rows, imports, runAll }: ActionsProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const isRunning = runAll.progress !== undefined
  return (
    <>
      {imports === undefined ? null : (
        <Button onClick={imports}>
          <FileUp size={15} aria-hidden="true" />
          {t('import.do')}
        </Button>
      )}
      {bot === undefined ? null : <RecordNew bot={bot} />}
      {can('createconversationtest') ? (
        <Button asChild>
          <Link to={`/conversationtest/new?pid=${id}`}>
            <Plus size={15} aria-hidden="true" />
            {t('write')}
          </Link>
        </Button>
      ) : null}
      {can('runconversationtest') && rows !== undefined && rows.length > 0 ? (
        <Button variant="solid" loading={isRunning} onClick={() => void runAll.run(rows)}>
          <Play size={15} aria-hidden="true" />
          {t('runall')}
        </Button>
      ) : null}
    </>
  )
}

/** /bot/conversationtest/{id}: the conversations of a bot as they are to go, and whether they do. */
export const TestsPage = () => {
  const { t } = useTranslation('conversationtest')
  const { id = '' } = useParams()
  useEntityTexts(['conversationtest'])
  const { can } = useSession()
  const bot = useQuery(detailQuery('bot', id))
  const tests = useQuery(testsQuery(id))
  const runAll = useRunAll()
  const [isImporting, setImporting] = useState(false)
  const mayImport = can('createconversationtest') && can('updateconversationtest')
  const imports = mayImport ? () => setImporting(true) : undefined
  if (bot.error && bot.data === undefined) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  const rows = tests.data?.items
  return (
    <Page
      title={t('title')}
      beside={rows === undefined ? null : <Text color="fg.muted">{rows.length}</Text>}
      purpose={String(bot.data?.name ?? '…')}
      actions={<PageActions bot={bot.data} id={id} rows={rows} imports={imports} runAll={runAll} />}
    >
      <Running {...runAll} />
      {tests.error && rows === undefined ? (
        <ErrorState error={tests.error} onRetry={() => void tests.refetch()} />
      ) : rows === undefined ? (
        <RowsSkeleton rows={5} />
      ) : (
        <Body key={id} bot={id} tests={rows} runAll={runAll} imports={imports} />
      )}
      {isImporting ? (
        <Suspense fallback={null}>
          <ImportTests bot={id} onClose={() => setImporting(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}
