import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { InboxFollowers } from '#runtime/channel/exchange/followers.ts'
import { type Exchange, type ExchangeOptions, openExchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { ProviderChannel } from '#runtime/channel/open-channels.ts'
import type { ProviderEvent } from '#runtime/channel/port.ts'
import type { SentMessage } from '#runtime/port.ts'
import { accepted } from '#schemas/refusal.ts'

const CHANNEL = { id: 'c', bot: 'b', type: 'whatsapp_meta', isEnabled: true, fields: {} } as unknown as ProviderChannel
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
  { ahead = 0, openedFor = (_message: string) => undefined as void, followers = new InboxFollowers() } = {},
): Promise<Exchange> => {
  const words = {
    personOf: async (_channel: string, user: string) => user,
    seal: async (_person: string, value: unknown) => value,
    open: async (_person: string, value: unknown) => value,
  }
  const conversations = {
    live: async () => undefined,
    load: async () => undefined,
    openFor: async (_asked: unknown, message: string) => {
      openedFor(message)
      return accepted({ conversation: 'k' })
    },
    accept: async (_conversation: string, message: SentMessage) => {
      await accept(message)
      return accepted({ position: '1' })
    },
  }
  const options = {
    ...{ store, words, conversations, node: name, isAlone: false, file: ':memory:', baseUrl: () => '', followers },
    ...{ channels: { get: async () => CHANNEL }, channelsOf: async () => [], failed: () => undefined },
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
