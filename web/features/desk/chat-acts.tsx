import { Box, chakra, Field, Input, Text, Textarea } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { AlarmClock, ArrowRightLeft, Check, Clock, CornerUpLeft, Tags, TriangleAlert, Undo2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import { folded } from '#schemas/fold-text.ts'
import { ActPanel } from '#web/components/act-panel.tsx'
import { Chip } from '#web/components/chip.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { StringsControl } from '#web/form/control/strings-control.tsx'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { durationOf, minuteOf, momentOf } from '#web/format/time.ts'
import { holderOf } from './chat-list.tsx'
import { type DeskChatDetail, deskAct } from './desk-query.ts'
import { nextMorning } from './urgency.ts'
import { useClose } from './use-closing.ts'

interface ActProps {
  readonly chat: DeskChatDetail
  readonly anchor: HTMLElement | null
  readonly onClose: () => void
}

/** The panel of an act on a chat, which is read again afterwards. */
const ChatActPanel = ({ onAct, ...panel }: ComponentProps<typeof ActPanel>) => {
  const client = useQueryClient()
  const act = async () => {
    await onAct()
    await client.invalidateQueries({ queryKey: ['desk'] })
  }
  return <ActPanel {...panel} onAct={act} />
}

interface Option {
  readonly id: string
  readonly title: string
  readonly text: ReactNode
  readonly lead?: ReactNode
}

/** One of several places, found by typing. */
const Options = ({
  label,
  find,
  options,
  value,
  onChange,
}: {
  readonly label: string
  readonly find: string
  readonly options: readonly Option[]
  readonly value: string | undefined
  readonly onChange: (id: string) => void
}) => {
  const { t } = useTranslation('desk')
  const name = useId()
  const [typed, setTyped] = useState('')
  const found = options.filter(({ title }) => folded(title).includes(folded(typed.trim())))
  return (
    <Box>
      {options.length > 5 ? (
        <Input
          type="search"
          aria-label={find}
          placeholder={find}
          mb="2"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      ) : null}
      <chakra.fieldset aria-label={label} maxH="232px" overflowY="auto" mx="-1.5">
        {found.map(option => (
          <label key={option.id} className="dk-option" data-chosen={option.id === value || undefined}>
            <input type="radio" name={name} checked={option.id === value} onChange={() => onChange(option.id)} />
            {option.lead === undefined ? null : <i>{option.lead}</i>}
            <span>
              <b>{option.title}</b>
              <small>{option.text}</small>
            </span>
          </label>
        ))}
        {found.length === 0 ? (
          <Text px="1.5" textStyle="dense" color="fg.muted">
            {t('act.nothing')}
          </Text>
        ) : null}
      </chakra.fieldset>
    </Box>
  )
}

const NoteField = ({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { t } = useTranslation('desk')
  return (
    <Field.Root>
      <Field.Label>{t('act.note')}</Field.Label>
      <Textarea
        rows={2}
        minH="14"
        maxLength={DESK_LIMITS.note}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </Field.Root>
  )
}

type TransferTo = DeskChatDetail['transferto']
type Colleague = TransferTo['users'][number]
type TransferQueue = TransferTo['queues'][number]

/** State of a colleague, who may have left the desk without saying so. */
const stateOf = ({ state, present }: Colleague): Colleague['state'] | 'away' =>
  state === 'offline' || present ? state : 'away'

const isFull = ({ load, capacity }: Colleague): boolean => load >= capacity

const acceptText = (t: TFunction<'desk'>, name: string, { accept }: TransferTo): string =>
  t('act.accept', { name, time: durationOf(accept * 1000) })

/** Consequence of a transfer that helps the person less than it seems; undefined: none. */
const transferWarning = (
  t: TFunction<'desk'>,
  { person, transferto }: DeskChatDetail,
  to: string | undefined,
): string | undefined => {
  const queue = transferto.queues.find(({ id }) => to === `queue ${id}`)
  if (queue !== undefined && queue.available === 0) {
    if (queue.open) return t('act.warn.nobody', { queue: queue.name, person })
    return t(queue.opens === null ? 'act.warn.closed' : 'act.warn.closeduntil', {
      ...{ queue: queue.name, person },
      time: queue.opens === null ? '' : momentOf(queue.opens),
    })
  }
  const user = transferto.users.find(({ id }) => to === `user ${id}`)
  if (user === undefined) return undefined
  const { name } = user
  if (user.returns) return t('act.warn.returns', { name })
  const state = stateOf(user)
  // The time to open it is shorter than any absence.
  if (state !== 'available' && state !== 'finishing' && transferto.accept > 0) return acceptText(t, name, transferto)
  if (state !== 'available') return t(`act.warn.${state}`, { name, person })
  return isFull(user) ? t('act.warn.full', { name, load: user.load, capacity: user.capacity }) : undefined
}

/** Time in which a colleague has to open a transferred chat; undefined: any time. */
const transferTerms = (
  t: TFunction<'desk'>,
  { transferto }: DeskChatDetail,
  to: string | undefined,
): string | undefined => {
  const user = transferto.users.find(({ id }) => to === `user ${id}`)
  return user === undefined || transferto.accept === 0 ? undefined : acceptText(t, user.name, transferto)
}

const queueText = (t: TFunction<'desk'>, { open, opens, waiting, available }: TransferQueue): string =>
  [
    ...(open ? [] : [opens === null ? t('act.closedqueue') : t('act.opens', { time: momentOf(opens) })]),
    available === 0 ? t('act.nobodythere') : t('act.there', { count: available }),
    ...(waiting === 0 ? [] : [t('act.waiting', { count: waiting })]),
  ].join(' · ')

const ORDER = ['available', 'finishing', 'paused', 'away', 'offline'] as const

/** Gives the chat to another queue or person, with a note for them. */
export const TransferPanel = ({ chat, anchor, onClose }: ActProps) => {
  const { t } = useTranslation('desk')
  const [to, setTo] = useState<string>()
  const [note, setNote] = useState('')
  const { queues } = chat.transferto
  const users = chat.transferto.users.toSorted(
    (one, other) =>
      ORDER.indexOf(stateOf(one)) - ORDER.indexOf(stateOf(other)) || Number(isFull(one)) - Number(isFull(other)),
  )
  const warning = transferWarning(t, chat, to)
  const terms = warning ?? transferTerms(t, chat, to)
  const options: Option[] = [
    ...queues.map(queue => ({
      id: `queue ${queue.id}`,
      title: queue.name,
      lead: <Chip h="5">{t('act.queue')}</Chip>,
      text: queueText(t, queue),
    })),
    ...users.map(user => ({
      id: `user ${user.id}`,
      title: user.name,
      lead: <PersonAvatar person={holderOf({ user: user.id, name: user.name })} size={24} />,
      text: `${t(`state.${stateOf(user)}`)} · ${t('load.of', { load: user.load, capacity: user.capacity })}`,
    })),
  ]
  const transfer = () => {
    const [kind, id = ''] = to?.split(' ') ?? []
    const more = note.trim() === '' ? {} : { note: note.trim() }
    return deskAct.transfer(chat.conversation, kind === 'queue' ? { queue: id, ...more } : { user: id, ...more })
  }
  return (
    <ChatActPanel
      anchor={anchor}
      title={t('act.transfertitle', { name: chat.person })}
      action={t('act.transfer')}
      icon={<ArrowRightLeft size={15} aria-hidden="true" />}
      isReady={to !== undefined}
      onAct={transfer}
      onClose={onClose}
    >
      <Options label={t('act.to')} find={t('act.find')} options={options} value={to} onChange={setTo} />
      <Text
        role="status"
        textStyle="secondary"
        color={warning === undefined ? 'fg.muted' : 'warning.fg'}
        display="flex"
        gap="1.5"
      >
        {terms === undefined ? null : (
          <>
            <chakra.span flex="none" pt="0.5">
              {warning === undefined ? (
                <Clock size={14} aria-hidden="true" />
              ) : (
                <TriangleAlert size={14} aria-hidden="true" />
              )}
            </chakra.span>
            {terms}
          </>
        )}
      </Text>
      <NoteField value={note} onChange={setNote} />
    </ChatActPanel>
  )
}

/** Gives a chat back that a colleague passed on. */
export const DeclinePanel = ({ chat, anchor, onClose }: ActProps) => {
  const { t } = useTranslation('desk')
  const [note, setNote] = useState('')
  const { by = '', to = null } = chat.decline ?? {}
  return (
    <ChatActPanel
      anchor={anchor}
      title={t('act.declinetitle', { name: chat.person })}
      action={t('act.decline')}
      icon={<Undo2 size={15} aria-hidden="true" />}
      isReady
      onAct={() => deskAct.decline(chat.conversation, note.trim() === '' ? {} : { note: note.trim() })}
      onClose={onClose}
    >
      <Text textStyle="dense" color="fg.muted">
        {to === null
          ? t('act.declinequeue', { name: by, queue: chat.queuename })
          : t('act.declineback', { name: to, person: chat.person })}
      </Text>
      <NoteField value={note} onChange={setNote} />
    </ChatActPanel>
  )
}

type Target = DeskChatDetail['returntargets'][number]

const idOf = (target: Target): string =>
  target.kind === 'flow'
    ? 'flow'
    : target.kind === 'task'
      ? `task ${target.id}`
      : `block ${target.dialog} ${target.block}`

const bodyOf = (target: Target) => {
  switch (target.kind) {
    case 'flow':
      return { kind: 'flow' } as const
    case 'task':
      return { kind: 'task', id: target.id } as const
    default:
      return { kind: 'block', dialog: target.dialog, block: target.block } as const
  }
}

const ReasonField = ({
  chat,
  value,
  onChange,
}: {
  readonly chat: DeskChatDetail
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const { t } = useTranslation('desk')
  if (chat.reasons.length === 0) return null
  return (
    <LabelledSelect
      label={t('act.reason')}
      required={chat.reasonrequired}
      value={value}
      none={t(chat.reasonrequired ? 'act.choosereason' : 'act.noreason')}
      options={chat.reasons.map(({ key, name }) => [key, name])}
      onChange={onChange}
    />
  )
}

/** Key of the last chosen place of return, per queue. */
const lastReturn = (queue: string | null): string => `parley.desk.return.${queue ?? ''}`

/** Gives the person back to the bot: where the flow stopped, or at a chosen task or block. */
export const ReturnPanel = ({ chat, anchor, onClose }: ActProps) => {
  const { t } = useTranslation('desk')
  const key = lastReturn(chat.queue)
  const targets = chat.returntargets
  const [to, setTo] = useState(() => {
    const last = sessionStorage.getItem(key)
    return targets.some(target => idOf(target) === last) ? (last ?? undefined) : targets[0] && idOf(targets[0])
  })
  const [reason, setReason] = useState('')
  const target = targets.find(one => idOf(one) === to)
  const close = useClose(chat)
  const giveBack = async () => {
    if (to !== undefined) sessionStorage.setItem(key, to)
    close({
      ...(reason === '' ? {} : { reason }),
      ...(target === undefined ? {} : { return: bodyOf(target) }),
    })
  }
  return (
    <ActPanel
      anchor={anchor}
      title={t('act.returntitle', { bot: chat.botname })}
      action={t('act.return')}
      icon={<CornerUpLeft size={15} aria-hidden="true" />}
      isReady={target !== undefined && (reason !== '' || !chat.reasonrequired)}
      onAct={giveBack}
      onClose={onClose}
    >
      <Options
        label={t('act.where')}
        find={t('act.findblock')}
        value={to}
        onChange={setTo}
        options={targets.map(one => ({
          id: idOf(one),
          title: one.kind === 'flow' ? t('act.flow') : one.name,
          text: t(`act.kind.${one.kind}`),
        }))}
      />
      <ReasonField chat={chat} value={reason} onChange={setReason} />
    </ActPanel>
  )
}

/** Ends the chat, for a reason of the queue. */
export const ClosePanel = ({ chat, anchor, onClose }: ActProps) => {
  const { t } = useTranslation('desk')
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [csat, setCsat] = useState(true)
  const close = useClose(chat)
  // A chat in which no agent wrote is not rated.
  const hasAnswered = chat.messages.some(({ from }) => from === 'agent')
  const mayAsk = chat.csat && hasAnswered && chat.reasons.find(({ key }) => key === reason)?.csat !== false
  return (
    <ActPanel
      anchor={anchor}
      title={t('act.closetitle', { name: chat.person })}
      action={t('act.close')}
      icon={<Check size={15} aria-hidden="true" />}
      isReady={reason !== '' || !chat.reasonrequired}
      onAct={async () =>
        close({
          ...(reason === '' ? {} : { reason }),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
          ...(csat ? {} : { csat }),
        })
      }
      onClose={onClose}
    >
      <Text textStyle="dense" color="fg.muted">
        {t('act.closetext', { bot: chat.botname })}
      </Text>
      <ReasonField chat={chat} value={reason} onChange={setReason} />
      <NoteField value={note} onChange={setNote} />
      {mayAsk ? (
        <SwitchLabel label={t('act.csat')} atEnd line={{ textStyle: 'dense' }} value={csat} onChange={setCsat} />
      ) : null}
    </ActPanel>
  )
}

const MINUTE = 60_000

/** Puts the chat away until a moment, or until the person writes. */
export const SnoozePanel = ({ chat, anchor, onClose }: ActProps) => {
  const { t } = useTranslation('desk')
  const [choice, setChoice] = useState('word')
  const moments: readonly (readonly [string, Date])[] = [
    ['30', new Date(Date.now() + 30 * MINUTE)],
    ['120', new Date(Date.now() + 120 * MINUTE)],
    ['tomorrow', nextMorning(Date.now())],
  ]
  const until = moments.find(([id]) => id === choice)?.[1]
  const isLate = until !== undefined && chat.window !== null && until.toISOString() > chat.window
  return (
    <ChatActPanel
      anchor={anchor}
      title={t('act.snoozetitle')}
      action={t('act.snooze')}
      icon={<AlarmClock size={15} aria-hidden="true" />}
      isReady={!isLate}
      onAct={() => deskAct.snooze(chat.conversation, until === undefined ? {} : { until: until.toISOString() })}
      onClose={onClose}
    >
      <Options
        label={t('act.snoozetitle')}
        find={t('act.find')}
        value={choice}
        onChange={setChoice}
        options={[
          { id: 'word', title: t('act.untilword'), text: t('act.untilwordtext') },
          ...moments.map(([id, at]) => ({ id, title: t(`act.in.${id}`), text: minuteOf(at.toISOString()) })),
        ]}
      />
      {isLate ? (
        <Text role="alert" textStyle="secondary" color="warning.fg">
          {t('act.pastwindow', { time: minuteOf(chat.window ?? '') })}
        </Text>
      ) : null}
    </ChatActPanel>
  )
}

/** Words by which the chat is found again. */
export const TagPanel = ({ chat, anchor, onClose }: ActProps) => {
  const { t } = useTranslation('desk')
  const [tags, setTags] = useState<readonly string[]>(chat.tags)
  return (
    <ChatActPanel
      anchor={anchor}
      title={t('act.tags')}
      action={t('act.savetags')}
      icon={<Tags size={15} aria-hidden="true" />}
      isReady
      onAct={() => deskAct.tag(chat.conversation, tags)}
      onClose={onClose}
    >
      <Text id="tags-label" srOnly>
        {t('act.tags')}
      </Text>
      <StringsControl id="tags" value={tags} max={100} onChange={setTags} />
    </ChatActPanel>
  )
}
