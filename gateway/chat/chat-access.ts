import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChannelUser } from '#runtime/port.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { allowOrigin, bearerOf, isOwnOrigin } from '../http/headers.ts'
import type { PublicRoute } from '../http/public-route-checks.ts'
import type { Place } from '../http/rate-limit.ts'
import type { ChatChannel, ChatParts } from './chat-port.ts'
import type { ChatTokens, TokenContent } from './chat-token.ts'

/** Whether a page may talk to a channel: one of its origins, or a page of Parley's own. Callers without a page name none. */
const isChatOrigin = (channel: ChatChannel, baseUrl: string, headers: IncomingHttpHeaders): boolean => {
  const { origin } = headers
  return origin === undefined || channel.origins.includes(origin) || isOwnOrigin(origin, baseUrl, headers)
}

/** A conversation that the caller may use. */
export interface ChatSession {
  readonly conversation: string
  readonly channel: ChatChannel
  readonly user: ChannelUser
  /** Time of the first token of the caller, s; undefined for a caller with the channel's secret. */
  readonly first?: number
  /** Many people call from the address of the caller. */
  readonly isShared: boolean
}

/** A conversation that a caller with the channel's secret names. */
interface NamedBySecret {
  readonly conversation: string
  readonly channel: string
  readonly isProven: true
}

const closed: Refusal = { code: 'chat.disabled' }

/** Decides who may use which channel and conversation, before a body is read. */
export const createChatAccess = (
  { channel: find, baseUrl, conversations, refusedOrigin }: ChatParts,
  tokens: ChatTokens,
) => {
  /** An enabled channel of a type, asked from a page that it allows. */
  const channel = async (id: string, type: string, headers: IncomingHttpHeaders): Promise<Result<ChatChannel>> => {
    const found = await find(id)
    if (found === undefined || !found.isEnabled || found.type !== type) return { ok: false, refusal: closed }
    if (isChatOrigin(found, baseUrl(), headers)) return accepted(found)
    if (headers.origin !== undefined) refusedOrigin?.(found, headers.origin)
    return refused('auth.origin')
  }

  /** The session of what a token says. */
  const session = async (
    content: TokenContent | NamedBySecret | undefined,
    id: string | undefined,
    headers: IncomingHttpHeaders,
  ): Promise<Result<ChatSession>> => {
    if (content === undefined) return refused('chat.token')
    const found = await channel(content.channel, 'webchat', headers)
    if (!found.ok) return found
    if (!('isProven' in content) && !(await tokens.isCurrent(content, found.value))) return refused('chat.token')
    if (id !== undefined && id !== content.conversation) return refused('entity.notfound')
    const owner = await conversations.owner(content.conversation)
    if (owner?.channel !== content.channel) return refused('entity.notfound')
    const session = { conversation: content.conversation, channel: found.value, user: owner.user }
    if ('isProven' in content) return accepted({ ...session, isShared: true })
    return accepted({ ...session, first: content.first, isShared: content.isShared })
  }

  /** Lets a page that the channel allows read the answer, a refusal too. Returns the channel's place, if there is one. */
  const allow = async (id: string | undefined, request: FastifyRequest, reply: FastifyReply): Promise<Place> => {
    const found = id === undefined ? undefined : await find(id)
    if (found === undefined) return {}
    if (isChatOrigin(found, baseUrl(), request.headers)) allowOrigin(request, reply)
    return { channel: found.id, bot: found.bot }
  }

  return {
    channel,
    session,
    allow,
    /** Checks of a route of one conversation, proven by its token. */
    door: (more: Omit<PublicRoute, 'target' | 'proof'> = {}, read = tokens.read): PublicRoute => ({
      ...more,
      isForPages: true,
      target: async (request, reply) => {
        const { id } = request.params as { readonly id: string }
        return allow((await conversations.owner(id))?.channel, request, reply)
      },
      proof: async request => {
        const { id } = request.params as { readonly id: string }
        request.chat = required(await session(await read(bearerOf(request.headers)), id, request.headers))
        if (request.chat.isShared) request.server.openDoor.share(request)
      },
    }),
  }
}

export type ChatAccess = ReturnType<typeof createChatAccess>

/** @throws RequestRefused */
export const required = <T>(result: Result<T>): T => {
  if (!result.ok) throw new RequestRefused(result.refusal)
  return result.value
}

export const chatOf = (request: FastifyRequest): ChatSession => {
  if (request.chat === undefined) throw new RequestRefused({ code: 'chat.token' })
  return request.chat
}

export const channelOf = (request: FastifyRequest): ChatChannel => {
  if (request.chatChannel === undefined) throw new RequestRefused(closed)
  return request.chatChannel
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the chat's routes from the caller's token. */
    chat: ChatSession | undefined
    /** Set by the routes of a channel. */
    chatChannel: ChatChannel | undefined
  }
}
