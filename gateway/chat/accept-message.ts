import type { z } from 'zod'
import { type Tracer, traced } from '#commands/tracer.ts'
import { attachmentOf, ownerOf } from '#runtime/conversation/engine/run-turn.ts'
import type { SentMessage } from '#runtime/port.ts'
import { type chatMessageBody, MAX_CHAT_BODY, MAX_TEXT } from '#schemas/api/chat.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { RateLimits, SenderLimit } from '../http/rate-limit.ts'
import type { ChatSession } from './chat-access.ts'
import type { ChatChannel, ChatParts } from './chat-port.ts'

/** Messages of one conversation within the window. */
const MAX_MESSAGES = 20
const WINDOW_MS = 10_000

type Body = z.output<typeof chatMessageBody>

/** Undefined for a message that may be stored. */
export const sizeRefusal = (message: object & { readonly text?: unknown; readonly value?: unknown }) => {
  const { text, value } = message
  const isLong = [text, value].some(part => typeof part === 'string' && part.length > MAX_TEXT)
  return isLong || Buffer.byteLength(JSON.stringify(message)) > MAX_CHAT_BODY
    ? refused('request.toolarge', { params: { rule: 'text' } })
    : undefined
}

/** Bounds the messages of one person; undefined for one that may be stored. */
export const createMessageLimit = (rates: RateLimits, name: string) => {
  const limit = rates.add(name, MAX_MESSAGES, WINDOW_MS)
  return (key: string) => {
    const retryAfter = limit.take(key)
    return retryAfter !== undefined ? refused('request.toomany', { params: { retryAfter } }) : undefined
  }
}

/** Bounds the messages of one person on a channel; undefined for one that may be stored. */
export const senderRefusal = (sender: SenderLimit, channel: string, person: string) => {
  const retryAfter = sender.take(channel, person)
  return retryAfter === undefined ? undefined : refused('request.toomany', { params: { retryAfter } })
}

/** Stores a message in its span, which the turn of the message follows. */
export const receiveMessage = <T>(
  tracer: Tracer | undefined,
  { id, type }: ChatChannel,
  message: string,
  store: () => Promise<Result<T>>,
): Promise<Result<T>> => {
  const attributes = { 'parley.channel.type': type, 'parley.provider': 'parley' }
  return traced(tracer, 'parley.receive', { trace: 'joins', attributes }, async span => {
    span.keep(`${id} ${message}`)
    const stored = await store()
    span.set({ 'parley.outcome': stored.ok ? 'stored' : stored.refusal.code })
    return stored
  })
}

/** Stores a person's message, from any protocol. */
export const createAccept = ({ conversations, storage, baseUrl, rates, tracer }: ChatParts, sender: SenderLimit) => {
  const limit = createMessageLimit(rates, 'chat message')

  /** Files that were uploaded to this conversation, as the bot gets them. */
  const attachmentsOf = async (conversation: string, ids: readonly string[]): Promise<Result<JsonObject[]>> => {
    const found: JsonObject[] = []
    for (const [index, id] of ids.entries()) {
      const stored = /^[\w-]{1,100}$/.test(id) ? await storage.find(id) : undefined
      if (stored?.owner !== ownerOf(conversation))
        return refused('validation.failed', { errors: [{ path: `attachments.${index}`, code: 'reference' }] })
      await storage.keep(id)
      found.push(attachmentOf(stored, baseUrl()))
    }
    return accepted(found)
  }

  const accept = async (
    { conversation, channel, user }: ChatSession,
    body: Body,
  ): Promise<Result<{ position: string }>> => {
    const refusal = sizeRefusal(body) ?? limit(conversation) ?? senderRefusal(sender, channel.id, user.id)
    if (refusal !== undefined) return refusal
    const { attachments: ids, ...rest } = body
    const attachments = await attachmentsOf(conversation, ids ?? [])
    if (!attachments.ok) return attachments
    return conversations.accept(conversation, {
      ...(rest as SentMessage),
      ...(ids === undefined ? {} : { attachments: attachments.value }),
    })
  }

  return (session: ChatSession, body: Body) =>
    receiveMessage(tracer, session.channel, body.id, () => accept(session, body))
}

export type Accept = ReturnType<typeof createAccept>
