import { useEffect, useRef } from 'react'

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** A key that does something wherever the focus is; plain keys not while typing or in a dialog. `mod` is Ctrl or Cmd. */
export const useShortcut = (keys: string, run: (event: KeyboardEvent) => void, enabled = true): void => {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!enabled) return
    const mod = keys.startsWith('mod+')
    const key = mod ? keys.slice(4) : keys
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || (event.ctrlKey || event.metaKey) !== mod) return
      if (event.key.toLowerCase() !== key.toLowerCase()) return
      if (!mod && (typing(event.target) || document.querySelector('dialog[open]') !== null)) return
      event.preventDefault()
      latest.current(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [keys, enabled])
}
