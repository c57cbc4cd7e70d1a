import type { ChatLook } from '#schemas/chat-look.ts'
import type { Json } from '#schemas/event.ts'
import type { ChatAction, ChatMessage } from './chat-protocol.ts'
import type { ChatTexts } from './dom.ts'

export interface ViewContext {
  readonly t: ChatTexts
  readonly look: ChatLook
  readonly language: string
  /** Origin of the chat API, for pictures that are addressed on it. */
  readonly base: string
  /** The person has talked with this bot before: they are not welcomed again. */
  readonly isMet?: boolean
  press(message: ChatMessage, action: ChatAction): void
  sendText(text: string, shown: string): void
  sendData(type: 'order' | 'submit', message: ChatMessage, data: Json, shown: string): void
  shareLocation(): void
  chooseFile(): void
}

/** Types of actions that answer a question, as against those of a card. */
export const isReply = ({ type }: ChatAction): boolean => ['reply', 'affirm', 'deny', 'skip'].includes(type)
