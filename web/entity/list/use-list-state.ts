import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { LIST, VIEWS } from '#web/shell/storage-keys.ts'
import { changed, INITIAL_STATE, type ListState, readListState, writeListState } from './list-state.ts'
import { parseViews, type SavedViews } from './saved-views.ts'
import type { ListPlace } from './use-list-place.ts'

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

/** The state of a list: in the address, remembered for this person, and under the names of saved views. */
export const useListState = ({ entity }: ListPlace): ListControl => {
  const { user } = useSession()
  const [search, setSearch] = useSearchParams()
  const key = `${LIST}${user.id}.${entity.name}`
  const viewsKey = `${VIEWS}${user.id}.${entity.name}`
  const [saved, setSaved] = useState(() => parseViews(localStorage.getItem(viewsKey)))
  const state = readListState(search, entity)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when an address comes without a state of its own
  useEffect(() => {
    const bare = writeListState(INITIAL_STATE, search, entity).toString()
    const opened = saved.views.find(({ id }) => id === saved.defaultId)?.query ?? localStorage.getItem(key)
    if (opened === null || bare !== search.toString()) return
    const kept = readListState(new URLSearchParams(opened), entity)
    setSearch(writeListState(kept, search, entity), { replace: true })
  }, [entity.name])
  const show = (next: ListState) => {
    localStorage.setItem(key, writeListState(next, NO_QUERY, entity).toString())
    setSearch(before => writeListState(next, before, entity), { replace: true })
  }
  return {
    state,
    saved,
    set: change => show(changed(state, change)),
    open: query => show(readListState(new URLSearchParams(query), entity)),
    query: writeListState({ ...state, page: 1 }, NO_QUERY, entity).toString(),
    save: next => {
      localStorage.setItem(viewsKey, JSON.stringify(next))
      setSaved(next)
    },
  }
}
