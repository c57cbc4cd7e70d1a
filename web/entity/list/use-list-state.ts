import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { entityAddress, listAddress, parentQuery, sectionAddress } from '#domain/place.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle, singleId } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { useAddress, useIsLeaving } from '#web/page/use-address.ts'
import { LIST, VIEWS } from '#web/shell/storage-keys.ts'
import type { Row } from '../entity-query.ts'
import {
  changed,
  INITIAL_STATE,
  type ListState,
  parseViews,
  readListState,
  type SavedViews,
  writeListState,
} from './list-state.ts'

export interface ListPlace {
  readonly entity: EntityDeclaration
  /** The thing that the address names: of a single one without an id in the address, its own. */
  readonly id: string | undefined
  /** Limits the list to the parent in the address. */
  readonly fixed: Readonly<Record<string, string>>
  /** The thing whose tab the list is. */
  readonly tabOf?: { readonly entity: string; readonly id: string }
  /** Address of the list. */
  readonly listAt: string
  /** Address for a new row. */
  readonly newAt: string
  formAt(id: string): string
}

const withBotColumn = new Map<string, EntityDeclaration>()

/** The declaration with a column of the bot: for lists of all bots. */
const acrossBots = (entity: EntityDeclaration): EntityDeclaration => {
  const known = withBotColumn.get(entity.name)
  if (known !== undefined) return known
  const [lead, ...others] = entity.list.columns.filter(({ field }) => field !== 'bot')
  const columns = [...(lead === undefined ? [] : [lead]), { field: 'bot', as: 'reference' as const }, ...others]
  const made = { ...entity, list: { ...entity.list, columns } }
  withBotColumn.set(entity.name, made)
  return made
}

/** The entity that an address lists or shows in a form, its parent, and related addresses. */
export const useListPlace = (): ListPlace | undefined => {
  const { pathname, search } = useLocation()
  const address = entityAddress(ENTITY_PLACES, pathname, search)
  if (address === undefined || address.entity.place.hidden || !isEntityName(address.entity.name)) return undefined
  const { entity: placed, within, section } = address
  const declared = entityOf(address.entity.name)
  const isAcrossBots = placed.place.bot !== undefined && within === undefined && 'bot' in declared.fields
  const entity = isAcrossBots ? acrossBots(declared) : declared
  const fixed = within !== undefined && within.entity in entity.fields ? { [within.entity]: within.id } : {}
  const listAt = (within && sectionAddress(placed, within.id)) ?? listAddress(placed)
  // A settings section of a bot has its forms below it.
  const base = section && pathname.startsWith('/bot/settings/') ? listAt : `/${entity.name}`
  const query = base === listAt || within === undefined ? '' : parentQuery(within)
  return {
    entity,
    id: address.id ?? (isSingle(entity) ? singleId(entity.name, within?.id ?? null) : undefined),
    fixed,
    ...(section && within !== undefined && placed.tab !== undefined ? { tabOf: within } : {}),
    listAt,
    newAt: `${base}/new${query}`,
    formAt: id => `${base}/${id}${query}`,
  }
}

const NO_QUERY = new URLSearchParams()

export interface ListControl {
  readonly state: ListState
  readonly saved: SavedViews
  set(change: Partial<ListState>): void
  /** Replaces the whole state by that of a saved view. */
  open(query: string): void
  /** The state as a saved view keeps it. */
  readonly query: string
  save(saved: SavedViews): void
}

/** Views that a person saved under names, in this browser. */
export const useSavedViews = (of: string): Pick<ListControl, 'saved' | 'save'> => {
  const { user } = useSession()
  const key = `${VIEWS}${user.id}.${of}`
  const [saved, setSaved] = useState(() => parseViews(localStorage.getItem(key)))
  return {
    saved,
    save: next => {
      localStorage.setItem(key, JSON.stringify(next))
      setSaved(next)
    },
  }
}

/** The state of a list: in the address, remembered for this person, and under the names of saved views. */
export const useListState = ({ entity }: ListPlace): ListControl => {
  const { user } = useSession()
  const { params, replace } = useAddress()
  const isLeaving = useIsLeaving()
  const key = `${LIST}${user.id}.${entity.name}`
  const { saved, save } = useSavedViews(entity.name)
  const state = readListState(params, entity)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address contains no state
  useEffect(() => {
    const bare = writeListState(INITIAL_STATE, params, entity).toString()
    const opened = saved.views.find(({ id }) => id === saved.defaultId)?.query ?? localStorage.getItem(key)
    if (opened === null || bare !== params.toString() || isLeaving()) return
    const kept = readListState(new URLSearchParams(opened), entity)
    replace(before => writeListState(kept, before, entity))
  }, [entity.name])
  const show = (next: (before: ListState) => ListState) =>
    replace(before => {
      const state = next(readListState(before, entity))
      localStorage.setItem(key, writeListState(state, NO_QUERY, entity).toString())
      return writeListState(state, before, entity)
    })
  return {
    state,
    saved,
    set: change => show(before => changed(before, change)),
    open: query => show(() => readListState(new URLSearchParams(query), entity)),
    query: writeListState({ ...state, page: 1 }, NO_QUERY, entity).toString(),
    save,
  }
}

/** Rows that are chosen for a bulk command, over all pages of one filter. */
export interface Selection {
  /** Everything that the filter matches, rows that were never loaded included. */
  readonly isAll: boolean
  readonly ids: readonly string[]
  readonly count: number
  has(id: string): boolean
  set(rows: readonly Row[], isSelected: boolean): void
  selectAll(): void
  clear(): void
}

interface Stored {
  readonly key: string
  readonly isAll: boolean
  readonly ids: ReadonlySet<string>
}

/** `key` names the filter: another one begins without a selection. */
export const useSelection = (key: string, total: number, page: readonly Row[]): Selection => {
  const empty: Stored = { key, isAll: false, ids: new Set() }
  const [stored, setStored] = useState(empty)
  const { isAll, ids } = stored.key === key ? stored : empty
  return {
    isAll,
    ids: [...ids],
    count: isAll ? total : ids.size,
    has: id => isAll || ids.has(id),
    set: (rows, isSelected) => {
      // The API knows no exceptions to a filter: leaving "all" keeps the page that is shown.
      const next = new Set(isAll ? page.map(({ id }) => id) : ids)
      for (const { id } of rows) {
        if (isSelected) next.add(id)
        else next.delete(id)
      }
      setStored({ key, isAll: false, ids: next })
    },
    selectAll: () => setStored({ key, isAll: true, ids: new Set() }),
    clear: () => setStored(empty),
  }
}
