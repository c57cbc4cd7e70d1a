import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { MetricIndex } from '#runtime/metrics/metric-index.ts'
import type { MetricFilter } from '#runtime/metrics/metric-query.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import { type Figure, median, quantile, rounded } from './figure.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const FIRST = Date.parse('2026-08-01T15:00:00Z')
const CHANNELS = ['webchat', 'whatsapp_meta', 'rest']
const KINDS = ['text', 'choice', 'text', 'menu']
const ROUNDS = 15
const TOGETHER = 2_000
const MAX_QUERY_MS = 200
const MAX_BUILD_MINUTES = 10

/** Events of the n-th conversation: three questions, a rating in one of five, an agent in one of ten. */
const conversationOf = (n: number, count: number): readonly StoredEvent[] => {
  const stream = conversationStream(`c${n}`)
  const events: StoredEvent[] = []
  let at = FIRST + Math.floor((n / count) * DAYS * DAY_MS)
  const put = (type: string, data: JsonObject, ms = 900 + ((n * 37) % 8000)) => {
    at += ms
    const revision = events.length + 1
    events.push({
      ...{ id: `${n} ${revision}`, stream, revision, type, version: 1, data, time: new Date(at).toISOString() },
      ...{ level: null, actor: null, correlation: stream, causation: null, hash: '', position: '' },
    })
    return revision
  }
  const release = 1 + Math.floor((n / count) * 12)
  put('ConversationStarted', {
    ...{ bot: 'bot', person: `p${(n * 7919) % 300_000}`, release, channel: 'c' },
    ...{ channeltype: CHANNELS[n % 3] ?? '', timezone: 'America/Sao_Paulo', definitions: 1 },
  })
  for (let turn = 1; turn <= 3; turn += 1) {
    const kind = KINDS[(n + turn) % 4] ?? 'text'
    const input = put('MessageReceived', { kind, ...(n % 50 === 0 && turn === 1 ? { campaign: 'k' } : {}) })
    put('TurnTaken', {
      ...{ turn, input, inputkind: kind, release, status: 'waiting', wait: { block: 'q', kind: 'text' } },
      ...{ blocks: ['a', 'b'], steps: [{ dialog: `d${n % 20}`, block: 'a', type: turn === 1 ? 'start' : 'prompt' }] },
      ...(n % 9 === 0 && kind === 'text' ? { unrecognized: { intent: null, confidence: 0 } } : {}),
    })
  }
  if (n % 10 === 0) put('AgentRequested', { n: 1 })
  if (n % 20 === 0) put('AgentConnected', { n: 1 })
  if (n % 5 === 0) put('RatingAsked', { rating: 1, about: 'bot', scale: '5' })
  if (n % 10 === 0) put('ConversationRated', { rating: 1, about: 'bot', scale: '5', score: 1 + (n % 5) })
  put('ConversationEnded', { reason: n % 3 === 0 ? 'timeout' : 'flow' })
  return events
}

/** The queries of one call of `GET /bot/{id}/metrics`. */
const callOf = ({ query }: MetricIndex, filter: MetricFilter, by: 'day' | 'release' | 'channel'): void => {
  for (const group of [undefined, by]) {
    if (group !== undefined) query.counts(filter, group)
    query.active(filter, group)
    query.people(filter, group)
    query.counts(filter, group, ['durable', 'reopened'])
    query.costs(filter, group)
  }
  query.keys(filter, ['hour'])
  query.keys(filter, ['score'])
  query.otherVersions(filter, 1)
  query.removed(filter)
}

/** P16: figures of 90 days, and the time in which they are counted from the log. */
export const metrics = async ({ conversations }: { readonly conversations: number }): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-metrics-'))
  const index = new MetricIndex(join(folder, 'metrics.sqlite'))
  const began = performance.now()
  let events = 0
  for (let n = 0; n < conversations; n += 1) {
    for (const event of conversationOf(n, conversations)) {
      void index.apply('log', event)
      events += 1
    }
    if (n % TOGETHER === 0) await breathe()
  }
  await breathe()
  const minutes = (performance.now() - began) / 60_000
  const dayOf = (days: number) => new Date(FIRST + days * DAY_MS).toISOString().slice(0, 10)
  const whole: MetricFilter = { bot: 'bot', from: dayOf(0), to: dayOf(DAYS) }
  const calls = {
    'by day': () => callOf(index, whole, 'day'),
    'by release': () => callOf(index, whole, 'release'),
    'by channel, of one release': () => callOf(index, { ...whole, release: 6 }, 'channel'),
  }
  const figures = Object.entries(calls).map(([name, call]): Figure => {
    const times = Array.from({ length: ROUNDS }, () => {
      const from = performance.now()
      call()
      return performance.now() - from
    })
    const [p50, longest] = [median(times), quantile(times, 1)]
    return {
      id: 'P16',
      what: `figures of ${DAYS} days ${name}, ${conversations} conversations: median`,
      measured: `${rounded(p50)} ms (longest ${rounded(longest)} ms)`,
      target: `≤ ${MAX_QUERY_MS} ms`,
      met: p50 <= MAX_QUERY_MS,
      detail: { p50, longest },
    }
  })
  await index.close()
  rmSync(folder, { recursive: true, force: true })
  return [
    ...figures,
    {
      id: 'P16',
      what: `figures of ${conversations} conversations counted from ${events} events`,
      measured: `${rounded(minutes)} min`,
      target: `≤ ${MAX_BUILD_MINUTES} min`,
      met: minutes <= MAX_BUILD_MINUTES,
      detail: { minutes, events },
    },
  ]
}
