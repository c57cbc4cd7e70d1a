import { useSyncExternalStore } from 'react'

/** One value that many read and one writes; listeners hear only of changes. */
export interface Store<T> {
  readonly get: () => T
  readonly set: (value: T | ((before: T) => T)) => void
  readonly subscribe: (listener: () => void) => () => void
}

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: next => {
      const after = typeof next === 'function' ? (next as (before: T) => T)(value) : next
      if (Object.is(after, value)) return
      value = after
      for (const listener of [...listeners]) listener()
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The store's value, or what `select` takes from it; renders again only when that changes (by identity). */
export function useStoreValue<T>(store: Store<T>): T
export function useStoreValue<T, S>(store: Store<T>, select: (value: T) => S): S
export function useStoreValue<T, S>(store: Store<T>, select?: (value: T) => S): T | S {
  const read = () => (select === undefined ? store.get() : select(store.get()))
  return useSyncExternalStore(store.subscribe, read, read)
}
