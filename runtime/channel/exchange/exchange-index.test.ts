import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { ExchangeIndex } from './exchange-index.ts'

let folder: string
let index: ExchangeIndex
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-exchange-'))
  index = new ExchangeIndex(join(folder, 'exchange.sqlite'))
})
afterEach(async () => {
  await index.close()
  rmSync(folder, { recursive: true, force: true })
})

let revision = 0
const apply = (conversation: string, type: string, data: JsonObject): void => {
  revision += 1
  const event: StoredEvent = {
    ...{ id: `${revision}`, stream: conversationStream(conversation), revision, type, version: 1, data, level: null },
    ...{ actor: null, time: '2026-11-28T10:00:00.000Z', correlation: '', causation: null, hash: '' },
    position: String(revision).padStart(8, '0'),
  }
  index.apply('log', event)
}
const started = (id: string, channeltype: string) =>
  apply(id, 'ConversationStarted', { channel: `channel of ${id}`, channeltype, person: 'p' })
const turned = (id: string, elsewhere = 0) => apply(id, 'TurnTaken', { blocks: ['a'], elsewhere })
const due = () => index.due(Date.parse('2026-11-28T11:00:00Z'), 10)

test('marks the answers of a REST channel, and drops no message that must be sent [P-1545]', () => {
  started('rest', 'rest')
  started('other', 'rest')
  started('phone', 'whatsapp_meta')
  started('web', 'webchat')
  for (const id of ['rest', 'other', 'phone', 'web']) turned(id)
  turned('other', 1)
  expect(due()).toEqual([{ id: 'rest', answers: 'channel of rest' }, { id: 'other' }, { id: 'phone' }])
  for (const { id } of due()) index.dropAnswers(id)
  expect(due()).toEqual([{ id: 'other' }, { id: 'phone' }])
  turned('rest')
  expect(due().map(({ id }) => id)).toContain('rest')
})
