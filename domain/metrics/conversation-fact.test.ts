import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { contribution, measuresOf, metricKeyOf, outcomeOf } from './contribution.ts'
import { type ConversationFact, foldConversationFact, touchedDays } from './conversation-fact.ts'

/** 23:30 on 4 May in São Paulo. */
const NOW = Date.parse('2026-05-05T02:30:00Z')

type Told = readonly [type: string, data?: JsonObject, second?: number]

const conversation = (start: JsonObject, ...told: readonly Told[]): ConversationFact => {
  const data = { bot: 'b', person: 'p', release: 7, channel: 'c', channeltype: 'webchat', ...start }
  const events: readonly Told[] = [['ConversationStarted', data, 0], ...told]
  let fact: ConversationFact | undefined
  for (const [place, [type, of = {}, second = place]] of events.entries()) {
    const time = new Date(NOW + second * 1000).toISOString()
    fact = foldConversationFact(fact, { type, data: of, time, revision: place + 1 })
  }
  if (fact === undefined) throw new Error('no conversation')
  return fact
}

const SAID: Told = ['MessageReceived', { kind: 'text' }]
const turn = (data: JsonObject = {}, second?: number): Told => {
  const told = { inputkind: 'text', release: 7, steps: [], blocks: [], status: 'idle', ...data }
  return second === undefined ? ['TurnTaken', told] : ['TurnTaken', told, second]
}
const ASKED = turn({ status: 'waiting', wait: { block: 'q', kind: 'text' } })
const end = (reason: string): Told => ['ConversationEnded', { reason }]
const step = (type: string, more: JsonObject = {}): JsonObject => ({ dialog: 'd', block: 'b', type, ...more })

const countOf = (fact: ConversationFact, name: string): number =>
  [...contribution(fact)].reduce((sum, [key, n]) => (metricKeyOf(key).what === name ? sum + n : sum), 0)

test('days of a bot touch those days of another time zone in which one of their moments is [P-2827]', () => {
  const day = { from: '2026-03-08', to: '2026-03-08' }
  const touched = (zone: string) => Object.values(touchedDays(day, zone, 'America/Sao_Paulo'))
  expect(touched('America/Sao_Paulo')).toEqual(['2026-03-08', '2026-03-08'])
  expect(touched('Pacific/Kiritimati')).toEqual(['2026-03-07', '2026-03-08'])
  expect(touched('Europe/Lisbon')).toEqual(['2026-03-07', '2026-03-08'])
  // It has 23 hours in New York, and ends an hour after that of São Paulo.
  expect(touched('America/New_York')).toEqual(['2026-03-08', '2026-03-09'])
  expect(touchedDays({ from: '2026-12-26', to: '2027-01-01' }, 'Pacific/Pago_Pago', 'America/Sao_Paulo')).toEqual({
    from: '2026-12-26',
    to: '2027-01-02',
  })
})

describe('a conversation', () => {
  test('belongs to the day and hour of its start in the time zone of its bot [P-2872]', () => {
    expect(conversation({})).toMatchObject({ day: '2026-05-04', hour: 23, zone: 'America/Sao_Paulo' })
    expect(conversation({ timezone: 'Europe/Lisbon' })).toMatchObject({ day: '2026-05-05', hour: 3 })
    const { days } = conversation({}, SAID, ['MessageReceived', { kind: 'text' }, 3600])
    expect(days).toEqual(['2026-05-04', '2026-05-05'])
  })

  test('keeps its release when another one continues it [P-2872]', () => {
    const fact = conversation(
      {},
      SAID,
      ['ConversationMoved', { release: 8 }],
      turn({ release: 8, steps: [step('start')] }),
    )
    expect(fact).toMatchObject({ release: 7, moved: true, entered: [] })
  })

  test('has the origin of its first message, and is simulated on a simulated number [P-2872]', () => {
    const answer: Told = ['MessageReceived', { kind: 'text', campaign: 'k' }]
    expect(conversation({}, SAID).origin).toBe('person')
    expect(conversation({}, answer).origin).toBe('campaign')
    expect(conversation({}, SAID, turn(), answer).origin).toBe('person')
    expect(conversation({ origin: 'agent' }, answer).origin).toBe('agent')
    expect(conversation({ channeltype: 'whatsapp_simulated' }, answer).origin).toBe('simulated')
  })

  test('is engaged once its person has said something, and closed when it has ended then [P-2873]', () => {
    const opened: Told = ['MessageReceived', { kind: 'opening' }]
    expect(measuresOf(conversation({}, opened, turn({ inputkind: 'open' }), end('person')))).toEqual([
      ...['started', 'hour:23', 'unengaged'],
    ])
    expect(measuresOf(conversation({}, SAID))).toEqual(['started', 'hour:23', 'engaged', 'open'])
    expect(measuresOf(conversation({}, SAID, turn(), end('bot')))).toEqual([
      ...['started', 'hour:23', 'engaged', 'closed', 'left', 'contained'],
    ])
  })

  test.each<[string, readonly Told[]]>([
    ['agent', [turn({ status: 'agent' }), ['AgentRequested'], ['AgentConnected'], end('flow')]],
    ['unserved', [turn({ status: 'agent' }), ['AgentRequested'], end('person')]],
    ['completed', [turn({ retained: true }), ASKED, end('timeout')]],
    ['completed', [turn({ steps: [step('marker', { goal: true })] }), ASKED, end('person')]],
    ['completed', [turn({ ended: 'flow' })]],
    ['gaveup', [ASKED, end('person')]],
    ['gaveup', [ASKED, turn({ inputkind: 'timer', ended: 'timeout' })]],
    ['failed', [['TurnFailed', { inputkind: 'text', status: 'idle' }], end('person')]],
    ['left', [ASKED, end('bot')]],
    ['left', [turn(), end('timeout')]],
  ])('has the outcome %s: the first that holds [P-2873]', (outcome, told) => {
    const fact = conversation({}, SAID, ...told)
    expect(outcomeOf(fact)).toBe(outcome)
    expect(measuresOf(fact)).toContain(outcome)
  })

  test('reaches a goal at a marker of it, else at an end of its dialog [P-2874]', () => {
    const of = (...steps: readonly JsonObject[]) => conversation({}, SAID, turn({ steps: [...steps] }))
    expect(of(step('start'), step('text')).completed).toEqual([])
    expect(of(step('start'), step('enddialog'))).toMatchObject({ entered: ['d'], completed: ['d'] })
    expect(of(step('enddialog', { goal: false })).completed).toEqual([])
    expect(of(step('marker')).completed).toEqual([])
    expect(of(step('marker', { goal: true }), step('enddialog', { goal: false })).completed).toEqual(['d'])
  })

  test('counts free texts for the bot alone, and says how many inputs it cannot tell [P-2875]', () => {
    const unrecognized = { intent: null, confidence: 0 }
    const { inputkind: _, ...old } = (turn()[1] ?? {}) as JsonObject
    const fact = conversation(
      {},
      ...[SAID, turn({ input: 2, unrecognized })],
      ...[SAID, turn({ input: 4, inputkind: 'choice' })],
      ...[SAID, ['TurnTaken', { ...old, input: 6, unrecognized }] as const],
      ...[SAID, turn({ input: 8, status: 'agent' }), ['AgentRequested'] as const],
      ...[SAID, turn({ input: 11, status: 'agent' })],
    )
    expect(fact).toMatchObject({ texts: 2, unrecognized: 1, unclear: 1, handoff: 'flow' })
  })

  test('times the answer of the bot from the message of its turn [P-2875]', () => {
    const fact = conversation(
      {},
      ['MessageReceived', { kind: 'text' }, 10],
      ['MessageReceived', { kind: 'text' }, 11],
      turn({ input: 2 }, 12),
      turn({ input: 3 }, 15),
    )
    expect(fact.answers).toEqual({ 2000: 1, 4000: 1 })
    expect([countOf(fact, 'answer'), countOf(fact, 'answer.sum')]).toEqual([2, 6000])
  })

  test('names what asked for an agent first: menu, flow or a user [P-2875]', () => {
    const asked = (inputkind: string) => conversation({}, SAID, turn({ inputkind }), ['AgentRequested']).handoff
    expect(['menu', 'agent', 'text', 'timer'].map(asked)).toEqual(['menu', 'takeover', 'flow', 'flow'])
  })

  test('counts the last score of each question for a rating [P-2875]', () => {
    const rated = (score: number): Told => ['ConversationRated', { rating: 3, about: 'bot', scale: '5', score }]
    const fact = conversation({}, SAID, ['RatingAsked', { rating: 3, about: 'bot', scale: '5' }], rated(2), rated(4))
    expect(['csat.asked', 'csat.rated', 'csat.good', 'rated', 'unrated'].map(name => countOf(fact, name))).toEqual([
      ...[1, 1, 1, 1, 0],
    ])
  })
})
