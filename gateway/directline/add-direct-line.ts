import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { activityOf, submittedOf } from '#runtime/channel/microsoft/activity.ts'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import {
  type chatMessageBody,
  directLineOpening,
  directLineParam,
  MAX_CHAT_BODY,
  sentActivity,
  watermarkQuery,
} from '#schemas/api/chat.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, readJsonBody } from '#schemas/json.ts'
import { languageOf } from '#schemas/language.ts'
import type { Result } from '#schemas/refusal.ts'
import { type Accept, senderRefusal, sizeRefusal } from '../chat/accept-message.ts'
import { type ChatAccess, type ChatSession, channelOf, chatOf, required } from '../chat/chat-access.ts'
import type { UploadFile } from '../chat/chat-file.ts'
import type { ChatChannel, ChatParts } from '../chat/chat-port.ts'
import type { SocketRequest } from '../chat/chat-socket.ts'
import { type ChatTokens, TOKEN_SECONDS } from '../chat/chat-token.ts'
import type { Frames } from '../chat/listener.ts'
import { RequestRefused } from '../http/failure.ts'
import { answerPreflight, bearerOf } from '../http/headers.ts'
import { addMultipart, bytesOf, contentOf, MULTIPART_FRAME } from '../http/multipart.ts'
import type { PublicRoute } from '../http/public-route-checks.ts'
import { sourceOf } from '../http/rate-limit.ts'
import { refuse } from '../problem.ts'

const BOT = { id: 'bot', role: 'bot' } as const

/** Signals the end of a conversation. */
const endActivity = (conversation: string): JsonObject => ({
  type: 'endOfConversation',
  id: `${conversation}-end`,
  timestamp: new Date().toISOString(),
  channelId: 'directline',
  conversation: { id: conversation },
  from: BOT,
})

/** Activity sets of Direct Line 3.0; an empty frame keeps the socket open. */
const directLineFrames = ({ conversation, user }: ChatSession): Frames => ({
  messages: messages =>
    messages.map(message => ({
      activities: [activityOf(conversation, message, user)],
      watermark: message.position,
    })),
  state: () => undefined,
  typing: position => ({
    activities: [{ type: 'typing', channelId: 'directline', conversation: { id: conversation }, from: BOT }],
    watermark: position,
  }),
  ended: position => ({ activities: [endActivity(conversation)], watermark: position }),
  ping: () => '',
})

const STREAM = /^\/directline\/([^/]{1,300})\/conversations\/([\w-]{1,100})\/stream$/

/** An upgrade to a streamUrl, which only listens. */
export const directLineSocket =
  (tokens: ChatTokens) =>
  (request: IncomingMessage): SocketRequest | undefined => {
    const url = URL.parse(request.url ?? '', 'http://gateway')
    const [, channel, conversation] = STREAM.exec(url?.pathname ?? '') ?? []
    if (url === null || channel === undefined || conversation === undefined) return undefined
    const read = async () => {
      const content = await tokens.readTicket(url.searchParams.get('t') ?? undefined)
      return content !== undefined && encodeURIComponent(content.channel) === channel ? content : undefined
    }
    return {
      conversation,
      content: read(),
      after: (url.searchParams.get('watermark') ?? '').replace(/~$/, '').slice(0, 200),
      frames: directLineFrames,
      protocol: undefined,
      isTwoWay: false,
    }
  }

/** Wrong secrets of one address within a minute. */
const MAX_FAILURES = 60

interface DirectLineServices {
  readonly parts: ChatParts
  readonly access: ChatAccess
  readonly tokens: ChatTokens
  readonly accept: Accept
  readonly upload: UploadFile
}

type DirectLineParams = z.output<typeof directLineParam>

/**
 * Authenticates Direct Line callers: with a token of one conversation, or with the secret of the channel, which is its
 * verify token and opens all its conversations. Clients renew after 403, and give up after 401.
 */
const createDirectLineAccess = (app: FastifyInstance, { access, tokens }: DirectLineServices) => {
  const failures = app.openDoor.limit('direct line', MAX_FAILURES)

  /** Takes the channel of the path, for pages that it allows. */
  const takeChannel = async (request: FastifyRequest, reply: FastifyReply) => {
    const { channel } = request.params as DirectLineParams
    const place = await access.allow(channel, request, reply)
    request.chatChannel = required(await access.channel(channel, 'webchat', request.headers))
    return place
  }

  /** @throws RequestRefused for what is not the channel's secret */
  const requireSecret = (request: FastifyRequest, channel: ChatChannel): void => {
    const source = sourceOf(request.ip)
    const retryAfter = failures.wait(source)
    if (retryAfter !== undefined) throw new RequestRefused({ code: 'request.toomany', params: { retryAfter } })
    const given = bearerOf(request.headers)
    if (given === undefined) throw new RequestRefused({ code: 'chat.token' })
    if (!isSameSecret(given, channel.verifyToken)) {
      failures.count(source)
      throw new RequestRefused({ code: 'access.forbidden' })
    }
    // A server calls for many people from one address.
    app.openDoor.share(request)
  }

  /** Takes the conversation of the token, or of the path for who has the secret. */
  const takeSession =
    (read = tokens.read) =>
    async (request: FastifyRequest): Promise<void> => {
      const channel = channelOf(request)
      const { id } = request.params as DirectLineParams
      const token = bearerOf(request.headers)
      const content = await read(token)
      // An old token is no guess at the secret.
      if (content === undefined && (await tokens.isSigned(token)))
        throw new RequestRefused({ code: 'access.forbidden' })
      if (content === undefined) requireSecret(request, channel)
      const meant = content ?? ({ conversation: id ?? '', channel: channel.id, isProven: true } as const)
      if (meant.channel !== channel.id) throw new RequestRefused({ code: 'access.forbidden' })
      request.chat = required(await access.session(meant, id, request.headers))
    }

  const doors = {
    preflight: { isLight: true, isForPages: true, target: takeChannel },
    /** Checks of a route of the channel: the handler proves its caller by a token or the secret. */
    channel: { isForPages: true, target: takeChannel },
    /** Checks of a route of one conversation. */
    session: (more: Pick<PublicRoute, 'counts' | 'isUpload'> = {}, read = tokens.read) => ({
      ...more,
      isForPages: true,
      target: takeChannel,
      proof: takeSession(read),
    }),
  } satisfies Readonly<Record<string, PublicRoute | (() => PublicRoute)>>

  return { doors, requireSecret }
}

type DirectLineAccess = ReturnType<typeof createDirectLineAccess>

type SentActivity = z.output<typeof sentActivity>
type Body = z.output<typeof chatMessageBody>

const ID = /^[\w.:-]{1,100}$/

/** The client's own id of an activity, so that the same sent twice is stored once. */
const idOf = ({ channelData }: SentActivity): string => {
  const own = channelData?.clientActivityID ?? ''
  return ID.test(own) ? own : randomUUID()
}

/** A button of {@link activityOf} that is answered by its id. */
const pressed = (value: Json | undefined): Pick<Body, 'of' | 'value'> | undefined =>
  isObject(value) && typeof value.of === 'string' && typeof value.action === 'string'
    ? { of: value.of, value: value.action }
    : undefined

/** Message of an activity; undefined if it has none. */
export const sentMessage = (activity: SentActivity, attachments: readonly string[] = []): Body | undefined => {
  if (activity.type !== 'message') return undefined
  const [id, { text = '', value }] = [idOf(activity), activity]
  if (attachments.length > 0) return { id, type: 'attachment', text, attachments: [...attachments] }
  const button = pressed(value)
  if (button !== undefined) return { id, type: 'choice', ...button }
  if (text === '' && typeof value === 'string') return { id, type: 'text', text: value }
  // The inputs of an adaptive card.
  if (text === '' && isObject(value)) return { id, type: 'submit', ...submittedOf(value) }
  return text === '' ? undefined : { id, type: 'text', text }
}

/** Files of one activity. */
const MAX_FILES = 5
const ACTIVITY = 'activity'

const readActivity = (content: Buffer): SentActivity => {
  const json = readJsonBody(content)
  if (!json.ok) throw new RequestRefused(json.refusal)
  const activity = sentActivity.safeParse(json.value)
  if (activity.success) return activity.data
  throw new RequestRefused({ code: 'validation.failed', errors: [{ path: ACTIVITY, code: 'format' }] })
}

/** An activity is a message: it is no larger than a body of one. */
const activityBytes = async (part: MultipartFile): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of contentOf(part)) {
    size += chunk.length
    if (size > MAX_CHAT_BODY) throw new RequestRefused({ code: 'request.toolarge' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** POST …/upload: files, with the activity that they belong to. */
const addUpload = async (
  app: FastifyInstance,
  services: DirectLineServices,
  access: DirectLineAccess,
): Promise<void> => {
  const fileSize = bytesOf(services.parts.settings.UPLOAD_MB_CHAT)
  await app.register(async files => {
    await addMultipart(files, { fileSize, files: MAX_FILES + 1 })
    files.post(
      '/directline/:channel/conversations/:id/upload',
      {
        bodyLimit: MAX_FILES * fileSize + MULTIPART_FRAME,
        config: { door: access.doors.session({ counts: 'file', isUpload: true }) },
        schema: { params: directLineParam },
      },
      async (request, reply) => {
        if (!request.isMultipart()) return refuse(reply, { code: 'request.mediatype' })
        const session = chatOf(request)
        let activity: SentActivity = { type: 'message' }
        const ids: string[] = []
        for await (const part of request.files()) {
          if (part.fieldname === ACTIVITY) {
            activity = readActivity(await activityBytes(part))
            continue
          }
          const stored = await services.upload(request, part)
          if (!stored.ok) return refuse(reply, stored.refusal)
          ids.push(stored.value.id)
        }
        const message = sentMessage(activity, ids)
        if (message === undefined)
          return refuse(reply, { code: 'validation.failed', errors: [{ path: 'file', code: 'required' }] })
        const tooLarge = sizeRefusal(message)
        if (tooLarge !== undefined) return refuse(reply, tooLarge.refusal)
        const accepted = await services.accept(session, message)
        return accepted.ok ? { id: message.id } : refuse(reply, accepted.refusal)
      },
    )
  })
}

const BASE = '/directline/:channel'
const CONVERSATION = `${BASE}/conversations/:id`
const PAGE = 200
/** Suffix of the watermark of a reader that knows the end of the conversation. */
const END = '~'

type Opening = z.output<typeof directLineOpening>

/** Direct Line 3.0 as far as web chats use it, over the same conversations as the chat API. */
export const addDirectLine = async (app: FastifyInstance, services: DirectLineServices): Promise<void> => {
  const access = createDirectLineAccess(app, services)
  app.options(`${BASE}/*`, { config: { door: access.doors.preflight } }, (_request, reply) => answerPreflight(reply))
  addTokens(app, services, access)
  addSending(app, services, access)
  addActivities(app, services, access)
  await addUpload(app, services, access)
}

/** The conversation that a token opens, as a client gets it. */
const openedBy = async ({ parts, tokens }: DirectLineServices, session: ChatSession) => {
  const { conversation } = session
  const { token } = await tokens.issue(session)
  return { conversationId: conversation, token, expires_in: TOKEN_SECONDS, baseUrl: parts.baseUrl() }
}

/** The same with the address of its stream, from a watermark on. */
const streamedBy = async (services: DirectLineServices, session: ChatSession, watermark = '') => {
  const { baseUrl, ...opened } = await openedBy(services, session)
  const { conversation, channel } = session
  const base = `${baseUrl.replace(/^http/, 'ws')}/directline/${encodeURIComponent(channel.id)}`
  const ticket = await services.tokens.ticket(session)
  // Clients that have seen nothing yet say so in words of their own.
  const after = /^(?:undefined|null)?$/.test(watermark) ? '' : `&watermark=${encodeURIComponent(watermark)}`
  return { ...opened, streamUrl: `${base}/conversations/${conversation}/stream?t=${ticket}${after}` }
}

/** Checks of routes that begin a conversation. */
const beginningDoors = (app: FastifyInstance, services: DirectLineServices, access: DirectLineAccess) => {
  const generate: PublicRoute = {
    ...access.doors.channel,
    isShared: true,
    counts: 'conversation',
    proof: async request => access.requireSecret(request, channelOf(request)),
  }
  const begin: PublicRoute = {
    ...access.doors.channel,
    async proof(request) {
      const channel = channelOf(request)
      const content = await services.tokens.read(bearerOf(request.headers))
      if (content?.channel === channel.id) {
        request.chat = required(await services.access.session(content, undefined, request.headers))
        return
      }
      access.requireSecret(request, channel)
      app.openDoor.count(request, 'conversation', { isShared: true })
    },
  }
  return { generate, begin }
}

function addTokens(app: FastifyInstance, services: DirectLineServices, access: DirectLineAccess): void {
  const { parts, tokens } = services

  /** A conversation for who has the channel's secret. */
  const open = async (request: FastifyRequest, channel: ChatChannel): Promise<Result<ChatSession>> => {
    const body = request.body as Opening
    const { id = `visitor-${randomUUID()}`, name } = body.user ?? {}
    const user = { id, ...(name === undefined ? {} : { name }) }
    const tooMany = senderRefusal(app.openDoor.sender, channel.id, id)
    if (tooMany !== undefined) return tooMany
    const locale = languageOf(body.locale) ?? languageOf(request.headers['accept-language'])
    const opened = await parts.conversations.open({
      ...{ channel: channel.id, user, begins: false },
      ...(locale === undefined ? {} : { locale }),
    })
    return opened.ok
      ? { ok: true, value: { conversation: opened.value.conversation, channel, user, isShared: false } }
      : opened
  }

  const options = {
    bodyLimit: MAX_CHAT_BODY,
    schema: { params: directLineParam, body: directLineOpening },
  }
  const { generate, begin } = beginningDoors(app, services, access)
  app.post(`${BASE}/tokens/generate`, { ...options, config: { door: generate } }, async (request, reply) => {
    const session = await open(request, channelOf(request))
    if (!session.ok) return refuse(reply, session.refusal)
    const { baseUrl: _baseUrl, ...answer } = await openedBy(services, session.value)
    return answer
  })

  app.post(`${BASE}/conversations`, { ...options, config: { door: begin } }, async (request, reply) => {
    if (request.chat !== undefined) return streamedBy(services, request.chat)
    const session = await open(request, channelOf(request))
    return session.ok ? reply.code(201).send(await streamedBy(services, session.value)) : refuse(reply, session.refusal)
  })

  app.post(
    `${BASE}/tokens/refresh`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: access.doors.session({}, tokens.readKept) },
      schema: { params: directLineParam },
    },
    async request => {
      const { baseUrl: _baseUrl, ...answer } = await openedBy(services, chatOf(request))
      return answer
    },
  )

  app.get(
    CONVERSATION,
    { config: { door: access.doors.session() }, schema: { params: directLineParam, querystring: watermarkQuery } },
    async request => {
      const { watermark } = request.query as z.output<typeof watermarkQuery>
      return streamedBy(services, chatOf(request), watermark)
    },
  )
}

function addSending(app: FastifyInstance, { parts, accept }: DirectLineServices, access: DirectLineAccess): void {
  app.post(
    `${CONVERSATION}/activities`,
    {
      bodyLimit: MAX_CHAT_BODY,
      config: { door: access.doors.session({ counts: 'message' }) },
      schema: { params: directLineParam, body: sentActivity },
    },
    async (request, reply) => {
      const session = chatOf(request)
      const activity = request.body as SentActivity
      if (activity.type === 'endOfConversation') {
        const ended = await parts.conversations.end(session.conversation, 'person')
        return ended.ok ? { id: `${session.conversation}-end` } : refuse(reply, ended.refusal)
      }
      const message = sentMessage(activity)
      // Signs of typing and events say nothing to a bot.
      if (message === undefined) return { id: randomUUID() }
      const stored = await accept(session, message)
      return stored.ok ? { id: message.id } : refuse(reply, stored.refusal)
    },
  )
}

function addActivities(app: FastifyInstance, { parts }: DirectLineServices, access: DirectLineAccess): void {
  app.get(
    `${CONVERSATION}/activities`,
    { config: { door: access.doors.session() }, schema: { params: directLineParam, querystring: watermarkQuery } },
    async (request, reply) => {
      const { conversation, user } = chatOf(request)
      const { watermark } = request.query as z.output<typeof watermarkQuery>
      const after = watermark.replace(/~$/, '')
      const page = await parts.conversations.read(conversation, after, PAGE)
      if (page === undefined) return refuse(reply, { code: 'entity.notfound' })
      if (page.messages.length > 0) app.openDoor.count(request, 'read', { amount: page.messages.length })
      const activities = page.messages.map(message => activityOf(conversation, message, user))
      const last = page.messages.at(-1)?.position ?? after
      if (page.state !== 'ended' || page.messages.length === PAGE) return { activities, watermark: last }
      const isTold = watermark.endsWith(END)
      return { activities: isTold ? activities : [...activities, endActivity(conversation)], watermark: last + END }
    },
  )
}
