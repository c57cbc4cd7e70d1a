import { z } from 'zod'
import { LANGUAGES } from '../language.ts'
import { json } from './common.ts'

/** Characters of one message. */
export const MAX_TEXT = 4_000
/** Bytes of a body of the chat. */
export const MAX_CHAT_BODY = 16_384

const id = z.string().min(1).max(200)
const values = z.record(z.string().max(500), json)
const locale = z.enum(LANGUAGES)

export const channelParam = z.object({ channel: z.string().min(1).max(100) })
export const conversationParam = z.object({ id: z.string().min(1).max(100) })

/** Chat user. Without an id: an anonymous visitor. */
const chatUser = z.strictObject({
  id: id.optional(),
  name: z.string().max(200).optional(),
  data: values.optional(),
})

export const openChatBody = z.strictObject({
  /** The channel's verify token, from server to server. */
  token: z.string().max(2_000).optional(),
  user: chatUser.optional(),
  /** HMAC-SHA256 of `user.id` under the verify token, hex. */
  userhash: z.string().max(200).optional(),
  locale: locale.optional(),
  /** A kept token of an earlier conversation. */
  resume: z.string().max(1_000).optional(),
  payload: z.string().max(MAX_TEXT).optional(),
  /** The person tries the bot: the figures leave the conversation out. */
  trial: z.boolean().optional(),
})

const kind = z.enum(['text', 'choice', 'location', 'attachment', 'order', 'menu', 'submit'])

interface MessageMembers {
  readonly type: z.output<typeof kind>
  readonly text?: string | undefined
  readonly value?: string | undefined
  readonly of?: string | undefined
  readonly data?: unknown
  readonly attachments?: readonly unknown[] | undefined
}

const isWithin = (value: unknown, most: number): boolean =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= most

const isPlace = (data: unknown): boolean => {
  if (typeof data !== 'object' || data === null) return false
  const { latitude, longitude } = data as { readonly latitude?: unknown; readonly longitude?: unknown }
  return isWithin(latitude, 90) && isWithin(longitude, 180)
}

/** Members that a type of message needs. */
const missingOf = ({ type, text, value, of, data, attachments }: MessageMembers): readonly string[] => {
  switch (type) {
    case 'text':
      return (text ?? '').trim() === '' ? ['text'] : []
    case 'choice':
      return [...(of === undefined ? ['of'] : []), ...(value === undefined ? ['value'] : [])]
    case 'location':
      return isPlace(data) ? [] : ['data']
    case 'attachment':
      return (attachments ?? []).length === 0 ? ['attachments'] : []
    case 'menu':
      return (value ?? '') === '' ? ['value'] : []
    default:
      return data === undefined ? ['data'] : []
  }
}

const complete = (message: MessageMembers, context: z.RefinementCtx): void => {
  for (const name of missingOf(message))
    context.addIssue({ code: 'custom', path: [name], params: { code: 'required' } })
}

/** A chat message. `text` and `value` over {@link MAX_TEXT} are refused as too large. */
const chatMessage = z.strictObject({
  /** Chosen by the client: the same twice is stored once. */
  id: z.string().regex(/^[\w.:-]{1,100}$/),
  type: kind.default('text'),
  text: z.string().optional(),
  value: z.string().optional(),
  /** The bot's message whose action is pressed. */
  of: id.optional(),
  data: json.optional(),
  /** Ids of uploaded files. */
  attachments: z.array(id).max(10).optional(),
})

export const chatMessageBody = chatMessage.superRefine(complete)

export const chatPageQuery = z.object({
  after: z.string().max(200).default(''),
  size: z.coerce.number().int().min(1).max(200).default(50),
})
export const chatStreamQuery = z.object({ after: z.string().max(200).optional() })
/** Messages of one page of a transcript. */
export const MAX_TRANSCRIPT_PAGE = 100
/** A page of a transcript; a larger size is one of 100. Without both members: the whole, as a download. */
export const transcriptPart = {
  after: z.string().max(200).optional(),
  size: z.coerce
    .number()
    .int()
    .min(1)
    .transform(size => Math.min(size, MAX_TRANSCRIPT_PAGE))
    .optional(),
}
export const transcriptQuery = z.object({
  format: z.enum(['json', 'text', 'activities']).default('json'),
  ...transcriptPart,
})

/** A message that comes over the REST channel. */
export const restMessageBody = z
  .strictObject({
    id: z.string().regex(/^[\w.:-]{1,100}$/),
    from: z.union([id, chatUser.extend({ id })]),
    type: kind.default('text'),
    text: z.string().optional(),
    value: z.string().optional(),
    of: id.optional(),
    data: json.optional(),
    attachments: z.array(values).max(10).optional(),
    locale: locale.optional(),
    payload: z.string().max(MAX_TEXT).optional(),
  })
  .superRefine(complete)

/** A frame of a client on a chat's socket. */
export const clientFrame = z.union([
  chatMessage.extend({ t: z.literal('send') }).superRefine(complete),
  z.object({ t: z.literal('typing') }),
  z.object({ t: z.literal('read'), position: z.string().max(200).optional() }),
  z.object({ t: z.literal('pong') }),
])

export const directLineParam = z.object({
  channel: z.string().min(1).max(100),
  id: z.string().min(1).max(100).optional(),
})

/** Members that nothing is done with are let pass, as clients of other makers send them. */
export const directLineOpening = z.looseObject({
  user: z.looseObject({ id: id.optional(), name: z.string().max(200).optional() }).optional(),
  locale: z.string().max(50).optional(),
})

/** An activity from a client. */
export const sentActivity = z.looseObject({
  type: z.string().max(100),
  text: z.string().optional(),
  name: z.string().max(200).optional(),
  value: json.optional(),
  channelData: z.looseObject({ clientActivityID: z.string().max(200).optional() }).optional(),
})

export const watermarkQuery = z.object({ watermark: z.string().max(200).default('') })
