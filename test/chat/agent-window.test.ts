import { expect, test } from 'vitest'
import { findReceiver } from '#runtime/channel/exchange/delivery-state.ts'
import { sendPart } from '#runtime/channel/exchange/send-part.ts'
import { facebook } from '#runtime/channel/facebook/facebook.ts'
import type { ProviderChannel } from '#runtime/channel/open-channels.ts'
import type { FoldedConversation } from '#runtime/conversation/engine/folded-conversation.ts'
import { accepted } from '#schemas/refusal.ts'

const HOUR_MS = 3_600_000
const now = Date.parse('2026-11-30T09:00:00Z')

const channelOf = (type: 'facebook' | 'whatsapp_meta', human_agent: boolean): ProviderChannel => ({
  ...{ id: 'c1', bot: 'bot', level: null, type, isEnabled: true },
  fields: { pagetoken: 't', human_agent },
  adapter: facebook,
  values: {} as ProviderChannel['values'],
})

/** Request body of a message that is sent some hours after the last one of the person; else why it is not sent. */
const sentAfter = async (hours: number, channel: ProviderChannel, isOfAgent: boolean) => {
  const time = new Date(now - hours * HOUR_MS).toISOString()
  const messages = [{ id: '1', position: '1', from: 'user', type: 'text', text: 'oi', time }]
  const held = { bot: 'bot', channel: 'c1', user: { id: '77' }, messages } as unknown as FoldedConversation
  const parts = {
    channels: { get: async () => channel } as never,
    channelsOf: async () => [],
    personOf: async () => 'p',
    index: { lastWord: () => 0 },
    now: () => now,
  }
  const receiver = await findReceiver(parts, held, undefined, isOfAgent)
  if (!receiver.ok) return receiver.code
  let body: unknown
  const call = async (request: { readonly body?: unknown }) => {
    body = JSON.parse(String(request.body))
    return accepted({ status: 200, url: '', redirects: 0, headers: [], truncated: false, body: new Uint8Array() })
  }
  const message = { kind: 'text', text: 'Chegou?' } as const
  await sendPart(call as never, channel, facebook, { message, to: receiver.to, key: 'k' })
  return body
}

test('agents write for seven days with a tag where Meta approved it, and bots for 24 hours [P-2918]', async () => {
  const approved = channelOf('facebook', true)
  const message = { recipient: { id: '77' }, message: { text: 'Chegou?' } }
  expect(await sentAfter(1, approved, true)).toEqual({ ...message, messaging_type: 'RESPONSE' })
  const tagged = { ...message, messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }
  expect(await sentAfter(25, approved, true)).toEqual(tagged)
  expect(await sentAfter(167, approved, true)).toEqual(tagged)
  expect(await sentAfter(169, approved, true)).toBe('window')
  expect(await sentAfter(25, approved, false)).toBe('window')
  expect(await sentAfter(25, channelOf('facebook', false), true)).toBe('window')
  expect(await sentAfter(25, channelOf('whatsapp_meta', true), true)).toBe('window')
})
