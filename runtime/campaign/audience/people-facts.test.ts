import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ReadModels, Scope } from '#projections/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { openMessageCipher } from '../../conversation/engine/folded-conversation.ts'
import { ConversationIndex } from '../../conversation/index/conversation-index.ts'
import { openPeopleFacts } from './people-facts.ts'

const keys = {
  personal: { forgotten: async () => new Set<string>() },
  index: { hmac: (text: string) => createHmac('sha256', 'key').update(text).digest('hex') },
} as unknown as Parameters<typeof openPeopleFacts>[1]
const rows = {
  bot: [
    { id: 'b1', hierarchylevel: 'l1' },
    { id: 'b2', hierarchylevel: 'l2' },
  ],
  channel: [
    { id: 'w1', type: 'whatsapp_meta', hierarchylevel: 'l1' },
    { id: 'w2', type: 'whatsapp_twilio', hierarchylevel: 'l2' },
    { id: 'chat', type: 'webchat', hierarchylevel: 'l1' },
  ],
}
const read = {
  list: async ({ level }: Scope, entity: 'bot' | 'channel') => {
    const items = rows[entity].filter(row => level === null || row.hierarchylevel === level)
    return { items, total: items.length, page: 1, size: 100 }
  },
} as unknown as Pick<ReadModels, 'list'>

test('finds tags and last messages of people under the number of their WhatsApp, at one level alone [P-2764]', async () => {
  const { personOf } = openMessageCipher(keys as never)
  const index = new ConversationIndex(':memory:')
  let revision = 0
  const say = (id: string, type: string, data: object) => {
    revision += 1
    index.apply('log', {
      ...{ id: `${id}${revision}`, stream: conversationStream(id), revision, type, version: 1, data },
      ...{ level: null, actor: null, time: '2026-11-28T10:00:00.000Z', correlation: '', causation: null, hash: '' },
      position: String(revision).padStart(4, '0'),
    } as StoredEvent)
  }
  const begin = async (id: string, bot: string, channel: string, user: string) =>
    say(id, 'ConversationStarted', {
      ...{ bot, channel, channeltype: 'whatsapp_meta', person: await personOf(channel, user), release: 1, due: 1 },
    })
  // Ana writes without the ninth digit; Bia is known at another level.
  await begin('ana', 'b1', 'w1', '551187650001')
  await begin('bia', 'b2', 'w2', '5511987650002')
  say('ana', 'AgentTagged', { tags: ['VIP', 'Reclamação'], by: 'u' })
  say('ana', 'AgentTagged', { tags: ['Reclamação'], by: 'u' })
  say('bia', 'AgentTagged', { tags: ['VIP'], by: 'u' })
  const heard = new Map([
    [await personOf('w1', '551187650001'), 1000],
    [await personOf('w2', '5511987650002'), 2000],
  ])
  const people = openPeopleFacts(read, keys, {
    opened: async () => ({ index }) as never,
    openedExchange: () => ({ lastWord: (_channel: string, person: string) => heard.get(person) ?? 0 }) as never,
  })
  const needs = { hasTags: true, hasReplies: true }
  const phones = ['+5511987650001', '+5511987650002', '']
  expect(await people.of('l1', phones, needs)).toEqual([
    { replied: 1000, tags: ['reclamacao'] },
    { replied: undefined, tags: [] },
    { replied: undefined, tags: [] },
  ])
  const everywhere = await people.of(null, phones, needs)
  expect(everywhere[1]).toEqual({ replied: 2000, tags: ['vip'] })
  await index.close()
})
