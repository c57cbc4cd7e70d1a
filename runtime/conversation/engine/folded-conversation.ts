import type { NodeKeys } from '#commands/keys/secret.ts'
import { derivedId, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import type { BotMessage, TurnInput } from '#domain/conversation/message.ts'
import type { ConversationState } from '#domain/conversation/state.ts'
import { channelType } from '#schemas/channel-type.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type Claim, conversationStream } from '#schemas/events/conversation.ts'
import type { DeskTalk, TakeoverRequest } from '../../agent/desk/desk-state.ts'
import type { AgentSession } from '../../agent/session/agent-session.ts'
import type { ChannelUser, ChatMessage, SentMessage } from '../../port.ts'

/** Input that begins a turn, in stored order. */
export interface Pending {
  /** Counted through all parts of the conversation. */
  readonly revision: number
  /** ms since 1970 */
  readonly time: number
  readonly from:
    | { readonly kind: 'open'; readonly payload?: string }
    | { readonly kind: 'message'; readonly sent: SentMessage; readonly masked: boolean }
    | { readonly kind: 'timer'; readonly timer: 'reminder' | 'timeout' }
    | { readonly kind: 'schedule'; readonly schedule: string }
    | Extract<TurnInput, { readonly kind: 'agentleft' }>
    | { readonly kind: 'takeover'; readonly by: TakeoverRequest }
}

/** Answers that an unfinished turn already received: it is run again with the same answers. */
interface Recorded {
  readonly answers: readonly EffectAnswer[]
  /** The call that was about to be made when the record ended: its outcome is unknown. */
  readonly asked: { readonly key: string; readonly method: string }
}

/** A conversation as this node has read it from its stream. */
export interface FoldedConversation {
  readonly id: string
  readonly bot: string
  readonly channel: string
  readonly channelType: string
  readonly locale: string
  /** Id of the person's key; the same person on the same channel has the same one. */
  readonly person: string
  readonly user: ChannelUser
  /** Number of the release that it runs. */
  release: number
  /** ms since 1970 from which it runs that release. */
  since: number
  /** The block where the person waited no longer exists: the next turn starts over. */
  isLost: boolean
  /** Number of events before each of its parts, 0 for the first: one entry per part. */
  readonly bases: readonly number[]
  /** Turns before its newest part. */
  readonly turnsBefore: number
  /** The newest part takes no more events: the next event begins another part. */
  isFull: boolean
  /** End of the newest part's stream. */
  tail: Tail
  /** ms since 1970 of the newest event. */
  last: number
  state: ConversationState
  inbox: readonly Pending[]
  /** Positions of received messages, by the client's id. */
  readonly received: Map<string, string>
  readonly messages: ChatMessage[]
  /** ms since 1970 of the person's last word in an earlier conversation; 0: the person began this one. */
  spokeBefore: number
  /** No figure counts it, nor the conversations that it opens with other bots. */
  isTrial: boolean
  /** The provider's id of the person's last message; undefined: not known. */
  answers: string | undefined
  /** Messages of the bot to other addresses. */
  readonly elsewhere: { readonly destination: string; readonly message: ChatMessage }[]
  /** Messages of the bot, to resolve pressed buttons. */
  readonly said: Map<number, BotMessage>
  claim: Claim | undefined
  recorded: Recorded | undefined
  /** The chat with an agent, while the person is handed over. */
  agent: AgentSession | undefined
  /** Chats that ended for the person and still have to be closed in their system. */
  closing: readonly AgentSession[]
  /** Notes, and facts of the chats at Parley's own desk, of the newest part. */
  readonly desk: DeskTalk
  /** ms since 1970: when an idle conversation ends. */
  idleEnd: number | undefined
  /** ms since 1970 of the next reminder, end or schedule. */
  due: number | undefined
  ended: string | undefined
  retained: boolean
}

export const newFolded = (
  given: Pick<
    FoldedConversation,
    | 'id'
    | 'bot'
    | 'channel'
    | 'channelType'
    | 'locale'
    | 'person'
    | 'user'
    | 'release'
    | 'since'
    | 'state'
    | 'bases'
    | 'turnsBefore'
  >,
): FoldedConversation => ({
  ...given,
  isLost: false,
  isFull: false,
  tail: NO_STREAM,
  last: 0,
  inbox: [],
  received: new Map(),
  messages: [],
  spokeBefore: 0,
  isTrial: false,
  answers: undefined,
  elsewhere: [],
  said: new Map(),
  claim: undefined,
  recorded: undefined,
  agent: undefined,
  closing: [],
  desk: { notes: [], facts: [], texts: new Set(), word: undefined },
  idleEnd: undefined,
  due: undefined,
  ended: undefined,
  retained: false,
})

/** The stream to write to: that of the newest part. */
export const streamOf = ({ id, bases }: Pick<FoldedConversation, 'id' | 'bases'>): string =>
  conversationStream(id, bases.length)

/** A revision of the newest part's stream, counted through all parts. */
export const countedRevision = ({ bases }: Pick<FoldedConversation, 'bases'>, revision: number): number =>
  (bases.at(-1) ?? 0) + revision

/** Whether it was read before this event of one of its parts was written. */
export const isBehind = ({ bases, tail }: FoldedConversation, part: number, revision: number): boolean =>
  bases.length === part ? tail.revision < revision : bases.length < part

/** Opaque; sorts as text: the event, then the place within it. */
export const positionOf = (revision: number, place = 0): string =>
  `${String(revision).padStart(9, '0')}.${String(place).padStart(3, '0')}`

/** Next moment for the clock: the first of reminder, end, schedules and the end of an idle chat. */
export const dueOf = ({ state, idleEnd }: Pick<FoldedConversation, 'state' | 'idleEnd'>): number | undefined => {
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  const moments = [
    wait?.remindAt,
    wait?.endAt,
    state.status === 'idle' ? idleEnd : undefined,
    ...state.schedules.map(({ at }) => at),
  ].filter(moment => moment !== undefined)
  return moments.length === 0 || state.status === 'ended' ? undefined : Math.min(...moments)
}

const HOUR_MS = 3_600_000

/** Last word of a person, ms since 1970; 0: none. */
export const lastSpoken = ({ messages, spokeBefore }: Pick<FoldedConversation, 'messages' | 'spokeBefore'>): number => {
  const last = messages.findLast(({ from }) => from === 'user')
  return last === undefined ? spokeBefore : Math.max(spokeBefore, Date.parse(last.time))
}

/** End of the time in which a channel takes free words after a person's last one, ms since 1970; undefined: at any time. */
export const windowAfter = (
  type: string,
  spoken: number,
  hours = channelType(type)?.windowHours,
): number | undefined => {
  if (hours === undefined) return undefined
  return spoken === 0 ? 0 : spoken + hours * HOUR_MS
}

/** End of the time in which the channel takes free words, ms since 1970; undefined: at any time (C-9.08). */
export const channelWindow = (
  held: Pick<FoldedConversation, 'channelType' | 'messages' | 'spokeBefore'>,
): number | undefined => windowAfter(held.channelType, lastSpoken(held))

/** Seals texts under the key of the person, and masked ones under a key of the conversation. */
export interface Words {
  /** Id of a person on a channel: it can be derived again, but not reversed. */
  personOf(channel: string, user: string): Promise<string>
  seal(holder: string, value: Json, context: string): Promise<JsonObject>
  /** Undefined: the key no longer exists. */
  open(holder: string, sealed: Json | undefined, context: string): Promise<Json | undefined>
  drop(holder: string): Promise<void>
  /** Whether the key of a person was destroyed. */
  isForgotten(person: string): Promise<boolean>
}

export const openMessageCipher = ({ personal, index }: Pick<NodeKeys, 'personal' | 'index'>): Words => ({
  async personOf(channel, user) {
    const hmac = index.hmac(`${channel} ${user}`)
    const forgotten = await personal.forgotten()
    // A forgotten person who returns gets a new id.
    for (let life = 0; ; life += 1) {
      const person = derivedId(hmac, `person ${life}`)
      if (!forgotten.has(person)) return person
    }
  },
  async seal(holder, value, context) {
    return personal.encrypt(holder, value, context)
  },
  async open(holder, sealed, context) {
    if (typeof sealed !== 'object' || sealed === null || Array.isArray(sealed)) return undefined
    return personal.decrypt(holder, sealed as JsonObject, context)
  },
  async drop(holder) {
    await personal.forget(holder)
  },
  async isForgotten(person) {
    return (await personal.forgotten()).has(person)
  },
})

/** Type of the channel of a linked conversation. No provider has it. */
export const LINK_TYPE = 'bot'

/** The channel on which a conversation talks to another bot. */
export const linkChannel = (conversation: string, bot: string): string => `link.${conversation}.${bot}`

/** The conversation that talks to this one, and the bot of this one; undefined for a channel of persons. */
export const linkOf = (channel: string): { readonly conversation: string; readonly bot: string } | undefined => {
  const [, conversation, bot] = /^link\.([^.]+)\.([^.]+)$/u.exec(channel) ?? []
  return conversation === undefined || bot === undefined ? undefined : { conversation, bot }
}
