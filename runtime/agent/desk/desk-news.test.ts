import { afterEach, expect, test } from 'vitest'
import type { HeartbeatBus } from '../../conversation/index/node-heartbeat.ts'
import { DeskNews } from './desk-news.ts'

type Listener = Parameters<HeartbeatBus['listen']>[1]

const opened: DeskNews[] = []
afterEach(() => {
  for (const news of opened.splice(0)) news.close()
})

test('reports the typing of an agent to web chats on all nodes, and to a provider on one [P-2660]', () => {
  const listeners = new Map<string, Listener>()
  const bus = (node: string): HeartbeatBus => ({
    connected: true,
    send: (_topic, hint) => {
      for (const [other, listener] of listeners) if (other !== node) listener(node, hint as never, new Uint8Array())
    },
    listen: (_topic, listener) => {
      listeners.set(node, listener)
      return () => listeners.delete(node)
    },
  })
  let now = 1_000_000
  const told: string[] = []
  const newsOf = (node: string) => {
    const news = new DeskNews(
      bus(node),
      () => now,
      (chat, on, isHere) => void told.push(`${node} ${chat} ${on} ${isHere}`),
    )
    opened.push(news)
    return news
  }
  const [one, other] = [newsOf('one'), newsOf('other')]
  const camila = { user: 'u1', name: 'Camila' }
  one.type('chat', camila, true)
  expect(told.splice(0)).toEqual(['one chat true true', 'other chat true false'])
  now += 19_999
  // The same chat, in another tab at another node.
  other.type('chat', camila, true)
  expect(told).toEqual([])
  now += 1
  other.type('chat', camila, true)
  expect(told.splice(0)).toEqual(['other chat true true', 'one chat true false'])
  other.type('chat', camila, false)
  expect(told).toEqual(['other chat false true', 'one chat false false'])
})
