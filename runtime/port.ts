import type { Release } from '#domain/conversation/release.ts'
import type { CONVERSATION_STANDING, ReplayTurn } from '#schemas/api/conversation.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { AgentEvent } from './agent/port.ts'
import type { AgentTalkRecord } from './agent/session/agent-index.ts'
import type { UnrecognizedTurn } from './conversation/index/unrecognized-index.ts'
import type { VisitIndex } from './conversation/index/visit-index.ts'

/** What a bot runs at one time (RUNTIME 1), as `release-<bot>` has it. */
export interface ReleaseRecord {
  readonly bot: string
  /** Its revision in the stream, counted from 1. */
  readonly number: number
  /** Of the revisions alone: the same ones give the same hash. */
  readonly hash: string
  /** Published revision of each dialog and handler, by id. */
  readonly dialogs: Readonly<Record<string, number>>
  readonly handlers: Readonly<Record<string, number>>
  readonly nlumodel: string | null
}

export interface Releases {
  /** Undefined: the bot never was started. */
  newest(bot: string): Promise<ReleaseRecord | undefined>
  /** Number of the newest release that was made until a moment, ms since 1970; 0 for none. */
  at(bot: string, moment: number): Promise<number>
  /** The release with this number, compiled and kept (RUNTIME 6). */
  compiled(bot: string, number: number): Promise<Release>
  /**
   * Makes the release that a command leads to, once the read models show the command (RUNTIME 1). The follower of the
   * log makes the same one later; here the command is answered after it.
   */
  made(command: ReleaseCommand): Promise<void>
}

interface ReleaseCommand {
  readonly entity: string
  readonly action: string
  /** Id of the bot, dialog or handler. */
  readonly id: string
  readonly actor: string | null
  readonly correlation: string
}

/** The person of a conversation as their channel knows them. */
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
  /** Of the button or link that opened it: the first input is tried as a channel payload (RUNTIME 15d). */
  readonly payload?: string
  /** False where the first text begins it (REST, Direct Line); true opens it without a word (RUNTIME 16). */
  readonly begins: boolean
}

interface OpenedFor {
  readonly conversation: string
  readonly position?: string
}

/** What somebody sends, as rule 74 has it. `id` is the client's: the same twice is stored once (RUNTIME 62). */
export interface SentMessage {
  readonly id: string
  readonly type: 'text' | 'choice' | 'location' | 'attachment' | 'order' | 'menu' | 'submit'
  readonly text?: string
  readonly value?: string
  /** Id of the bot's message whose button was pressed. */
  readonly of?: string
  readonly data?: Json
  readonly attachments?: readonly JsonObject[]
}

/** A message as a client reads it (RUNTIME 77): the members of its type stand beside these. */
export type ChatMessage = JsonObject & {
  readonly id: string
  /** Opaque, in the order of the conversation. */
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
  /** What the bot waits for, as the last message that asks says. */
  readonly wait: JsonObject | null
  /** Who the person is with, or waits for; null: the bot. */
  readonly agent: { readonly name: string; readonly avatar: string; readonly isWaiting: boolean } | null
}

/** What is told to whoever follows a conversation on this node; the texts themselves are read by position. */
export type ConversationNews =
  | { readonly kind: 'messages' }
  | { readonly kind: 'state'; readonly state: ChatPage['state'] }
  | { readonly kind: 'ended'; readonly reason: string }
  /** An agent writes. */
  | { readonly kind: 'typing'; readonly isTyping: boolean }

/** A conversation without any of its words. Times are ms since 1970. */
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
}

type ConversationStanding = (typeof CONVERSATION_STANDING)[number]

export interface ConversationFilter {
  /** An id, or a type. */
  readonly channel?: string | undefined
  readonly status?: string | undefined
  readonly standing?: ConversationStanding | undefined
  readonly person?: string | undefined
  /** A block where they wait, or waited when their person was gone. */
  readonly at?: string | undefined
  /** How the id of a conversation or of its person begins. */
  readonly search?: string | undefined
  readonly retained?: boolean | undefined
  readonly reason?: string | undefined
  /** ms since 1970 of the beginning: from included, to not. */
  readonly from?: number
  readonly to?: number
}

/** Conversations as the people who run a bot look at them (RUNTIME 91, 92). */
export interface ConversationRecords {
  get(id: string): ConversationRecord | undefined
  /** Of these bots, the newest first. */
  list(
    bots: readonly string[],
    filter: ConversationFilter,
    page: number,
    size: number,
  ): {
    readonly items: readonly ConversationRecord[]
    readonly total: number
    /** Of all that the rest of the filter finds. */
    readonly counts: Readonly<Record<ConversationStanding, number>>
  }
  /** Without `words`, and after they were forgotten, what was said and written is null. */
  replay(id: string, words: boolean): Promise<ReplayTurn[]>
  readonly visits: VisitIndex
  /** What people said that nobody understood, the newest first, without what was forgotten. Words: for those who may read them. */
  unrecognized(
    bots: readonly string[],
    limit: number,
  ): Promise<readonly (UnrecognizedTurn & { readonly text: string })[]>
}

/** Chats with agents, for their systems and for those who look after the queue. */
export interface AgentChats {
  /** What a system told of the chat with this key; false: there is none. `fields` of the channel. */
  hear(channel: string, key: string, events: readonly AgentEvent[], fields: JsonObject): Promise<boolean>
  /** Who waits at a channel, or talks to its agents; who waits longest first. */
  list(channel: string): readonly AgentTalkRecord[]
  /** Takes somebody who waits out of the queue; false: they do not wait any more. */
  clear(talk: AgentTalkRecord, fields: JsonObject): Promise<boolean>
}

/**
 * Conversations as channels have them. Refusals: `entity.notfound`, `chat.disabled`, `bot.stopped`, `chat.ended`,
 * `chat.stale` (a button of an older message), `validation.failed`.
 */
export interface Conversations {
  open(asked: OpenConversation): Promise<Result<{ readonly conversation: string }>>
  /**
   * The live conversation of a person who writes first, opened unless there is one: the same one on every node. Where
   * their newest conversation took the message `id` before it ended, the position of that message.
   */
  openFor(asked: Omit<OpenConversation, 'begins'>, id: string): Promise<Result<OpenedFor>>
  /** Stored when it resolves; the turn runs on by itself. */
  accept(conversation: string, message: SentMessage): Promise<Result<{ readonly position: string }>>
  /** At most `size` messages after a position ('' for the beginning), the oldest first. */
  read(conversation: string, after: string, size: number): Promise<ChatPage | undefined>
  /** The newest `count` messages, for a chat that is taken up again (RUNTIME 73). */
  newest(conversation: string, count: number): Promise<ChatPage | undefined>
  /** Waits until no turn runs, at most `ms`; false when one still does. */
  settled(conversation: string, ms: number): Promise<boolean>
  /** Returns what ends it. */
  follow(conversation: string, listener: (news: ConversationNews) => void): () => void
  /** The channel and person it belongs to; undefined where there is none. */
  owner(conversation: string): Promise<{ readonly channel: string; readonly user: ChannelUser } | undefined>
  /** The person's conversation on a channel that has not ended, if there is one. */
  live(channel: string, user: string): Promise<string | undefined>
  end(conversation: string, reason: 'person' | 'bot'): Promise<Result<Record<never, never>>>
  /** What is told of conversations to those who run the bot; undefined while there never was one. */
  records(): Promise<ConversationRecords | undefined>
  /** The chats with agents; undefined while there never was a conversation. */
  agents(): Promise<AgentChats | undefined>
  /** The words of its person cannot be read any more (RUNTIME 84). */
  forget(conversation: string): Promise<Result<Record<never, never>>>
}
