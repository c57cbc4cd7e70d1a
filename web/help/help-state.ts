import { useSyncExternalStore } from 'react'

interface HelpState {
  readonly isOpen: boolean
  /** Chosen by the reader; undefined: the topic of the open page. */
  readonly topic: string | undefined
  /** The sheet of keys is open. */
  readonly hasKeys: boolean
  /** Topic of what is selected on the page, before that of its address. */
  readonly subject: string | undefined
}

let state: HelpState = { isOpen: false, topic: undefined, hasKeys: false, subject: undefined }
const listeners = new Set<() => void>()

const set = (change: Partial<HelpState>): void => {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The help panel and the sheet of keys, which any page can open. */
export const help = {
  /** Opens the panel with this topic, else with that of the page. */
  open: (topic?: string): void => set({ isOpen: true, topic }),
  /** Shows the topic of the page again. */
  follow: (): void => set({ topic: undefined }),
  close: (): void => set({ isOpen: false, topic: undefined }),
  toggle: (): void => (state.isOpen ? help.close() : help.open()),
  openKeys: (): void => set({ hasKeys: true }),
  closeKeys: (): void => set({ hasKeys: false }),
  /** Says what is selected, until the returned function is called. */
  at(subject: string): () => void {
    set({ subject })
    return () => {
      if (state.subject === subject) set({ subject: undefined })
    }
  },
}

export const useHelp = (): HelpState =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => state,
  )
