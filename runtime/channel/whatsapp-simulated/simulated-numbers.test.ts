import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { CHANNEL_TYPES, isPushed, SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import { ADAPTERS } from '../adapters.ts'
import { sendPart } from '../exchange/send-part.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { openGraph, SIMULATED_GRAPH_URL } from '../shared/graph.ts'
import { SimulatedNumbers } from './simulated-numbers.ts'

const FIELDS: Readonly<Record<string, JsonObject>> = {
  metaaccount: {
    ...{ metaapp: 'm', waba_id: '999001', phone_number_id: '999002', access_token: 'token' },
    display_phone_number: '+55 11 90001-0000',
  },
  metaapp: { app_id: '999003', app_client_secret: 'secret' },
  /** An account of another level, with an id that others begin with. */
  other: { waba_id: '9', phone_number_id: '999002', access_token: 'of the other' },
}

let folder: string
let store: EventStore & { close(): Promise<void> }
let now = 0
const opened: SimulatedNumbers[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-simulated-'))
  store = await openEmbeddedStore({ folder })
  now = Date.now()
})
afterEach(async () => {
  for (const numbers of opened.splice(0)) numbers.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A node on the store. Its webhook calls are collected, until `accepts` says no. */
const openNode = ({ isShared = false, accepts = (): boolean => true, isOn = true, accounts = ['a'] } = {}) => {
  const heard: JsonObject[] = []
  const numbers = new SimulatedNumbers({ isOn, now: () => now })
  opened.push(numbers)
  numbers.connect({
    log: async () => store,
    keys: { secret: { encrypt: value => ({ value }), decrypt: ({ value }) => value ?? null } },
    commands: { openFields: async (entity, id) => ({ ...FIELDS[entity], ...FIELDS[id] }) },
    read: {
      onTouched: () => () => undefined,
      list: async () => {
        const items = accounts.map(id => ({ id, metaapp: 'm', name: 'Simulated' }))
        return { items, total: items.length } as never
      },
    },
    async post(path, headers, body) {
      if (!accepts()) return 503
      expect(path).toBe('/meta/m/webhook')
      expect(headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/)
      heard.push(JSON.parse(body) as JsonObject)
      return 200
    },
    isShared,
    failed: error => {
      throw error
    },
  })
  const statuses = () => [...JSON.stringify(heard).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
  return { numbers, heard, statuses }
}

const call = (numbers: SimulatedNumbers, path: string, body: JsonObject, token = 'token') =>
  numbers.answer({
    method: 'POST',
    url: `${SIMULATED_GRAPH_URL}/${path}`,
    headers: [['authorization', `Bearer ${token}`]],
    body: JSON.stringify(body),
    timeout: 1000,
    most: 10_000,
  })
const answerOf = async (answer: ReturnType<SimulatedNumbers['answer']>) => {
  const found = await answer
  return found?.ok === true ? JSON.parse(Buffer.from(found.value.body).toString()) : found?.refusal
}
const TEXT = { messaging_product: 'whatsapp', type: 'text', text: { body: 'Oi' } }
/** Opens the window of a persona, so that a free message may follow. */
const greet = async (numbers: SimulatedNumbers, persona: number) =>
  expect((await numbers.act('a', persona, { do: 'say', text: 'Oi' })).ok).toBe(true)

test('continues after a restart with what became due meanwhile [P-2569]', async () => {
  let accepts = true
  const first = openNode({ accepts: () => accepts })
  await greet(first.numbers, 89)
  await expect.poll(() => first.heard.length).toBe(1)
  accepts = false
  expect(await answerOf(call(first.numbers, '999002/messages', { ...TEXT, to: '+5511900000089' }))).toMatchObject({
    contacts: [{ wa_id: '5511900000089' }],
  })
  first.numbers.close()
  now += 60_000
  const second = openNode()
  await expect.poll(second.statuses).toEqual(['sent', 'failed', 'delivered'])
  const { personas, pending } = await second.numbers.state('a')
  expect(pending.size).toBe(0)
  expect(personas.get(89)?.messages.map(({ from, status }) => [from, status])).toEqual([
    ['persona', undefined],
    ['business', 'delivered'],
  ])
})

test('reads the state of a number again only when it has work [P-2569]', async () => {
  const { numbers, heard } = openNode({ accounts: ['a', 'b'] })
  const read = vi.spyOn(numbers, 'state')
  await expect.poll(() => read.mock.calls.map(([id]) => id)).toEqual(['a', 'b'])
  read.mockClear()
  now += 60_000
  await greet(numbers, 89)
  await expect.poll(() => heard.length).toBe(1)
  expect(new Set(read.mock.calls.map(([id]) => id))).toEqual(new Set(['a']))
})

test('leaves the steps of a message to the node that took it, for 60 seconds [P-2570]', async () => {
  let accepts = true
  const one = openNode({ isShared: true, accepts: () => accepts })
  await greet(one.numbers, 90)
  await expect.poll(() => one.heard.length).toBe(1)
  accepts = false
  await answerOf(call(one.numbers, '999002/messages', { ...TEXT, to: '+5511900000090' }))
  const two = openNode({ isShared: true })
  now += 30_000
  await new Promise(resolve => setTimeout(resolve, 500))
  expect(two.heard).toEqual([])
  for (const { numbers } of [one, two]) numbers.close()
  now += 60_000
  const three = openNode({ isShared: true })
  await expect
    .poll(() => three.statuses(), { timeout: 10_000 })
    .toEqual(['read', 'delivered', 'sent', 'read', 'delivered', 'sent'])
})

test('answers calls to its own address alone, with the token of the account [P-2571]', async () => {
  const { numbers } = openNode()
  const elsewhere = { method: 'GET', url: 'https://graph.facebook.com/v23.0/1', headers: [], timeout: 1, most: 1 }
  expect(numbers.answer(elsewhere)).toBeUndefined()
  const body = { ...TEXT, to: '+5511987654321' }
  expect(await answerOf(call(numbers, '999002/messages', body))).toMatchObject({ error: { code: 131_030 } })
  expect(await answerOf(call(numbers, '999002/messages', body, 'other'))).toMatchObject({ error: { code: 190 } })
  const outside = { ...TEXT, to: '+5511900000001' }
  expect(await answerOf(call(numbers, '999002/messages', outside))).toMatchObject({ error: { code: 131_047 } })
  // Any bot may call the address.
  expect(await answerOf(call(numbers, '%E0%A4%A', {}))).toMatchObject({ error: { code: 100 } })
  expect(await answerOf(call(numbers, '%E0%A4%A', {}, 'other'))).toMatchObject({ error: { code: 190 } })
  const off = openNode({ isOn: false })
  expect(await answerOf(call(off.numbers, '999002/messages', outside))).toMatchObject({ error: { code: 190 } })
})

test('tells accounts apart by their tokens, not by the ids that their levels entered [P-2419]', async () => {
  const { numbers } = openNode({ accounts: ['other', 'a'] })
  await greet(numbers, 1)
  const answer = await answerOf(call(numbers, '999002/messages', { ...TEXT, to: '+5511900000001' }))
  expect(answer).toMatchObject({ contacts: [{ wa_id: '5511900000001' }] })
  expect((await numbers.state('other')).personas.size).toBe(0)
  expect(await answerOf(call(numbers, '999001/message_templates', {}, 'of the other'))).toMatchObject({
    error: { code: 100 },
  })
})

test('no provider is called for a persona, and Meta only for others [P-2572]', async () => {
  const types = Object.keys(CHANNEL_TYPES).filter(type => isPushed(type) && type !== SIMULATED_TYPE)
  expect(types.length).toBeGreaterThan(10)
  const calls: string[] = []
  const spy = async ({ url }: { readonly url: string }) => {
    calls.push(url)
    throw new Error('called')
  }
  const message = { kind: 'text', text: 'Oi' } as const
  for (const type of types) {
    const adapter = await ADAPTERS[type]?.()
    if (adapter === undefined) throw new Error(`no adapter of ${type}`)
    const channel = { id: 'c', bot: 'b', type, fields: {}, values: {} } as unknown as ProviderChannel
    const part = { message, to: { id: '5511900000007' }, key: 'k' }
    expect(await sendPart(spy, channel, adapter, part), type).toEqual({ kind: 'final', code: 'simulated' })
  }
  const graph = openGraph(spy, 'https://graph.facebook.com/v23.0')
  const request = { method: 'POST', path: '/1/messages', body: { to: '+5511900000007' } } as const
  const refusal = { code: 'meta.simulated', params: { error: 'simulated' } }
  expect(await graph.ask({ token: 't', appSecret: '' }, request)).toMatchObject({ ok: false, refusal })
  expect(calls).toEqual([])
  const real = { ...request, body: { to: '+5511987654321' } }
  expect(await graph.ask({ token: 't', appSecret: '', isSimulated: true }, real)).toMatchObject({
    refusal: { params: { error: 'nopersona' } },
  })
  await expect(graph.ask({ token: 't', appSecret: '', isSimulated: true }, request)).rejects.toThrow('called')
  expect(calls).toEqual([`${SIMULATED_GRAPH_URL}/1/messages`])
})
