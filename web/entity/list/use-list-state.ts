import { useEffect, useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { useAddress } from '#web/page/use-address.ts'
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
  const { params, replace } = useAddress()
  const key = `${LIST}${user.id}.${entity.name}`
  const viewsKey = `${VIEWS}${user.id}.${entity.name}`
  const [saved, setSaved] = useState(() => parseViews(localStorage.getItem(viewsKey)))
  const state = readListState(params, entity)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when an address comes without a state of its own
  useEffect(() => {
    const bare = writeListState(INITIAL_STATE, params, entity).toString()
    const opened = saved.views.find(({ id }) => id === saved.defaultId)?.query ?? localStorage.getItem(key)
    if (opened === null || bare !== params.toString()) return
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
    save: next => {
      localStorage.setItem(viewsKey, JSON.stringify(next))
      setSaved(next)
    },
  }
}
