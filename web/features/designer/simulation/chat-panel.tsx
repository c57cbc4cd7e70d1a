import { Button, chakra } from '@chakra-ui/react'
import { ExternalLink, History, RotateCcw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json } from '#schemas/event.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { minuteOf } from '#web/format/time.ts'
import { Composer } from './composer.tsx'
import { MessageBody } from './message-body.tsx'
import { MessageSource, PersonNote, TemplateNote } from './message-note.tsx'
import { PendingCall } from './pending-call.tsx'
import {
  type ExecutedBlock,
  lastQuestion,
  offeredActions,
  type SimulationMessage,
  type SimulationRun,
  type SimulationView,
} from './use-simulation.ts'

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
