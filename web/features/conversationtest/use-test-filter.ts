import type { Row } from '#web/entity/entity-query.ts'
import { useAddress } from '#web/page/use-address.ts'
import type { Outcome } from './test-query.ts'

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
export const beginnings = (outcomes: readonly Outcome[]): ReadonlyMap<string, string> =>
  new Map(outcomes.flatMap(({ id, path: [first] }) => (first === undefined ? [] : [[id, first.dialog]])))

/** The tests that a filter leaves. */
export const filteredTests = (
  tests: readonly Row[],
  outcomes: readonly Outcome[],
  { only, search, dialog }: Pick<ReturnType<typeof useTestFilter>, 'only' | 'search' | 'dialog'>,
): readonly Row[] => {
  const failing = new Set(outcomes.flatMap(({ id, passed }) => (passed ? [] : [id])))
  const begins = beginnings(outcomes)
  const wanted = folded(search.trim())
  return tests.filter(
    ({ id, name }) =>
      (only === undefined || failing.has(id)) &&
      (dialog === '' || begins.get(id) === dialog) &&
      folded(String(name)).includes(wanted),
  )
}
