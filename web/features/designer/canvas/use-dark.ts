import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  return () => watch.disconnect()
}

/** React Flow puts a colour mode of its own on the canvas; it has to be the page's. */
export const useDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.classList.contains('dark'))
