import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { http } from '#web/api/http.ts'
import { subtreeOf } from '#web/components/tree.ts'
import { assignableQuery, isAssignable, type Row, useName } from '#web/entity/entity-query.ts'
import { levelsQuery } from '#web/shell/level.ts'
import { useDebouncedValue } from '#web/timer.ts'

export interface ReferenceOption {
  readonly id: string
  readonly name: string
  readonly level: string | null
  /** Parent id, if the options have several parents. */
  readonly parent: string | null
}

const PAGE_SIZE = 25
const DEBOUNCE_MS = 200

interface OptionQuery {
  readonly to: string
  /** Values of the form: a parent among them narrows what is offered. */
  readonly within: Readonly<Record<string, string>>
  /** Excludes this row and its descendants. */
  readonly self?: string | undefined
  readonly text: string
  readonly isOpen: boolean
}

/** The parent that the form already names, as a filter. */
export const parentFilter = (
  entity: EntityDeclaration | undefined,
  within: OptionQuery['within'],
): Readonly<Record<string, string>> => {
  const parent = entity && parentField(entity)
  const id = parent === undefined ? undefined : within[parent]
  return parent === undefined || id === undefined || id === '' ? {} : { [parent]: id }
}

export const matches = (name: string, text: string) =>
  name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())

/** Returns a test for `self` and its descendants in the loaded rows; for levels in the whole tree. */
const useOwnBranch = (to: string, self: string | undefined, rows: readonly Row[]) => {
  const levels = useQuery({ ...levelsQuery, enabled: to === 'hierarchy' && self !== undefined }).data
  if (self === undefined) return () => false
  const tree = levels ?? rows.map(({ id, parent }) => ({ id, parent: typeof parent === 'string' ? parent : null }))
  const branch = subtreeOf(tree, self)
  return (id: string) => branch.has(id)
}

/** Options of a reference that match the text, in pages. */
export const useReferenceOptions = ({ to, within, self, text, isOpen }: OptionQuery) => {
  const declaration: EntityDeclaration | undefined = isEntityName(to) ? entityOf(to) : undefined
  const search = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const narrowed = parentFilter(declaration, within)
  const title = declaration?.title ?? 'name'
  const query = useInfiniteQuery({
    queryKey: [to, 'picker', narrowed, search],
    queryFn: ({ pageParam, signal }) =>
      http.get('/{entity}', {
        params: { entity: to },
        query: { ...narrowed, search, sort: title, size: PAGE_SIZE, page: pageParam },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : undefined),
    enabled: isOpen && declaration !== undefined,
    placeholderData: before => before,
    staleTime: 30_000,
  })
  const above = useQuery({ ...assignableQuery(to), enabled: isOpen && isAssignable(to) }).data?.items ?? []
  const found = query.data?.pages.flatMap(page => page.items) ?? []
  const isOwn = useOwnBranch(to, self, found)
  const rows = found.filter(({ id }) => !isOwn(id))
  const isNarrowed = Object.keys(narrowed).length > 0
  const parent = declaration === undefined || isNarrowed ? undefined : parentField(declaration)
  const own = rows.map(
    (row): ReferenceOption => ({
      id: row.id,
      name: String(row[title] ?? row.id),
      // Rows of one parent share its level.
      level: isNarrowed ? null : row.hierarchylevel,
      parent: parent === undefined ? null : String(row[parent] ?? ''),
    }),
  )
  const others = above.filter(({ id, name }) => matches(name, search) && !own.some(option => option.id === id))
  return {
    options: [...own, ...others.map(({ id, name }): ReferenceOption => ({ id, name, level: null, parent: null }))],
    total: (query.data?.pages[0]?.total ?? 0) - (found.length - rows.length) + others.length,
    isSettled: search === text.trim() && !query.isFetching,
    isFailed: query.isError,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
  }
}

/** Distinguishes options of the same name: by parent, else by level. */
export const useOptionContext = (to: string, { level, parent }: ReferenceOption): string => {
  const declaration: EntityDeclaration | undefined = isEntityName(to) ? entityOf(to) : undefined
  const kind = declaration === undefined ? undefined : parentField(declaration)
  const levels = useQuery(levelsQuery).data
  const named = useName(kind ?? '', parent)
  const levelName = levels?.find(({ id }) => id === level)?.name ?? ''
  return [named, levelName].filter(part => typeof part === 'string' && part !== '').join(' · ')
}
