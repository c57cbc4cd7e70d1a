import { useSyncExternalStore } from 'react'

export const COLOR_MODES = ['light', 'dark', 'system'] as const
type ColorMode = (typeof COLOR_MODES)[number]

const KEY = 'parley.colormode'
const DARK = '(prefers-color-scheme: dark)'
/** Chromium fires no `change` on a list that is read between a switch and the next frame: each read takes another list. */
const switched = matchMedia(DARK)
const listeners = new Set<() => void>()

const chosen = (): ColorMode => {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

const shownMode = () => {
  const mode = chosen()
  return mode === 'system' ? (matchMedia(DARK).matches ? 'dark' : 'light') : mode
}

const apply = () => {
  const { classList, style } = document.documentElement
  const mode = shownMode()
  classList.toggle('dark', mode === 'dark')
  classList.toggle('light', mode === 'light')
  style.colorScheme = mode
  for (const listener of listeners) listener()
}

switched.addEventListener('change', apply)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const chooseColorMode = (mode: ColorMode): void => {
  if (mode === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, mode)
  apply()
}

/** The chosen mode, and what it comes to at this moment. */
export const useColorMode = (): { readonly mode: ColorMode; readonly shown: 'light' | 'dark' } => ({
  mode: useSyncExternalStore(subscribe, chosen),
  shown: useSyncExternalStore(subscribe, shownMode),
})
