import { describe, expect, it } from 'vitest'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { insideMs, keptHours } from '../opening-hours.ts'
import { type ChatFact, foldChatFact, newChatFact } from './chat-fact.ts'
import { contributionChange, contributionOf } from './contribution.ts'
import { dutyUntil, foldDuty, NEW_DUTY } from './duty.ts'
import { bucketOf, percentileOf } from './histogram.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 3_600_000
/** Tuesday, 5 May 2026, 10:00 in São Paulo. */
const NOW = Date.parse('2026-05-05T13:00:00Z')

type Told = readonly [second: number, type: string, data?: JsonObject]

const chat = (...told: readonly Told[]): ChatFact =>
  told.reduce(
    (fact, [second, type, data = {}]) =>
      foldChatFact(fact, { type, data, time: new Date(NOW + second * SECOND).toISOString() }),
    newChatFact(NOW),
  )
const countsOf = (fact: ChatFact) => Object.fromEntries(contributionOf(fact))
/** Only some counters, by their names without bucket and agent. */
const only = (fact: ChatFact, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(countsOf(fact)).filter(([key]) => names.includes(key.split(' ')[0] ?? '')))

const QUEUED: Told = [1, 'AgentQueued', { queue: 'q1', goal: 60 }]
const CAMILA: readonly Told[] = [
  [20, 'AgentAssigned', { user: 'camila', queue: 'q1', how: 'taken' }],
  [20, 'AgentConnected'],
]
const LEFT: Told = [300, 'AgentLeft', { reason: 'closed', key: 'solved' }]

describe('buckets', () => {
  it('have the first two digits of a time [P-2466]', () => {
    expect([0, 7, 99, 100, 109, 999, 1_234, 12_399, 59_999, 3_600_000].map(bucketOf)).toEqual([
      0, 7, 99, 100, 100, 990, 1_200, 12_000, 59_000, 3_600_000,
    ])
  })

  it('give the percentiles of the times in any order [P-2466]', () => {
    const histogram = new Map([
      [10_000, 1],
      [1_000, 8],
      [60_000, 1],
    ])
    expect([0.5, 0.8, 0.9, 0.95, 1].map(share => percentileOf(histogram, share))).toEqual([
      1_000, 1_000, 10_000, 60_000, 60_000,
    ])
    expect(percentileOf(new Map(), 0.5)).toBeUndefined()
  })
})

describe('a chat at the desk', () => {
  it('counts in the queue that it was moved to, with the goal of that [P-2423]', () => {
    const moved: Told = [30, 'AgentMoved', { queue: 'q2', goal: 10, by: 'root' }]
    const fact = chat(QUEUED, ...CAMILA, moved, [45, 'AgentSaid'], LEFT)
    expect(fact).toMatchObject({ queue: 'q2', goal: 10, firstHolder: 'camila' })
    expect(only(fact, 'goal', 'goal.met', 'held.ms')).toEqual({ 'goal 0 camila': 1, 'held.ms 0 camila': 280_000 })
  })

  it('waits until its first agent, and is answered from its request on [P-2467]', () => {
    const fact = chat(QUEUED, ...CAMILA, [30, 'MessageReceived'], [45, 'AgentSaid'], LEFT)
    expect(only(fact, 'requested', 'served', 'givenup', 'waiting', 'waiting.ms', 'first', 'first.ms')).toEqual({
      'requested 0 camila': 1,
      'served 0 camila': 1,
      'waiting 20000 camila': 1,
      'waiting.ms 0 camila': 20_000,
      'first 45000 camila': 1,
      'first.ms 0 camila': 45_000,
    })
    expect(only(fact, 'answer', 'answer.ms')).toEqual({ 'answer 15000 camila': 1, 'answer.ms 0 camila': 15_000 })
    expect(only(fact, 'goal', 'goal.met')).toEqual({ 'goal 0 camila': 1, 'goal.met 0 camila': 1 })
    expect(only(fact, 'handle.ms', 'held.ms')).toEqual({ 'handle.ms 0 ': 280_000, 'held.ms 0 camila': 280_000 })
  })

  it('is not answered by a text of the queue [P-2467]', () => {
    const fact = chat(QUEUED, ...CAMILA, [21, 'AgentSaid', { comment: true }])
    expect(only(fact, 'first', 'answer')).toEqual({})
    expect(only(fact, 'goal', 'goal.met')).toEqual({ 'goal 0 camila': 1 })
  })

  it('counts an answer for each run of words, from the first of them [P-2467]', () => {
    const fact = chat(
      QUEUED,
      ...CAMILA,
      [30, 'MessageReceived'],
      [34, 'MessageReceived'],
      [40, 'AgentSaid'],
      [41, 'AgentSaid'],
      [50, 'MessageReceived'],
      [53, 'AgentSaid'],
    )
    expect(only(fact, 'answer')).toEqual({ 'answer 10000 camila': 1, 'answer 3000 camila': 1 })
  })

  it('is given up by a person or a timeout while it waits [P-2467]', () => {
    const left = (reason: string) => chat(QUEUED, [90, 'AgentLeft', { reason }])
    expect(only(left('timeout'), 'givenup', 'waiting.ms')).toEqual({ 'givenup 0 ': 1, 'waiting.ms 0 ': 90_000 })
    expect(only(chat(QUEUED, [90, 'TurnTaken', { status: 'waiting' }]), 'givenup')).toEqual({ 'givenup 0 ': 1 })
    expect(only(left('unavailable'), 'givenup')).toEqual({})
    expect(only(chat(QUEUED, ...CAMILA, [90, 'TurnTaken', { status: 'idle' }]), 'givenup')).toEqual({})
    expect(only(chat(QUEUED, [90, 'TurnTaken', { status: 'agent' }]), 'waiting.ms')).toEqual({})
  })

  it('counts handle time of each holder without snoozed time [P-2467]', () => {
    const fact = chat(
      QUEUED,
      ...CAMILA,
      [80, 'AgentSnoozed', { until: null }],
      [180, 'AgentWoken', {}],
      [200, 'AgentReleased', { why: 'transfer' }],
      [200, 'AgentAssigned', { user: 'diego', queue: 'q1', how: 'transfer' }],
      [210, 'AgentSaid'],
      LEFT,
    )
    // Camila: 20 to 80 and 180 to 200 s; Diego: 200 to 300 s.
    expect(only(fact, 'handle.ms', 'held.ms')).toEqual({
      'handle.ms 0 ': 180_000,
      'held.ms 0 camila': 80_000,
      'held.ms 0 diego': 100_000,
    })
    expect(only(fact, 'first')).toEqual({ 'first 210000 diego': 1 })
    expect(only(fact, 'goal.met')).toEqual({})
  })

  it('that was taken over is answered from its agent on, and has no goal [P-2467]', () => {
    const fact = chat(
      [3, 'AgentAssigned', { user: 'camila', queue: '', how: 'takeover' }],
      [3, 'AgentConnected'],
      [12, 'AgentSaid'],
      LEFT,
    )
    expect(only(fact, 'waiting.ms', 'first.ms', 'goal')).toEqual({
      'waiting.ms 0 camila': 3_000,
      'first.ms 0 camila': 9_000,
    })
  })

  it('that an agent began is no request and no wait, and its handle time counts [P-2656]', () => {
    const fact = chat(
      [3, 'AgentAssigned', { user: 'camila', queue: 'q1', how: 'begun' }],
      [3, 'AgentConnected'],
      [12, 'AgentSaid'],
      [60, 'MessageReceived'],
      [75, 'AgentSaid'],
      LEFT,
    )
    expect(only(fact, 'requested', 'served', 'waiting.ms', 'first.ms', 'goal', 'givenup')).toEqual({})
    // From 3 s to the end at 300 s.
    expect(only(fact, 'handle.ms', 'answer.ms')).toEqual({ 'handle.ms 0 ': 297_000, 'answer.ms 0 camila': 15_000 })
  })

  it('of another agent system counts nothing [P-2467]', () => {
    expect(countsOf(chat([5, 'AgentConnected'], [9, 'AgentSaid'], LEFT))).toEqual({})
  })

  it('is rated for the last agent who said a word [P-2468]', () => {
    const said: readonly Told[] = [
      QUEUED,
      ...CAMILA,
      [30, 'AgentSaid'],
      [40, 'AgentAssigned', { user: 'diego', queue: 'q1', how: 'transfer' }],
      [50, 'AgentSaid'],
      [60, 'AgentAssigned', { user: 'bia', queue: 'q1', how: 'transfer' }],
      LEFT,
    ]
    const rated = (scale: string, score: number) => {
      const of = { scale, about: 'agent' }
      const fact = chat(...said, [301, 'RatingAsked', of], [310, 'ConversationRated', { ...of, score }])
      return only(fact, 'csat.asked', 'csat.rated', 'csat.good', 'nps.rated', 'nps.promoters', 'nps.detractors')
    }
    expect(rated('5', 4)).toEqual({ 'csat.asked 0 diego': 1, 'csat.rated 0 diego': 1, 'csat.good 0 diego': 1 })
    expect(Object.keys(rated('5', 3))).not.toContain('csat.good 0 diego')
    expect(Object.keys(rated('3', 3))).toContain('csat.good 0 diego')
    expect(Object.keys(rated('3', 2))).not.toContain('csat.good 0 diego')
    expect(Object.keys(rated('thumbs', 1))).toContain('csat.good 0 diego')
    expect(rated('nps', 9)).toEqual({ 'nps.rated 0 diego': 1, 'nps.promoters 0 diego': 1 })
    expect(rated('nps', 8)).toEqual({ 'nps.rated 0 diego': 1 })
    expect(rated('nps', 6)).toEqual({ 'nps.rated 0 diego': 1, 'nps.detractors 0 diego': 1 })
    expect(only(chat(...said, [301, 'RatingAsked', { scale: '5' }]), 'csat.asked', 'csat.rated')).toEqual({
      'csat.asked 0 diego': 1,
    })
  })

  it('changes its counters by the difference of two contributions [P-2469]', () => {
    const before = contributionOf(chat(QUEUED))
    const after = contributionOf(chat(QUEUED, ...CAMILA))
    const sum = new Map(before)
    for (const [key, n] of contributionChange(before, after)) sum.set(key, (sum.get(key) ?? 0) + n)
    expect(new Map([...sum].filter(([, n]) => n !== 0))).toEqual(after)
  })
})

describe('opening hours', () => {
  const week = [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '18:00' }))
  const hours = { timezone: 'America/Sao_Paulo', week, closed: ['2026-05-06'] }

  it('clip a time to what lies inside of them [P-2470]', () => {
    // Tuesday 17:00 to Thursday 10:00, with a holiday between.
    expect(insideMs(hours, NOW + 7 * HOUR, NOW + 48 * HOUR)).toBe(2 * HOUR)
    expect(insideMs(hours, NOW, NOW + 90 * SECOND)).toBe(90 * SECOND)
    expect(insideMs(hours, NOW + 9 * HOUR, NOW + 20 * HOUR)).toBe(0)
    expect(insideMs(undefined, NOW, NOW + HOUR)).toBe(HOUR)
    expect(insideMs({ ...hours, timezone: 'Mars/Olympus' }, NOW, NOW + HOUR)).toBe(HOUR)
  })

  it('count periods over midnight, and overlapping ones once [P-2470]', () => {
    const late = { ...hours, closed: [], week: [{ day: 2, from: '22:00', to: '02:00' }] }
    // Tuesday 23:00 to Wednesday 03:00.
    expect(insideMs(late, NOW + 13 * HOUR, NOW + 17 * HOUR)).toBe(3 * HOUR)
    const twice = { ...hours, week: [...week, { day: 2, from: '10:00', to: '12:00' }] }
    expect(insideMs(twice, NOW, NOW + HOUR)).toBe(HOUR)
  })

  it('are kept with a chat, with the closed days of the next month [P-2470]', () => {
    const queue = {
      timezone: 'America/Sao_Paulo',
      week,
      specific_dates: [{ date: '2026-05-20' }, { date: '2027-01-01' }],
    }
    expect(keptHours(queue, day => day === '2026-05-06', NOW)?.closed).toEqual(['2026-05-06', '2026-05-20'])
    expect(keptHours({ ...queue, week: [] }, () => false, NOW)).toBeUndefined()
    expect(keptHours({ ...queue, timezone: 'Mars/Olympus' }, () => false, NOW)).toBeUndefined()
  })

  it('decide about the goal and the times that count inside of them [P-2470]', () => {
    const at = (hour: number) => hour * 3_600
    // Requested on Tuesday at 17:59, answered on Thursday at 9:01.
    const fact = [
      [at(8) - 61, 'AgentQueued', { queue: 'q1', goal: 120, hours }],
      [at(47), 'AgentAssigned', { user: 'camila', queue: 'q1', how: 'auto' }],
      [at(47), 'AgentConnected'],
      [at(47) + 60, 'AgentSaid'],
    ] as const
    const made = fact.reduce(
      (held, [second, type, data = {}]) =>
        foldChatFact(held, { type, data: data as never, time: new Date(NOW + second * SECOND).toISOString() }),
      newChatFact(NOW + 8 * HOUR - MINUTE),
    )
    expect(only(made, 'first.in.ms', 'goal', 'goal.met', 'goal.met.in')).toEqual({
      'first.in.ms 0 camila': 2 * MINUTE,
      'goal 0 camila': 1,
      'goal.met.in 0 camila': 1,
    })
  })
})

describe('the time of an agent', () => {
  const told = (hour: number, type: string, data: JsonObject): StoredEvent =>
    ({ stream: 'deskplace-camila', type, data, time: new Date(NOW + hour * HOUR).toISOString() }) as StoredEvent
  const taken = (hour: number, slot: string) =>
    told(hour, 'SlotTaken', { slot, conversation: slot, n: 1, auto: true, capacity: 2 })

  it('is busy by the share of the capacity that chats take, while they are available [P-2471]', () => {
    const events = [
      told(0, 'AgentStateChanged', { state: 'available', reason: null, until: null, by: 'self' }),
      taken(1, 'a'),
      taken(2, 'b'),
      taken(3, 'c'),
      told(4, 'AgentStateChanged', { state: 'paused', reason: 'lunch', until: null, by: 'self' }),
    ]
    let duty = NEW_DUTY
    let [available, busy] = [0, 0]
    for (const event of events) {
      for (const part of dutyUntil(duty, Date.parse(event.time))) {
        available += part.available
        busy += part.busy
      }
      duty = foldDuty(duty, event)
    }
    // One of two places for an hour, two of two for another, and never more than all of them.
    expect([available, busy]).toEqual([4 * HOUR, 2.5 * HOUR])
    expect(dutyUntil(duty, NOW + 9 * HOUR)).toEqual([])
  })

  it('is split at midnight in São Paulo [P-2471]', () => {
    const state = { state: 'available', reason: null, until: null, by: 'self' }
    const duty = foldDuty(NEW_DUTY, told(12, 'AgentStateChanged', state))
    expect(dutyUntil(duty, NOW + 16 * HOUR)).toEqual([
      { day: '2026-05-05', available: 2 * HOUR, busy: 0 },
      { day: '2026-05-06', available: 2 * HOUR, busy: 0 },
    ])
  })
})
