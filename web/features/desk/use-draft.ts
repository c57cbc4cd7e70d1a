import { useEffect, useRef, useState } from 'react'
import { type AnswerDraft, readDraft, storeDraft } from '#web/answer-drafts.ts'
import { useSession } from '#web/api/session.ts'

/** A draft is stored after this pause in typing, ms. */
const PAUSE_MS = 300
const EMPTY: AnswerDraft = { answer: '', note: '' }

/** The unsent answer and note of a chat, kept in this browser per user. */
export const useDraft = (conversation: string) => {
  const { user } = useSession()
  const [draft, setDraft] = useState(EMPTY)
  const latest = useRef<AnswerDraft>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    let isLeft = false
    const store = () => {
      clearTimeout(timer.current)
      timer.current = undefined
      if (latest.current !== undefined) void storeDraft(user.id, conversation, latest.current).catch(() => undefined)
    }
    readDraft(user.id, conversation).then(
      stored => {
        // A word that was typed before the draft was read wins.
        if (!isLeft && stored !== undefined && latest.current === undefined) setDraft(stored)
      },
      () => undefined,
    )
    addEventListener('pagehide', store)
    return () => {
      isLeft = true
      removeEventListener('pagehide', store)
      store()
    }
  }, [user.id, conversation])
  const change = (changed: Partial<AnswerDraft>) => {
    const next = { ...(latest.current ?? draft), ...changed }
    latest.current = next
    setDraft(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      void storeDraft(user.id, conversation, next).catch(() => undefined)
    }, PAUSE_MS)
  }
  return { draft, change }
}
