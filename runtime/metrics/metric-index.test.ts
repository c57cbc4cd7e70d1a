import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { type ConversationFact, foldConversationFact } from '#domain/metrics/conversation-fact.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { conversationDayStream } from '#schemas/events/conversation.ts'
import { isFull } from '../../test/fixture/full.ts'
import { type Chance, chanceOf, randomConversation } from './fixture/bulk-facts.ts'
import { compareFigures, plainConversation } from './fixture/compare-figures.ts'
import { MetricIndex } from './metric-index.ts'
import { METRICS, measureCondition } from './metric-query.ts'
import { verifyMetrics } from './recount.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-metrics-'))
const opened: MetricIndex[] = []
const openIndex = (file = join(folder, `${crypto.randomUUID()}.sqlite`)): MetricIndex => {
  const index = new MetricIndex(file)
  opened.push(index)
  return index
}
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Conversations = ReadonlyMap<string, readonly StoredEvent[]>

const conversationsOf = (count: number, chance: Chance): Conversations =>
  new Map(Array.from({ length: count }, (_, n) => [`c${n}`, randomConversation(`c${n}`, chance)]))

/** One log: by time, or in another order that keeps that of each conversation. */
const logOf = (conversations: Conversations, chance?: Chance): readonly StoredEvent[] => {
  if (chance === undefined)
    return placed([...conversations.values()].flat().toSorted((one, other) => one.time.localeCompare(other.time)))
  const left = [...conversations.values()].map(events => [...events])
  const log: StoredEvent[] = []
  while (left.length > 0) {
    const place = chance(left.length)
    const event = left[place]?.shift()
    if (event === undefined) left.splice(place, 1)
    else log.push(event)
  }
  return placed(log)
}

const placed = (events: readonly StoredEvent[]): readonly StoredEvent[] =>
  events.map((event, place) => ({ ...event, position: String(place).padStart(9, '0') }))

const applyAll = (index: MetricIndex, events: readonly StoredEvent[]): void => {
  for (const event of events) void index.apply('log', event)
}

/** The event that keeps the figures of a conversation, after the event at a position. */
const sumEvent = (index: MetricIndex, id: string, events: readonly StoredEvent[], after: StoredEvent): StoredEvent => {
  let fact: ConversationFact | undefined
  for (const event of events) fact = foldConversationFact(fact, event)
  if (fact === undefined) throw new Error('nothing to sum')
  const isForgotten = events.some(({ type }) => type === 'PersonForgotten')
  const metrics = JSON.parse(JSON.stringify(index.sumOf(id, fact, isForgotten))) as Json
  return {
    ...(events[0] as StoredEvent),
    ...{ id: `sum ${id}`, stream: conversationDayStream(fact.bot), type: 'ConversationSummed' },
    position: `${after.position} ${id}`,
    data: { conversation: id, metrics },
  }
}

const COUNT = isFull ? 10_000 : 300
/** ms of a test. */
const LIMIT = isFull ? 600_000 : 60_000

describe('figures of random conversations', () => {
  test(
    'equal a plain recount, live with restarts and repeated events, in any order, and rebuilt [P-2870]',
    async () => {
      const chance = chanceOf(7)
      const conversations = conversationsOf(COUNT, chance)
      const log = logOf(conversations)
      const plain = [...conversations.values()].map(plainConversation)
      const once = openIndex()
      applyAll(once, log)
      compareFigures(once, plain)
      const dump = once.dump()
      expect(dump.every(row => (row as { n: number }).n > 0)).toBe(true)
      // Each kind of counter occurs.
      expect(new Set(dump.map(row => (row as { what: string }).what)).size).toBe(56)

      // A node that stops reads again what it had not stored.
      const file = join(folder, 'live.sqlite')
      let at = 0
      while (at < log.length) {
        const index = openIndex(file)
        const next = at + 1 + chance(Math.ceil(COUNT / 2))
        applyAll(index, log.slice(Math.max(0, at - chance(40)), next))
        if (chance(3) === 0) applyAll(index, log.slice(Math.max(0, at - 5), next))
        await index.close()
        opened.splice(opened.indexOf(index), 1)
        at = next
      }
      expect(openIndex(file).dump()).toEqual(dump)

      const other = openIndex()
      applyAll(other, logOf(conversations, chance))
      expect(other.dump()).toEqual(dump)
    },
    LIMIT,
  )

  test(
    'stay when conversations are removed, and are the same in a new index [P-2871]',
    async () => {
      const chance = chanceOf(11)
      const conversations = conversationsOf(COUNT, chance)
      const log = logOf(conversations)
      const plain = [...conversations.values()].map(plainConversation)
      const live = openIndex()
      const sums: StoredEvent[] = []
      const removed = new Set<string>()
      const lastOf = new Map([...conversations].map(([id, events]) => [id, Date.parse(events.at(-1)?.time ?? '')]))
      const DAY = 86_400_000
      for (const [place, event] of log.entries()) {
        void live.apply('log', event)
        if (place % 50 !== 0) continue
        const now = Date.parse(event.time)
        for (const [id, events] of conversations) {
          // Its person may come back within three days.
          if (removed.has(id) || (lastOf.get(id) ?? now) > now - 4 * DAY || chance(4) > 0) continue
          const sum = sumEvent(live, id, events, event)
          sums.push(sum)
          removed.add(id)
          void live.apply('log', sum)
          if (chance(3) === 0) void live.apply('log', sum)
        }
      }
      expect(removed.size).toBeGreaterThan(COUNT / 2)
      compareFigures(live, plain)
      expect(JSON.stringify(sums)).not.toContain('"fact"')

      // A server's log delivers events of removed conversations until it is scavenged.
      const scavenged = openIndex()
      applyAll(scavenged, sums)
      applyAll(
        scavenged,
        log.filter(({ correlation }) => !removed.has(correlation)),
      )
      expect(scavenged.dump()).toEqual(live.dump())
      const whole = openIndex()
      applyAll(whole, [...sums, ...log])
      expect(whole.dump()).toEqual(live.dump())
      const late = openIndex()
      applyAll(late, [...log, ...sums])
      expect(late.dump()).toEqual(live.dump())

      // Sums lie between the events, as in the log of a server.
      const all = [...log, ...sums].toSorted((one, other) => (one.position < other.position ? -1 : 1))
      const file = join(folder, 'verified.sqlite')
      const kept = openIndex(file)
      applyAll(kept, all.slice(0, -20))
      await kept.close()
      opened.splice(opened.indexOf(kept), 1)
      const readLog = {
        id: 'log',
        async *readAll({ filter }: Parameters<EventStore['readAll']>[0] = {}) {
          yield* all.filter(({ stream }) => filter?.streamPrefixes?.some(prefix => stream.startsWith(prefix)))
        },
      }
      const verified = await verifyMetrics({ file, log: readLog })
      expect(verified).toEqual({ counters: expect.any(Number), differences: 0, lines: [] })
      expect(verified.counters).toBeGreaterThan(1_000)
      const database = new DatabaseSync(file)
      database.exec("UPDATE metric SET n = n + 1 WHERE what = 'people' AND key = ''")
      database.exec("DELETE FROM metric WHERE what = 'gaveup' AND bot = 'bot-1'")
      const { changed, gone } = database
        .prepare(
          "SELECT (SELECT count(*) FROM metric WHERE what = 'people' AND key = '') AS changed, count(*) AS gone FROM metric WHERE what = 'gaveup'",
        )
        .get() as { changed: number; gone: number }
      database.close()
      const { differences, lines } = await verifyMetrics({ file, log: readLog })
      expect(differences).toBeGreaterThan(changed)
      expect(gone).toBeGreaterThan(0)
      expect(lines).toHaveLength(20)
      const ofBot = await verifyMetrics({ file, log: readLog }, { bot: 'bot-0', from: '2026-03-05', to: '2026-03-09' })
      expect(ofBot.differences).toBeGreaterThan(0)
      expect(ofBot.lines.every(line => /^bot-0 people 2026-03-0[5-9] /u.test(line))).toBe(true)
    },
    LIMIT,
  )

  test('have conversations with certain scores [P-2881]', async () => {
    const conversations = conversationsOf(400, chanceOf(5))
    const file = join(folder, 'scores.sqlite')
    const index = openIndex(file)
    applyAll(index, logOf(conversations))
    await index.close()
    opened.splice(opened.indexOf(index), 1)
    const scored = [...conversations.values()].filter(events => {
      const last = new Map(
        events.filter(({ type }) => type === 'ConversationRated').map(({ data }) => [data.rating, data] as const),
      )
      const hasScore = [...last.values()].some(({ scale, score }) => scale === 'nps' && Number(score) >= 3)
      return hasScore && events[0]?.data.bot === 'bot-0'
    })
    const database = new DatabaseSync(':memory:')
    database.prepare(`ATTACH ? AS ${METRICS}`).run(file)
    const listed = (origin?: string) => {
      const range = { measure: 'score:nps-3-10', from: '2026-03-01', to: '2026-05-30' }
      const { sql, values } = measureCondition(['bot-0'], { ...range, origin })
      const rows = `SELECT conversation AS id FROM ${METRICS}.metricfact`
      return Number(database.prepare(`SELECT count(*) AS n FROM (${rows}) WHERE ${sql}`).get(...values)?.n)
    }
    const origins = ['person', 'campaign', 'agent', 'trial', 'simulated'].map(origin => listed(origin))
    expect(scored.length).toBeGreaterThan(5)
    expect(origins.reduce((sum, n) => sum + n, 0)).toBe(scored.length)
    expect(listed()).toBe((origins[0] ?? 0) + (origins[1] ?? 0))
    database.close()
  })
})
