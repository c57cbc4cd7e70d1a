import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { figureOf, type MetricRule, reportedWeek, windowOf } from '#domain/metrics/metric-watch.ts'
import type { JsonObject } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { rowOf } from '#test/fixture/row-of.ts'
import type { MetricFilter, MetricQuery } from './metric-query.ts'
import { MetricWatch } from './metric-watch.ts'

/** Wednesday, 12:00 in São Paulo. */
const NOON = Date.parse('2026-05-06T15:00:00Z')
const MINUTE_MS = 60_000

const BOT = rowOf('bot', 'b', { name: 'Lume', timezone: 'America/Sao_Paulo', weeklyreport: true })
const RULE = { bot: 'b', name: 'Contenção', enable: true, metric: 'contained', direction: 'below', threshold: 60 }

let folder: string
let store: EventStore
let now: number
let rule: JsonObject
let sums: Readonly<Record<string, number>>
let asked: MetricFilter[]
let watches: MetricWatch[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-watch-'))
  store = await openEmbeddedStore({ folder })
  now = NOON
  rule = { ...RULE, days: 1, least: 30 }
  sums = { closed: 40, contained: 30 }
  asked = []
  watches = []
})
afterEach(async () => {
  await Promise.all(watches.map(watch => watch.close()))
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const openWatch = (): MetricWatch => {
  const rows = () => ({ metricalert: [rowOf('metricalert', 'a', rule)], bot: [BOT] })
  const read = {
    list: async (_: unknown, entity: 'metricalert' | 'bot') => ({ items: rows()[entity], total: 1 }),
    detail: async () => BOT,
  } as unknown as ConstructorParameters<typeof MetricWatch>[0]['read']
  const counts = (filter: MetricFilter, _: unknown, what: readonly string[]) => {
    asked.push(filter)
    return what.map(name => ({ group: '', what: name, bucket: 0, n: sums[name] ?? 0 }))
  }
  const watch = new MetricWatch({
    ...{ store, read, now: () => now, metrics: async () => ({ counts }) as unknown as MetricQuery },
    failed: error => {
      throw error
    },
  })
  watches.push(watch)
  return watch
}

const given = async (entity: string, id: string) => {
  const found: JsonObject[] = []
  for await (const { data } of store.read(noticeStream(entity, id))) found.push(data as JsonObject)
  return found
}
const messages = async () => (await given('metricalert', 'a')).map(({ message }) => message)

test('notifies once when a limit is crossed, and once when it is kept again, on two nodes [P-2882]', async () => {
  // The store gives events its own time.
  now = Date.now()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(now)
  const [one, other] = [openWatch(), openWatch()]
  const look = () => Promise.all([one.look(), other.look()])
  await look()
  expect(await messages()).toEqual([])
  sums = { closed: 40, contained: 21 }
  await look()
  await look()
  const [crossed, ...more] = await given('metricalert', 'a')
  expect(more).toEqual([])
  const page = `/bot/insight/b?from=${today}&to=${today}`
  expect(crossed).toMatchObject({
    ...{ entity: 'metricalert', id: 'a', message: 'metricalert.crossed', kind: 'warn' },
    params: { metric: 'contained', value: 50, threshold: 60, unit: '%', page },
  })
  expect(asked[0]).toEqual({ bot: 'b', from: today, to: today })
  sums = { closed: 40, contained: 24 }
  now += 5 * MINUTE_MS
  await look()
  expect(await messages()).toEqual(['metricalert.crossed'])
  now += 6 * MINUTE_MS
  await look()
  expect(await messages()).toEqual(['metricalert.crossed', 'metricalert.ended'])
  expect((await given('metricalert', 'a'))[1]).toMatchObject({ kind: 'info', params: { value: 63 } })
})

test('ignores shares of few conversations, and compares a changed limit again [P-2882]', async () => {
  const watch = openWatch()
  sums = { closed: 29, contained: 0 }
  await watch.look()
  expect(await messages()).toEqual([])
  sums = { closed: 40, contained: 21 }
  await watch.look()
  rule = { ...rule, threshold: 50 }
  await watch.look()
  expect(await messages()).toEqual(['metricalert.crossed'])
  rule = { ...rule, threshold: 55 }
  await watch.look()
  expect(await messages()).toEqual(['metricalert.crossed', 'metricalert.crossed'])
})

test('leaves today out when few conversations cause the notice [P-2882]', () => {
  const few: MetricRule = { metric: 'started', direction: 'below', threshold: 10, days: 2, least: 30 }
  expect(windowOf(few, '2026-03-01')).toEqual({ from: '2026-02-27', to: '2026-02-28' })
  expect(windowOf({ ...few, direction: 'above' }, '2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-03-01' })
  expect(figureOf(few, () => 0)).toBe(0)
  const parts: Readonly<Record<string, number>> = { 'turns.text': 200, 'turns.unrecognized': 13 }
  expect(figureOf({ ...few, metric: 'misunderstood' }, what => parts[what] ?? 0)).toBe(6.5)
})

test('reports the week before once, from Monday 8:00 of the bot on [P-2883]', async () => {
  expect(reportedWeek(Date.parse('2026-05-04T10:59:00Z'), 'America/Sao_Paulo')).toEqual({
    from: '2026-04-20',
    to: '2026-04-26',
  })
  const week = { from: '2026-04-27', to: '2026-05-03' }
  expect(reportedWeek(Date.parse('2026-05-04T11:00:00Z'), 'America/Sao_Paulo')).toEqual(week)
  expect(reportedWeek(Date.parse('2026-05-10T23:00:00Z'), 'America/Sao_Paulo')).toEqual(week)
  const [one, other] = [openWatch(), openWatch()]
  await one.look()
  expect(await given('bot', 'b')).toEqual([])
  sums = { started: 121, closed: 78, contained: 61 }
  await Promise.all([one.look(), other.look()])
  now += 24 * 60 * MINUTE_MS
  await one.look()
  const reports = await given('bot', 'b')
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({
    ...{ entity: 'bot', id: 'b', message: 'bot.week', kind: 'info' },
    params: { started: 120, contained: 75, unit: '%', page: '/bot/insight/b?from=2026-04-27&to=2026-05-03' },
  })
})

test('rounds the counts of a report, and hides small ones [P-2076]', async () => {
  const paramsOf = async (of: typeof sums) => {
    sums = of
    now += 7 * 24 * 60 * MINUTE_MS
    await watch.look()
    const { started, contained, unit } = Object((await given('bot', 'b')).at(-1)?.params)
    return [started, contained, unit]
  }
  const watch = openWatch()
  expect(await paramsOf({ started: 103, closed: 98, contained: 95 })).toEqual([105, 95, '%'])
  expect(await paramsOf({ started: 103, closed: 98, contained: 3 })).toEqual([105, '1–4', '/100'])
  expect(await paramsOf({ started: 7, closed: 6, contained: 0 })).toEqual([5, 0, '/5'])
  expect(await paramsOf({ started: 2, closed: 2, contained: 1 })).toEqual(['1–4', '1–4', '/1–4'])
  rule = { ...rule, metric: 'started', threshold: 10, least: 1 }
  await watch.look()
  expect((await given('metricalert', 'a')).at(-1)).toMatchObject({ params: { value: '1–4', unit: '' } })
})

test('gives a share of rounded counts, and the side of the limit alone where a count is hidden [P-2079]', async () => {
  // The store gives events its own time.
  now = Date.now()
  const watch = openWatch()
  const shownOf = async (of: typeof sums, changed: Partial<typeof rule>) => {
    sums = of
    rule = { ...rule, metric: 'contained', least: 1, ...changed }
    now += 60 * MINUTE_MS
    await watch.look()
    const { value, unit } = Object((await given('metricalert', 'a')).at(-1)?.params)
    return `${value}${unit}`
  }
  const [below, above] = ['below', 'above'] as const
  expect(await shownOf({ closed: 103, contained: 62 }, { direction: below, threshold: 70 })).toBe('57%')
  // A changed limit is compared at once.
  expect(await shownOf({ closed: 103, contained: 4 }, { direction: below, threshold: 60 })).toBe('< 60%')
  expect(await shownOf({ closed: 103, contained: 73 }, { direction: below, threshold: 60 })).toBe('71%')
  expect(await shownOf({ closed: 3, contained: 3 }, { direction: above, threshold: 90 })).toBe('> 90%')
  // 103 and 21 are shown as 105 and 20: 19%.
  expect(await shownOf({ closed: 103, contained: 21 }, { direction: above, threshold: 20 })).toBe('> 20%')
  expect(await shownOf({ closed: 103, contained: 4 }, { direction: above, threshold: 20 })).toBe('≤ 20%')
})
