import { Button, chakra, HStack, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { MentionList } from '#web/components/mention/mention-list.tsx'
import { matchingPeople, mentionPrefix } from '#web/components/mention/mention-text.ts'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { useDesigner } from '../session/designer.ts'
import { usePhone } from '../session/use-phone.ts'
import { type CommentText, EMPTY_COMMENT, insertMention, readersQuery, toStored } from './thread.ts'

const kept = new Map<string, CommentText>()

/** The draft of one place; it survives closing the panel. */
const useDraft = (place: string, initial: CommentText = EMPTY_COMMENT) => {
  const [written, setWritten] = useState(() => kept.get(place) ?? initial)
  const latest = useRef(written)
  const write = (next: CommentText) => {
    latest.current = next
    if (next.text === initial.text) kept.delete(place)
    else kept.set(place, next)
    setWritten(next)
  }
  /** Removes a sent text. Later typing stays. */
  const clear = (sent: CommentText) => {
    const now = latest.current
    if (now === sent) write(initial)
    else if (initial === EMPTY_COMMENT && now.text.startsWith(sent.text))
      write({ ...now, text: now.text.slice(sent.text.length).trimStart() })
  }
  return { written, write, clear }
}

/** Limits in UTF-16 units: of the stored text, and for showing the rest. */
const MAX_LENGTH = 4000
const NEAR = 3600

interface ComposerProps {
  /** Accessible name of the text field. */
  readonly label: string
  readonly placeholder?: string
  /** Key of the draft. */
  readonly place: string
  readonly initial?: CommentText
  readonly action: string
  readonly focus?: boolean
  readonly onSend: (text: string) => Promise<void>
  /** Escape; with `cancel` there is a button for it. */
  readonly onLeave: () => void
  readonly cancel?: boolean
}

/** Readers of the flow whose name was begun, without a user. */
const usePeople = (begun: string | undefined, user: string): readonly NamedPerson[] => {
  const { address } = useDesigner()
  const readers = useQuery({ ...readersQuery(address, begun ?? ''), enabled: begun !== undefined }).data ?? []
  // Filters the previous letter's results: Enter must not choose a person who no longer matches.
  return begun === undefined
    ? []
    : matchingPeople(
        readers.filter(({ id }) => id !== user),
        begun,
      )
}

const Suggestions = (props: Omit<ComponentProps<typeof MentionList>, 'label' | 'className'>) => {
  const { t } = useTranslation('comment')
  return <MentionList label={t('people')} className="pl-mentions" {...props} />
}

/** The remaining characters, once they are few, else how to mention a person; on a computer the keys too. */
const Hint = ({ left }: { left: number }) => {
  const { t } = useTranslation('comment')
  const phone = usePhone()
  return (
    <chakra.span flex="1" fontSize="xs" color={left < 0 ? 'danger.fg' : 'fg.subtle'}>
      {left < MAX_LENGTH - NEAR ? t('left', { count: left }) : t('hint')}
      {phone ? '' : ` · ${t('hintKeys')}`}
    </chakra.span>
  )
}

/** Comment editor: @ mentions people, Ctrl Enter sends. Unsent text is kept. */
export const Composer = ({
  label,
  placeholder,
  place,
  initial = EMPTY_COMMENT,
  action,
  focus = false,
  onSend,
  onLeave,
  cancel = false,
}: ComposerProps) => {
  const { t } = useTranslation('comment')
  const { address } = useDesigner()
  const { user } = useSession()
  const list = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  // Copies of a flow have blocks of the same ids, and a browser may be shared.
  const { written, write, clear } = useDraft(`${user.id} ${address.id} ${place}`, initial)
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  const { isBusy: busy, failure: error, attempt } = useAttempt(t('failed'))
  /** Behind the space that came with a chosen name: one typed there as a habit is not a second one. */
  const spaced = useRef<number>(undefined)
  const begun = caret === undefined ? undefined : mentionPrefix(written.text, caret)
  const people = usePeople(begun, user.id)
  const chosen = Math.min(active, people.length - 1)
  const stored = toStored(written)
  const left = MAX_LENGTH - stored.length
  const ready = stored.trim() !== '' && left >= 0 && !busy

  useLayoutEffect(() => {
    if (focus) field.current?.focus()
  }, [focus])

  const choose = (person: NamedPerson) => {
    const { caret: at, ...next } = insertMention(written, caret ?? written.text.length, person)
    // Before the next key: a caret that is set a frame later moves what was typed meanwhile.
    flushSync(() => {
      write(next)
      setCaret(undefined)
    })
    spaced.current = at
    field.current?.setSelectionRange(at, at)
  }
  const send = async () => {
    if (!ready) return
    await attempt(async () => {
      await onSend(stored)
      clear(written)
      // The button closes for want of words.
      field.current?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
      return
    }
    const { selectionStart: from, selectionEnd: to } = field.current ?? {}
    if (event.key === ' ' && from === spaced.current && from === to) {
      event.preventDefault()
      spaced.current = undefined
      return
    }
    const person = people[chosen]
    if (person !== undefined) {
      const step = { ArrowDown: 1, ArrowUp: people.length - 1 }[event.key]
      if (step !== undefined) setActive((chosen + step) % people.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(person)
      else if (event.key === 'Escape') setCaret(undefined)
      else return
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onLeave()
  }
  return (
    <chakra.div position="relative" display="grid" gap="2">
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-controls={people.length > 0 ? list : undefined}
        aria-activedescendant={people.length > 0 ? `${list}-${chosen}` : undefined}
        autoresize
        rows={2}
        maxH="180px"
        fontSize={{ base: '16px', md: 'sm' }}
        value={written.text}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          write({ ...written, text: value })
          setCaret(selectionStart)
          spaced.current = undefined
          setActive(0)
        }}
        onBlur={() => setCaret(undefined)}
        onKeyDown={onKeyDown}
      />
      {people.length > 0 ? (
        <Suggestions id={list} people={people} active={chosen} onPoint={setActive} onChoose={choose} />
      ) : null}
      <ErrorLine text={error} />
      <HStack gap="2" justify="flex-end">
        <Hint left={left} />
        {cancel ? (
          <Button size="xs" variant="ghost" minH={{ base: '44px', md: '28px' }} onClick={onLeave}>
            {t('cancel')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="solid"
          colorPalette="accent"
          minH={{ base: '44px', md: '28px' }}
          disabled={!ready}
          loading={busy}
          onClick={() => void send()}
        >
          {action}
        </Button>
      </HStack>
    </chakra.div>
  )
}
