import { useState } from 'react'
import { type CommentText, NOTHING_WRITTEN } from './mention-text.ts'

const kept = new Map<string, CommentText>()

/** What is being written in one place; it is still there when the panel was closed and opened again. */
export const useDraft = (place: string, initial: CommentText = NOTHING_WRITTEN) => {
  const [written, setWritten] = useState(() => kept.get(place) ?? initial)
  const write = (next: CommentText) => {
    if (next.text === initial.text) kept.delete(place)
    else kept.set(place, next)
    setWritten(next)
  }
  return [written, write] as const
}
