import { createStore, type Store } from '../store.ts'

/** A switch of how flows are looked at, remembered in this browser. */
export const viewOption = (name: string, initial: boolean): Store<boolean> => {
  const key = `parley.designer.${name}`
  const held = localStorage.getItem(key)
  const store = createStore(held === null ? initial : held === 'on')
  store.subscribe(() => localStorage.setItem(key, store.get() ? 'on' : 'off'))
  return store
}
