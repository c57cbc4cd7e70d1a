import { maskedHolder } from '#commands/keys/secret.ts'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import { actionsOf, type BotMessage, pressedWords, shownActions } from '#domain/conversation/message.ts'
import { type ConversationState, changedState, newConversation } from '#domain/conversation/state.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import { closeAgent, foldAgentEvent, foldTurnOfAgent } from '../../agent/session/agent-events.ts'
import type { ChannelUser, ChatMessage, SentMessage } from '../../port.ts'
import { type Fact, foldPartStart } from './conversation-facts.ts'
import {
  countedRevision,
  dueOf,
  type FoldedConversation,
  newFolded,
  type Pending,
  positionOf,
  type Words,
} from './folded-conversation.ts'

/** Shown in place of a masked answer. */
const DOTS = '••••••'

/** A message of the bot as clients read it, without the names of blocks. */
export const botChatMessage = (message: BotMessage, position: string, time: string): ChatMessage => ({
  ...(message.content as unknown as JsonObject),
  id: String(message.id),
  position,
  time,
  from: 'bot',
  type: message.content.type,
  delay: message.delay,
  actions: [...shownActions(message)],
  ...(message.asks === undefined ? {} : { wait: { ...message.asks } as unknown as JsonObject }),
  ...(message.template === undefined ? {} : { template: message.template }),
})

/** The message of a campaign that a message of a person answers; undefined for other messages. */
export const campaignChatMessage = ({ campaign }: SentMessage, position: string): ChatMessage | undefined => {
  const { id, time, text, buttons } = (campaign?.message ?? {}) as JsonObject
  if (typeof id !== 'string' || typeof time !== 'string' || typeof text !== 'string') return undefined
  const titles = Array.isArray(buttons) ? buttons.map(String) : []
  return {
    ...{ id, position, time, text, from: 'bot', type: 'text', source: 'campaign', delay: 0 },
    campaign: String(campaign?.id ?? ''),
    template: String(campaign?.template ?? ''),
    actions: titles.map(title => ({ id: '', type: 'postBack', title, value: '' })),
  }
}

/** Words of a press on a message that was said; undefined for other messages. */
export const shownPress = (said: ReadonlyMap<number, BotMessage>, { of, value }: SentMessage): string | undefined => {
  const message = said.get(Number(of))
  const action = message && actionsOf(message).find(({ id }) => id === value)
  return action && pressedWords(action)
}

const textOf = ({ type, text, value, data, attachments }: SentMessage, pressed: string | undefined): string => {
  if (pressed !== undefined) return pressed
  if (text !== undefined) return text
  if (type === 'attachment') return (attachments ?? []).map(({ name }) => String(name ?? '')).join(', ')
  return data === undefined ? (value ?? '') : JSON.stringify(data)
}

/** When a person wrote a message, which a provider may deliver late. ISO 8601 UTC. */
export const writtenAt = ({ data, time }: Pick<StoredEvent, 'data' | 'time'>): string =>
  typeof data.written === 'number' ? new Date(data.written).toISOString() : time

/** A message of a person; undefined for one that shows nothing, such as a command of the menu or an opening. */
export const userChatMessage = (
  sent: SentMessage,
  {
    position,
    time,
    pressed,
    masked,
  }: { position: string; time: string; pressed?: string | undefined; masked: boolean },
): ChatMessage | undefined => {
  if (sent.type === 'menu' || sent.type === 'opening') return undefined
  const shown: Record<string, Json> = masked
    ? { text: DOTS }
    : {
        text: textOf(sent, pressed),
        // A file that was not fetched shows its name alone.
        ...(sent.attachments === undefined
          ? {}
          : { attachments: sent.attachments.filter(({ error }) => error === undefined) }),
        ...(sent.type === 'location' && sent.data !== undefined ? { data: sent.data } : {}),
      }
  return {
    ...shown,
    id: sent.id,
    position,
    time,
    from: 'user',
    type: sent.type === 'choice' ? 'text' : sent.type,
    actions: [],
  }
}

type Data = Readonly<Record<string, Json | undefined>>

const claimOf = (data: Data): Claim | undefined => data.claim as Claim | undefined

/** A conversation at its first event. */
const started = async ({ data, time, stream }: StoredEvent, id: string, words: Words): Promise<FoldedConversation> => {
  const { bot, channel, channeltype, release, locale, person, userdata } = data as {
    readonly [name: string]: string
  } & { readonly release: never; readonly userdata: never }
  const opened = await words.open(String(person), data.user, stream)
  const user = (opened ?? { id: '' }) as unknown as ChannelUser
  const known = await words.open(String(person), userdata as Json, stream)
  const held = newFolded({
    id,
    bot: String(bot),
    channel: String(channel),
    channelType: String(channeltype),
    locale: String(locale),
    person: String(person),
    user,
    release: Number(release),
    since: Date.parse(time),
    bases: [0],
    turnsBefore: 0,
    state: newConversation({
      id,
      started: Date.parse(time),
      channel: { id: String(channel), type: String(channeltype) },
      user: { id: user.id, ...(user.name === undefined ? {} : { name: user.name }), ...user.data },
      locale: String(locale),
      userdata: (known ?? {}) as JsonObject,
    }),
  })
  held.spokeBefore = Number(data.spoke ?? 0)
  held.isTrial = data.origin === 'trial'
  return held
}

const withoutReminder = (state: ConversationState): ConversationState => ({
  ...state,
  frames: state.frames.map(frame => {
    if (frame.wait === undefined) return frame
    const { remindAt: _remindAt, ...wait } = frame.wait
    return { ...frame, wait }
  }),
})

const pend = (held: FoldedConversation, event: StoredEvent, from: Pending['from']): void => {
  const revision = countedRevision(held, event.revision)
  held.inbox = [...held.inbox, { revision, time: Date.parse(event.time), from }]
  held.claim = claimOf(event.data) ?? held.claim
}

const clockSource = ({ type, data }: Pick<StoredEvent, 'type' | 'data'>): Pending['from'] =>
  type === 'ScheduleFired'
    ? { kind: 'schedule', schedule: String(data.schedule) }
    : { kind: 'timer', timer: data.timer === 'reminder' ? 'reminder' : 'timeout' }

/** The input that an event of the clock is once it is stored as the next event. */
export const clockInput = (held: FoldedConversation, fact: Fact): Pending => ({
  revision: countedRevision(held, held.tail.revision + 1),
  time: fact.time,
  from: clockSource(fact),
})

const received = async (held: FoldedConversation, event: StoredEvent, words: Words): Promise<void> => {
  const { message, masked, said } = event.data
  const holder = masked === true ? maskedHolder(held.id) : held.person
  const opened = (await words.open(holder, said, event.stream)) ?? { type: 'text', text: '' }
  const sent = { ...(opened as JsonObject), id: String(message) } as unknown as SentMessage
  const revision = countedRevision(held, event.revision)
  const campaign = campaignChatMessage(sent, positionOf(revision))
  const isShown = campaign !== undefined && held.messages.every(({ id }) => id !== campaign.id)
  if (isShown) held.messages.push(campaign)
  const position = positionOf(revision, isShown ? 1 : 0)
  held.received.set(sent.id, position)
  held.answers = sent.provided ?? held.answers
  const time = writtenAt(event)
  const shown = userChatMessage(sent, { position, time, pressed: shownPress(held.said, sent), masked: masked === true })
  if (shown !== undefined) held.messages.push(shown)
  pend(held, event, { kind: 'message', sent, masked: masked === true })
  // A person who answers gets no more reminders. A timer whose turn has made calls keeps its place.
  if (held.recorded === undefined) held.inbox = [...held.inbox.filter(isNoTimer), ...held.inbox.filter(isTimer)]
}

const isTimer = ({ from }: Pending): boolean => from.kind === 'timer'
const isNoTimer = (pending: Pending): boolean => !isTimer(pending)

const turned = async (held: FoldedConversation, event: StoredEvent, words: Words): Promise<void> => {
  const { data, stream } = event
  const holder = data.masked === true ? maskedHolder(held.id) : held.person
  const wasWithAgent = held.state.status === 'agent'
  const pending = held.inbox.find(({ revision }) => revision === data.input)
  const [change, said] = await Promise.all([
    words.open(holder, data.set, stream),
    words.open(held.person, data.said, stream),
  ])
  held.state = changedState(held.state, {
    ...((change ?? {}) as JsonObject),
    status: data.status ?? 'idle',
    turns: data.turn ?? held.state.turns,
  })
  const revision = countedRevision(held, event.revision)
  for (const [place, message] of ((said ?? []) as unknown as readonly BotMessage[]).entries()) {
    held.said.set(message.id, message)
    const shown = botChatMessage(message, positionOf(revision, place + 1), event.time)
    if (message.destination === undefined) held.messages.push(shown)
    else held.elsewhere.push({ destination: message.destination, message: shown })
  }
  // Timers that fell due during the wait that ends here are void.
  held.inbox = held.inbox.filter(({ revision, from }) => revision !== data.input && from.kind !== 'timer')
  held.claim = claimOf(data)
  held.recorded = undefined
  held.isLost = false
  held.idleEnd = typeof data.idleend === 'number' ? data.idleend : undefined
  held.retained ||= data.retained === true
  if (typeof data.ended === 'string') held.ended = data.ended
  if (held.agent !== undefined) foldTurnOfAgent(held, wasWithAgent, pending, event.time)
}

const requested = async (held: FoldedConversation, { data, stream }: StoredEvent, words: Words): Promise<void> => {
  const answers = ((await words.open(held.person, data.answers, stream)) ?? []) as unknown as readonly EffectAnswer[]
  held.recorded = {
    answers: [...(held.recorded?.answers ?? []), ...answers],
    asked: { key: String(data.key), method: String(data.method) },
  }
  held.claim = claimOf(data) ?? held.claim
}

/** Another release continues it, from the dialogs that are named. */
const moved = (held: FoldedConversation, { data, time }: StoredEvent): void => {
  const kept = new Set(data.frames as readonly number[])
  const frames = held.state.frames.filter(({ id }) => kept.has(id))
  const asked = held.state.asked.filter(({ frame }) => kept.has(frame))
  held.release = Number(data.release)
  held.since = Date.parse(time)
  held.isLost = data.lost === true
  held.state = { ...held.state, frames, asked }
}

const ended = (held: FoldedConversation, reason: string): void => {
  held.ended = reason
  held.state = { ...held.state, status: 'ended', frames: [] }
  held.inbox = []
  held.claim = undefined
  closeAgent(held)
}

/** State before an event: a new one if the event begins a conversation or a part, else the given one. */
const begun = async (
  before: FoldedConversation | undefined,
  id: string,
  event: StoredEvent,
  words: Words,
): Promise<FoldedConversation | undefined> => {
  if (event.type === 'ConversationContinued') return foldPartStart(event, id, words)
  return before ?? (event.type === 'ConversationStarted' ? started(event, id, words) : undefined)
}

/** A conversation after an event of the stream of one of its parts; undefined before the first. */
export const foldEvent = async (
  before: FoldedConversation | undefined,
  id: string,
  event: StoredEvent,
  words: Words,
): Promise<FoldedConversation | undefined> => {
  const held = await begun(before, id, event, words)
  if (held === undefined) return undefined
  const { data } = event
  switch (event.type) {
    case 'ConversationStarted': {
      const payload = await words.open(held.person, data.payload, event.stream)
      const from = { kind: 'open', ...(typeof payload === 'string' ? { payload } : {}) } as const
      if (data.begins === true) pend(held, event, from)
      break
    }
    case 'MessageReceived':
      await received(held, event, words)
      break
    case 'TimerFired':
      // A reminder that fell due long ago, while the bot was stopped.
      if (data.dropped === true) held.state = withoutReminder(held.state)
      else pend(held, event, clockSource(event))
      break
    case 'ScheduleFired':
      pend(held, event, clockSource(event))
      break
    case 'ScheduleSkipped':
      held.state = { ...held.state, schedules: held.state.schedules.filter(({ id: one }) => one !== data.schedule) }
      break
    case 'EffectRequested':
      await requested(held, event, words)
      break
    case 'ClaimTaken':
      held.claim = claimOf(data)
      break
    case 'TurnTaken':
    case 'TurnFailed':
      await turned(held, event, words)
      break
    case 'ConversationMoved':
      moved(held, event)
      break
    case 'ConversationPartEnded':
      held.isFull = true
      break
    case 'ConversationEnded':
      ended(held, String(data.reason))
      break
    default:
      await foldAgentEvent(held, event, words)
  }
  held.tail = { revision: event.revision, hash: event.hash }
  held.last = Math.max(held.last, Date.parse(event.time))
  held.due = dueOf(held)
  return held
}
