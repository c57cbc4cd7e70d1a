import type { EntityDeclaration } from '#schemas/entity.ts'
import { dayBounds } from '#web/format/time.ts'
import { columnsOf, defaultColumns, filterFields, filterKind, isSortable, leadColumn, optionsOf } from './list-field.ts'

/** Both ends belong to it; an empty end is open. */
interface Range {
  readonly from: string
  readonly to: string
}

const SEPARATOR = '..'
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

const isEnd = (kind: 'number' | 'time', end: string) => {
  if (kind === 'number') return NUMBER.test(end)
  return DAY.test(end) && !Number.isNaN(Date.parse(end))
}

export const rangeText = ({ from, to }: Range): string => `${from}${SEPARATOR}${to}`

/** A range of numbers (`1..5`) or of days (`2026-11-01..2026-11-30`); undefined where it is none. */
export const parseRange = (kind: 'number' | 'time', text: string): Range | undefined => {
  const [from, to, ...rest] = text.split(SEPARATOR)
  if (from === undefined || to === undefined || rest.length > 0 || from + to === '') return undefined
  return [from, to].every(end => end === '' || isEnd(kind, end)) ? { from, to } : undefined
}

export const isReversed = (kind: 'number' | 'time', { from, to }: Range): boolean => {
  if (from === '' || to === '') return false
  return kind === 'number' ? Number(from) > Number(to) : from > to
}

/** Days as the times that the API compares with. */
export const timesOf = (text: string): string => {
  const range = parseRange('time', text)
  if (range === undefined) return text
  return rangeText({
    from: range.from === '' ? '' : dayBounds(range.from).first,
    to: range.to === '' ? '' : dayBounds(range.to).last,
  })
}

export interface ListState {
  readonly search: string
  /** `field`, `-field`, or empty: newest first. */
  readonly sort: string
  readonly page: number
  readonly size: number
  /** A matrix where the page offers one. */
  readonly view: 'table' | 'cards' | 'matrix'
  readonly removed: boolean
  readonly filter: Readonly<Record<string, string>>
  /** Names of the columns in their order; empty: those of the declaration. */
  readonly columns: readonly string[]
}

export const SIZES = [25, 50, 100] as const
export const INITIAL_STATE: ListState = {
  search: '',
  sort: '',
  page: 1,
  size: 25,
  view: 'table',
  removed: false,
  filter: {},
  columns: [],
}

const VIEWS: readonly ListState['view'][] = ['table', 'cards', 'matrix']

const whole = (text: string | null, fallback: number) =>
  text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : fallback

const isFilterValue = (entity: EntityDeclaration, name: string, value: string): boolean => {
  const kind = filterKind(entity, name)
  if (kind === 'option') return optionsOf(entity, name).includes(value)
  if (kind === 'number' || kind === 'time') return parseRange(kind, value) !== undefined
  return value !== ''
}

const sameColumns = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name, at) => name === b[at])

/** Known columns once each, the lead column among them; empty where they are the declared ones. */
export const chosenColumns = (entity: EntityDeclaration, names: readonly string[]): readonly string[] => {
  const known = new Set(columnsOf(entity).map(({ field }) => field))
  const chosen = [...new Set(names)].filter(name => known.has(name))
  if (chosen.length === 0) return []
  const lead = leadColumn(entity)
  const complete = lead === undefined || chosen.includes(lead) ? chosen : [lead, ...chosen]
  return sameColumns(complete, defaultColumns(entity)) ? [] : complete
}

/** List state of an address; invalid values fall back. */
export const readListState = (search: URLSearchParams, entity: EntityDeclaration): ListState => {
  const size = whole(search.get('size'), INITIAL_STATE.size)
  const sort = search.get('sort') ?? ''
  const filter = filterFields(entity).flatMap(name => {
    const value = search.get(name)
    return value === null || !isFilterValue(entity, name, value) ? [] : [[name, value]]
  })
  return {
    search: search.get('search') ?? '',
    sort: isSortable(entity, sort.replace(/^-/, '')) ? sort : '',
    page: whole(search.get('page'), 1),
    size: SIZES.some(one => one === size) ? size : INITIAL_STATE.size,
    view: VIEWS.find(view => view === search.get('view')) ?? INITIAL_STATE.view,
    removed: search.get('removed') === 'true',
    filter: Object.fromEntries(filter),
    columns: chosenColumns(entity, (search.get('columns') ?? '').split(',')),
  }
}

/** The address of a state: only what differs from the initial one, keeping what is not the list's own. */
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
  put('size', String(state.size), String(INITIAL_STATE.size))
  put('view', state.view, INITIAL_STATE.view)
  put('removed', String(state.removed), 'false')
  put('columns', state.columns.join(','), '')
  for (const name of filterFields(entity)) put(name, state.filter[name] ?? '', '')
  return next
}

/** The address of an entity's list that is filtered by these fields. */
export const listAddress = (entity: EntityDeclaration, filter: Readonly<Record<string, string>>): string =>
  `/${entity.name}/search?${writeListState({ ...INITIAL_STATE, filter }, new URLSearchParams(), entity)}`

/** Any change but of the page, the columns or the view begins at the first page again. */
export const changed = (state: ListState, change: Partial<ListState>): ListState => {
  const keepsRows = Object.keys(change).every(name => name === 'columns' || name === 'view')
  return { ...state, page: keepsRows ? state.page : 1, ...change }
}

/** A header's click: ascending, descending, newest first. */
export const nextSort = (sort: string, field: string): string =>
  sort === field ? `-${field}` : sort === `-${field}` ? '' : field

/** The filter alone in API terms, for exports and bulk commands. */
export const listFilterParams = (
  entity: EntityDeclaration,
  state: ListState,
  fixed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const filter = Object.entries(state.filter).map(([name, value]) => [
    name,
    filterKind(entity, name) === 'time' ? timesOf(value) : value,
  ])
  return {
    ...Object.fromEntries(filter),
    ...fixed,
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.removed ? { removed: 'true' } : {}),
  }
}

export const listParams = (
  entity: EntityDeclaration,
  state: ListState,
  fixed: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number>> => ({
  ...listFilterParams(entity, state, fixed),
  sort: state.sort,
  page: state.page,
  size: state.size,
})

/** A state of a list under a name. `query` is its address without the page. */
export interface SavedView {
  readonly id: string
  readonly name: string
  readonly query: string
}

export interface SavedViews {
  readonly views: readonly SavedView[]
  /** The view that a list opens with. */
  readonly defaultId: string | null
}

const NO_VIEWS: SavedViews = { views: [], defaultId: null }
export const MAX_VIEWS = 50
export const MAX_VIEW_NAME = 80

const isView = (value: unknown): value is SavedView => {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, query } = value as Record<string, unknown>
  return typeof id === 'string' && typeof name === 'string' && typeof query === 'string'
}

export const parseViews = (text: string | null): SavedViews => {
  try {
    const { views, defaultId } = JSON.parse(text ?? '{}') as Record<string, unknown>
    if (!Array.isArray(views)) return NO_VIEWS
    const valid = views.filter(isView).slice(0, MAX_VIEWS)
    return { views: valid, defaultId: valid.find(({ id }) => id === defaultId)?.id ?? null }
  } catch {
    return NO_VIEWS
  }
}

/** Under a name that exists, that view takes the new state. */
export const saveView = (saved: SavedViews, view: SavedView): SavedViews => {
  const same = saved.views.find(({ name }) => name === view.name)
  const views = same
    ? saved.views.map(one => (one === same ? { ...one, query: view.query } : one))
    : [...saved.views, view]
  return { ...saved, views }
}

export const renameView = (saved: SavedViews, id: string, name: string): SavedViews => ({
  ...saved,
  views: saved.views.map(view => (view.id === id ? { ...view, name } : view)),
})

export const removeView = (saved: SavedViews, id: string): SavedViews => ({
  views: saved.views.filter(view => view.id !== id),
  defaultId: saved.defaultId === id ? null : saved.defaultId,
})
