import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { Chance } from '#domain/conversation/fixture/random-talk.ts'
import type { OpenedContact } from '#runtime/campaign/audience/audience.ts'
import { MAX_WAITED, ReviewJobs, reviewCampaign, shownReview } from '#runtime/campaign/run/review.ts'
import { simulateSending, TokenBucket } from '#runtime/campaign/run/send-rate.ts'
import { startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { CAMPAIGN, type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

let world: CampaignWorld
const graph = await startGraphServer()
afterAll(() => graph.close())
afterEach(async () => {
  await world.close()
  graph.accepted.length = 0
})

type Given = Partial<Parameters<typeof openCampaignWorld>[0]>
const DAY_MS = 86_400_000
const AT_ONCE = { now: 0, rate: 10, isWarmedUp: true, room: Number.POSITIVE_INFINITY, leaving: [] }
const VARIABLE = [{ variable: '1', source: 'field01', text: null, default: null, format: 'text' }]
const CONSENT = { source: 'site', time: '2026-01-01T00:00:00Z' }

const peopleOf = (count: number): OpenedContact[] =>
  Array.from({ length: count }, (_, at) => ({
    phone: phoneAt(at),
    nome: `Pessoa ${at}`,
    fields: { field01: 'x' },
    consent: CONSENT,
  }))

const open = async (people: readonly OpenedContact[], { campaign = {}, ...more }: Given = {}) => {
  world = await openCampaignWorld({
    graphUrl: graph.url,
    people,
    campaign: { mapping: VARIABLE, require_consent: true, ...campaign },
    ...more,
  })
}
const given = async () => {
  const { campaign = {}, template = {} } = world.fields
  const opened = await world.parts.senders.open({ metaaccount: 'a1', channel: '' })
  return { id: CAMPAIGN, fields: campaign, template, opened }
}
const review = async () => reviewCampaign(world.parts, await given())
const send = async () => {
  const before = graph.accepted.length
  expect(world.say('start')).toBeUndefined()
  await world.drive()
  return graph.accepted.slice(before).map(({ to }) => String(to))
}
const byReason = (found: Awaited<ReturnType<typeof review>>) =>
  Object.fromEntries(found.notsent.map(({ code, count }) => [code, count]))

/** One of the reasons for which a contact gets no message, or none. */
const spoil = async (people: OpenedContact[], at: number, chance: Chance): Promise<void> => {
  const held = people[at]
  if (held === undefined) return
  const what = chance.pick(['nothing', 'nothing', 'variable', 'consent', 'changed', 'optout', 'gone'])
  if (what === 'variable') people[at] = { ...held, fields: {} }
  if (what === 'consent') people[at] = { phone: held.phone, nome: held.nome, fields: held.fields }
  if (what === 'changed') people[at] = { ...held, phone: phoneAt(500 + at) }
  if (what === 'optout') world.audience.stopped.add(world.audience.hmac(held.phone))
  if (what === 'gone') delete people[at]
}

describe('the review of a campaign', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'says of every recipient what the run does, random audience %i [P-1827]',
    async seed => {
      const chance = new Chance(seed)
      const people = peopleOf(12)
      const campaign = { daily_cap: chance.is(0.5), require_consent: chance.is(0.7) }
      await open(people, { campaign })
      Object.assign(world.fields.template ?? {}, { category: 'marketing' })
      const all = [...people]
      // The first run reaches a part of them: the others come later.
      for (let at = 6; at < 12; at += 1) delete people[at]
      await send()
      people.splice(0, people.length, ...all)
      Object.assign(world.fields.campaign ?? {}, { repeat: chance.pick(['new', 'everyone']) })
      const later = chance.pick([7000, DAY_MS + 7000])
      Object.assign(world.parts, { now: () => Date.now() + later })
      for (let at = 0; at < 12; at += 1) await spoil(people, at, chance)

      const found = await review()
      const sent = await send()
      const runs = world.parts.index.queries
      const counts = runs.counts({ campaign: CAMPAIGN, run: runs.runsOf(CAMPAIGN)[0]?.seq })
      const { already = 0, ...reasons } = byReason(found)
      expect([found.total, found.ready, found.later]).toEqual([12, sent.length, []])
      const ran = counts.flatMap(({ reason, count }) => (reason === null ? [] : [[reason, count] as const]))
      expect(Object.fromEntries(ran)).toEqual(reasons)
      expect(counts.reduce((sum, { count }) => sum + count, already)).toBe(12)
    },
  )

  test('names variable and line of those without a value [P-1827]', async () => {
    const people = peopleOf(5)
    for (const at of [1, 3]) people[at] = { phone: phoneAt(at), nome: 'x', fields: {}, consent: CONSENT }
    await open(people)
    const { ready, notsent } = await review()
    expect([ready, notsent.length]).toEqual([3, 1])
    expect(notsent[0]).toMatchObject({
      code: 'variable',
      count: 2,
      examples: [
        { contact: 'p1', line: 2, variable: '1' },
        { contact: 'p3', line: 4, variable: '1' },
      ],
      variables: new Map([['1', 2]]),
    })
  })

  test('counts recipients outside of the window and beyond the limit of the account as later [P-1827]', async () => {
    const saturday = Date.parse('2026-11-28T12:00:00-03:00')
    const own = { window: 'own', window_days: ['monday'], window_from: '09:00', window_to: '10:00' }
    await open(peopleOf(3), { campaign: own, now: () => saturday })
    expect(await review()).toMatchObject({
      ready: 0,
      later: [{ code: 'window', count: 3, at: Date.parse('2026-11-30T09:00:00-03:00') }],
      notsent: [],
    })
    await world.close()
    await open(peopleOf(300), { account: { messaging_limit: 'TIER_250' } })
    const { ready, later, limit } = await review()
    expect([ready, later.map(({ code, count }) => [code, count]), limit]).toEqual([237, [['limit', 63]], 250])
  })

  test('says how long sending takes: the rate of the bucket, warm-up included [P-1827] [P-2612]', async () => {
    const bucket = new TokenBucket(0)
    let [sent, time] = [0, 0]
    for (; sent < 1000; time += 50) sent += bucket.take(1000 - sent, 30, time)
    const simulated = simulateSending({ ...AT_ONCE, most: 30, groups: [{ count: 1000, opens: at => at }] })
    expect(Math.abs(simulated - time) / 1000).toBeLessThanOrEqual(2)
    const standard = simulateSending({ ...AT_ONCE, most: 64, groups: [{ count: 100_000, opens: at => at }] })
    expect(Math.floor(standard / 60_000)).toBe(26)
    await open(peopleOf(250), { campaign: { warmup: true, rate: 1000 } })
    // 20 messages in two seconds, a minute of waiting, then 230 from 12 a second on: 12 + 13 + … + 24 = 234.
    const { seconds, rate } = await review()
    expect(rate).toBe(800)
    expect(seconds).toBeGreaterThanOrEqual(60 + 12)
    expect(seconds).toBeLessThanOrEqual(60 + 18)
  })

  test('includes the hours outside of the sending window [P-2612]', async () => {
    const saturday = Date.parse('2026-11-28T12:00:00-03:00')
    const own = { window: 'own', window_days: ['monday'], window_from: '09:00', window_to: '10:00', rate: 1 }
    await open(peopleOf(5400), { campaign: own, now: () => saturday })
    const end = saturday + (await review()).seconds * 1000
    // One a second: 3,600 on the first Monday, 1,800 on the second.
    const expected = Date.parse('2026-12-07T09:30:00-03:00')
    expect(Math.abs(end - expected)).toBeLessThan(120_000)
  })

  test('counts the days that the limit of the account takes [P-2612]', async () => {
    await open(peopleOf(600), { account: { messaging_limit: 'TIER_250' } })
    // 237 people a day: 237, 237, 126.
    const { seconds } = await review()
    expect(seconds).toBeGreaterThanOrEqual(2 * 86_400)
    expect(seconds).toBeLessThan(2 * 86_400 + 180)
  })
})

describe('a review in the background', () => {
  test('shows its progress, is the same for its job, and ends with its figures [P-1828]', async () => {
    await open(peopleOf(MAX_WAITED + 500))
    const jobs = new ReviewJobs(() => Date.now())
    const reviewed = await given()
    const job = jobs.start(CAMPAIGN, MAX_WAITED + 500, of => reviewCampaign(world.parts, { ...reviewed, ...of }))
    expect(shownReview(job, 'en', () => undefined)).toMatchObject({
      progress: { done: 0, total: 2500 },
      ready: 0,
      notsent: [],
    })
    expect(jobs.start(CAMPAIGN, 1, () => expect.fail('it runs already'))).toBe(job)
    await job.result
    expect(jobs.find(job.id, 'other')).toBeUndefined()
    expect(shownReview(jobs.find(job.id, CAMPAIGN) ?? expect.fail('no job'), 'en', () => undefined)).toMatchObject({
      job: job.id,
      progress: null,
      total: 2500,
      ready: 2500,
    })
  })
})
