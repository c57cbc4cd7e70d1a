import { useEffect, useRef } from 'react'

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Whether an event matches keys such as `j`, `mod+k` (Ctrl or Cmd) and `alt+1…9` (any of the digits). */
const matches = (keys: string, event: KeyboardEvent): boolean => {
  const mod = keys.startsWith('mod+')
  const alt = keys.startsWith('alt+')
  if (event.altKey !== alt || (event.ctrlKey || event.metaKey) !== mod) return false
  // Alt changes the character of a key on some systems: the digits are found by their place.
  if (alt) return keys === 'alt+1…9' && /^Digit[1-9]$/u.test(event.code)
  return event.key.toLowerCase() === (mod ? keys.slice(4) : keys).toLowerCase()
}

/** A key that does something wherever the focus is; plain keys not while typing or in a dialog. */
export const useShortcut = (keys: string, run: (event: KeyboardEvent) => void, enabled = true): void => {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!enabled) return
    const isPlain = !/^(?:mod|alt)\+/u.test(keys)
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matches(keys, event)) return
      if (isPlain && (isTyping(event.target) || document.querySelector('dialog[open]') !== null)) return
      event.preventDefault()
      latest.current(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [keys, enabled])
}
