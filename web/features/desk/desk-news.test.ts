import { expect, test } from 'vitest'
import { isHeard, newsOf } from './desk-news.ts'
import type { DeskChat } from './desk-query.ts'

const chat = (conversation: string, from: 'user' | 'agent', second: number): DeskChat =>
  ({
    conversation,
    last: { from, text: 'x', time: `2026-11-29T12:00:0${second}.000Z` },
  }) as Partial<DeskChat> as DeskChat
const idsOf = (chats: readonly DeskChat[]) => chats.map(({ conversation }) => conversation)

test('reports chats that were given to the agent and words of the person, not what the agent did [P-2364]', () => {
  const before = [chat('a', 'user', 1), chat('b', 'user', 1)]
  const after = [chat('a', 'user', 2), chat('b', 'agent', 2), chat('given', 'user', 2), chat('taken', 'user', 2)]
  const news = newsOf(before, after, new Set(['taken']))
  expect([idsOf(news.chats), idsOf(news.messages)]).toEqual([['given'], ['a']])
  expect(newsOf(after, after, new Set())).toEqual({ chats: [], messages: [] })
})

test('plays a sound as the agent chose [P-2364]', () => {
  const choices = ['off', 'unfocused', 'always'] as const
  expect(choices.map(choice => isHeard(choice, true))).toEqual([false, false, true])
  expect(choices.map(choice => isHeard(choice, false))).toEqual([false, true, true])
})
