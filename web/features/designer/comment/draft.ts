import { useState } from 'react'
import { NOTHING_WRITTEN, type Written } from './mention-text.ts'

const kept = new Map<string, Written>()

/** What is being written in one place; it is still there when the panel was closed and opened again. */
export const useDraft = (place: string, initial: Written = NOTHING_WRITTEN) => {
  const [written, setWritten] = useState(() => kept.get(place) ?? initial)
  const write = (next: Written) => {
    if (next.text === initial.text) kept.delete(place)
    else kept.set(place, next)
    setWritten(next)
  }
  return [written, write] as const
}
