import type { JsonObject } from '#schemas/event.ts'
import { basic, digits, object, objects, words } from './wire.ts'

/** A request for a template message: its JSON, or its form as an object. */
export interface TemplateRequest {
  readonly path: string
  readonly body: JsonObject
}

type State = 'sent' | 'delivered' | 'read' | 'failed'

/** The API of one provider for template messages. */
export interface TemplateWire {
  readonly type: string
  /** Fields of the channel, without its address. */
  readonly fields: JsonObject
  readonly proof: readonly [name: string, value: string]
  /** Path of the request that sends a template. */
  readonly sends: string
  /** Answers to other requests: uploads, look-ups and lists, by method and path. */
  readonly others?: Readonly<Record<string, (request: TemplateRequest) => JsonObject>>
  to(request: TemplateRequest): string
  /** The text that returns with receipts; empty where the provider returns none. */
  key(request: TemplateRequest): string
  answer(id: string): { readonly status: number; readonly body: JsonObject | '' }
  /** The provider's id of a message; default: that of its answer. */
  idOf?(request: TemplateRequest, id: string): string
  /** The call with a receipt; `form`: as a form. `code` of a failure. */
  receipt(
    request: TemplateRequest,
    id: string,
    state: State,
    code: string,
  ): { readonly path?: string; readonly body: JsonObject; readonly isForm?: true }
}

const SENDER = '+5511900000000'
const cloudStatus = (request: TemplateRequest, id: string, state: string, code: string): JsonObject => ({
  id,
  status: state,
  timestamp: '1790000000',
  recipient_id: digits(request.body.to),
  biz_opaque_callback_data: request.body.biz_opaque_callback_data ?? '',
  ...(state === 'failed' ? { errors: [{ code: Number(code) }] } : {}),
})

let uploads = 0

export const THREESIXTY_TEMPLATES: TemplateWire = {
  type: 'whatsapp_360dialog',
  fields: { auth_token: 'd360-key', channel_verify_token: 'verify' },
  proof: ['d360-api-key', 'd360-key'],
  sends: '/messages',
  others: {
    'POST /media': () => {
      uploads += 1
      return { id: `media-${uploads}` }
    },
  },
  to: ({ body }) => digits(body.to),
  key: ({ body }) => words(body.biz_opaque_callback_data),
  answer: id => ({ status: 200, body: { messages: [{ id }] } }),
  receipt: (request, id, state, code) => ({
    body: {
      entry: [
        { id: '1', changes: [{ field: 'messages', value: { statuses: [cloudStatus(request, id, state, code)] } }] },
      ],
    },
  }),
}

export const GUPSHUP_TEMPLATES: TemplateWire = {
  type: 'whatsapp_gupshup',
  fields: { account_id: 'DemoApp', auth_token: 'gupshup-key', sender_number: SENDER, channel_verify_token: 'verify' },
  proof: ['apikey', 'gupshup-key'],
  sends: '/template/msg',
  to: ({ body }) => digits(body.destination),
  key: () => '',
  answer: messageId => ({ status: 202, body: { status: 'submitted', messageId } }),
  // WhatsApp's own id comes with a receipt; a failure before that has Gupshup's id.
  receipt: (_request, gsId, type, code) => ({
    body: {
      ...{ app: 'DemoApp', timestamp: 1_790_000_000_000, version: 2, type: 'message-event' },
      payload:
        type === 'failed'
          ? { id: gsId, type, payload: { code: Number(code), reason: 'x' } }
          : { id: 'wamid.1', gsId, type, payload: { ts: 1_790_000_000 } },
    },
  }),
}

const INFOBIP_STATES = {
  sent: { status: { groupName: 'PENDING', name: 'PENDING_ENROUTE' } },
  delivered: { status: { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' } },
} as const
const infobipMessage = ({ body }: TemplateRequest) => objects(body.messages)[0] ?? {}

export const INFOBIP_TEMPLATES: TemplateWire = {
  type: 'whatsapp_infobip',
  fields: { auth_token: 'ib-key', sender_number: SENDER.slice(1), channel_verify_token: 'verify' },
  proof: ['authorization', 'App ib-key'],
  sends: '/whatsapp/1/message/template',
  to: request => digits(infobipMessage(request).to),
  key: request => words(infobipMessage(request).callbackData),
  answer: messageId => ({ status: 200, body: { messages: [{ messageId, status: { groupName: 'PENDING' } }] } }),
  receipt: (request, messageId, state, code) => {
    const of = { messageId, callbackData: infobipMessage(request).callbackData ?? '' }
    if (state === 'read') return { body: { results: [{ ...of, seenAt: '2026-11-29T10:00:00.000+0000' }] } }
    const told =
      state === 'failed' ? { status: { groupName: 'UNDELIVERABLE' }, error: { name: code } } : INFOBIP_STATES[state]
    return { body: { results: [{ ...of, doneAt: '2026-11-29T10:00:00.000+0000', ...told }] } }
  },
}

const ACCOUNT = 'AC00000000000000000000000000000000'

export const TWILIO_TEMPLATES: TemplateWire = {
  type: 'whatsapp_twilio',
  fields: { account_id: ACCOUNT, auth_token: 'twilio-token', sender_number: SENDER },
  proof: ['authorization', basic(ACCOUNT, 'twilio-token')],
  sends: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
  to: ({ body }) => digits(body.To),
  key: ({ body }) => new URL(words(body.StatusCallback)).searchParams.get('key') ?? '',
  answer: sid => ({ status: 201, body: { sid, status: 'queued', error_code: null } }),
  receipt: ({ body: { StatusCallback } }, sid, state, code) => {
    const { pathname, search } = new URL(words(StatusCallback))
    const failure = state === 'failed' ? { ErrorCode: code } : {}
    return {
      path: pathname + search,
      isForm: true,
      body: { MessageSid: sid, MessageStatus: state, From: `whatsapp:${SENDER}`, ...failure },
    }
  },
}

export const ZENVIA_TEMPLATES: TemplateWire = {
  type: 'whatsapp_zenvia',
  fields: { auth_token: 'zenvia-key', sender_number: 'sender', channel_verify_token: 'verify' },
  proof: ['x-api-token', 'zenvia-key'],
  sends: '/channels/whatsapp/messages',
  to: ({ body }) => digits(body.to),
  key: () => '',
  answer: id => ({ status: 200, body: { id } }),
  receipt: (_request, messageId, state, code) => ({
    body: {
      ...{ id: `s-${messageId}-${state}`, type: 'MESSAGE_STATUS', messageId, contentIndex: 0 },
      messageStatus: {
        ...{ timestamp: '2026-11-29T10:00:00Z', code: state === 'failed' ? 'REJECTED' : state.toUpperCase() },
        ...(state === 'failed' ? { causes: [{ channelErrorCode: code }] } : {}),
      },
    },
  }),
}

const BLIP_EVENTS = { sent: 'dispatched', delivered: 'received', read: 'consumed', failed: 'failed' } as const

export const BLIP_TEMPLATES: TemplateWire = {
  type: 'blip',
  fields: { account_id: 'demobot', auth_token: 'access-1', channel_verify_token: 'verify' },
  proof: ['authorization', `Key ${Buffer.from('demobot:access-1').toString('base64')}`],
  sends: '/messages',
  others: {
    'POST /commands': ({ body }) => ({
      method: 'get',
      status: 'success',
      resource: { identity: `${digits(words(body.uri).split('/').at(-1))}@wa.gw.msging.net` },
    }),
  },
  to: ({ body }) => digits(words(body.to).split('@')[0]),
  key: ({ body }) => words(body.id),
  answer: () => ({ status: 202, body: '' }),
  idOf: ({ body }) => words(body.id),
  receipt: ({ body }, _id, state, code) => ({
    body: {
      ...{ id: words(body.id), from: words(body.to), to: 'demobot@msging.net', event: BLIP_EVENTS[state] },
      ...(state === 'failed' ? { reason: { code: Number(code), description: 'x' } } : {}),
    },
  }),
}

export const TEMPLATE_WIRES: readonly TemplateWire[] = [
  ...[THREESIXTY_TEMPLATES, GUPSHUP_TEMPLATES, INFOBIP_TEMPLATES, TWILIO_TEMPLATES, ZENVIA_TEMPLATES, BLIP_TEMPLATES],
]

/** A body that arrived: a form as an object, else its JSON. */
export const bodyOf = (text: string, type = ''): JsonObject =>
  type.startsWith('application/json')
    ? object(JSON.parse(text || '{}'))
    : type.startsWith('multipart/')
      ? { form: text }
      : Object.fromEntries(new URLSearchParams(text))
