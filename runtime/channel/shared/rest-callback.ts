import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Capabilities, ChannelAdapter } from '../channel-port.ts'
import { field, posting, retryAfter, withHeader } from './provider-call.ts'

const CAPABILITIES: Capabilities = {
  isWhole: true,
  markup: 'markdown',
  text: Number.POSITIVE_INFINITY,
  body: Number.POSITIVE_INFINITY,
  caption: Number.POSITIVE_INFINITY,
  buttons: null,
  list: null,
  carousel: null,
  media: [],
  location: true,
  askplace: false,
  native: [],
}

/** `<conversation>.<message>` of a part's key: messages that are sent whole have only one part. */
const ofPart = (key: string): { readonly conversation: string; readonly name: string } => {
  const name = key.slice(0, key.lastIndexOf('.'))
  return { conversation: name.slice(0, name.indexOf('.')), name }
}

/**
 * The callback of a REST channel: bot messages are posted to it unchanged, and repeated until accepted.
 * `gateway/chat/add-chat.ts` receives the incoming messages.
 */
export const restCallback: ChannelAdapter = {
  capabilities: CAPABILITIES,
  isRepeatable: true,
  handshake: () => undefined,
  verify: () => refused('channel.signature'),
  parse: () => refused('channel.body'),
  render(message, { id: user }, fields, key) {
    if (message.kind !== 'native') return refused('channel.message')
    const { conversation, name } = ofPart(key)
    const body: JsonObject = { conversation, user, message: message.message }
    const request = posting(field(fields, 'callback_url'), body)
    return request.ok ? accepted(withHeader(request.value, 'idempotency-key', name)) : request
  },
  authorize(request, fields, _values, before) {
    // The same token would be refused again at once.
    if (before !== undefined) return refused('channel.token')
    const password = field(fields, 'channel_password')
    return accepted(password === '' ? request : withHeader(request, 'authorization', password))
  },
  classify: answer =>
    answer.status >= 200 && answer.status < 300
      ? { kind: 'sent', id: '' }
      : { kind: 'retry', after: retryAfter(answer) },
}
