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

test('tells colleagues that an agent types at most every two seconds, and at once that they stopped [P-2053]', () => {
  let now = 1_000_000
  const news = new DeskNews(
    undefined,
    () => now,
    () => undefined,
  )
  opened.push(news)
  const signs: boolean[] = []
  news.follow(change => void (change.kind === 'typing' && signs.push(change.on)))
  const camila = { user: 'u1', name: 'Camila' }
  news.type('chat', camila, true)
  now += 1_999
  news.type('chat', camila, true)
  expect(signs.splice(0)).toEqual([true])
  news.type('chat', { user: 'u2', name: 'Diego' }, true)
  expect(signs.splice(0)).toEqual([true])
  now += 1
  news.type('chat', camila, true)
  news.type('chat', camila, false)
  news.type('chat', camila, true)
  expect(signs).toEqual([true, false, true])
})

test('ends the typing sign of a person when their message arrives [P-2668]', () => {
  const news = new DeskNews(
    undefined,
    () => 1_000_000,
    () => undefined,
  )
  opened.push(news)
  const signs: unknown[] = []
  news.follow(change => void signs.push(change))
  news.personTypes('chat')
  news.personWrote('chat')
  expect(signs).toEqual([
    { kind: 'person', conversation: 'chat', on: true },
    { kind: 'person', conversation: 'chat', on: false },
  ])
  // A message without a sign before it changes nothing.
  news.personWrote('chat')
  expect(signs).toHaveLength(2)
  // The next sign is shown at once.
  news.personTypes('chat')
  expect(signs).toHaveLength(3)
})
