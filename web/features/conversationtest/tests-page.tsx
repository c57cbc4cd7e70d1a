import { Box, Button, Grid, HStack, Progress, Text } from '@chakra-ui/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { ArrowLeft, FileUp, FlaskConical, Lock, Play, Plus, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine } from '#web/components/error-line.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTexts } from '#web/entity/label.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { FailedRead } from '#web/page/failed-read.tsx'
import { Page } from '#web/page/page.tsx'
import { OutputsSection } from './outputs-section.tsx'
import { type Column, TestMatrix } from './test-matrix.tsx'
import { TestPane } from './test-pane.tsx'
import { momentsQuery, type Outcome, runQuery, type TestMoment, testsQuery } from './test-query.ts'
import { useRunAll } from './use-run-all.ts'

const ImportTests = lazy(async () => ({ default: (await import('./import-tests.tsx')).ImportTests }))

const byTest = (outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> =>
  new Map(outcomes.map(outcome => [outcome.id, outcome]))

const DRAFT: TestMoment = { at: 'draft', time: null, flow: null, authors: [] }

/** The matrix column by column: the draft first, then, one after another, what came before it. */
const useColumns = (bot: string, hasTests: boolean) => {
  const draft = useQuery({ ...runQuery(bot, {}), enabled: hasTests })
  const moments = useQuery({ ...momentsQuery(bot), enabled: hasTests })
  const [newest = DRAFT, ...earlier] = moments.data ?? []
  const runs = useQueries({
    queries: earlier.map(({ at }) => ({
      ...runQuery(bot, { at: at as 'published', brief: true }),
      enabled: hasTests && draft.data !== undefined,
    })),
  })
  const column = (moment: TestMoment, outcomes: readonly Outcome[] | undefined): Column => ({
    moment,
    outcomes: outcomes && byTest(outcomes),
  })
  const before = earlier.map((moment, place) => column(moment, runs[place]?.data?.outcomes))
  return { draft, columns: [...before.reverse(), column(newest, draft.data?.outcomes)] }
}

const Held = ({ count, children }: { readonly count: number; readonly children: ReactNode }) => {
  const { t } = useTranslation('conversationtest')
  return (
    <HStack
      role="status"
      gap="3"
      px="4"
      py="3"
      mb="3"
      borderWidth="1px"
      borderColor="danger.muted"
      borderRadius="lg"
      bg="danger.subtle"
    >
      <Box p="2" borderRadius="full" bg="danger.muted" color="danger.fg" flex="none">
        <Lock size={16} aria-hidden="true" />
      </Box>
      <Box minW="0">
        <Text textStyle="card" color="danger.fg">
          {t('held', { count })}
        </Text>
        <Text textStyle="dense">{children}</Text>
      </Box>
    </HStack>
  )
}

const useFilter = () => {
  const [search, setSearch] = useSearchParams()
  const withQuery = (change: Readonly<Record<string, string>>): URLSearchParams => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    return next
  }
  return {
    open: search.get('open') ?? undefined,
    only: search.get('only') === 'failed' ? ('failed' as const) : undefined,
    put: (change: Readonly<Record<string, string>>) => setSearch(withQuery(change), { replace: true }),
    addressOf: (id: string) => `?${withQuery({ open: id })}`,
  }
}

interface BodyProps {
  readonly bot: string
  readonly tests: readonly Row[]
  readonly runAll: ReturnType<typeof useRunAll>
  readonly imports: (() => void) | undefined
}

const ListColumn = ({
  bot,
  tests,
  columns,
  draft,
  filter,
}: {
  readonly bot: string
  readonly tests: readonly Row[]
  readonly columns: readonly Column[]
  readonly draft: ReturnType<typeof useColumns>['draft']
  readonly filter: ReturnType<typeof useFilter>
}) => {
  const { t } = useTranslation('conversationtest')
  const { open, only, put, addressOf } = filter
  const outcomes = draft.data?.outcomes ?? []
  const failing = outcomes.filter(({ passed }) => !passed)
  const gating = failing.filter(outcome => outcome.gating).length
  const isFailing = new Set(failing.map(({ id }) => id))
  const shown = only === undefined ? tests : tests.filter(({ id }) => isFailing.has(id))
  return (
    <Box hideBelow={open === undefined ? undefined : 'lg'} minW="0">
      {gating === 0 ? null : (
        <Held count={gating}>
          {t('heldtext', { passed: outcomes.length - failing.length, count: outcomes.length })}
        </Held>
      )}
      {draft.error ? <ErrorLine text={t('notrun')} /> : null}
      <Box mb="3" maxW="260px">
        <ChoiceControl
          id="only"
          label={t('filter')}
          none={t('all', { count: tests.length })}
          value={only ?? ''}
          choices={[{ value: 'failed', label: t('failing', { count: failing.length }) }]}
          onChange={value => put({ only: value })}
        />
      </Box>
      <TestMatrix tests={shown} columns={columns} open={open} addressOf={addressOf} />
      <OutputsSection bot={bot} outputs={draft.data?.outputs ?? []} />
    </Box>
  )
}

const Body = ({ bot, tests, runAll, imports }: BodyProps) => {
  const { t } = useTranslation('conversationtest')
  const filter = useFilter()
  const { open, put } = filter
  const { draft, columns } = useColumns(bot, tests.length > 0)
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
      <ListColumn bot={bot} tests={tests} columns={columns} draft={draft} filter={filter} />
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

/** How far all of them are, and the way to stop. */
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
  if (bot.error) return <FailedRead error={bot.error} onRetry={() => void bot.refetch()} />
  const rows = tests.data?.items
  const isRunning = runAll.progress !== undefined
  return (
    <Page
      title={t('title')}
      beside={rows === undefined ? null : <Text color="fg.muted">{rows.length}</Text>}
      purpose={String(bot.data?.name ?? '…')}
      actions={
        <>
          {imports === undefined ? null : (
            <Button onClick={imports}>
              <FileUp size={15} aria-hidden="true" />
              {t('import.do')}
            </Button>
          )}
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
      }
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
