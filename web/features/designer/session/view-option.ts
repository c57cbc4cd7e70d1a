import { createStore, type Store } from '../model/store.ts'

/** A switch of how flows are looked at, remembered for a person in this browser. */
export const viewOption = (name: string, person: string, initial: boolean): Store<boolean> => {
  const key = `parley.designer.${name}.${person}`
  const held = localStorage.getItem(key)
  const store = createStore(held === null ? initial : held === 'on')
  store.subscribe(() => localStorage.setItem(key, store.get() ? 'on' : 'off'))
  return store
}
