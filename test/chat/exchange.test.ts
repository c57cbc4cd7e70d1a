import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ProviderEvent } from '#runtime/channel/channel-port.ts'
import { InboxFollowers, type InboxMessage } from '#runtime/channel/exchange/inbox.ts'
import { type Exchange, type ExchangeOptions, openExchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { ProviderChannel } from '#runtime/channel/open-channels.ts'
import { whatsappMeta } from '#runtime/channel/whatsapp-meta/whatsapp-meta.ts'
import { exclusiveDrafts } from '#runtime/log/stream-aggregate.ts'
import type { SentMessage } from '#runtime/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { conversationStream, deliveryStream } from '#schemas/events/conversation.ts'
import { accepted, type RefusalCode, refused } from '#schemas/refusal.ts'

const CHANNEL = {
  ...{ id: 'c', bot: 'b', type: 'whatsapp_meta', isEnabled: true, adapter: whatsappMeta },
  fields: { account_id: '104', auth_token: 't' },
} as unknown as ProviderChannel
const SAID: ProviderEvent = {
  ...{ kind: 'message', id: 'wamid.1', from: { id: '5511' }, to: '104', time: 0 },
  content: { kind: 'text', text: 'oi' },
}

const ROUTE = { family: 'whatsapp_meta', to: '104', channel: CHANNEL }

let folder: string
let store: EventStore
let nodes: Exchange[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-exchange-'))
  store = await openEmbeddedStore({ folder, log: () => undefined })
})
afterEach(async () => {
  for (const node of nodes) await node.close()
  nodes = []
  await store.close()
  rmSync(folder, { recursive: true })
})

/** A node whose clock is `ahead` ms ahead; `accept` stores a message. */
const openNode = async (
  name: string,
  accept: (message: SentMessage) => Promise<void>,
  {
    ahead = 0,
    openedFor = (_message: string) => undefined as void,
    followers = new InboxFollowers(),
    refusal = '',
    log = store,
    load = async (): Promise<object | undefined> => undefined,
    call = async (): Promise<object> => ({}),
  } = {},
): Promise<Exchange> => {
  const words = {
    personOf: async (_channel: string, user: string) => user,
    seal: async (_person: string, value: unknown) => value,
    open: async (_person: string, value: unknown) => value,
  }
  const conversations = {
    live: async () => undefined,
    load,
    openFor: async (_asked: unknown, message: string) => {
      openedFor(message)
      return accepted({ conversation: 'k' })
    },
    accept: async (_conversation: string, message: SentMessage) => {
      await accept(message)
      if (refusal !== '') return refused(refusal as RefusalCode)
      return accepted({ position: '1' })
    },
  }
  const options = {
    ...{ store: log, words, conversations, node: name, isAlone: false, file: ':memory:', baseUrl: () => '', followers },
    ...{ channels: { get: async () => CHANNEL }, channelsOf: async () => [], failed: () => undefined, call },
    now: () => Date.now() + ahead,
  } as unknown as ExchangeOptions
  const node = await openExchange(options)
  nodes.push(node)
  return node
}

test('hands a message of a node that died to another one after 25 s [P-1530]', async () => {
  const [first, second, third] = [vi.fn(() => new Promise<void>(() => undefined)), vi.fn(), vi.fn()]
  const node = await openNode('a', first)
  await node.take(ROUTE, SAID)
  await vi.waitFor(() => expect(first).toHaveBeenCalled())
  await openNode('b', second, { ahead: 24_000 })
  await openNode('c', third, { ahead: 25_500 })
  await vi.waitFor(() => expect(third).toHaveBeenCalled(), 5_000)
  expect(second).not.toHaveBeenCalled()
})

test('looks for the message of a provider by the id that it is stored under [P-1498]', async () => {
  const [accept, openedFor] = [vi.fn(async (_message: SentMessage) => undefined), vi.fn()]
  const node = await openNode('a', accept, { openedFor })
  await node.take(ROUTE, SAID)
  await vi.waitFor(() => expect(accept).toHaveBeenCalled())
  expect(openedFor).toHaveBeenCalledWith(accept.mock.calls[0]?.[0].id)
})

describe('followers of the inbox', () => {
  test('get a message apart from each other: one that fails gets it again, the bot once [P-1755]', async () => {
    const accept = vi.fn(async (_message: SentMessage) => undefined)
    const [steady, failing] = [vi.fn(async () => undefined), vi.fn()]
    failing.mockRejectedValueOnce(new Error('the store is away')).mockResolvedValue(undefined)
    const followers = new InboxFollowers()
    followers.add({ name: 'steady', message: steady })
    followers.add({ name: 'failing', message: failing })
    const node = await openNode('a', accept, { followers })
    await node.take(ROUTE, SAID)
    await vi.waitFor(() => expect(failing).toHaveBeenCalledTimes(2), 10_000)
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect([steady, failing, accept].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 1])
    expect(failing.mock.calls[1]).toMatchObject([
      { event: { id: 'wamid.1' }, route: { to: '104', channel: { id: 'c' } } },
    ])
  }, 20_000)

  test('may keep a message from the bot [P-1755]', async () => {
    const accept = vi.fn(async (_message: SentMessage) => undefined)
    const followers = new InboxFollowers()
    followers.add({
      name: 'optout',
      message: async ({ event }) => ({ isForBot: event.id !== 'wamid.1' }),
    })
    const node = await openNode('a', accept, { followers })
    await node.take(ROUTE, SAID)
    await node.take(ROUTE, { ...SAID, id: 'wamid.2' } as ProviderEvent)
    await vi.waitFor(() => expect(accept).toHaveBeenCalled())
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(accept).toHaveBeenCalledTimes(1)
  })

  test('hear a message once more that the bot does not take, with the reason, also after a failure [P-1880]', async () => {
    const heard = vi.fn(async (_heard: InboxMessage) => undefined)
    heard.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('the store is away'))
    const plain = vi.fn(async () => undefined)
    const followers = new InboxFollowers()
    followers.add({ name: 'optout', hearsUntaken: true, message: heard })
    followers.add({ name: 'plain', message: plain })
    const node = await openNode('a', async () => undefined, { followers, refusal: 'bot.stopped' })
    await node.take(ROUTE, SAID)
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(3), 10_000)
    expect(heard.mock.calls.map(([{ outcome }]) => outcome)).toEqual([undefined, 'bot.stopped', 'bot.stopped'])
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect([heard, plain].map(({ mock }) => mock.calls.length)).toEqual([3, 1])
  }, 20_000)

  test('that are slower than the bot waits still get the message, also on another node [P-1880]', async () => {
    const accept = vi.fn(async (_message: SentMessage) => undefined)
    let release = () => undefined as void
    const slow = new Promise<undefined>(resolve => {
      release = () => resolve(undefined)
    })
    const [first, second] = [vi.fn(() => slow), vi.fn(async () => undefined)]
    const followers = [first, second].map(message => {
      const all = new InboxFollowers()
      all.add({ name: 'optout', message })
      return all
    })
    const node = await openNode('a', accept, { followers: followers[0] as InboxFollowers })
    await node.take(ROUTE, SAID)
    await vi.waitFor(() => expect(accept).toHaveBeenCalledTimes(1), 5_000)
    // The first node dies before its follower ends.
    await node.close()
    nodes = []
    await openNode('b', accept, { followers: followers[1] as InboxFollowers, ahead: 26_000 })
    await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(1), 5_000)
    release()
  }, 20_000)

  test('get an event of a number without a bot [P-1755]', async () => {
    const [accept, heard] = [vi.fn(async (_message: SentMessage) => undefined), vi.fn(async () => undefined)]
    const followers = new InboxFollowers()
    followers.add({ name: 'engagement', message: heard })
    const node = await openNode('a', accept, { followers })
    expect(await node.take({ family: 'whatsapp_meta', to: '104', account: 'm' }, SAID)).toMatchObject({ isNew: true })
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
    expect(accept).not.toHaveBeenCalled()
  })
})

test('an event is stored once for its number, and known under the name that streams had before [P-1748]', async () => {
  const node = await openNode('a', async () => undefined)
  const other = { ...CHANNEL, id: 'd' } as ProviderChannel
  expect(await node.take(ROUTE, SAID)).toMatchObject({ isNew: true })
  // The same number by another door leads to the same stream.
  expect(await node.take({ ...ROUTE, channel: other }, SAID)).toMatchObject({ isNew: false })
  const streams = new Set<string>()
  for await (const { stream } of store.readAll({ filter: { streamPrefixes: ['inbox-'] } })) streams.add(stream)
  expect([...streams]).toEqual([expect.stringMatching(/^inbox-whatsapp_meta-104-[0-9a-f]{32}$/u)])
  const [stream = ''] = streams
  const [old] = exclusiveDrafts('', [{ type: 'ChannelEventReceived', data: { channel: 'd', kind: 'message' } }])
  const before = stream.replace('whatsapp_meta-104', 'd')
  if (old !== undefined) await appendAtEnd(store, before, [old])
  await vi.waitFor(async () => expect(node.index.hasInbox(before)).toBe(true))
  expect(await node.take({ family: 'whatsapp_meta', to: '105', channel: other }, SAID)).toMatchObject({ isNew: false })
})

test('waits for the index with the receipt of a message that was sent a moment ago [P-1984]', async () => {
  /** Delivers to subscribers as late as a store that they read in batches. */
  const log = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'subscribe') return member.bind(target)
      const subscribe: EventStore['subscribe'] = (after, subscriber, filter) => {
        const event = async (given: StoredEvent) => {
          await pause(150)
          await subscriber.event(given)
        }
        return target.subscribe(after, { ...subscriber, event }, filter)
      }
      return subscribe
    },
  })
  const node = await openNode('a', async () => undefined, { log })
  const data = { channel: 'c', id: 'wamid.out', message: '1', part: 0, due: null }
  await appendAtEnd(store, deliveryStream('k'), exclusiveDrafts('', [{ type: 'DeliverySent', data }]))
  const receipt = { kind: 'receipt', id: 'wamid.out', to: '', state: 'delivered', time: 1 } as const
  await node.receipts([{ route: ROUTE, event: receipt }])
  expect((await node.state('k')).parts.get('1.0')).toMatchObject({ status: 'delivered' })
  for await (const { stream } of store.readAll({ filter: { streamPrefixes: ['inbox-'] } })) expect(stream).toBe('')
  await node.receipts([{ route: ROUTE, event: { ...receipt, id: 'wamid.of-others' } }])
  await vi.waitFor(() => expect(node.index.waitingInbox()).toHaveLength(1))
})

test('sends what another node left to a conversation that this node reads late [P-2033]', async () => {
  const now = Date.now()
  const call = vi.fn(async () => ({
    ok: true as const,
    value: { ...{ status: 200, url: '', redirects: 0, headers: [], truncated: false }, body: new Uint8Array() },
  }))
  const of = { id: 'k', bot: 'b', channel: 'c', channelType: 'whatsapp_meta', locale: 'pt', user: { id: '5511' } }
  const message = { time: new Date(now).toISOString(), type: 'text', text: 'oi', actions: [] }
  const asked = { ...message, id: 'u1', position: '000000002.000', from: 'user' }
  const said = { ...message, id: '1', position: '000000003.001', from: 'bot' }
  let held = { ...of, messages: [asked], elsewhere: [], last: 0 }
  const load = vi.fn(async () => held)
  await openNode('a', async () => undefined, { ahead: 6_000, load, call })
  const started = { channel: 'c', channeltype: 'whatsapp_meta', person: '5511' }
  const facts = [
    { type: 'ConversationStarted', data: started },
    { type: 'TurnTaken', data: { blocks: ['a'] } },
  ]
  await appendAtEnd(store, conversationStream('k'), exclusiveDrafts('', facts))
  await vi.waitFor(() => expect(load).toHaveBeenCalled(), 5_000)
  await pause(100)
  expect(call).not.toHaveBeenCalled()
  held = { ...held, messages: [asked, said], last: Date.now() }
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1), 5_000)
})
