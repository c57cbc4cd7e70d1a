import { Button, chakra, HStack, Input, Textarea } from '@chakra-ui/react'
import {
  Brain,
  ExternalLink,
  History,
  LayoutTemplate,
  Paperclip,
  RotateCcw,
  SendHorizontal,
  TriangleAlert,
} from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useName } from '#web/entity/entity-query.ts'
import { durationOf, minuteOf } from '#web/format/time.ts'
import { MessageBody } from './message-body.tsx'
import {
  type ExecutedBlock,
  lastQuestion,
  offeredActions,
  type SimulationMessage,
  type SimulationRun,
  type SimulationView,
} from './use-simulation.ts'

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
const Composer = ({ run, paused, real }: ComposerProps) => {
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

const SECOND_MS = 1000
const MINUTE_S = 60

const clock = (seconds: number): string =>
  `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, '0')}`

/** Time spent waiting for an answer, counted while visible. */
const Waiting = () => {
  const { t } = useTranslation('simulation')
  const [began] = useState(Date.now)
  const [now, setNow] = useState(began)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden>{t('chat.waits', { time: clock(Math.floor((now - began) / SECOND_MS)) })}</span>
}

interface SourceProps {
  readonly message: SimulationMessage
  readonly isLast: boolean
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
}

/** Which block said it, how long after the person spoke, and how long its answer is waited for. */
const MessageSource = ({ message: { block, after = 0 }, isLast, blockName, onBlock }: SourceProps) =>
  block === null ? null : (
    <span className="ps-note">
      <button type="button" className="ps-source" onClick={() => onBlock(block)}>
        {blockName(block)}
      </button>
      {isLast ? <Waiting /> : after >= 1 ? <span>{durationOf(after)}</span> : null}
    </span>
  )

/** Which one WhatsApp would get: the text, or the template of the block. */
const TemplateNote = ({ message: { template } }: { readonly message: SimulationMessage }) => {
  const { t } = useTranslation('simulation')
  const name = useName('template', template?.id)
  if (template === undefined) return null
  const values = Object.entries(template.values).map(([variable, value]) => `${variable} = ${value || '–'}`)
  return (
    <span className="ps-note" {...(template.sent ? { 'data-tone': 'warning' } : {})}>
      <LayoutTemplate size={12} aria-hidden />
      {t(template.sent ? 'chat.template' : 'chat.nottemplate', {
        name: name ?? template.id,
        values: values.join(', '),
      })}
    </span>
  )
}

/** Refused tries of a turn's answer so far; undefined if accepted. */
const refusedTries = ({ steps }: SimulationView, turn: number): number | undefined => {
  const step = steps.find(each => each.turn === turn && each.tries !== undefined)
  if (step?.tries === undefined) return undefined
  const before = steps.findLast(each => each.turn < turn && each.block === step.block && each.frame === step.frame)
  return step.tries > (before?.tries ?? 0) ? step.tries : undefined
}

/** Result of the person's input: the detected intent, or the refusal. */
const PersonNote = ({ turn, view }: { readonly turn: number; readonly view: SimulationView }) => {
  const { t } = useTranslation('simulation')
  const understood = view.understood.findLast(each => each.turn === turn && each.intent !== null)
  const confidence = understood?.ranking.find(({ name }) => name === understood.intent)?.confidence
  const tries = refusedTries(view, turn)
  return (
    <>
      {understood === undefined ? null : (
        <span className="ps-note">
          <Brain size={12} aria-hidden />
          {understood.intent}
          {confidence === undefined ? null : ` ${Math.round(confidence * 100)} %`}
        </span>
      )}
      {tries === undefined ? null : (
        <span className="ps-note" data-tone="warning">
          <TriangleAlert size={12} aria-hidden />
          {t('chat.notaccepted', { count: tries })}
        </span>
      )}
    </>
  )
}

const jsonIn = (text: string): { readonly ok: true; readonly value: Json } | { readonly ok: false } => {
  if (text.trim() === '') return { ok: true, value: null }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch {
    return { ok: false }
  }
}

interface Props {
  readonly call: SimulationView['calls'][number]
  readonly run: SimulationRun
}

/** A pending call: its request, and a form for its response. */
const PendingCall = ({ call, run }: Props) => {
  const { t } = useTranslation('simulation')
  const [status, setStatus] = useState('200')
  const [body, setBody] = useState('{}')
  const id = useId()
  const given = jsonIn(body)
  const code = Number(status)
  const isStatus = Number.isInteger(code) && code >= 100 && code <= 599
  const answer = () => {
    if (given.ok && isStatus) run.answer({ status: code, body: given.value })
  }
  return (
    <section className="ps-call" aria-label={t('call.waits')}>
      <b>{t('call.waits')}</b>
      <code>
        {call.method} {call.url}
      </code>
      {call.body === undefined ? null : <pre>{call.body}</pre>}
      <label htmlFor={`${id}-status`}>{t('call.status')}</label>
      <Input
        id={`${id}-status`}
        size="sm"
        w="20"
        inputMode="numeric"
        value={status}
        aria-invalid={!isStatus}
        onChange={event => setStatus(event.target.value)}
      />
      <label htmlFor={`${id}-body`}>{t('call.body')}</label>
      <Textarea
        id={`${id}-body`}
        size="sm"
        rows={4}
        fontFamily="mono"
        value={body}
        aria-invalid={!given.ok}
        aria-describedby={given.ok ? undefined : `${id}-fault`}
        onChange={event => setBody(event.target.value)}
      />
      {given.ok ? null : (
        <span id={`${id}-fault`} role="alert" className="ps-fault">
          {t('call.json')}
        </span>
      )}
      <HStack gap="2" mt="1">
        <Button
          size="sm"
          variant="solid"
          colorPalette="accent"
          disabled={run.busy || !given.ok || !isStatus}
          onClick={answer}
        >
          {t('call.answer')}
        </Button>
        <Button size="sm" disabled={run.busy} onClick={() => run.answer({ real: true })}>
          {t('call.real')}
        </Button>
      </HStack>
    </section>
  )
}

interface ChatPanelProps {
  readonly run: SimulationRun
  /** Stops before each block. */
  readonly paused: boolean
  /** Calls are made for real. */
  readonly real: boolean
  /** Name of the dialog it began in. */
  readonly place: string
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
  /** A block that was changed after it ran. */
  readonly edited: ExecutedBlock | undefined
  readonly onRestart: () => void
}

interface ActionsProps {
  readonly message: SimulationMessage
  readonly enabled: boolean
  readonly onPress: (action: { readonly id: string }) => void
}

const Actions = ({ message, enabled, onPress }: ActionsProps) =>
  offeredActions(message).length === 0 ? null : (
    <span className="ps-actions" data-list={message.wait?.list}>
      {offeredActions(message).map(action =>
        action.type === 'openUrl' ? (
          <a key={action.id} className="ps-offer" href={action.value} target="_blank" rel="noopener noreferrer">
            {action.title}
            <ExternalLink size={12} aria-hidden />
          </a>
        ) : (
          <button
            key={action.id}
            type="button"
            className="ps-offer"
            disabled={!enabled}
            onClick={() => onPress(action)}
          >
            {action.title}
          </button>
        ),
      )}
    </span>
  )

interface BubbleProps extends ActionsProps, Pick<ChatPanelProps, 'blockName' | 'onBlock'> {
  readonly onSubmit: (data: Json) => void
  readonly view: SimulationView
}

const Bubble = ({ message, view, blockName, onBlock, onSubmit, ...actions }: BubbleProps) => (
  <li className="ps-message" data-from={message.from}>
    <div className="ps-bubble">
      <MessageBody message={message} onSubmit={actions.enabled ? onSubmit : undefined} />
      <Actions message={message} {...actions} />
    </div>
    {message.from === 'user' ? (
      <PersonNote turn={message.turn} view={view} />
    ) : (
      <>
        <TemplateNote message={message} />
        <MessageSource
          message={message}
          isLast={actions.enabled && message === lastQuestion(view)}
          blockName={blockName}
          onBlock={onBlock}
        />
      </>
    )}
  </li>
)

/** Error of the run; a run that no longer exists can be restarted. */
const Fault = ({ error, onRestart }: { readonly error: unknown; readonly onRestart: () => void }) => {
  const { t } = useTranslation('simulation')
  if (!isProblem(error, 404))
    return (
      <p className="ps-fault" role="alert">
        {failureOf(error, t('chat.failed'))}
      </p>
    )
  return (
    <div className="ps-lost" role="alert">
      <p>{t('chat.lost')}</p>
      <Button size="sm" onClick={onRestart}>
        <RotateCcw size={14} aria-hidden />
        {t('control.restart')}
      </Button>
    </div>
  )
}

type EditedProps = Pick<ChatPanelProps, 'run' | 'paused' | 'blockName'> & { readonly edited: ExecutedBlock }

/** The messages come from a version that changed since. */
const Edited = ({ run, paused, blockName, edited: { dialog, block } }: EditedProps) => {
  const { t } = useTranslation('simulation')
  return (
    <div className="ps-edited" role="status">
      <p>{t('edited.text', { block: blockName(block) })}</p>
      <Button size="sm" disabled={run.busy} onClick={() => run.rerun({ dialog, block, paused })}>
        <History size={14} aria-hidden />
        {t('edited.do')}
      </Button>
    </div>
  )
}

/** The conversation as the person would see it. */
export const ChatPanel = ({ run, paused, real, place, blockName, onBlock, edited, onRestart }: ChatPanelProps) => {
  const { t } = useTranslation('simulation')
  const end = useRef<HTMLDivElement>(null)
  const { view, error, busy } = run
  const count = view?.said.length ?? 0
  const status = view?.status
  // A new message, or another state, may need to be scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what it scrolls for
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [count, status])
  const question = view === undefined ? undefined : lastQuestion(view)
  const call = view?.status === 'calling' ? view.calls.at(-1) : undefined
  return (
    <div className="ps-chat">
      <chakra.div className="ps-scroll" tabIndex={0} role="log" aria-label={t('chat.log')} aria-busy={busy}>
        {view === undefined ? null : (
          <p className="ps-began">{t('chat.began', { time: minuteOf(view.started), name: place })}</p>
        )}
        <ol>
          {(view?.said ?? []).map((message, at) => (
            <Bubble
              // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
              key={at}
              view={view as SimulationView}
              message={message}
              enabled={!busy && message === question}
              onSubmit={data => run.say({ type: 'submit', of: message.id, data, paused })}
              onPress={({ id }) => run.say({ type: 'choice', of: message.id, value: id, paused })}
              blockName={blockName}
              onBlock={onBlock}
            />
          ))}
        </ol>
        {call === undefined ? null : <PendingCall key={view?.calls.length} call={call} run={run} />}
        {view?.failed === undefined ? null : (
          <p className="ps-fault" role="alert">
            {t(`limit.${view.failed.limit}`, { block: blockName(view.failed.block ?? '') })}
          </p>
        )}
        {error === undefined ? null : <Fault error={error} onRestart={onRestart} />}
        {view === undefined ? null : <p className="ps-status">{t(`status.${view.status}`)}</p>}
        <div ref={end} />
      </chakra.div>
      {edited === undefined ? null : <Edited {...{ run, paused, blockName, edited }} />}
      <Composer run={run} paused={paused} real={real} />
    </div>
  )
}
