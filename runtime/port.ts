import type { Release } from '#domain/conversation/release.ts'
import type { Unrecognized } from '#domain/conversation/turn.ts'
import type { AskedModels, PathStep, Recording } from '#domain/rehearsal/recording.ts'
import type {
  CONVERSATION_STANDING,
  ReplayAgentMessage,
  ReplayDeskEvent,
  ReplayTurn,
} from '#schemas/api/conversation.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { AgentEvent } from './agent/agent-port.ts'
import type { VisitIndex } from './conversation/index/visit-index.ts'
import type { MeasureFilter, MetricQuery } from './metrics/metric-query.ts'

/** Content that a bot runs at one time, as stored in `release-<bot>`. */
export interface ReleaseRecord {
  readonly bot: string
  /** Its revision in the stream, counted from 1. */
  readonly number: number
  /** Hash of the revisions alone: equal revisions give an equal hash. */
  readonly hash: string
  /** Published revision of each dialog and handler, by id. */
  readonly dialogs: Readonly<Record<string, number>>
  readonly handlers: Readonly<Record<string, number>>
  readonly nlumodel: string | null
}

export interface Releases {
  /** Undefined: the bot was never started. */
  newest(bot: string): Promise<ReleaseRecord | undefined>
  /** Number of the newest release made until a moment, ms since 1970; 0 for none. */
  at(bot: string, moment: number): Promise<number>
  /** Returns the release with this number, compiled and cached. */
  compiled(bot: string, number: number): Promise<Release>
  /**
   * Makes the release that a command leads to, once the read models show the command. The follower of the
   * log would make the same one later; with this call the command is answered after its release exists.
   */
  made(command: ReleaseCommand): Promise<void>
}

interface ReleaseCommand {
  readonly entity: string
  readonly action: string
  /** Id of the bot, dialog or handler. */
  readonly id: string
  readonly input: JsonObject
  readonly actor: string | null
  readonly correlation: string
  /** ISO 8601 UTC. Default: now. */
  readonly time?: string
}

/** The person of a conversation as known to their channel. */
export interface ChannelUser {
  /** Unique on the channel. */
  readonly id: string
  readonly name?: string
  readonly data?: JsonObject
}

interface OpenConversation {
  readonly channel: string
  readonly user: ChannelUser
  readonly locale?: string
  /** Payload of the button or link that opened it: the first input is tried as a channel payload. */
  readonly payload?: string
  /** A trial: no figure counts the conversation. */
  readonly isTrial?: boolean
  /** True: the bot starts without a message. False: the first text starts it (REST, Direct Line). */
  readonly begins: boolean
}

interface OpenedFor {
  readonly conversation: string
  readonly position?: string
}

/** Message of a person. The client sets `id`: a repeated id is stored once. */
export interface SentMessage {
  readonly id: string
  /** `opening`: a link opened the chat, with its `payload` and without words. */
  readonly type: 'text' | 'choice' | 'location' | 'attachment' | 'order' | 'menu' | 'submit' | 'opening'
  readonly text?: string
  readonly value?: string
  /** Id of the bot's message whose button was pressed. */
  readonly of?: string
  readonly data?: Json
  readonly attachments?: readonly JsonObject[]
  /** Payload of the button, link or advertisement that it came with, tried as a channel payload. */
  readonly payload?: string
  /** The provider's id of the message that it answers. */
  readonly replyTo?: string
  /** The provider's id of it, on channels whose "typing" names the message that is being answered. */
  readonly provided?: string
  /** The campaign that it answers: id, run, template, button, and `message`, the template as it was sent. */
  readonly campaign?: JsonObject
  /** ms since 1970 when the person wrote it, where the provider says so. */
  readonly written?: number
}

/** A message as a client reads it, with further members that depend on its type. */
export type ChatMessage = JsonObject & {
  readonly id: string
  /** Opaque; sorts in the order of the conversation. */
  readonly position: string
  /** ISO 8601 UTC. */
  readonly time: string
  readonly from: 'bot' | 'user' | 'agent'
  readonly type: string
}

export interface ChatPage {
  readonly messages: readonly ChatMessage[]
  /** Position up to which nothing is missing. */
  readonly watermark: string
  readonly state: 'active' | 'waiting' | 'idle' | 'agent' | 'ended'
  /** Input that the bot waits for, from the last message that asks. */
  readonly wait: JsonObject | null
  /** The agent that the person talks to or waits for; null: the bot. */
  readonly agent: {
    readonly name: string
    readonly avatar: string
    readonly isWaiting: boolean
    /** Place in the queue of Parley's own desk, from 1, and the wait from there; null: not known. */
    readonly position?: number
    readonly wait?: string | null
  } | null
}

/** Notification for followers of a conversation on this node; they read the texts by position. */
export type ConversationNotification =
  | { readonly kind: 'messages' }
  | { readonly kind: 'state'; readonly state: ChatPage['state'] }
  /** The place of a person who waits for an agent may have changed. */
  | { readonly kind: 'place' }
  | { readonly kind: 'ended'; readonly reason: string }
  /** An agent writes. */
  | { readonly kind: 'typing'; readonly isTyping: boolean }

/** A conversation without any of its texts. Times are ms since 1970. */
export interface ConversationRecord {
  readonly id: string
  readonly bot: string
  readonly channel: string
  readonly channeltype: string
  /** Id of the person's key. */
  readonly person: string
  readonly status: string
  /** Number of the release that it runs. */
  readonly release: number
  readonly started: number
  readonly last: number
  readonly ended: number | null
  readonly reason: string | null
  readonly turns: number
  readonly retained: boolean
  /** `agent`: an agent wrote first; `trial`: a user tried the bot. Neither counts in the figures of the bot. */
  readonly origin: 'person' | 'agent' | 'trial'
  readonly standing: ConversationStanding
}

type ConversationStanding = (typeof CONVERSATION_STANDING)[number]

export interface ConversationFilter {
  /** An id, or a type. */
  readonly channel?: string | undefined
  readonly status?: string | undefined
  readonly standing?: ConversationStanding | undefined
  readonly person?: string | undefined
  /** A block where they wait, or waited when their person left. */
  readonly at?: string | undefined
  /** Prefix of the id of a conversation or of its person. */
  readonly search?: string | undefined
  readonly retained?: boolean | undefined
  readonly reason?: string | undefined
  /** Start of the conversation, ms since 1970: `from` inclusive, `to` exclusive. */
  readonly from?: number
  readonly to?: number
  /** Conversations that a figure of bots counts. */
  readonly figure?: MeasureFilter
  readonly origin?: string | undefined
}

/** A person with an agent, or waiting for one. Times are ms since 1970. */
export interface AgentSessionEntry {
  readonly conversation: string
  readonly n: number
  readonly channel: string
  readonly requested: number
  /** Start of the wait; null: an agent is there. */
  readonly waiting: number | null
  /** Place in the queue of the system, from 1; null: it says none. */
  readonly place: number | null
}

/** A turn whose text was not recognized, without the text. */
export interface UnrecognizedTurn extends Unrecognized {
  readonly conversation: string
  readonly turn: number
  readonly bot: string
  /** ms since 1970 */
  readonly time: number
  /** Revision of the message in the conversation's stream. */
  readonly input: number
}

/** Callbacks for messages of chats with agents, and for events of Parley's own desk. */
export interface ReplayBetween {
  onAgentSaid(message: ReplayAgentMessage): void
  onDesk(event: ReplayDeskEvent): void
}

/** Conversations of a bot that have not ended. */
export interface OpenCount {
  readonly bot: string
  /** With the bot. */
  readonly talking: number
  /** With an agent, or waiting for one. */
  readonly agents: number
  readonly waiting: number
}

/** The stored events of a conversation, to run it again. */
export interface RecordedConversation {
  /** Blocks that it passed. */
  readonly path: readonly PathStep[]
  /** Undefined: it cannot be run. `release`: the one that it ran. */
  recording(release: Release, models: AskedModels): Promise<Recording | undefined>
}

/** Conversations as the operators of a bot see them. */
export interface ConversationRecords {
  get(id: string): ConversationRecord | undefined
  /** Conversations of these bots, newest first. */
  list(
    bots: readonly string[],
    filter: ConversationFilter,
    page: number,
    size: number,
  ): {
    readonly items: readonly ConversationRecord[]
    readonly total: number
    /** Counts of all conversations that match the rest of the filter. */
    readonly counts: Readonly<Record<ConversationStanding, number>>
  }
  /**
   * Texts and values are null without `words`, and after the person was forgotten. `between` is called with what happened
   * beside the turns, in order.
   */
  turns(id: string, words: boolean, between?: ReplayBetween): AsyncIterable<ReplayTurn>
  /** The same, all at once. */
  replay(id: string, words: boolean): Promise<ReplayTurn[]>
  open(bots: readonly string[]): readonly OpenCount[]
  /** A conversation to be run again; undefined: it ran several releases, or is too long. */
  recorded(id: string): Promise<RecordedConversation | undefined>
  readonly visits: VisitIndex
  readonly metrics: MetricQuery
  /** Texts that the bot did not recognize, newest first, without forgotten ones. For callers who may read texts. */
  unrecognized(
    bots: readonly string[],
    limit: number,
  ): Promise<readonly (UnrecognizedTurn & { readonly text: string })[]>
}

/** Chats with agents, for the agent systems and for the operators of the queue. */
export interface AgentChats {
  /** Applies events of a system to the chat with this key; false: unknown chat. `fields` of the channel. */
  hear(channel: string, key: string, events: readonly AgentEvent[], fields: JsonObject): Promise<boolean>
  /** Persons who wait at a channel or talk to its agents; the longest wait first. */
  list(channel: string): readonly AgentSessionEntry[]
  /** Removes a waiting person from the queue; false: they no longer wait. */
  clear(talk: AgentSessionEntry, fields: JsonObject): Promise<boolean>
}

/**
 * Conversations as channels use them. Refusals: `entity.notfound`, `chat.disabled`, `bot.stopped`, `chat.ended`,
 * `chat.stale` (a button of an older message), `validation.failed`.
 */
export interface Conversations {
  open(asked: OpenConversation): Promise<Result<{ readonly conversation: string }>>
  /**
   * Returns the live conversation of a person who writes first, or opens one: every node returns the same one. If the
   * person's newest conversation took message `id` before it ended, also returns the position of that message.
   */
  openFor(asked: Omit<OpenConversation, 'begins'>, id: string): Promise<Result<OpenedFor>>
  /** Resolves once the message is stored; its turn runs in the background. */
  accept(conversation: string, message: SentMessage): Promise<Result<{ readonly position: string }>>
  /** At most `size` messages after a position ('' for the beginning), oldest first. */
  read(conversation: string, after: string, size: number): Promise<ChatPage | undefined>
  /** The newest `count` messages, for a chat that is reopened. */
  newest(conversation: string, count: number): Promise<ChatPage | undefined>
  /** The person of a conversation writes. */
  personTypes?(conversation: string): void
  /** Waits until no turn runs, at most `ms`; false when a turn still runs. */
  settled(conversation: string, ms: number): Promise<boolean>
  /** Returns the function that ends the subscription. */
  follow(conversation: string, listener: (news: ConversationNotification) => void): () => void
  /** Channel and person of a conversation; undefined where there is none. */
  owner(conversation: string): Promise<{ readonly channel: string; readonly user: ChannelUser } | undefined>
  /** The person's conversation on a channel that has not ended, if there is one. */
  live(channel: string, user: string): Promise<string | undefined>
  end(conversation: string, reason: 'person' | 'bot'): Promise<Result<Record<never, never>>>
  /** Records for the operators of bots; undefined before the first conversation. */
  records(): Promise<ConversationRecords | undefined>
  /** Chats with agents; undefined before the first conversation. */
  agents(): Promise<AgentChats | undefined>
  /** Makes the texts of the conversation's person unreadable. */
  forget(conversation: string): Promise<Result<Record<never, never>>>
}
