import { EventEmitter } from 'node:events'
import type { KurrentDBClient } from '@kurrent/kurrentdb-client'
import { expect, test } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { LiveFeed, type LiveView } from './live-feed.ts'
import { toPosition } from './record.ts'

/** A client whose subscriptions a test drives. */
const fakeClient = () => {
  const subscriptions: EventEmitter[] = []
  const filters: RegExp[] = []
  const client = {
    subscribeToAll({ filter }: { readonly filter: { readonly regex: string } }) {
      filters.push(new RegExp(filter.regex))
      const subscription = Object.assign(new EventEmitter(), {
        unsubscribe: async () => void subscription.emit('gone'),
      })
      subscriptions.push(subscription)
      return subscription
    },
  } as unknown as KurrentDBClient
  return { client, subscriptions, filters }
}

const SOURCE = {
  silence: 60_000,
  head: async () => undefined,
  readAll: async function* () {},
  answered: () => undefined,
  failed: () => undefined,
}

/** The error that ends a view. */
const endOf = async (view: LiveView): Promise<unknown> => {
  try {
    for await (const _ of view.events(new AbortController().signal));
    return undefined
  } catch (error) {
    return error
  }
}

test('all subscribers of a store share one subscription of the server [P-1497]', async () => {
  const { client, subscriptions } = fakeClient()
  const feed = new LiveFeed({ ...SOURCE, client })
  const views = await Promise.all(Array.from({ length: 13 }, () => feed.join()))
  expect(subscriptions).toHaveLength(1)
  let gone = 0
  subscriptions[0]?.on('gone', () => {
    gone += 1
  })
  for (const view of views.slice(1)) view.close()
  expect(gone).toBe(0)
  views[0]?.close()
  expect(gone).toBe(1)
  ;(await feed.join()).close()
  expect(subscriptions).toHaveLength(2)
})

test('a subscription that breaks off ends every view of it, and the next subscriber opens another [P-1497]', async () => {
  const { client, subscriptions } = fakeClient()
  const feed = new LiveFeed({ ...SOURCE, client })
  const ends = (await Promise.all([feed.join(), feed.join()])).map(endOf)
  const broken = new Error('too slow')
  subscriptions[0]?.emit('error', broken)
  expect(await Promise.all(ends)).toEqual([broken, broken])
  ;(await feed.join()).close()
  expect(subscriptions).toHaveLength(2)
})

test('reports why subscriptions of the server ended that had subscribers [P-1562]', async () => {
  const { client, subscriptions } = fakeClient()
  const cuts: string[] = []
  const feed = new LiveFeed({ ...SOURCE, client, cut: reason => cuts.push(reason) })
  const end = async (emit: (subscription: EventEmitter | undefined) => void) => {
    const ended = endOf(await feed.join())
    emit(subscriptions.at(-1))
    await ended
  }
  await end(subscription =>
    subscription?.emit('error', new Error('4 DEADLINE_EXCEEDED: Consumer too slow to handle event')),
  )
  await end(subscription => subscription?.emit('error', new Error('14 UNAVAILABLE')))
  await end(subscription => subscription?.emit('end'))
  ;(await feed.join()).close()
  subscriptions.at(-1)?.emit('end')
  expect(cuts).toEqual(['slow', 'failed', 'failed'])
})

const event = (stream: string, position: string): StoredEvent => ({
  ...{ id: position, stream, revision: 1, type: 'T', version: 1, data: {}, level: null, actor: null, position },
  ...{ time: '2026-11-28T10:00:00.000Z', correlation: '', causation: null, hash: '' },
})

/** The next event of a view, or position that it passed. */
const nextOf = async (events: AsyncGenerator<StoredEvent | string>): Promise<string | undefined> => {
  const { value } = await events.next()
  return typeof value === 'object' ? `${value.stream} ${value.position}` : value
}

test('the server sends no conversations: they come with a read of the log, in its order [P-1982]', async () => {
  const { client, filters, subscriptions } = fakeClient()
  const log: StoredEvent[] = []
  const readAll = async function* (after: string) {
    yield* log.filter(({ position }) => position > after)
  }
  const cuts: string[] = []
  const feed = new LiveFeed({ ...SOURCE, client, silence: 20, readAll, cut: reason => cuts.push(reason) })
  const all = await feed.join()
  const conversations = await feed.join({ streamPrefixes: ['conversation-'] })
  const bots = await feed.join({ streamPrefixes: ['bot-'] })
  const sent = ['bot-1', 'conversation-1.2', 'inbox-a', 'name-x', '$stats'].filter(name => filters[0]?.test(name))
  expect(sent).toEqual(['bot-1', 'name-x'])
  log.push(event('conversation-1', '1'), event('delivery-1', '2'), event('conversation-2', '3'))
  const signal = new AbortController().signal
  const of = conversations.events(signal)
  expect([await nextOf(of), await nextOf(of)]).toEqual(['conversation-1 1', 'conversation-2 3'])
  const every = all.events(signal)
  expect([await nextOf(every), await nextOf(every), await nextOf(every)]).toEqual([
    'conversation-1 1',
    'delivery-1 2',
    'conversation-2 3',
  ])
  // The subscription misses nothing although it has sent nothing.
  const ofBots = bots.events(signal)
  expect(await nextOf(ofBots)).toBe('3')
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(cuts).toEqual([])
  expect(subscriptions).toHaveLength(1)
  log.push(event('bot-1', '4'))
  await expect(nextOf(ofBots)).rejects.toThrow('fell silent')
  expect(cuts).toEqual(['silent'])
})

test('reports that everything was delivered after an event outside the filter [P-2190]', async () => {
  const { client, subscriptions } = fakeClient()
  const log: StoredEvent[] = []
  const readAll = async function* (after: string) {
    yield* log.filter(({ position }) => position > after)
  }
  const feed = new LiveFeed({ ...SOURCE, client, silence: 20, readAll })
  const bots = (await feed.join({ streamPrefixes: ['bot-'] })).events(new AbortController().signal)
  const next = nextOf(bots)
  // It waits by now.
  await new Promise(setImmediate)
  const position = { commit: 1n, prepare: 1n }
  const metadata = { version: 1, time: '2026-11-28T10:00:00.000Z', $correlationId: '', hash: '' }
  const written = {
    streamId: 'process-1',
    id: '1',
    type: 'T',
    revision: 0n,
    isJson: true,
    data: {},
    metadata,
    position,
  }
  log.push(event('process-1', toPosition(position)))
  subscriptions[0]?.emit('data', { event: written })
  expect(await next).toBe(toPosition(position))
})
