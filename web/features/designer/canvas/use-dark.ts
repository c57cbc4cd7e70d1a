import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => watch.disconnect()
}

/** React Flow sets its own color mode on the canvas; it must match the page's. */
export const useDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.classList.contains('dark'))
