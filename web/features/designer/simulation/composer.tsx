import { Button } from '@chakra-ui/react'
import { Paperclip, SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { lastQuestion, type SimulationMessage, type SimulationRun } from './use-simulation.ts'

interface ComposerProps {
  readonly run: SimulationRun
  /** Stops before each block. */
  readonly paused: boolean
  /** Calls are made for real. */
  readonly real: boolean
}

/** Input type for the requested answer. */
const typeOf = (wait: SimulationMessage['wait']): string => {
  if (wait?.mask === true) return 'password'
  const calendars: Readonly<Record<string, string>> = { date: 'date', time: 'time', datetime: 'datetime-local' }
  return (wait === undefined ? undefined : calendars[wait.calendar]) ?? 'text'
}

/** To the first, or the next, of the options that are offered. */
const toNextOption = (): boolean => {
  const offers = [...document.querySelectorAll<HTMLElement>('.ps-chat button.ps-offer:not(:disabled)')]
  const at = offers.indexOf(document.activeElement as HTMLElement)
  const next = offers[(at + 1) % Math.max(1, offers.length)]
  next?.focus()
  return next !== undefined
}

const useOptionKey = () =>
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'ArrowDown' || !event.altKey) return
      if (toNextOption()) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

const AttachFile = ({ run, paused, isOpen }: Pick<ComposerProps, 'run' | 'paused'> & { readonly isOpen: boolean }) => {
  const { t } = useTranslation('simulation')
  const file = useRef<HTMLInputElement>(null)
  const attach = (chosen: File | undefined) => {
    if (chosen === undefined) return
    const attachment = { name: chosen.name, contentType: chosen.type, contentUrl: `attachment:${chosen.name}` }
    run.say({ type: 'attachment', attachments: [attachment], paused })
  }
  return (
    <>
      <IconButton
        icon={Paperclip}
        label={t('chat.attach')}
        side="top"
        disabled={!isOpen}
        onClick={() => file.current?.click()}
      />
      <input
        ref={file}
        type="file"
        hidden
        onChange={event => {
          attach(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </>
  )
}

const Hints = ({ real }: Pick<ComposerProps, 'real'>) => {
  const { t } = useTranslation('simulation')
  return (
    <p className="ps-hints">
      <span>
        <kbd>Alt ↓</kbd> {t('chat.nextoption')}
      </span>
      <span>{t(real ? 'chat.isreal' : 'chat.nothingleaves')}</span>
    </p>
  )
}

/** Input of the person's answers. */
export const Composer = ({ run, paused, real }: ComposerProps) => {
  const { t } = useTranslation('simulation')
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { view, busy } = run
  const isOpen = view !== undefined && !busy && !['paused', 'calling', 'ended'].includes(view.status)
  const question = view === undefined ? undefined : lastQuestion(view)
  useOptionKey()
  useEffect(() => {
    if (isOpen) input.current?.focus({ preventScroll: true })
  }, [isOpen])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isOpen || text.trim() === '') return
    run.say({ text, paused })
    setText('')
  }
  // The field of a date opens its calendar by the same keys.
  const keepKeys = (event: KeyboardEvent) => {
    if (event.altKey && event.key === 'ArrowDown' && question !== undefined && question.actions.length > 0)
      event.preventDefault()
  }
  return (
    <form className="ps-composer" onSubmit={send}>
      <AttachFile run={run} paused={paused} isOpen={isOpen} />
      <input
        ref={input}
        className="ps-input"
        type={typeOf(question?.wait)}
        autoComplete="off"
        aria-label={t('chat.answer')}
        placeholder={t('chat.answer')}
        maxLength={4000}
        value={text}
        disabled={!isOpen}
        onChange={event => setText(event.target.value)}
        onKeyDown={keepKeys}
      />
      <Button
        type="submit"
        variant="solid"
        colorPalette="accent"
        px="2.5"
        aria-label={t('chat.send')}
        disabled={!isOpen}
      >
        <SendHorizontal size={16} aria-hidden />
      </Button>
      <Hints real={real} />
    </form>
  )
}
