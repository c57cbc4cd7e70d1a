import type { Json, JsonObject } from '#schemas/event.ts'
import { digits, object, objects, type ShownMessage, type Wire, words } from './wire.ts'

const SENDER = '5511900000000'
const now = () => new Date().toISOString()

const infobip = (from: string, messageId: string, message: object): JsonObject => ({
  results: [
    {
      ...{ from, to: SENDER, integrationType: 'WHATSAPP', receivedAt: now(), messageId },
      ...{ message: message as JsonObject, contact: { name: 'Ana' } },
    },
  ],
  messageCount: 1,
})
const REPORTED: Readonly<Record<'delivered' | 'failed', JsonObject>> = {
  delivered: { status: { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' } },
  failed: { status: { groupName: 'UNDELIVERABLE' }, error: { name: 'EC_131026' } },
}

export const INFOBIP: Wire = {
  type: 'whatsapp_infobip',
  fields: { auth_token: 'ib-key', sender_number: SENDER, channel_verify_token: 'verify-infobip' },
  proof: ['authorization', 'App ib-key'],
  said: (from, id, text) => infobip(from, id, { type: 'TEXT', text }),
  pressed: (from, id, option) => infobip(from, id, { type: 'INTERACTIVE_BUTTON_REPLY', ...option }),
  picture: (from, id, file) => infobip(from, id, { type: 'IMAGE', url: `{origin}${file}` }),
  receipt: ({ body }, messageId, state) => {
    const of = { messageId, to: SENDER, callbackData: body.callbackData ?? null }
    return {
      body: {
        results: [state === 'read' ? { ...of, seenAt: now() } : { ...of, doneAt: now(), ...REPORTED[state] }],
      },
    }
  },
  answer: messageId => ({ status: 200, body: { messageId, status: { groupName: 'PENDING' } } }),
  refusal: {
    status: 400,
    body: { requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'no' } } },
    code: 'BAD_REQUEST',
  },
  shown({ body }) {
    const { text, body: asked, action, caption, mediaUrl } = object(body.content)
    return {
      to: digits(body.to),
      text: words(text) || words(object(asked).text) || words(caption),
      options: objects(object(action).buttons).map(({ id, title }) => ({ id: words(id), title: words(title) })),
      picture: words(mediaUrl),
    }
  },
}

const zenvia = (from: string, id: string, content: object): JsonObject => ({
  ...{ id: `event-${id}`, timestamp: now(), type: 'MESSAGE', channel: 'whatsapp', direction: 'IN' },
  message: { id, from, to: 'sender', direction: 'IN', visitor: { name: 'Ana' }, contents: [content as JsonObject] },
})

export const ZENVIA: Wire = {
  type: 'whatsapp_zenvia',
  fields: { auth_token: 'zenvia-key', sender_number: 'sender', channel_verify_token: 'verify-zenvia' },
  proof: ['x-api-token', 'zenvia-key'],
  said: (from, id, text) => zenvia(from, id, { type: 'text', text }),
  pressed: (from, id, option) => zenvia(from, id, { type: 'text', text: option.title, payload: option.id }),
  picture: (from, id, file) =>
    zenvia(from, id, { type: 'file', fileUrl: `{origin}${file}`, fileMimeType: 'image/png' }),
  receipt: (_request, messageId, state) => ({
    body: {
      ...{ id: `status-${messageId}-${state}`, timestamp: now(), type: 'MESSAGE_STATUS', messageId, contentIndex: 0 },
      messageStatus: {
        ...{ timestamp: now(), code: state === 'failed' ? 'REJECTED' : state.toUpperCase() },
        ...(state === 'failed' ? { causes: [{ channelErrorCode: '131026' }] } : {}),
      },
    },
  }),
  answer: id => ({ status: 200, body: { id } }),
  refusal: { status: 400, body: { code: 'VALIDATION_ERROR', message: 'no' }, code: 'VALIDATION_ERROR' },
  shown({ body }) {
    const [content = {}] = objects(body.contents)
    return {
      to: digits(body.to),
      text: words(content.text) || words(content.body) || words(content.fileCaption),
      options: objects(content.buttons).map(({ id, title }) => ({ id: words(id), title: words(title) })),
      picture: words(content.fileUrl),
    }
  },
}

const gupshup = (source: string, id: string, type: string, payload: object): JsonObject => ({
  ...{ app: 'DemoApp', timestamp: Date.now(), version: 2, type: 'message' },
  payload: { id, source, type, payload: payload as JsonObject, sender: { phone: source, name: 'Ana' } },
})
const heldOf = (message: Json | undefined): JsonObject => object(JSON.parse(words(message) || '{}'))

/** Its requests are forms that hold JSON, its calls JSON. */
export const GUPSHUP: Wire = {
  type: 'whatsapp_gupshup',
  fields: {
    ...{ account_id: 'DemoApp', auth_token: 'gupshup-key', sender_number: SENDER },
    channel_verify_token: 'verify-gupshup',
  },
  proof: ['apikey', 'gupshup-key'],
  said: (from, id, text) => gupshup(from, id, 'text', { text }),
  pressed: (from, id, { id: postbackText, title }) =>
    gupshup(from, id, 'button_reply', { title, id: '1', reply: `${title} 1`, postbackText }),
  picture: (from, id, file) => gupshup(from, id, 'image', { url: `{origin}${file}`, contentType: 'image/png' }),
  // WhatsApp's own id comes with a receipt; the one that Gupshup answered is its `gsId`.
  receipt: (_request, gsId, type) => ({
    body: {
      ...{ app: 'DemoApp', timestamp: Date.now(), version: 2, type: 'message-event' },
      payload: { id: 'wamid.1', gsId, type, payload: type === 'failed' ? { code: 131026 } : { ts: Date.now() } },
    },
  }),
  answer: messageId => ({ status: 202, body: { status: 'submitted', messageId } }),
  refusal: { status: 400, body: { status: 'error', message: { code: 1003 } }, code: '1003' },
  shown({ body }): ShownMessage {
    const held = heldOf(body.message)
    return {
      to: digits(body.destination),
      text: words(held.text) || words(object(held.content).text) || words(held.caption),
      options: objects(held.options).map(({ postbackText, title }) => ({
        id: words(postbackText),
        title: words(title),
      })),
      picture: words(held.originalUrl),
    }
  },
}
