import { Button, chakra } from '@chakra-ui/react'
import { ExternalLink, Paperclip, SendHorizontal } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { IconButton } from '#web/components/icon-button.tsx'
import { MessageBody } from './message-body.tsx'
import { PendingCall } from './pending-call.tsx'
import type { SimulationMessage, SimulationRun, SimulationView } from './use-simulation.ts'

interface ChatPanelProps {
  readonly run: SimulationRun
  /** Stops before each block. */
  readonly paused: boolean
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
}

/** The input that fits how an answer is asked for. */
const typeOf = (wait: SimulationMessage['wait']): string => {
  if (wait?.mask === true) return 'password'
  const calendars: Readonly<Record<string, string>> = { date: 'date', time: 'time', datetime: 'datetime-local' }
  return (wait === undefined ? undefined : calendars[wait.calendar]) ?? 'text'
}

const lastQuestion = (view: SimulationView): SimulationMessage | undefined =>
  view.status === 'waiting' ? view.said.findLast(({ from }) => from === 'bot') : undefined

interface ActionsProps {
  readonly message: SimulationMessage
  readonly enabled: boolean
  readonly onPress: (action: SimulationMessage['actions'][number]) => void
}

const Actions = ({ message, enabled, onPress }: ActionsProps) =>
  message.actions.length === 0 ? null : (
    <span className="ps-actions" data-list={message.wait?.list}>
      {message.actions.map(action =>
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

const Bubble = ({
  message,
  blockName,
  onBlock,
  ...actions
}: ActionsProps & Pick<ChatPanelProps, 'blockName' | 'onBlock'>) => (
  <li className="ps-message" data-from={message.from}>
    <div className="ps-bubble">
      <MessageBody message={message} />
      <Actions message={message} {...actions} />
    </div>
    {message.block === null ? null : (
      <button type="button" className="ps-source" onClick={() => onBlock(message.block ?? '')}>
        {blockName(message.block)}
      </button>
    )}
  </li>
)

const Composer = ({ run, paused }: Pick<ChatPanelProps, 'run' | 'paused'>) => {
  const { t } = useTranslation('simulation')
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const { view, busy } = run
  const isOpen = view !== undefined && !busy && !['paused', 'calling', 'ended'].includes(view.status)
  const question = view === undefined ? undefined : lastQuestion(view)
  useEffect(() => {
    if (isOpen) input.current?.focus({ preventScroll: true })
  }, [isOpen])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isOpen || text.trim() === '') return
    run.say({ text, paused })
    setText('')
  }
  const attach = (chosen: File | undefined) => {
    if (chosen === undefined) return
    const attachment = { name: chosen.name, contentType: chosen.type, contentUrl: `attachment:${chosen.name}` }
    run.say({ type: 'attachment', attachments: [attachment], paused })
  }
  return (
    <form className="ps-composer" onSubmit={send}>
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
    </form>
  )
}

/** The conversation as the person would see it. */
export const ChatPanel = ({ run, paused, blockName, onBlock }: ChatPanelProps) => {
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
        <ol>
          {(view?.said ?? []).map((message, place) => (
            <Bubble
              // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
              key={place}
              message={message}
              enabled={!busy && message === question}
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
        {error === undefined ? null : (
          <p className="ps-fault" role="alert">
            {failureOf(error, t('chat.failed'))}
          </p>
        )}
        {view === undefined ? null : <p className="ps-status">{t(`status.${view.status}`)}</p>}
        <div ref={end} />
      </chakra.div>
      <Composer run={run} paused={paused} />
    </div>
  )
}
