import { createStore, type Store } from '../model/store.ts'

export type SearchScope = 'flow' | 'task' | 'bot'

/** A possible reference of a block: a variable by its name, else by its id. */
export interface UseTarget {
  readonly of: 'variable' | 'dialog' | 'handler' | 'dialogtask'
  readonly value: string
}

/** Search in the texts of flows, kept while the designer is open. */
export interface SearchState {
  readonly text: string
  readonly scope: SearchScope
  readonly isReplacing: boolean
  /** Case and accents count. */
  readonly isExact: boolean
  readonly isWholeWord: boolean
  /** Of what the sheet of uses tells. */
  readonly target: UseTarget
}

export const createSearchState = (): Store<SearchState> =>
  createStore<SearchState>({
    text: '',
    scope: 'flow',
    isReplacing: false,
    isExact: false,
    isWholeWord: false,
    target: { of: 'variable', value: '' },
  })
