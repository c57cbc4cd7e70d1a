import type { EntityDeclaration } from '#schemas/entity.ts'

export interface ListState {
  readonly search: string
  /** `field`, `-field`, or empty: newest first. */
  readonly sort: string
  readonly page: number
  readonly size: number
  readonly view: 'table' | 'cards'
  readonly removed: boolean
  readonly filter: Readonly<Record<string, string>>
}

export const SIZES = [25, 50, 100] as const
const FIRST: ListState = { search: '', sort: '', page: 1, size: 25, view: 'table', removed: false, filter: {} }

/** Fields that a chip can narrow the list by. */
export const filterFields = (entity: EntityDeclaration): readonly string[] =>
  Object.entries(entity.fields)
    .filter(([, field]) => (field.kind === 'enumeration' || field.kind === 'boolean') && !field.secret)
    .filter(([name]) => entity.list.columns.some(column => column.field === name))
    .map(([name]) => name)

const whole = (text: string | null, fallback: number) =>
  text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : fallback

/** What an address says about a list; nonsense falls back. */
export const readListState = (search: URLSearchParams, entity: EntityDeclaration): ListState => {
  const size = whole(search.get('size'), FIRST.size)
  const filter = filterFields(entity).flatMap(name => {
    const value = search.get(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    search: search.get('search') ?? '',
    sort: search.get('sort') ?? '',
    page: whole(search.get('page'), 1),
    size: SIZES.some(one => one === size) ? size : FIRST.size,
    view: search.get('view') === 'cards' ? 'cards' : 'table',
    removed: search.get('removed') === 'true',
    filter: Object.fromEntries(filter),
  }
}

/** The address of a state: only what differs from the first one, keeping what is not the list's own. */
export const writeListState = (
  state: ListState,
  before: URLSearchParams,
  entity: EntityDeclaration,
): URLSearchParams => {
  const next = new URLSearchParams(before)
  const put = (name: string, value: string, usual: string) => {
    if (value === usual) next.delete(name)
    else next.set(name, value)
  }
  put('search', state.search, '')
  put('sort', state.sort, '')
  put('page', String(state.page), '1')
  put('size', String(state.size), String(FIRST.size))
  put('view', state.view, FIRST.view)
  put('removed', String(state.removed), 'false')
  for (const name of filterFields(entity)) put(name, state.filter[name] ?? '', '')
  return next
}

/** The address of an entity's list that is narrowed by fields which the list shows as filters. */
export const listAddress = (entity: EntityDeclaration, filter: Readonly<Record<string, string>>): string =>
  `/${entity.name}/search?${writeListState({ ...FIRST, filter }, new URLSearchParams(), entity)}`

/** Any change but of the page begins at the first page again. */
export const changed = (state: ListState, change: Partial<ListState>): ListState => ({ ...state, page: 1, ...change })

/** A header's click: ascending, descending, newest first. */
export const nextSort = (sort: string, field: string): string =>
  sort === field ? `-${field}` : sort === `-${field}` ? '' : field

/** What the API is asked. */
export const listParams = (state: ListState, fixed: Readonly<Record<string, string>>) => ({
  ...fixed,
  ...state.filter,
  search: state.search,
  sort: state.sort,
  page: state.page,
  size: state.size,
  ...(state.removed ? { removed: true } : {}),
})
