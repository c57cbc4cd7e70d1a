import { changeBody, graphTime, messagesValue } from '#runtime/channel/whatsapp-cloud/graph-wire.ts'
import type { JsonObject } from '#schemas/event.ts'
import { digits, object, objects, type Wire, words } from './wire.ts'

const seconds = () => graphTime(Date.now())
const message = (from: string, id: string, content: object): JsonObject =>
  messagesValue(from, 'Ana', [{ from, id, timestamp: seconds(), ...content }])
const change = (value: JsonObject): JsonObject => changeBody({ waba: '1', phoneNumberId: '', display: '' }, value)

/** The bodies of Meta's Cloud API, in the envelope that a provider puts around them. */
const cloudWire = (envelope: (value: JsonObject) => JsonObject) =>
  ({
    said: (from, id, text) => envelope(message(from, id, { type: 'text', text: { body: text } })),
    pressed: (from, id, option) =>
      envelope(
        message(from, id, { type: 'interactive', interactive: { type: 'button_reply', button_reply: { ...option } } }),
      ),
    picture: (from, id, file) => envelope(message(from, id, { type: 'image', image: { id: file.slice(1) } })),
    receipt: (_request, id, status) => ({
      body: envelope({
        statuses: [
          {
            ...{ id, status, timestamp: seconds(), recipient_id: '55' },
            ...(status === 'failed' ? { errors: [{ code: 131026 }] } : {}),
          },
        ],
      }),
    }),
    answer: id => ({ status: 200, body: { messages: [{ id }] } }),
    refusal: { status: 400, body: { error: { code: 131047, message: 'window' } }, code: '131047' },
    shown({ body }) {
      const { text, interactive, image } = body
      const { body: asked, action } = object(interactive)
      return {
        to: digits(body.to),
        text: words(object(text).body) || words(object(asked).text) || words(object(image).caption),
        options: objects(object(action).buttons).map(({ reply }) => {
          const { id, title } = object(reply)
          return { id: words(id), title: words(title) }
        }),
        picture: words(object(image).link),
      }
    },
  }) satisfies Partial<Wire>

export const THREESIXTY: Wire = {
  ...cloudWire(change),
  type: 'whatsapp_360dialog',
  fields: { auth_token: 'd360-key', channel_verify_token: 'verify-360' },
  proof: ['d360-api-key', 'd360-key'],
}

/** Interaxa's API is not public: the channel sets the paths, and bodies are Meta's. */
export const INTERAXA: Wire = {
  ...cloudWire(value => value),
  type: 'whatsapp_interaxa',
  fields: {
    ...{ auth_token: 'interaxa-key', channel_verify_token: 'verify-interaxa' },
    channel_extra_info: JSON.stringify({ send: { path: '/messages' } }),
  },
  proof: ['authorization', 'Bearer interaxa-key'],
  picture: (from, id, file) => message(from, id, { type: 'image', image: { link: `{origin}${file}` } }),
  refusal: { status: 403, body: {}, code: 'http.403' },
}
