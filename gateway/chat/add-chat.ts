import type { IncomingMessage } from 'node:http'
import { type Duplex, PassThrough, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { addMultipart, bytesOf, filePartOf, MULTIPART_FRAME } from '#gateway/http/multipart.ts'
import { activityOf } from '#runtime/channel/microsoft/activity.ts'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import { createConversationContinuation } from '#runtime/conversation/store/log.ts'
import { KeyedMutex } from '#runtime/log/stream-aggregate.ts'
import type { ChannelUser, ChatMessage, SentMessage } from '#runtime/port.ts'
import {
  channelParam,
  chatMessageBody,
  chatPageQuery,
  chatStreamQuery,
  conversationParam,
  MAX_CHAT_BODY,
  restMessageBody,
  transcriptQuery,
} from '#schemas/api/chat.ts'
import type { Refusal, Result } from '#schemas/refusal.ts'
import { addDirectLine, directLineSocket } from '../directline/add-direct-line.ts'
import { RequestRefused } from '../http/failure.ts'
import { createSocketLimit } from '../http/guard.ts'
import { answerPreflight } from '../http/headers.ts'
import { type PublicRoute, Unproven } from '../http/public-route-checks.ts'
import { type SenderLimit, sourceOf } from '../http/rate-limit.ts'
import { refuse } from '../problem.ts'
import {
  type Accept,
  createAccept,
  createMessageLimit,
  receiveMessage,
  senderRefusal,
  sizeRefusal,
} from './accept-message.ts'
import { type ChatAccess, channelOf, chatOf, createChatAccess, required } from './chat-access.ts'
import { addChatFile, createUpload, type UploadFile } from './chat-file.ts'
import { type ChatChannel, type ChatParts, limitsOf } from './chat-port.ts'
import { createChatSockets } from './chat-socket.ts'
import { type ChatTokens, createChatTokens } from './chat-token.ts'
import { CHAT_FRAMES, Listener, Listeners } from './listener.ts'
import { addChatOpening } from './open-route.ts'
import { asJson, asList, asText, nextLink, paceOf, pageText, transcriptPage, transcriptText } from './transcript.ts'

interface SessionServices {
  readonly parts: ChatParts
  readonly access: ChatAccess
  readonly tokens: ChatTokens
  readonly accept: Accept
  readonly upload: UploadFile
}

const BASE = '/chat/conversations/:id'
const gone: Refusal = { code: 'entity.notfound' }

/** Operations on one conversation, for callers with its token. */
const addChatSession = async (app: FastifyInstance, services: SessionServices): Promise<void> => {
  const { parts, access, tokens, accept } = services
  const { conversations } = parts
  const config = { door: access.door() }

  app.post(
    `${BASE}/messages`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: access.door({ counts: 'message' }) },
      schema: { params: conversationParam, body: chatMessageBody },
    },
    async (request, reply) => {
      const body = request.body as z.output<typeof chatMessageBody>
      const stored = await accept(chatOf(request), body)
      if (!stored.ok) return refuse(reply, stored.refusal)
      return reply.code(202).send({ id: body.id, position: stored.value.position })
    },
  )

  app.post(
    `${BASE}/token`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: access.door({}, tokens.readKept) },
      schema: { params: conversationParam },
    },
    async request => {
      return tokens.issue(chatOf(request))
    },
  )

  app.post(
    `${BASE}/end`,
    { bodyLimit: MAX_CHAT_BODY, config, schema: { params: conversationParam } },
    async (request, reply) => {
      const ended = await conversations.end(chatOf(request).conversation, 'person')
      return ended.ok ? reply.code(204).send() : refuse(reply, ended.refusal)
    },
  )

  app.delete(BASE, { config, schema: { params: conversationParam } }, async (request, reply) => {
    const forgotten = await conversations.forget(chatOf(request).conversation)
    return forgotten.ok ? reply.code(204).send() : refuse(reply, forgotten.refusal)
  })

  addReading(app, services)
  addTranscript(app, services)
  await addFiles(app, services)
}

function addReading(app: FastifyInstance, { parts: { conversations }, access }: SessionServices): void {
  app.get(
    `${BASE}/messages`,
    { config: { door: access.door() }, schema: { params: conversationParam, querystring: chatPageQuery } },
    async (request, reply) => {
      const { after, size } = request.query as z.output<typeof chatPageQuery>
      const page = await conversations.read(chatOf(request).conversation, after, size)
      if (page === undefined) return refuse(reply, gone)
      if (page.messages.length > 0) app.openDoor.count(request, 'read', { amount: page.messages.length })
      return page
    },
  )
}

function addTranscript(app: FastifyInstance, { parts: { conversations }, access }: SessionServices): void {
  app.get(
    `${BASE}/transcript`,
    { config: { door: access.door() }, schema: { params: conversationParam, querystring: transcriptQuery } },
    async (request, reply) => {
      const { conversation } = chatOf(request)
      const { format, ...part } = request.query as z.output<typeof transcriptQuery>
      const first = await transcriptPage(conversations, conversation, part)
      if (first === undefined) return refuse(reply, gone)
      const { messages, next } = first
      const user = (await conversations.owner(conversation))?.user
      const activity = (message: ChatMessage) => activityOf(conversation, message, user)
      reply.type(format === 'text' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      if (part.after === undefined && part.size === undefined) {
        const source = { conversations, conversation, first, pace: paceOf(app, request) }
        const asJsonOrList = format === 'json' ? asJson(conversation, message => message) : asList(activity)
        return reply.send(Readable.from(transcriptText(source, format === 'text' ? asText : asJsonOrList)))
      }
      if (messages.length > 0) app.openDoor.count(request, 'read', { amount: messages.length })
      reply.headers(nextLink(request, first))
      if (format === 'text') return reply.send(pageText(messages))
      return format === 'json' ? { conversation, messages, next } : messages.map(activity)
    },
  )
}

async function addFiles(app: FastifyInstance, { parts, access, upload }: SessionServices): Promise<void> {
  const fileSize = bytesOf(parts.settings.UPLOAD_MB_CHAT)
  await app.register(async files => {
    await addMultipart(files, { fileSize })
    files.post(
      `${BASE}/files`,
      {
        bodyLimit: fileSize + MULTIPART_FRAME,
        config: { door: access.door({ counts: 'file', isUpload: true }) },
        schema: { params: conversationParam },
      },
      async (request, reply) => {
        const stored = await upload(request, await filePartOf(request))
        if (!stored.ok) return refuse(reply, stored.refusal)
        const { owner: _owner, ...file } = stored.value
        return reply.code(201).send(file)
      },
    )
  })
}

/** Wrong tokens of one address within a minute. */
const MAX_FAILURES = 60
const PAGE = 50

type Body = z.output<typeof restMessageBody>

interface Stored {
  readonly conversation: string
  readonly position: string
}

/** Stores messages of a third-party system in the conversation of the named person. */
const createRestAccept = ({ conversations, rates, tracer }: ChatParts, sender: SenderLimit) => {
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
      return refusal ?? receiveMessage(tracer, channel, body.id, () => store(channel, user, body))
    })
  }
}

/** The bot's answers to one message: up to the person's next one. */
const answersTo = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const next = messages.findIndex(({ from }) => from === 'user')
  return next === -1 ? messages : messages.slice(0, next)
}

/** POST /rest/{channel}: a message from another system, answered with what the bot says to it. */
const addRestChannel = (app: FastifyInstance, parts: ChatParts, access: ChatAccess): void => {
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

interface Services {
  readonly parts: ChatParts
  readonly access: ChatAccess
  readonly listeners: Listeners
}

/** GET /chat/conversations/{id}/stream without an upgrade: the frames of the socket as server-sent events. */
const addEventStream = (app: FastifyInstance, { parts, access, listeners }: Services): void => {
  const limits = limitsOf(parts)
  const limit = createSocketLimit(limits.socketsPerSource, limits.sockets)
  app.get(
    '/chat/conversations/:id/stream',
    {
      config: { door: access.door({ isLight: true }) },
      schema: { params: conversationParam, querystring: chatStreamQuery },
    },
    (request, reply) => {
      const { conversation, channel } = chatOf(request)
      const { after = request.headers['last-event-id'] } = request.query as z.output<typeof chatStreamQuery>
      const refusal = listeners.refusal(conversation)
      const release = refusal === undefined ? limit.take(sourceOf(request.ip)) : undefined
      if (release === undefined)
        return refuse(reply, refusal ?? { code: 'request.toomany', params: { retryAfter: 60 } })
      const stream = new PassThrough()
      const socket = request.raw.socket
      const close = (code: number) => {
        if (code === 4408) socket.destroy()
        else stream.end(`event: close\ndata: ${code}\n\n`)
      }
      const sink = {
        send: (text: string, position: string) => {
          stream.write(`${position === '' ? '' : `id: ${position}\n`}data: ${text}\n\n`)
        },
        pending: () => stream.readableLength + stream.writableLength + reply.raw.writableLength,
        close,
      }
      const { conversations, now } = parts
      const listener = new Listener(
        {
          ...{ conversations, conversation, sink, limits, now },
          isOpen: async () => (await parts.channel(channel.id))?.isEnabled === true,
          frames: CHAT_FRAMES,
        },
        String(after ?? ''),
      )
      const forget = listeners.add(conversation, listener)
      reply.raw.on('close', () => {
        listener.stop()
        forget()
        release()
        stream.destroy()
      })
      void listener.run()
      return reply
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .type('text/event-stream; charset=utf-8')
        .send(stream)
    },
  )
}

export interface OpenChat {
  /** Takes an upgrade that is the chat's; false leaves it to others. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
}

/** The web chat's API, the REST channel and Direct Line, at the root of the gateway's origin. */
export const addChat = async (app: FastifyInstance, parts: ChatParts): Promise<OpenChat> => {
  const tokens = createChatTokens(parts.hmac, parts.now)
  const access = createChatAccess(parts, tokens)
  const accept = createAccept(parts, app.openDoor.sender)
  const upload = createUpload(app, parts)
  const listeners = new Listeners(limitsOf(parts).listenersPerConversation)
  const services = { parts, access, tokens, accept, upload, listeners, door: app.openDoor }
  app.decorateRequest('chat', undefined)
  app.decorateRequest('chatChannel', undefined)
  await app.register(async chat => {
    chat.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('vary', 'Origin')
    })
    addPreflight(chat, services)
    addChatOpening(chat, parts, access, tokens)
    await addChatSession(chat, services)
    addEventStream(chat, services)
    addChatFile(chat, parts)
    addRestChannel(chat, parts, access)
    await addDirectLine(chat, services)
  })
  // Their readers come again to another node.
  app.addHook('preClose', async () => listeners.drain())
  return { upgrade: createChatSockets(services, directLineSocket(tokens)) }
}

/** CORS preflight requests. */
function addPreflight(
  app: FastifyInstance,
  { parts, access }: { readonly parts: ChatParts; readonly access: ReturnType<typeof createChatAccess> },
): void {
  const doorOf = (channelOf: (request: FastifyRequest) => Promise<string | undefined>): PublicRoute => ({
    isLight: true,
    isForPages: true,
    async target(request, reply) {
      const channel = await channelOf(request)
      if (channel === undefined) throw new RequestRefused({ code: 'entity.notfound' })
      const place = await access.allow(channel, request, reply)
      required(await access.channel(channel, 'webchat', request.headers))
      return place
    },
  })
  const ofChannel = doorOf(async ({ params }) => (params as { readonly channel: string }).channel)
  const ofConversation = doorOf(
    async ({ params }) => (await parts.conversations.owner((params as { readonly id: string }).id))?.channel,
  )
  const answer = (_request: FastifyRequest, reply: FastifyReply) => answerPreflight(reply)
  app.options('/chat/:channel/conversations', { config: { door: ofChannel } }, answer)
  app.options('/chat/conversations/:id', { config: { door: ofConversation } }, answer)
  app.options('/chat/conversations/:id/:part', { config: { door: ofConversation } }, answer)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined where no chat is served. */
    readonly openChat?: OpenChat
  }
}
