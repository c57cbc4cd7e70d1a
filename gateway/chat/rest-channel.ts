import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import { createConversationContinuation } from '#runtime/conversation/store/log.ts'
import { KeyedMutex } from '#runtime/log/stream-aggregate.ts'
import type { ChannelUser, ChatMessage, SentMessage } from '#runtime/port.ts'
import { channelParam, MAX_CHAT_BODY, restMessageBody } from '#schemas/api/chat.ts'
import type { Result } from '#schemas/refusal.ts'
import { type PublicRoute, Unproven } from '../http/public-route-checks.ts'
import type { SenderLimit } from '../http/rate-limit.ts'
import { refuse } from '../problem.ts'
import { createMessageLimit, senderRefusal, sizeRefusal } from './accept-message.ts'
import { type ChatAccess, channelOf } from './chat-access.ts'
import { type ChatChannel, type ChatParts, limitsOf } from './chat-port.ts'

/** Wrong tokens of one address within a minute. */
const MAX_FAILURES = 60
const PAGE = 50

type Body = z.output<typeof restMessageBody>

interface Stored {
  readonly conversation: string
  readonly position: string
}

/** Stores messages of a third-party system in the conversation of the named person. */
const createRestAccept = ({ conversations, rates }: ChatParts, sender: SenderLimit) => {
  const mutex = new KeyedMutex()
  const proceed = createConversationContinuation({ conversations })
  const limit = createMessageLimit(rates, 'rest message')

  const store = (channel: ChatChannel, user: ChannelUser, body: Body): Promise<Result<Stored>> => {
    const { from: _from, locale, payload, ...message } = body
    const sender = { channel: channel.id, user, locale, payload, message: message.id }
    return proceed(sender, () => message as SentMessage)
  }

  return async (channel: ChatChannel, body: Body): Promise<Result<Stored>> => {
    const user = (typeof body.from === 'string' ? { id: body.from } : body.from) as ChannelUser
    const person = JSON.stringify([channel.id, user.id])
    return mutex.run(person, async () => {
      const refusal = sizeRefusal(body) ?? limit(person) ?? senderRefusal(sender, channel.id, user.id)
      return refusal ?? store(channel, user, body)
    })
  }
}

/** The bot's answers to one message: up to the person's next one. */
const answersTo = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const next = messages.findIndex(({ from }) => from === 'user')
  return next === -1 ? messages : messages.slice(0, next)
}

/** POST /rest/{channel}: a message from another system, answered with what the bot says to it. */
export const addRestChannel = (app: FastifyInstance, parts: ChatParts, access: ChatAccess): void => {
  const { conversations } = parts
  const accept = createRestAccept(parts, app.openDoor.sender)
  // Only callers with the channel's token learn whether it exists.
  const unproven = () => new Unproven({ code: 'chat.token' })
  const door: PublicRoute = {
    failures: { name: 'rest channel', most: MAX_FAILURES },
    isShared: true,
    counts: 'message',
    async target(request) {
      const { channel: id } = request.params as z.output<typeof channelParam>
      const channel = await access.channel(id, 'rest', request.headers)
      if (!channel.ok) throw unproven()
      request.chatChannel = channel.value
      return { channel: id, bot: channel.value.bot }
    },
    async proof(request) {
      const given = (request.headers.authorization ?? '').replace(/^Bearer +/i, '')
      if (!isSameSecret(given, channelOf(request).verifyToken)) throw unproven()
    },
  }

  app.post(
    '/rest/:channel',
    { bodyLimit: MAX_CHAT_BODY, config: { door }, schema: { params: channelParam, body: restMessageBody } },
    async (request, reply) => {
      const channel = channelOf(request)
      const stored = await accept(channel, request.body as Body)
      if (!stored.ok) return refuse(reply, stored.refusal)
      const { conversation, position } = stored.value
      const isSettled = await conversations.settled(conversation, limitsOf(parts).restWaitMs)
      const page = await conversations.read(conversation, position, PAGE)
      if (!isSettled || page === undefined) return reply.code(202).send({ conversation, position, state: 'active' })
      return { conversation, position, messages: answersTo(page.messages), state: page.state, wait: page.wait }
    },
  )
}
