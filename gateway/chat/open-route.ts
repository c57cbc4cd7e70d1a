import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import type { ChannelUser, ChatPage } from '#runtime/port.ts'
import { channelParam, MAX_CHAT_BODY, openChatBody } from '#schemas/api/chat.ts'
import { type Language, languageOf } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { bytesOf } from '../http/multipart.ts'
import type { PublicRoute } from '../http/public-route-checks.ts'
import { refuse } from '../problem.ts'
import { senderRefusal } from './accept-message.ts'
import { type ChatAccess, channelOf, required } from './chat-access.ts'
import type { ChatChannel, ChatParts } from './chat-port.ts'
import type { ChatTokens } from './chat-token.ts'

/** The first messages come with the answer if the bot says them within this time. */
const FIRST_WORDS_MS = 500
const MAX_FIRST_WORDS = 50

type Body = z.output<typeof openChatBody>

/** The person that a body names, if their identity is proved. */
const personOf = ({ verifyToken }: ChatChannel, body: Body, isServer: boolean): Result<ChannelUser> => {
  const { id = `visitor-${randomUUID()}`, ...rest } = body.user ?? {}
  const user = { id, ...(rest as Omit<ChannelUser, 'id'>) }
  if (body.user?.id === undefined || isServer) return accepted(user)
  const expected = verifyToken === '' ? '' : createHmac('sha256', verifyToken).update(id).digest('hex')
  return isSameSecret((body.userhash ?? '').toLowerCase(), expected) ? accepted(user) : refused('chat.user')
}

interface Answered {
  readonly channel: ChatChannel
  readonly conversation: string
  /** Time of the first token, of a conversation that is taken up again. */
  readonly first?: number
  readonly isShared: boolean
  readonly resumed: boolean
}

/** Opens conversations of the web chat, or takes one up again. */
class Opening {
  readonly #parts: ChatParts
  readonly #tokens: ChatTokens

  constructor(parts: ChatParts, tokens: ChatTokens) {
    this.#parts = parts
    this.#tokens = tokens
  }

  /**
   * `language`: of the caller, else the bot's is spoken. `begins`: called with the person before a conversation begins, and
   * not for one that is taken up again.
   */
  async open(channel: ChatChannel, body: Body, language: Language | undefined, begins: (user: ChannelUser) => void) {
    const isServer = body.token !== undefined
    const { historyLength, isRemembered, ...shown } = await this.#parts.appearance(channel)
    const kept = isRemembered ? await this.#kept(channel, body) : undefined
    if (kept?.isLive) return this.#answer({ channel, ...kept, resumed: true }, shown, historyLength)
    const named = personOf(channel, body, isServer)
    if (!named.ok) return named
    // A kept token proves its owner, also after the end of the conversation.
    const user = body.user?.id === undefined && kept !== undefined ? { ...named.value, id: kept.user.id } : named.value
    begins(user)
    const locale = body.locale ?? language
    const opened = await this.#parts.conversations.open({
      channel: channel.id,
      user,
      ...(locale === undefined ? {} : { locale }),
      ...(body.payload === undefined ? {} : { payload: body.payload }),
      isTrial: body.trial === true,
      begins: true,
    })
    if (!opened.ok) return opened
    const { conversation } = opened.value
    await this.#parts.conversations.settled(conversation, FIRST_WORDS_MS)
    return this.#answer({ channel, conversation, isShared: isServer, resumed: false }, shown, MAX_FIRST_WORDS)
  }

  async #kept(channel: ChatChannel, { resume, user }: Body) {
    const { id } = channel
    const content = await this.#tokens.readKept(resume)
    if (content?.channel !== id || !(await this.#tokens.isCurrent(content, channel))) return undefined
    const { conversation, first, isShared } = content
    const owner = await this.#parts.conversations.owner(conversation)
    if (owner?.channel !== id || (user?.id !== undefined && user.id !== owner.user.id)) return undefined
    const live = await this.#parts.conversations.live(id, owner.user.id)
    // Another node may have opened it a moment ago: then this one lists no conversation of the person yet.
    const page = live === undefined ? await this.#parts.conversations.newest(conversation, 0) : undefined
    const isUnlisted = page !== undefined && page.state !== 'ended'
    return { conversation, first, isShared, user: owner.user, isLive: live === conversation || isUnlisted }
  }

  async #answer({ channel, conversation, first, isShared, resumed }: Answered, shown: object, count: number) {
    const { conversations, baseUrl, settings } = this.#parts
    const page: ChatPage | undefined = await conversations.newest(conversation, count)
    if (page === undefined) return refused('entity.notfound')
    const stream = `${baseUrl().replace(/^http/, 'ws')}/chat/conversations/${conversation}/stream`
    const token = await this.#tokens.issue({ conversation, channel, first, isShared })
    const maxfile = bytesOf(settings.UPLOAD_MB_CHAT)
    return accepted({ conversation, ...token, stream, resumed, maxfile, ...page, ...shown })
  }
}

/** POST /chat/{channel}/conversations */
export const addChatOpening = (
  app: FastifyInstance,
  parts: ChatParts,
  access: ChatAccess,
  tokens: ChatTokens,
): void => {
  const opening = new Opening(parts, tokens)
  const door: PublicRoute = {
    isForPages: true,
    async target(request, reply) {
      const { channel } = request.params as z.output<typeof channelParam>
      const place = await access.allow(channel, request, reply)
      request.chatChannel = required(await access.channel(channel, 'webchat', request.headers))
      return place
    },
  }
  /** The server of a site opens conversations of many people from one address. */
  const preHandler = async (request: FastifyRequest) => {
    const { token } = request.body as Body
    if (token === undefined) return
    if (isSameSecret(token, channelOf(request).verifyToken)) return app.openDoor.share(request)
    app.openDoor.count(request, 'conversation')
    throw new RequestRefused({ code: 'chat.token' })
  }
  app.post(
    '/chat/:channel/conversations',
    { bodyLimit: MAX_CHAT_BODY, config: { door }, preHandler, schema: { params: channelParam, body: openChatBody } },
    async (request, reply) => {
      const { token } = request.body as Body
      const begins = ({ id }: ChannelUser) => {
        app.openDoor.count(request, 'conversation')
        // The calls of a server with the secret count for no address.
        const tooMany = token === undefined ? undefined : senderRefusal(app.openDoor.sender, channelOf(request).id, id)
        if (tooMany !== undefined) throw new RequestRefused(tooMany.refusal)
      }
      const channel = channelOf(request)
      const language = languageOf(request.headers['accept-language'])
      const opened = await opening.open(channel, request.body as Body, language, begins)
      const { origin } = request.headers
      // Own pages of Parley are no site: their origin is not among those of the channel.
      if (opened.ok && !opened.value.resumed && origin !== undefined && channel.origins.includes(origin))
        parts.openedOrigin?.(channel, origin)
      return opened.ok ? reply.code(201).send(opened.value) : refuse(reply, opened.refusal)
    },
  )
}
