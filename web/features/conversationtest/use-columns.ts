import { useQueries, useQuery } from '@tanstack/react-query'
import type { Column } from './test-matrix.tsx'
import { momentsQuery, type Outcome, runQuery, type TestMoment } from './test-query.ts'

const byTest = (outcomes: readonly Outcome[]): ReadonlyMap<string, Outcome> =>
  new Map(outcomes.map(outcome => [outcome.id, outcome]))

const DRAFT: TestMoment = { at: 'draft', time: null, flow: null, authors: [] }

/** The matrix column by column: the draft first, then, one after another, what came before it. */
export const useColumns = (bot: string, hasTests: boolean) => {
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
