import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { BodyOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { readDraft, storeDraft } from '#web/browser-databases.ts'
import { delayWrite } from '#web/delayed-write.ts'
import { notice } from '#web/notice/notice.ts'
import { type DeskChatDetail, deskAct } from './desk-query.ts'

/** Time in which an agent can undo closing a chat, ms. The server learns of it afterwards. */
const UNDO_MS = 5_000

export interface Closing {
  readonly undo: () => void
  readonly now: () => void
}

let closings: ReadonlyMap<string, Closing> = new Map()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const change = (conversation: string, closing: Closing | undefined): void => {
  const next = new Map(closings)
  next.delete(conversation)
  if (closing !== undefined) next.set(conversation, closing)
  closings = next
  for (const listener of listeners) listener()
}

/** Chats whose closing can still be undone, the newest last. */
export const useClosings = (): ReadonlyMap<string, Closing> => useSyncExternalStore(subscribe, () => closings)

/** A note that was not stored is a draft again. */
const keepNote = async (user: string, conversation: string, note: string): Promise<void> => {
  const kept = await readDraft(user, conversation)
  await storeDraft(user, conversation, { answer: kept?.answer ?? '', note })
}

/** Closes a chat after the time in which that can be undone. */
export const useClose = ({ conversation, person }: Pick<DeskChatDetail, 'conversation' | 'person'>) => {
  const { t } = useTranslation('desk')
  const { user } = useSession()
  const client = useQueryClient()
  return (body: BodyOf<'POST /desk/chat/{id}/close'>): void => {
    const key = crypto.randomUUID()
    const close = async (isLeaving: boolean): Promise<void> => {
      notice.close(shown)
      try {
        await deskAct.close(conversation, body, { key, keepalive: isLeaving })
      } catch (failure) {
        notice.toast(failureOf(failure, t('failed')), {
          tone: 'danger',
          action: { label: t('retry'), run: () => void close(false) },
        })
        if (body.note !== undefined) await keepNote(user.id, conversation, body.note).catch(() => undefined)
      }
      change(conversation, undefined)
      await client.invalidateQueries({ queryKey: ['desk'] })
    }
    const delayed = delayWrite(UNDO_MS, close)
    const undo = () => {
      delayed.cancel()
      notice.close(shown)
      change(conversation, undefined)
    }
    const action = { label: t('undo.do'), run: undo }
    // The chat itself has the same button at its bottom.
    const shown = notice.toast(t('undo.closed', { name: person }), { action, lasts: UNDO_MS, at: 'top' })
    change(conversation, { undo, now: () => void delayed.now() })
  }
}
