import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { readAll } from '#web/entity/read-all.ts'
import { useAddress } from '#web/page/use-address.ts'

export type TestRun = AnswerOf<'POST /bot/{id}/tests'>
export type Outcome = TestRun['outcomes'][number]
export type LinkedOutput = TestRun['outputs'][number]
export type TestMoment = AnswerOf<'GET /bot/{id}/tests'>['items'][number]
type RunRequest = NonNullable<BodyOf<'POST /bot/{id}/tests'>>

const ENTITY = 'conversationtest'

/** Result of the last stored run. */
export interface LastRun {
  readonly passed: boolean
  readonly time: string
  readonly step?: number
  readonly ms: number
}

export const testsQuery = (bot: string) =>
  queryOptions({
    queryKey: [ENTITY, 'list', { bot, all: true }],
    queryFn: ({ signal }) => readAll(ENTITY, { bot, sort: 'name' }, signal),
  })

/** Edits of these dialogs and handlers, newest first. */
export const momentsQuery = (bot: string, flows: readonly string[]) =>
  queryOptions({
    queryKey: [ENTITY, 'moments', bot, flows],
    queryFn: async () =>
      (await http.get('/bot/{id}/tests', { params: { id: bot }, query: { flows: flows.join(',') } })).items,
    placeholderData: before => before,
  })

/** Tests as they come out now, without that anything is stored. */
export const runQuery = (bot: string, asked: RunRequest) =>
  queryOptions({
    queryKey: [ENTITY, 'run', bot, asked],
    queryFn: ({ signal }) => http.post('/bot/{id}/tests', { params: { id: bot }, body: asked, signal }),
    placeholderData: before => before,
    // A failed request of a run is not retried.
    retry: false,
  })

/** The page of a bot's tests, with one of them open. */
export const testAddress = (bot: string, test?: string): string =>
  `/bot/conversationtest/${bot}${test === undefined ? '' : `?open=${test}`}`

/** Which tests are listed and which one is open, in the address. */
export const useTestFilter = () => {
  const { params, put, addressOf } = useAddress()
  return {
    open: params.get('open') ?? undefined,
    only: params.get('only') === 'failed' ? ('failed' as const) : undefined,
    search: params.get('search') ?? '',
    dialog: params.get('dialog') ?? '',
    put,
    addressOf: (id: string) => addressOf({ open: id }),
  }
}

const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase()

/** The dialog that each test begins in, by test. */
export const startDialogs = (outcomes: readonly Outcome[]): ReadonlyMap<string, string> =>
  new Map(outcomes.flatMap(({ id, path: [first] }) => (first === undefined ? [] : [[id, first.dialog]])))

/** The tests that a filter leaves. */
export const filteredTests = (
  tests: readonly RowOf<'conversationtest'>[],
  outcomes: readonly Outcome[],
  { only, search, dialog }: Pick<ReturnType<typeof useTestFilter>, 'only' | 'search' | 'dialog'>,
): readonly RowOf<'conversationtest'>[] => {
  const failing = new Set(outcomes.flatMap(({ id, passed }) => (passed ? [] : [id])))
  const begins = startDialogs(outcomes)
  const wanted = folded(search.trim())
  return tests.filter(
    ({ id, name }) =>
      (only === undefined || failing.has(id)) &&
      (dialog === '' || begins.get(id) === dialog) &&
      folded(String(name)).includes(wanted),
  )
}
