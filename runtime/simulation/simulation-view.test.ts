import { expect, test } from 'vitest'
import type { EffectKind } from '#domain/conversation/effect.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import { newConversation } from '#domain/conversation/state.ts'
import type { PlayedTurn } from './simulation.ts'
import { timesOf } from './simulation-view.ts'

const before = newConversation({
  id: 'c',
  started: 0,
  channel: { id: 'webchat', type: 'webchat' },
  user: { id: 'u' },
  locale: 'pt',
})
const message = (block: string, delay: number): BotMessage => ({
  id: 1,
  block,
  delay,
  content: { type: 'text', text: 'Oi' },
  actions: [],
})
const turn = (more: Partial<PlayedTurn>): PlayedTurn => ({
  before,
  input: { kind: 'open' },
  now: 0,
  calls: [],
  reached: [],
  spent: [],
  waited: 0,
  said: [],
  ...more,
})
const reached = (block: string, said: number) => ({ dialog: 'd', block, said })
const spent = (after: number, kind: EffectKind, ms: number) => ({ reached: after, kind, ms })

test('shows times block by block in sequence, without the time of the person [P-1050]', () => {
  const played = [
    turn({
      reached: [reached('start', 0), reached('call', 0), reached('tell', 0), reached('ask', 1)],
      spent: [spent(2, 'evaluate', 2.4), spent(2, 'rest', 612), spent(3, 'evaluate', 1)],
      said: [message('tell', 1200), message('ask', 0)],
    }),
    turn({
      waited: 6400,
      reached: [reached('ask', 0), reached('again', 0)],
      spent: [spent(0, 'nlu', 84), spent(2, 'rest', 388)],
      said: [message('again', 200)],
    }),
  ]
  const { spans, bot, services, person, shownAfter } = timesOf(played)
  expect(spans.map(({ turn: at, block, kind, by, start, ms }) => [at, block, kind, by, start, ms])).toEqual([
    [1, 'call', 'own', 'evaluate', 0, 2],
    [1, 'call', 'service', 'rest', 2, 612],
    [1, 'tell', 'own', 'evaluate', 614, 1],
    [1, 'tell', 'typing', null, 615, 1200],
    [2, null, 'service', 'nlu', 1815, 84],
    [2, 'again', 'service', 'rest', 1899, 388],
    [2, 'again', 'typing', null, 2287, 200],
  ])
  expect([bot, services, person]).toEqual([2487, 612 + 84 + 388, 6400])
  // ms since the input of each turn.
  expect(shownAfter).toEqual([[1815, 1815], [672]])
})

test('attempts of the same call are one span, and what took no time is none [P-1050]', () => {
  const { spans } = timesOf([
    turn({
      reached: [reached('call', 0)],
      spent: [spent(1, 'rest', 10), spent(1, 'rest', 20), spent(1, 'evaluate', 0.2)],
      said: [message('call', 0)],
    }),
  ])
  expect(spans.map(({ start, ms }) => [start, ms])).toEqual([[0, 30]])
})
