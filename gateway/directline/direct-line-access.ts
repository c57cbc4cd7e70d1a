import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { submittedOf } from '#runtime/channel/microsoft/activity.ts'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import type { chatMessageBody, directLineParam, sentActivity } from '#schemas/api/chat.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { Accept } from '../chat/accept-message.ts'
import { bearerOf, type ChatAccess, channelOf, required } from '../chat/chat-access.ts'
import type { UploadFile } from '../chat/chat-file.ts'
import type { ChatChannel, ChatParts } from '../chat/chat-port.ts'
import type { ChatTokens } from '../chat/chat-token.ts'
import { RequestRefused } from '../http/failure.ts'
import type { PublicRoute } from '../http/public-route-checks.ts'
import { sourceOf } from '../http/rate-limit.ts'

/** Wrong secrets of one address within a minute. */
const MAX_FAILURES = 60

export interface DirectLineServices {
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
export const createDirectLineAccess = (app: FastifyInstance, { access, tokens }: DirectLineServices) => {
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

export type DirectLineAccess = ReturnType<typeof createDirectLineAccess>

export type SentActivity = z.output<typeof sentActivity>
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
