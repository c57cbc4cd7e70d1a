import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { MARKETING_WINDOW, placeInBrazil, windowOpens } from '#domain/campaign/sending-window.ts'
import { Campaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import { fireSchedules } from '#runtime/campaign/run/fire-schedules.ts'
import { RunIndex } from '#runtime/campaign/run/run-index.ts'
import { campaignRate, NumberPaces, simulateSending, TokenBucket } from '#runtime/campaign/run/send-rate.ts'
import { exclusiveDrafts } from '#runtime/log/stream-aggregate.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { senderStream } from '#schemas/events/campaign.ts'
import { deliveryStream } from '#schemas/events/conversation.ts'
import { PHONE_ID, startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

let world: CampaignWorld | undefined
const graph = await startGraphServer()
afterAll(() => graph.close())
afterEach(async () => {
  await world?.close()
  world = undefined
  graph.accepted.length = 0
})

const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ phone: phoneAt(at), nome: `Pessoa ${at}`, fields: {} }))

/** Drives until the campaign's run is in a state. */
const until = async (opened: CampaignWorld, state: string) => {
  const driver = opened.driver()
  const ended = driver.drive()
  await expect.poll(() => opened.fields.campaign?.run_status, { timeout: 20_000 }).toBe(state)
  driver.stop()
  await ended
}

describe('the pace of a number', () => {
  test('rises by one a second from ten, keeps to what is set, and halves when Meta says so [P-1319]', () => {
    const bucket = new TokenBucket(0)
    const sentIn = (from: number, seconds: number, most: number) => {
      let sent = 0
      for (let time = from * 1000; time < (from + seconds) * 1000; time += 50) sent += bucket.take(100, most, time)
      return sent
    }
    expect(sentIn(0, 2, 60)).toBeGreaterThanOrEqual(18)
    expect(sentIn(2, 98, 60) / 98).toBeGreaterThan(40)
    expect(sentIn(100, 10, 60) / 10).toBeCloseTo(60, 0)
    bucket.slow()
    expect(sentIn(110, 1, 60)).toBeLessThan(45)
  })

  test('is at most 80 % of the throughput of the number, or what the campaign sets [P-2610]', async () => {
    const rate = (setting: number, account: Record<string, Json>) => campaignRate(setting, account)
    expect(rate(1000, { throughput: 'STANDARD' })).toBe(64)
    expect(rate(1000, { throughput: 'HIGH' })).toBe(800)
    expect(rate(1000, { throughput: 'HIGH', coexistence: true })).toBe(16)
    expect([rate(1000, {}), rate(1000, { throughput: 'NOT_APPLICABLE' })]).toEqual([64, 64])
    expect(rate(5, { throughput: 'STANDARD' })).toBe(5)
    // Given a number that has sent 1,000 a second, and a setting of 1,000
    world = await openCampaignWorld({ graphUrl: graph.url, people: people(250), account: { throughput: 'STANDARD' } })
    world.say('start')
    const begun = performance.now()
    await world.drive()
    expect(graph.accepted.length).toBe(250)
    // The first half second at once, the others 64 a second.
    expect((performance.now() - begun) / 1000).toBeGreaterThan((250 - 32) / 64 - 0.2)
  })

  test('is at most that of its account, and messages of conversations go first [P-2811]', () => {
    expect(campaignRate(1000, { throughput: 'HIGH', rate: 30 })).toBe(30)
    expect(campaignRate(20, { throughput: 'STANDARD', rate: 30 })).toBe(20)
    expect(campaignRate(1000, { throughput: 'STANDARD', rate: 300 })).toBe(64)
    const sentIn = (others: number) => {
      const bucket = new TokenBucket(0, 40)
      let sent = 0
      for (let time = 50; time <= 10_000; time += 50) {
        if (time % 1000 === 0) bucket.spend(others, time)
        sent += bucket.take(100, 40, time)
      }
      return sent
    }
    // Ten seconds of 40, or what conversations leave; the last of them are not paid yet.
    expect(sentIn(0)).toBeGreaterThan(390)
    expect(sentIn(30)).toBeGreaterThan(100)
    expect(sentIn(30)).toBeLessThan(135)
    expect(sentIn(40)).toBeLessThan(45)
    // The time that a review says follows: 600 people at 20 a second instead of 40.
    const groups = [{ count: 600, opens: (time: number) => time }]
    const end = (others: number) =>
      simulateSending({
        ...{
          now: 0,
          rate: 40,
          most: 40,
          groups,
          others,
          isWarmedUp: true,
          room: Number.POSITIVE_INFINITY,
          leaving: [],
        },
      }) / 1000
    expect(end(0)).toBeGreaterThan(13)
    expect(end(0)).toBeLessThan(16)
    expect(end(20)).toBeGreaterThan(27)
    expect(end(20)).toBeLessThan(32)
  })

  test('begins with the last stable rate of 24 hours, and with ten a second after that [P-2611]', async () => {
    world = await openCampaignWorld({ graphUrl: graph.url, people: [] })
    const { store } = world.parts
    let now = Date.parse('2026-11-23T12:00:00Z')
    const opened = () => new NumberPaces(store, () => now)
    const paces = opened()
    expect(await paces.startRate('n1')).toBe(10)
    const bucket = paces.bucketOf('n1')
    const sendFor = (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        now += 1000
        bucket.take(100, 64, now)
      }
    }
    sendFor(40)
    expect(bucket.rate).toBe(50)
    await paces.keep('n1')
    expect(await opened().startRate('n1')).toBe(50)
    // A refusal less than a minute ago: the rate after it counts, not the one that has risen since.
    bucket.slow()
    sendFor(20)
    expect([bucket.rate, bucket.stableRate]).toEqual([45, 25])
    await paces.keep('n1')
    expect(await opened().startRate('n1')).toBe(25)
    now += 86_400_000
    expect([await opened().startRate('n1'), await paces.startRate('n1')]).toEqual([10, 10])
  })

  test('does not rise while nothing is sent, nor stays low after a slow campaign [P-2611]', () => {
    const bucket = new TokenBucket(0, 30)
    bucket.take(1, 5, 1000)
    bucket.take(1, 64, 600_000)
    expect(bucket.rate).toBe(32)
  })

  test('is that of the node before, after a node has ended [P-1542]', async () => {
    // Given a node that sent one message a second, and whose lease has ended
    world = await openCampaignWorld({ graphUrl: graph.url, people: people(60) })
    const { parts, fields } = world
    const data = { number: PHONE_ID, node: 'gone', epoch: 0, until: Date.now() - 1, rate: 1 }
    const stream = senderStream(PHONE_ID)
    await appendAtEnd(parts.store, stream, exclusiveDrafts(stream, [{ type: 'SenderTaken', data }]))
    const rows = { list: async () => ({ items: [{ id: 'c1' }], total: 1 }) }
    // The store may close before the pace is stored.
    const failed = () => undefined
    const options = { ...parts, failed, console: parts.store, read: rows, isShared: true }
    const campaigns = new Campaigns(options as unknown as ConstructorParameters<typeof Campaigns>[0])
    world.say('start')
    await campaigns.sweep()
    await expect.poll(() => graph.accepted.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await new Promise(resolve => setTimeout(resolve, 2_000))
    expect(graph.accepted.length).toBeLessThan(12)
    world.say('pause')
    await expect.poll(() => fields.campaign?.run_status, { timeout: 10_000 }).toBe('paused')
  })

  test('is halved for campaigns when a conversation of the number is throttled [P-2706]', async () => {
    const throttled = { id: 'ch1', type: 'whatsapp_meta', isEnabled: true, fields: { account_id: PHONE_ID } }
    const channel = () => throttled as never
    world = await openCampaignWorld({ graphUrl: graph.url, people: [], channel })
    const { parts } = world
    const read = { list: async () => ({ items: [], total: 0 }), reached: async () => undefined }
    const index = new RunIndex(':memory:')
    const options = { ...parts, index, console: parts.store, read, isShared: false }
    const campaigns = new Campaigns(options as unknown as ConstructorParameters<typeof Campaigns>[0])
    await campaigns.begin()
    const number = (await parts.senders.open({ metaaccount: '', channel: 'ch1' }))?.number ?? ''
    expect(number).not.toBe('')
    expect(await campaigns.startRate(number)).toBe(10)
    const stream = deliveryStream('k1')
    const append = (type: 'DeliveryDelayed' | 'DeliverySent', code: string) => {
      const data = { message: 'm', part: 0, tries: 1, at: 0, due: 0, id: 'wamid.1', channel: 'ch1', code }
      return appendAtEnd(parts.store, stream, exclusiveDrafts(stream, [{ type, data }]))
    }
    // The limit of one person slows nobody else.
    for (const code of ['131056', 'http.503']) await append('DeliveryDelayed', code)
    await append('DeliverySent', '')
    await expect.poll(() => campaigns.otherRate(number), { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await campaigns.startRate(number)).toBe(10)
    await append('DeliveryDelayed', '130429')
    await expect.poll(() => campaigns.startRate(number), { timeout: 10_000 }).toBe(5)
    await campaigns.close()
  })

  test('a larger run begins with 20 messages and waits a minute for failures [P-1320]', async () => {
    world = await openCampaignWorld({ graphUrl: graph.url, people: people(200), campaign: { warmup: true } })
    world.say('start')
    await until(world, 'waiting')
    expect([graph.accepted.length, world.fields.campaign?.run_reason]).toEqual([20, 'warmup'])
  })

  test('stops before the limit of the portfolio in 24 hours, and says so [P-1321]', async () => {
    const account = { messaging_limit: 'TIER_40', business_id: 'b1' }
    world = await openCampaignWorld({ graphUrl: graph.url, people: people(60), account })
    world.say('start')
    await until(world, 'waiting')
    expect([graph.accepted.length, world.fields.campaign?.run_reason]).toEqual([38, 'limit'])
  })
})

describe('sending hours', () => {
  const at = (time: string, zone: string, isHoliday = (_day: string) => false) =>
    new Date(windowOpens(MARKETING_WINDOW, Date.parse(time), [zone], isHoliday) ?? 0).toISOString()

  test('are those of the area code of the number [P-1322]', () => {
    expect(placeInBrazil('+5568999990000')).toEqual({ state: 'AC', zone: 'America/Rio_Branco' })
    expect(placeInBrazil('+5592999990000').zone).toBe('America/Manaus')
    expect(placeInBrazil('+5511999990000')).toEqual({ state: 'SP', zone: 'America/Sao_Paulo' })
    // Monday, 8:30 in São Paulo: 7:30 in Manaus, 6:30 in Rio Branco.
    expect(at('2026-11-23T11:30:00Z', 'America/Sao_Paulo')).toBe('2026-11-23T11:30:00.000Z')
    expect(at('2026-11-23T11:30:00Z', 'America/Manaus')).toBe('2026-11-23T12:00:00.000Z')
    expect(at('2026-11-23T11:30:00Z', 'America/Rio_Branco')).toBe('2026-11-23T13:00:00.000Z')
  })

  test('leave out evenings, Sundays and holidays for marketing [P-1322]', () => {
    expect(at('2026-11-21T23:30:00Z', 'America/Sao_Paulo')).toBe('2026-11-23T11:00:00.000Z')
    const holiday = (day: string) => day === '2026-11-23'
    expect(at('2026-11-21T23:30:00Z', 'America/Sao_Paulo', holiday)).toBe('2026-11-24T11:00:00.000Z')
  })

  test('that end after midnight belong to the day on which they begin [P-2143]', () => {
    // Monday evenings until Tuesday, 2:00.
    const night = { days: [1], from: 20 * 60, to: 2 * 60 }
    const opens = (time: string) =>
      new Date(windowOpens(night, Date.parse(time), ['America/Sao_Paulo'], () => false) ?? 0).toISOString()
    expect(opens('2026-11-23T21:00:00Z')).toBe('2026-11-23T23:00:00.000Z')
    expect(opens('2026-11-23T23:30:00Z')).toBe('2026-11-23T23:30:00.000Z')
    expect(opens('2026-11-24T04:45:00Z')).toBe('2026-11-24T04:45:00.000Z')
    expect(opens('2026-11-24T05:00:00Z')).toBe('2026-11-30T23:00:00.000Z')
    // Monday, 0:30, is the night of Sunday.
    expect(opens('2026-11-23T03:30:00Z')).toBe('2026-11-23T23:00:00.000Z')
  })

  test('hold a marketing run back until they open [P-1322]', async () => {
    // Sunday, noon in São Paulo.
    let now = Date.parse('2026-11-22T15:00:00Z')
    world = await openCampaignWorld({
      graphUrl: graph.url,
      people: people(2),
      campaign: { window: 'default' },
      now: () => now,
    })
    Object.assign(world.fields.template ?? {}, { category: 'marketing' })
    world.say('start')
    await until(world, 'waiting')
    expect([graph.accepted.length, world.fields.campaign?.run_reason]).toEqual([0, 'window'])
    now = Date.parse('2026-11-23T11:00:00Z')
    await world.drive()
    expect([graph.accepted.length, world.fields.campaign?.run_status]).toEqual([2, 'completed'])
  })
})

describe('a schedule', () => {
  const row = (more: Record<string, Json>) => ({
    ...{ id: 'c1', cron_expression: '0 9 * * *', timezone: 'America/Sao_Paulo', enabled: true },
    ...more,
  })
  const fires = async (fields: Record<string, Json>, now: string): Promise<readonly JsonObject[]> => {
    const given: JsonObject[] = []
    const read = { list: async () => ({ items: [fields], total: 1 }) } as never
    const commands = {
      openFields: async () => fields,
      execute: async ({ input }: { readonly input: JsonObject }) => {
        given.push(input)
        return { ok: true }
      },
    } as never
    await fireSchedules({ read, commands, failed: () => undefined }, Date.parse(now))
    return given
  }

  test('fires once for an instant, with a run that every node means [P-1323]', async () => {
    const fields = row({ fired_at: '2026-11-23T00:00:00.000Z' })
    const [fire] = await fires(fields, '2026-11-23T12:00:05Z')
    expect(fire).toMatchObject({ at: '2026-11-23T12:00:00.000Z', late: false })
    expect(fire?.run).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect((await fires(fields, '2026-11-23T12:00:09Z'))[0]?.run).toBe(fire?.run)
    expect(await fires(row({ fired_at: fire?.at ?? null }), '2026-11-23T12:00:20Z')).toEqual([])
    expect(await fires(fields, '2026-11-23T11:59:59Z')).toEqual([])
  })

  test('is late after an hour, and several missed fires are one [P-1324]', async () => {
    const fields = row({ cron_expression: '*/10 * * * *', fired_at: '2026-11-23T00:00:00.000Z' })
    expect(await fires(fields, '2026-11-23T12:05:00Z')).toMatchObject([{ at: '2026-11-23T12:00:00.000Z', late: false }])
    const daily = row({ fired_at: '2026-11-23T00:00:00.000Z' })
    expect(await fires(daily, '2026-11-23T13:01:00Z')).toMatchObject([{ late: true }])
  })
})

describe('two nodes', () => {
  test('send to each number once when both start a run: the loser fails at its next claim [P-1325]', async () => {
    const opened = await openCampaignWorld({ graphUrl: graph.url, people: people(300), campaign: { rate: 100 } })
    world = opened
    opened.say('start')
    const drivers = [opened.driver()]
    const ends = [drivers[0]?.drive()]
    for (let at = 1; at < 8; at += 1) {
      await new Promise(resolve => setTimeout(resolve, 150))
      const next = opened.driver()
      drivers.push(next)
      ends.push(next.drive())
    }
    await Promise.all(ends)
    const numbers = graph.accepted.map(({ to }) => to)
    expect(new Set(numbers).size).toBe(numbers.length)
    const { accepted, unknown, total } = opened.figures()
    expect([accepted + unknown, total, opened.fields.campaign?.run_status]).toEqual([300, 300, 'completed'])
  })
})
