import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import { useSession } from '#web/api/session.ts'
import { type AnswerDraft, readDraft, storeDraft } from '#web/browser-databases.ts'
import { completeMention, matchingPeople, mentionPrefix } from '#web/components/mention/mention-text.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import { type CannedAnswer, gapsOf, insertCanned, shortcutAt, useCanned } from './canned.ts'
import type { DeskChatDetail } from './desk-query.ts'
import { type AnswerFiles, filesOfCanned, type useOutbox } from './use-outbox.ts'

/** A draft is stored after this pause in typing, ms. */
const PAUSE_MS = 300
const EMPTY: AnswerDraft = { answer: '', note: '' }

/** The unsent answer and note of a chat, kept in this browser per user; nothing of a person who was forgotten. */
export const useDraft = (conversation: string, isForgotten: boolean) => {
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
  useEffect(() => {
    if (!isForgotten) return
    clearTimeout(timer.current)
    latest.current = EMPTY
    setDraft(EMPTY)
    void storeDraft(user.id, conversation, EMPTY).catch(() => undefined)
  }, [user.id, conversation, isForgotten])
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

/** Pause between two typing frames, ms. */
const TYPING_PAUSE_MS = 3_000
/** Height of the field at most, px. */
const MAX_HEIGHT = 176

export type ComposerMode = 'answer' | 'note'

/** Commands of the keyboard. */
export interface ComposerHandle {
  focus(mode: ComposerMode): void
  openCanned(): void
}

/** The chat of a field, and its draft and outbox. */
export interface ComposerChat {
  readonly chat: DeskChatDetail
  readonly draft: ReturnType<typeof useDraft>
  readonly outbox: Pick<ReturnType<typeof useOutbox>, 'send'>
  readonly enterSends: boolean
  /** Supervisors leave notes in chats of others. */
  readonly isNoteOnly: boolean
  /** Name of a colleague who writes in the chat. */
  readonly typist: string | undefined
  readonly onTyping: (on: boolean) => void
}

/** Tells the person and colleagues that the agent types, and that typing has ended. */
const useTypingSignal = (onTyping: ComposerChat['onTyping']) => {
  const last = useRef(0)
  const latest = useRef(onTyping)
  latest.current = onTyping
  useEffect(
    () => () => {
      if (last.current > 0) latest.current(false)
    },
    [],
  )
  return (isTyping: boolean) => {
    if (isTyping && Date.now() - last.current < TYPING_PAUSE_MS) return
    if (!isTyping && last.current === 0) return
    last.current = isTyping ? Date.now() : 0
    latest.current(isTyping)
  }
}

/** The field grows with its text. */
const useGrowth = (field: RefObject<HTMLTextAreaElement | null>, text: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured for each text
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight + 2, MAX_HEIGHT)}px`
  }, [text])
}

const isSendKey = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, enterSends: boolean): boolean =>
  key === 'Enter' && (enterSends ? !shiftKey : ctrlKey || metaKey)

/**
 * Items of a list under the field; undefined while it is closed, or while the first ones are coming. The field keeps the
 * focus.
 */
const useChoices = <T>(items: readonly T[] | undefined, isComing = false) => {
  const [active, setActive] = useState(0)
  /** Whether the key moved in the list or chose from it. */
  const onKey = (event: KeyboardEvent, choose: (item: T) => void): boolean => {
    // The letters that ask for items are no words to send.
    if (isComing && event.key === 'Enter') {
      event.preventDefault()
      return true
    }
    if (items === undefined || items.length === 0) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + items.length) % items.length)
    const chosen = event.key === 'Enter' || event.key === 'Tab' ? items[active] : undefined
    if (chosen !== undefined) choose(chosen)
    if (step === undefined && chosen === undefined) return false
    event.preventDefault()
    return true
  }
  return { items, active, setActive, onKey }
}

/** Colleagues whose name begins before the caret of a note. */
const peopleFor = ({ colleagues }: DeskChatDetail, begun: string | undefined): readonly NamedPerson[] | undefined => {
  if (begun === undefined) return undefined
  const people = matchingPeople(
    colleagues.map(({ id, name, username }) => ({ id, username, firstname: name })),
    begun,
  )
  return people.length === 0 ? undefined : people
}

/** Focuses the text, with the caret at a place or a part selected. */
const focusField = (field: HTMLTextAreaElement | null, begin: number | undefined, end = begin): void => {
  field?.focus()
  if (begin !== undefined && end !== undefined) field?.setSelectionRange(begin, end)
}

interface FieldText {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly caret: number
  readonly write: (text: string, caret: number) => void
  readonly files: AnswerFiles
}

/** Changes of the text beside typing. */
const fieldEditor = ({ field, text, caret, write, files }: FieldText) => {
  /** Changes the field and moves the focus there before the next key, which otherwise lands elsewhere. */
  const edit = (change: () => void, begin?: number, end?: number) => {
    flushSync(change)
    focusField(field.current, begin, end)
  }
  return {
    edit,
    choose: (answer: CannedAnswer) => {
      const next = insertCanned(text, caret, answer.text)
      files.take(filesOfCanned(answer))
      edit(() => write(next.text, next.caret), next.begin, next.caret)
    },
    mention: ({ username }: NamedPerson) => {
      const next = completeMention(text, caret, `@${username}`)
      edit(() => write(next.text, next.caret), next.caret)
    },
    /** Puts words in place of the selection. */
    insert: (words: string) => {
      const { selectionStart: from = caret, selectionEnd: to = caret } = field.current ?? {}
      edit(() => write(text.slice(0, from) + words + text.slice(to), from + words.length), from + words.length)
    },
  }
}

/** State of the field: answer or note, canned answers, what keeps it from being sent. */
export const useComposer = (given: ComposerChat, files: AnswerFiles, ref: Ref<ComposerHandle>) => {
  const { chat, outbox, enterSends, isNoteOnly, typist, onTyping } = given
  const { draft, change } = given.draft
  const field = useRef<HTMLTextAreaElement>(null)
  const [chosenMode, setMode] = useState<ComposerMode>('answer')
  const [caret, setCaret] = useState(0)
  const [isListClosed, setListClosed] = useState(false)
  const [isWarned, setWarned] = useState(false)
  const signal = useTypingSignal(onTyping)
  const mode = isNoteOnly ? 'note' : chosenMode
  const isNote = mode === 'note'
  const text = isNote ? draft.note : draft.answer
  useGrowth(field, text)
  const typed = isNote || isListClosed ? undefined : shortcutAt(text, caret)
  const offer = useCanned(chat.conversation, typed)
  const canned = useChoices(offer.items, offer.isComing)
  const people = useChoices(peopleFor(chat, isNote && !isListClosed ? mentionPrefix(text, caret) : undefined))
  const max = isNote ? DESK_LIMITS.note : chat.limits.text
  const gaps = isNote ? [] : gapsOf(text)
  const isOver = !isNote && chat.window !== null && Date.parse(chat.window) <= Date.now()
  const isEmpty = text.trim() === '' && (isNote || files.files.length === 0)
  const isTooLong = [...text.normalize('NFC')].length > max
  const isSendable = !isEmpty && !isTooLong && gaps.length === 0 && !files.isBusy && !isOver

  const write = (next: string, at: number) => {
    change(isNote ? { note: next } : { answer: next })
    setCaret(at)
    canned.setActive(0)
    people.setActive(0)
    setListClosed(false)
    setWarned(false)
    if (!isNote) signal(next !== '')
  }
  const { edit, choose, mention, insert } = fieldEditor({ field, text, caret, write, files })
  const openCanned = () => {
    const { answer } = draft
    const next = answer === '' || /\s$/u.test(answer) ? `${answer}/` : `${answer} /`
    const open = () => {
      setMode('answer')
      change({ answer: next })
      setCaret(next.length)
      canned.setActive(0)
      setListClosed(false)
    }
    edit(open, next.length)
  }
  const chooseMode = (next: ComposerMode) => edit(() => setMode(next))
  useImperativeHandle(ref, () => ({ focus: chooseMode, openCanned }))
  const send = () => {
    if (!isSendable) return
    if (!isNote && typist !== undefined && !isWarned) {
      setWarned(true)
      return
    }
    outbox.send({ text: text.trim(), isNote, files: isNote ? [] : files.files, seen: chat.position })
    write('', 0)
    if (!isNote) {
      files.clear()
      signal(false)
    }
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || canned.onKey(event, choose) || people.onKey(event, mention)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      if (canned.items === undefined && people.items === undefined) event.currentTarget.blur()
      else setListClosed(true)
    } else if (isSendKey(event, enterSends)) {
      event.preventDefault()
      send()
    }
  }
  return {
    field,
    mode,
    isNote,
    text,
    max,
    gaps,
    isOver,
    isTooLong,
    isSendable,
    isWarned,
    canned,
    cannedTotal: offer.total,
    people,
    write,
    setCaret,
    choose,
    mention,
    insert,
    chooseMode,
    openCanned,
    send,
    onKeyDown,
  }
}

export type ComposerState = ReturnType<typeof useComposer>
