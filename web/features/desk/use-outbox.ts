import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { deskAct } from './desk-query.ts'
import type { StoredFile } from './use-answer-files.ts'

/** A message on its way to the server. Its id is the event's id: sending it again writes once. */
export interface PendingMessage {
  readonly id: string
  readonly text: string
  readonly isNote: boolean
  readonly files: readonly Pick<StoredFile, 'id' | 'name'>[]
  readonly seen: string
  /** Reason of a refusal. */
  readonly failure: string | undefined
}

type Message = Omit<PendingMessage, 'id' | 'failure'>

const send = (conversation: string, { id, text, isNote, files, seen }: PendingMessage): Promise<unknown> =>
  isNote
    ? deskAct.note(conversation, { id, text })
    : deskAct.say(conversation, {
        id,
        text,
        seen,
        ...(files.length === 0 ? {} : { attachments: files.map(file => file.id) }),
      })

const NONE: readonly PendingMessage[] = []
/** By conversation: a message that failed stays when another chat is opened. */
const outboxes = new Map<string, readonly PendingMessage[]>()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const put = (conversation: string, change: (before: readonly PendingMessage[]) => readonly PendingMessage[]): void => {
  outboxes.set(conversation, change(outboxes.get(conversation) ?? NONE))
  for (const listener of listeners) listener()
}

/**
 * Sends messages of a chat and shows them until the chat contains them. A failed one stays with its reason. `onRefused`
 * gets the text back when a colleague wrote before the message arrived.
 */
export const useOutbox = (conversation: string, onRefused: (message: Message) => void) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const pending = useSyncExternalStore(subscribe, () => outboxes.get(conversation) ?? NONE)
  const remove = (id: string) => put(conversation, before => before.filter(one => one.id !== id))
  const refresh = () => client.invalidateQueries({ queryKey: ['desk', 'chat', conversation] })

  const attempt = async (message: PendingMessage): Promise<void> => {
    put(conversation, before => [...before.filter(({ id }) => id !== message.id), { ...message, failure: undefined }])
    try {
      await send(conversation, message)
      await refresh()
      remove(message.id)
    } catch (failure) {
      if (isProblem(failure) && failure.code === 'desk.changed') {
        remove(message.id)
        onRefused(message)
      } else {
        const reason = failureOf(failure, t('words.noanswer'))
        put(conversation, before => before.map(one => (one.id === message.id ? { ...one, failure: reason } : one)))
      }
      await refresh()
    }
  }
  return {
    pending,
    send: (message: Message) => void attempt({ ...message, id: crypto.randomUUID(), failure: undefined }),
    retry: (message: PendingMessage) => void attempt(message),
    discard: ({ id }: PendingMessage) => remove(id),
  }
}
