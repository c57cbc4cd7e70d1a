import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addDirectLine } from '../directline/add-direct-line.ts'
import { directLineSocket } from '../directline/direct-line-socket.ts'
import { refuse } from '../problem.ts'
import { createAccept } from './accept-message.ts'
import { createChatAccess, required, setLanguage } from './chat-access.ts'
import { addChatFile, createUpload } from './chat-file.ts'
import { answerPreflight } from './chat-origin.ts'
import { createChatSockets } from './chat-socket.ts'
import { createChatTokens } from './chat-token.ts'
import { addEventStream } from './event-stream.ts'
import { Listeners } from './listeners.ts'
import { addChatOpening } from './open-route.ts'
import { type ChatParts, limitsOf } from './port.ts'
import { addRestChannel } from './rest-channel.ts'
import { addChatSession } from './session-route.ts'

export interface OpenChat {
  /** Takes an upgrade that is the chat's; false leaves it to others. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
}

/** The web chat's API, the REST channel and Direct Line, at the root of the gateway's origin. */
export const addChat = async (app: FastifyInstance, parts: ChatParts): Promise<OpenChat> => {
  const tokens = createChatTokens(parts.hmac, parts.now)
  const access = createChatAccess(parts, tokens)
  const accept = createAccept(parts)
  const upload = createUpload(parts)
  const listeners = new Listeners(limitsOf(parts).listenersPerConversation)
  const services = { parts, access, tokens, accept, upload, listeners }
  app.decorateRequest('chat', undefined)
  app.decorateRequest('chatChannel', undefined)
  await app.register(async chat => {
    chat.addHook('onRequest', async (request, reply) => {
      await setLanguage(request)
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

/** What a browser asks before it sends a request from another origin. */
function addPreflight(
  app: FastifyInstance,
  { parts, access }: { readonly parts: ChatParts; readonly access: ReturnType<typeof createChatAccess> },
): void {
  const answer = async (channel: string, request: FastifyRequest, reply: FastifyReply) => {
    await access.allow(channel, request, reply)
    required(await access.channel(channel, 'webchat', request.headers))
    return answerPreflight(reply)
  }
  app.options<{ Params: { channel: string } }>('/chat/:channel/conversations', (request, reply) =>
    answer(request.params.channel, request, reply),
  )
  const ofConversation = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const owner = await parts.conversations.owner(request.params.id)
    return owner === undefined ? refuse(reply, { code: 'entity.notfound' }) : answer(owner.channel, request, reply)
  }
  app.options<{ Params: { id: string } }>('/chat/conversations/:id', ofConversation)
  app.options<{ Params: { id: string } }>('/chat/conversations/:id/:part', ofConversation)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined where no chat is served. */
    readonly openChat?: OpenChat
  }
}
