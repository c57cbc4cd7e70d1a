import type { IncomingMessage } from 'node:http'
import { type Duplex, PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { chatStreamQuery, conversationParam } from '#schemas/api/chat.ts'
import { addDirectLine } from '../directline/add-direct-line.ts'
import { directLineSocket } from '../directline/direct-line-frames.ts'
import { RequestRefused } from '../http/failure.ts'
import { createSocketLimit } from '../http/guard.ts'
import type { PublicRoute } from '../http/public-route-checks.ts'
import { sourceOf } from '../http/rate-limit.ts'
import { refuse } from '../problem.ts'
import { createAccept } from './accept-message.ts'
import { type ChatAccess, chatOf, createChatAccess, required } from './chat-access.ts'
import { addChatFile, createUpload } from './chat-file.ts'
import { answerPreflight } from './chat-origin.ts'
import { type ChatParts, limitsOf } from './chat-port.ts'
import { createChatSockets } from './chat-socket.ts'
import { createChatTokens } from './chat-token.ts'
import { CHAT_FRAMES, Listener, Listeners } from './listener.ts'
import { addChatOpening } from './open-route.ts'
import { addRestChannel } from './rest-channel.ts'
import { addChatSession } from './session-route.ts'

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
      const { conversation } = chatOf(request)
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
        { conversations, conversation, frames: CHAT_FRAMES, sink, limits, now },
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
