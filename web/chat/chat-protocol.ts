import type { ChoosableDays } from '#domain/conversation/message.ts'
import type { ChatLook, ChatMenuEntry } from '#schemas/chat-look.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** Messages between the chat API and the widget. */
export interface ChatAction {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly value?: string
}

export interface ChatWait {
  readonly kind: string
  readonly list: string
  readonly mask: boolean
  readonly skip: boolean
  readonly unit: string
  /** Requested part of a date: `date`, `datetime`, `time` …; '' for none. */
  readonly calendar: string
  /** Days that can be chosen; absent where all can. */
  readonly days?: ChoosableDays
}

export interface ChatCard {
  readonly title?: string
  readonly subtitle?: string
  readonly text?: string
  readonly image?: string
  readonly thumbnail?: boolean
  readonly media?: ChatMedia
  readonly actions?: readonly ChatAction[]
}

export interface ChatMedia {
  readonly title?: string
  readonly text?: string
  readonly url: string
  readonly kind: string
  readonly aspectRatio?: string
}

export interface ChatMessage extends ChatCard {
  readonly id: string
  /** Opaque, in the order of the conversation. */
  readonly position: string
  readonly time: string
  readonly from: 'bot' | 'user' | 'agent'
  readonly type: string
  /** Name and picture of the agent. */
  readonly name?: string
  readonly avatar?: string
  /** ms after the message before it, with a typing sign meanwhile. */
  readonly delay?: number
  readonly attachments?: readonly JsonObject[]
  readonly cards?: readonly ChatCard[]
  readonly url?: string
  readonly kind?: string
  readonly aspectRatio?: string
  readonly address?: string
  readonly latitude?: number | null
  readonly longitude?: number | null
  readonly family?: string
  readonly receipt?: JsonObject
  readonly product?: JsonObject
  readonly body?: Json
  readonly submit?: boolean
  readonly wait?: ChatWait
}

/** Agent the person talks to or awaits. */
interface ChatAgent {
  readonly name: string
  readonly isWaiting: boolean
  /** Place in the queue of Parley's own desk, and the expected wait, such as `5 min`; null: not known. */
  readonly position?: number
  readonly wait?: string | null
}

export type ChatState = 'active' | 'waiting' | 'idle' | 'agent' | 'ended'

export interface OpenedChat {
  readonly conversation: string
  readonly token: string
  readonly expires: string
  /** Null: messages come with the answers to those that are sent. */
  readonly stream: string | null
  readonly watermark: string
  /** Taken up again, with its newest messages. */
  readonly resumed?: boolean
  readonly messages: readonly ChatMessage[]
  readonly theme: ChatLook | null
  readonly menu: readonly ChatMenuEntry[]
  readonly wait: ChatWait | null
  readonly state?: ChatState
  readonly agent?: ChatAgent | null
  /** Bytes of the largest file that the chat takes. */
  readonly maxfile?: number
}

export interface MessagePage {
  readonly messages: readonly ChatMessage[]
  readonly watermark: string
  readonly state: ChatState
  readonly wait: ChatWait | null
  readonly agent?: ChatAgent | null
}

export interface ChatConversationStatus {
  readonly state: ChatState
  readonly wait: ChatWait | null
  readonly agent: ChatAgent | null
}

export interface ChatFrame {
  readonly t: string
  readonly position?: string
  readonly message?: ChatMessage
  readonly state?: ChatState
  readonly wait?: ChatWait | null
  readonly agent?: ChatAgent | null
  readonly from?: string
  readonly name?: string
  readonly reason?: string
  readonly on?: boolean
}

/** A person's message; a retry keeps `id`. */
export interface Outgoing {
  readonly id: string
  readonly type: 'text' | 'choice' | 'location' | 'attachment' | 'order' | 'menu' | 'submit'
  readonly text?: string
  readonly value?: string
  /** The message whose button was pressed. */
  readonly of?: string
  readonly data?: Json
  readonly attachments?: readonly string[]
}
