import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isObject, objectsOf } from '#schemas/json.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { bytesOf } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import type { CannedAnswer } from './canned.ts'
import { type DeskChatDetail, deskAct } from './desk-query.ts'

type StoredFile = AnswerOf<'POST /file'>

/** Files of a canned answer, which are stored already. */
export const filesOfCanned = ({ attachments }: CannedAnswer): readonly StoredFile[] =>
  objectsOf(attachments).flatMap(({ file }) => (isObject(file) ? [file as unknown as StoredFile] : []))

const matchesType = (type: string, allowed: string): boolean =>
  allowed === '*' || allowed === type || (allowed.endsWith('/*') && type.startsWith(allowed.slice(0, -1)))

/** Why the channel does not take a file; undefined when it does. No listed type: every type is allowed. */
const refusalOf = (
  { type, size }: File,
  { files, filesize }: DeskChatDetail['limits'],
): 'type' | 'size' | undefined => {
  if (size > filesize) return 'size'
  return files.length > 0 && !files.some(allowed => matchesType(type, allowed)) ? 'type' : undefined
}

/** Files that are uploaded for the next answer. The channel's limits are checked before the upload. */
export const useAnswerFiles = ({ limits }: DeskChatDetail) => {
  const { t } = useTranslation('desk')
  const [files, setFiles] = useState<readonly StoredFile[]>([])
  const { isBusy, attempt } = useNoticedAttempt(t('file.failed'))
  const take = (stored: readonly StoredFile[]) => setFiles(before => [...before, ...stored].slice(0, DESK_LIMITS.files))
  const add = (chosen: readonly File[]) =>
    attempt(async () => {
      const room = DESK_LIMITS.files - files.length
      if (chosen.length > room) notice.toast(t('file.many', { count: DESK_LIMITS.files }), { tone: 'warning' })
      for (const file of chosen.slice(0, room)) {
        const refusal = refusalOf(file, limits)
        if (refusal === undefined) take([await http.upload('/file', file)])
        else
          notice.toast(t(`file.${refusal}`, { name: file.name, size: bytesOf(limits.filesize) }), { tone: 'warning' })
      }
    })
  return {
    files,
    isBusy,
    take,
    add: (chosen: readonly File[]) => void add(chosen),
    remove: (id: string) => setFiles(before => before.filter(one => one.id !== id)),
    clear: () => setFiles([]),
  }
}

export type AnswerFiles = ReturnType<typeof useAnswerFiles>

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

/** The browser asks before it leaves a page with messages that the server does not have. */
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

const put = (conversation: string, change: (before: readonly PendingMessage[]) => readonly PendingMessage[]): void => {
  outboxes.set(conversation, change(outboxes.get(conversation) ?? NONE))
  if ([...outboxes.values()].some(({ length }) => length > 0)) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
  for (const listener of listeners) listener()
}

/** Text of the newest message of a chat that was not sent. */
export const useUnsent = (conversation: string): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => outboxes.get(conversation)?.findLast(({ failure }) => failure !== undefined)?.text,
  )

/**
 * Sends messages of a chat and shows them until the chat contains them. A failed one stays with its reason, unless its
 * person is forgotten. `onRefused` gets the text back when a colleague wrote before the message arrived.
 */
export const useOutbox = (
  { conversation, forgotten }: Pick<DeskChatDetail, 'conversation' | 'forgotten'>,
  onRefused: (message: Message) => void,
) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const pending = useSyncExternalStore(subscribe, () => outboxes.get(conversation) ?? NONE)
  useEffect(() => {
    if (forgotten) put(conversation, () => NONE)
  }, [conversation, forgotten])
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
