import type { StoredFile } from '#commands/file/file-port.ts'
import { dataOf, isStalePress, pressOf, type TurnInput } from '#domain/conversation/input.ts'
import { actionsOf } from '#domain/conversation/message.ts'
import type { OfferedAction } from '#domain/conversation/state.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { asksForBot } from '../../agent/desk/fold-desk.ts'
import type { SentMessage } from '../../port.ts'
import type { FoldedConversation, Pending } from './folded-conversation.ts'

export const pressedAction = (held: FoldedConversation, { of, value }: SentMessage): OfferedAction | undefined => {
  const message = held.said.get(Number(of))
  return message === undefined ? undefined : actionsOf(message).find(({ id }) => id === value)
}

const ofMessage = (held: FoldedConversation, sent: SentMessage): TurnInput => {
  const text = sent.text ?? ''
  const carried = sent.payload === undefined ? {} : { payload: sent.payload }
  switch (sent.type) {
    case 'opening':
      return { kind: 'open', ...carried }
    case 'choice': {
      const message = held.said.get(Number(sent.of))
      const action = pressedAction(held, sent)
      return message === undefined || action === undefined
        ? { kind: 'text', text: sent.value ?? text, ...carried }
        : pressOf(message, action)
    }
    case 'location':
      return { kind: 'location', location: isObject(sent.data) ? sent.data : {} }
    case 'attachment':
      return { kind: 'attachment', attachments: sent.attachments ?? [], ...(sent.text === undefined ? {} : { text }) }
    case 'order':
    case 'submit':
      return dataOf(sent.type, sent.data ?? null, held.said.get(Number(sent.of)))
    case 'menu':
      return sent.value === 'restart' || sent.value === 'agent' || sent.value === 'bot'
        ? { kind: 'menu', command: sent.value }
        : { kind: 'menu', command: 'task', task: sent.value ?? '' }
    default:
      return asksForBot(held, text) ? { kind: 'menu', command: 'bot' } : { kind: 'text', text, ...carried }
  }
}

/**
 * False for a button that no message has, and for a press that comes too late (RUNTIME 53). While an input waits for
 * its turn, the question may still change: then the turn of the press decides.
 */
export const mayBePressed = (held: FoldedConversation, message: SentMessage, newestOnly: boolean): boolean => {
  if (message.type === 'choice' && pressedAction(held, message) === undefined) return false
  return held.inbox.length > 0 || !isStalePress(held.state, ofMessage(held, message), newestOnly)
}

/** Input of a turn in the form that the interpreter takes. */
export const turnInput = (held: FoldedConversation, { from }: Pending): TurnInput => {
  if (held.isLost && from.kind === 'message') return { kind: 'moved' }
  switch (from.kind) {
    case 'open':
      return { kind: 'open', ...(from.payload === undefined ? {} : { payload: from.payload }) }
    case 'message':
      return ofMessage(held, from.sent)
    case 'timer':
      return { kind: from.timer }
    case 'schedule':
      return { kind: 'schedule', id: from.schedule }
    case 'agentleft':
      return from
    case 'takeover':
      return { kind: 'takeover', channel: from.by.channel, queue: from.by.queue }
    default:
      return from satisfies never
  }
}

const MAX_NAME = 255
const OWNER = 'chat '

/** Owner of a conversation's uploads in the storage: never the id of a user. */
export const ownerOf = (conversation: string): string => OWNER + conversation

/** The conversation that owns an upload; undefined if a user owns it. */
export const conversationOf = (owner: string): string | undefined =>
  owner.startsWith(OWNER) ? owner.slice(OWNER.length) : undefined

/** A file as the bot and the history show it. */
export const attachmentOf = ({ id, name, type, size }: StoredFile, baseUrl: string): JsonObject => ({
  id,
  name,
  contentType: type,
  size,
  contentUrl: `${baseUrl}/chat/files/${id}`,
})

/** Removes control characters and the folders of the person's machine. */
export const shownName = (given: string): string => {
  const last = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[\p{Cc}\u2028\u2029]/gu, '').trim()
  return name === '' ? 'file' : name.slice(-MAX_NAME).toWellFormed()
}
