import { type RefObject, useEffect, useRef } from 'react'

export interface Notice {
  readonly id: number
  readonly kind: 'snack' | 'toast'
  readonly tone: 'positive' | 'warning' | 'danger' | 'info'
  readonly text: string
  readonly detail?: string
  /** Milliseconds; undefined stays until closed. */
  readonly lasts: number | undefined
  readonly action?: { readonly label: string; readonly run: () => void }
  /** A snackbar that is closed by hand. */
  readonly stays?: true
  /** Default the bottom. */
  readonly at?: 'top'
}

export type NoticeOptions = Partial<Pick<Notice, 'tone' | 'detail' | 'action' | 'at' | 'stays' | 'lasts'>>

const SNACK_MS = 2500
const UNDO_MS = 8000
const TOAST_MS = 6000
/** Characters of a toast's body, its detail included. */
const MAX_TEXT = 800

let current: Notice | undefined
let last = 0
const listeners = new Set<() => void>()

const show = (notice: Omit<Notice, 'id'>): number => {
  last += 1
  const text = notice.text.slice(0, MAX_TEXT)
  const detail = notice.detail?.slice(0, MAX_TEXT - text.length)
  current = { ...notice, text, ...(detail ? { detail } : {}), id: last }
  for (const listener of listeners) listener()
  return last
}

/** Shows one notice at a time, and returns its id: a snackbar for the user's own actions, a toast for other events. */
export const notice = {
  snack: (text: string, options: NoticeOptions = {}) =>
    show({
      kind: 'snack',
      tone: 'info',
      text,
      lasts: options.stays === true ? undefined : options.action ? UNDO_MS : SNACK_MS,
      ...options,
    }),
  toast: (text: string, options: NoticeOptions = {}) =>
    show({ kind: 'toast', tone: 'info', text, lasts: options.tone === 'danger' ? undefined : TOAST_MS, ...options }),
  close: (id: number) => {
    if (current?.id !== id) return
    current = undefined
    for (const listener of listeners) listener()
  },
  current: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** CSS variable of the page: the height at its bottom that notices leave free. */
export const BOTTOM_INSET = '--parley-bottom-inset'

/** Tells notices how much of the bottom of the page a bar takes. */
export const useBottomInset = (): RefObject<HTMLDivElement | null> => {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = bar
    if (current === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(BOTTOM_INSET, `${current.offsetHeight}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty(BOTTOM_INSET)
    }
  }, [])
  return bar
}
