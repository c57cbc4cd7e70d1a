import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type DeskSummary, isAtWork } from '#web/shell/desk-summary.ts'
import { isHeard, newsOf } from './desk-news.ts'
import { playSound } from './desk-options.tsx'
import { type DeskChat, deskListQuery } from './desk-query.ts'

/** A new chat sounds again after this time until it is opened, ms. */
const REPEAT_MS = 30_000
/** Most chats that a user may hold. */
const SIZE = 50

const NONE: readonly DeskChat[] = []

interface BrowserNotice {
  readonly title: string
  readonly text: string
  readonly conversation: string
  /** Opens the chat. */
  readonly onOpen: (conversation: string) => void
}

const tellBrowser = ({ title, text, conversation, onOpen }: BrowserNotice): void => {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const told = new Notification(title, { body: text, tag: conversation })
  told.onclick = () => {
    window.focus()
    onOpen(conversation)
    told.close()
  }
}

interface Options {
  readonly summary: DeskSummary | undefined
  readonly open: string | undefined
  readonly isNotified: boolean
  /** Chats that the caller took in this window. */
  readonly taken: ReadonlySet<string>
  /** Opens a chat, for a press on a notification of the browser. */
  readonly onOpen: (conversation: string) => void
}

/**
 * The caller's chats, oldest unanswered first, and sounds and notifications about them. Silent while the caller is paused
 * or offline.
 */
export const useDeskAlerts = ({ summary, open, isNotified, taken, onOpen }: Options): readonly DeskChat[] => {
  const { t } = useTranslation('desk')
  const mine = useQuery({ ...deskListQuery({ view: 'mine', page: 1, size: SIZE }), enabled: summary !== undefined })
  const chats = mine.data?.items
  const before = useRef<readonly DeskChat[]>(undefined)
  const unopened = useRef(new Set<string>())
  const self = summary?.self
  const isQuiet = summary === undefined || !isAtWork(summary.me.state)
  useEffect(() => {
    if (open !== undefined) unopened.current.delete(open)
  }, [open])
  // biome-ignore lint/correctness/useExhaustiveDependencies: news are read once for each reading of the chats
  useEffect(() => {
    if (chats === undefined) return
    const known = before.current
    before.current = chats
    if (known === undefined || self === undefined || isQuiet) return
    const news = newsOf(known, chats, taken)
    const isSeen = ({ conversation }: DeskChat) => conversation === open && document.hasFocus()
    const heard = {
      chats: news.chats.filter(chat => isHeard(self.sound_chat, isSeen(chat))),
      messages: news.messages.filter(chat => isHeard(self.sound_message, isSeen(chat))),
    }
    if (heard.chats.length > 0) playSound('chat')
    else if (heard.messages.length > 0) playSound('message')
    for (const { conversation } of heard.chats) if (conversation !== open) unopened.current.add(conversation)
    if (!isNotified || document.hasFocus()) return
    const textOf = ({ last }: Pick<DeskChat, 'last'>, text: string) =>
      self.show_words && last !== null ? last.text : text
    for (const { conversation, person, queuename, ...chat } of news.chats) {
      const title = t('alert.chat', { name: person })
      tellBrowser({ title, text: textOf(chat, queuename), conversation, onOpen })
    }
    for (const { conversation, person, ...chat } of news.messages)
      tellBrowser({ title: t('alert.message', { name: person }), text: textOf(chat, ''), conversation, onOpen })
  }, [chats])
  const isRepeated = self?.sound_repeat === true && !isQuiet
  useEffect(() => {
    if (!isRepeated) return
    const timer = setInterval(() => {
      if (unopened.current.size > 0) playSound('chat')
    }, REPEAT_MS)
    return () => clearInterval(timer)
  }, [isRepeated])
  return chats ?? NONE
}
