import { useState } from 'react'
import { type CommentText, NOTHING_WRITTEN } from './mention-text.ts'

const kept = new Map<string, CommentText>()

/** The draft of one place; it survives closing the panel. */
export const useDraft = (place: string, initial: CommentText = NOTHING_WRITTEN) => {
  const [written, setWritten] = useState(() => kept.get(place) ?? initial)
  const write = (next: CommentText) => {
    if (next.text === initial.text) kept.delete(place)
    else kept.set(place, next)
    setWritten(next)
  }
  return [written, write] as const
}
