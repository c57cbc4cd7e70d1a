import { EventEmitter } from 'node:events'
import type { KurrentDBClient } from '@kurrent/kurrentdb-client'
import { expect, test } from 'vitest'
import { START } from '../port.ts'
import { LiveFeed, type LiveView } from './live-feed.ts'

/** A client whose subscriptions a test drives. */
const fakeClient = () => {
  const subscriptions: EventEmitter[] = []
  const client = {
    subscribeToAll() {
      const subscription = Object.assign(new EventEmitter(), {
        unsubscribe: async () => void subscription.emit('gone'),
      })
      subscriptions.push(subscription)
      return subscription
    },
  } as unknown as KurrentDBClient
  return { client, subscriptions }
}

const SOURCE = { silence: 60_000, head: async () => START, answered: () => undefined, failed: () => undefined }

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
