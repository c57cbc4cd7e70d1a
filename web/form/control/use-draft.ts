import { useEffect, useRef, useState } from 'react'

/**
 * Holds the typed text and writes it after a pause or on blur. Without a pause it writes each keystroke, and holds the
 * text only if the stored value has another format (`hold`), such as a number.
 */
export const useDraft = (value: string, write: (value: string) => void, pauseMs = 0, hold = pauseMs > 0) => {
  const [draft, setDraft] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<string>(undefined)
  const latest = useRef(write)
  latest.current = write
  const flush = () => {
    clearTimeout(timer.current)
    const text = pending.current
    pending.current = undefined
    if (text !== undefined) latest.current(text)
    setDraft(undefined)
  }
  const ended = useRef(flush)
  ended.current = flush
  useEffect(() => () => ended.current(), [])
  const onChange = (next: string) => {
    if (hold) setDraft(next)
    if (pauseMs === 0) return write(next)
    pending.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => ended.current(), pauseMs)
  }
  return { draft, value: draft ?? value, onChange, onBlur: flush }
}
