import { expect, test } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { ConversationIndex } from './conversation-index.ts'

test('leaves due conversations of other nodes to these for 5 s [P-1987]', async () => {
  const index = new ConversationIndex(':memory:')
  const due = { own: 1_000, other: 1_000, late: -4_500, later: 2_000 }
  for (const [id, at] of Object.entries(due)) {
    const data = { bot: 'b', channel: 'c', channeltype: 'webchat', person: 'p', release: 1, due: at }
    const event: StoredEvent = {
      ...{ id, stream: conversationStream(id), revision: 1, type: 'ConversationStarted', version: 1, data },
      ...{ level: null, actor: null, time: '2026-11-28T10:00:00.000Z', correlation: '', causation: null, hash: '' },
      position: id,
    }
    index.apply('log', event)
  }
  const isOwn = (id: string) => id === 'own'
  expect(index.due(1_000, 10, isOwn)).toEqual(['late', 'own'])
  expect(index.due(1_000, 1, isOwn)).toEqual(['late'])
  expect(index.due(5_999, 10, isOwn)).toEqual(['late', 'own'])
  expect(index.due(6_000, 10, isOwn).toSorted()).toEqual(['late', 'other', 'own'])
  expect(index.due(1_000, 10)).toHaveLength(3)
  await index.close()
})
