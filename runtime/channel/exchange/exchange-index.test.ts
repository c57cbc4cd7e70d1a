import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { conversationStream, deliveryStream } from '#schemas/events/conversation.ts'
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
const NOON = Date.parse('2026-11-28T12:00:00Z')
const applyTo = (stream: string, type: string, data: JsonObject, time = '2026-11-28T10:00:00.000Z'): void => {
  revision += 1
  const event: StoredEvent = {
    ...{ id: `${revision}`, stream, revision, type, version: 1, data, level: null },
    ...{ actor: null, time, correlation: '', causation: null, hash: '' },
    position: String(revision).padStart(8, '0'),
  }
  index.apply('log', event)
}
const apply = (conversation: string, type: string, data: JsonObject): void =>
  applyTo(conversationStream(conversation), type, data)
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

describe('the trouble of a channel', () => {
  const hit = (type: string, data: JsonObject, minute = 0) =>
    applyTo(
      deliveryStream('a'),
      type,
      { channel: 'loja', message: '1', part: 0, due: 0, ...data },
      new Date(NOON + minute * 60_000).toISOString(),
    )
  const trouble = () => {
    const { cause, code, since = 0, last = 0 } = index.troubles().get('loja') ?? {}
    return cause === undefined ? '' : `${cause} ${code} ${(since - NOON) / 60_000} ${(last - NOON) / 60_000}`
  }
  const sent = () => hit('DeliverySent', { id: 'x' }, 9)

  test.each<[string, string, JsonObject, string]>([
    ['throttled', 'DeliveryDelayed', { code: 'http.429' }, 'limit http.429'],
    ['not connected', 'DeliveryDelayed', { code: 'ECONNREFUSED' }, 'unreachable ECONNREFUSED'],
    ['unavailable', 'DeliveryDelayed', { code: '131016' }, 'provider 131016'],
    ['refused with an unknown code', 'DeliveryDelayed', { code: '77' }, 'refused 77'],
    ['not authorized', 'DeliveryDelayed', { code: '190' }, 'credentials 190'],
    ['answered with 502', 'DeliveryFailed', { code: 'unknown', reason: 'http.502' }, 'provider http.502'],
    ['not answered', 'DeliveryFailed', { code: 'unknown', reason: 'outbound.timeout' }, 'timeout outbound.timeout'],
    ['given up', 'DeliveryFailed', { code: 'tries', reason: 'http.503' }, 'provider http.503'],
    ['refused because of the account', 'DeliveryFailed', { code: '131031' }, 'account 131031'],
    ['sent to no address', 'DeliveryFailed', { code: 'outbound.address' }, 'settings outbound.address'],
  ])('begins with the first message that is %s, and ends with one that is accepted [P-1962]', (_, type, data, told) => {
    hit(type, data)
    hit(type, data, 5)
    expect(trouble()).toBe(`${told} 0 5`)
    sent()
    expect(trouble()).toBe('')
  })

  test('does not begin with a refusal because of the person [P-1962]', () => {
    hit('DeliveryFailed', { code: '131026' })
    expect(trouble()).toBe('')
  })

  test('that receipts report ends with a receipt of success alone [P-1962]', () => {
    hit('DeliveryReceipt', { status: 'failed', code: '131042' })
    sent()
    expect(trouble()).toBe('account 131042 0 0')
    hit('DeliveryReceipt', { status: 'delivered', code: '' }, 1)
    expect(trouble()).toBe('')
    const { length } =
      index
        .pulses(0)
        .get('loja')
        ?.filter(({ kind }) => kind === 'failed') ?? []
    expect(length).toBe(1)
  })
})

test('counts the messages of channels without a provider [P-1963]', () => {
  for (const type of ['webchat', 'rest']) {
    started(type, type)
    apply(type, 'MessageReceived', {})
    turned(type)
  }
  const counted = [...index.pulses(0)].map(([id, slots]) => [id, slots.map(({ kind, count }) => `${kind} ${count}`)])
  expect(Object.fromEntries(counted)).toEqual({
    'channel of webchat': ['in 1', 'sent 1'],
    'channel of rest': ['in 1', 'sent 1'],
  })
  expect([...index.pulses(0, ['channel of rest']).keys()]).toEqual(['channel of rest'])
})
