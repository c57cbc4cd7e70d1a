import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import type { Column } from './test-matrix.tsx'
import { momentsQuery, type Outcome, runQuery, type TestMoment, type TestRun } from './test-query.ts'

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
export const useColumns = (bot: string, draft: UseQueryResult<TestRun>, tests: ReadonlySet<string>) => {
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
