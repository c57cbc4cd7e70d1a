import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Chance } from '#domain/conversation/fixture/random-talk.ts'
import type { OpenedContact } from '#runtime/campaign/audience/audience.ts'
import { LinkChecker } from '#runtime/campaign/run/linked-files.ts'
import { MAX_WAITED, ReviewJobs, reviewCampaign, shownReview } from '#runtime/campaign/run/review.ts'
import { simulateSending, TokenBucket } from '#runtime/campaign/run/send-rate.ts'
import { type Call, createCall } from '#runtime/outbound/call.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { type GraphServer, startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { CAMPAIGN, type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

let graph: GraphServer
let world: CampaignWorld
beforeAll(async () => {
  graph = await startGraphServer()
})
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

/** Files of a server that people link to, by path: status, type and size. */
const FILES: Readonly<Record<string, readonly [status: number, type: string, size: number]>> = {
  '/foto.png': [200, 'image/png', 40_000],
  '/assinada.png': [200, 'image/png', 40_000],
  '/pagina': [200, 'text/html; charset=utf-8', 900],
  '/grande.jpg': [200, 'image/jpeg', 6_000_000],
  '/sumiu.png': [404, 'text/plain', 9],
}

/** Answers with what was asked. */
const startFiles = async () => {
  const asked: string[] = []
  const server = createServer(({ method, url = '' }, answer) => {
    asked.push(`${method} ${url}`)
    const [status, type, size] = FILES[url] ?? [500, 'text/plain', 0]
    const isRefused = method === 'HEAD' && url === '/assinada.png'
    answer.writeHead(isRefused ? 403 : status, { 'content-type': type, 'content-length': size })
    answer.end(method === 'HEAD' ? undefined : Buffer.alloc(size))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  const close = () => new Promise(resolve => server.close(resolve))
  return { asked, at: (path: string) => `http://127.0.0.1:${port}${path}`, close }
}

describe('links of files in a review', () => {
  const linked = (source: string, text: string | null) => [
    { variable: 'header', source, text, default: null, format: 'text' },
    ...VARIABLE,
  ]
  const reviewWith = async (
    checker: LinkChecker,
    { mayAsk = () => true, signal }: { readonly mayAsk?: () => boolean; readonly signal?: AbortSignal } = {},
  ) => {
    Object.assign(world.fields.template ?? {}, { templateType: 'IMAGE' })
    return reviewCampaign(world.parts, {
      ...(await given()),
      linkCheck: { checker, mayAsk },
      ...(signal && { signal }),
    })
  }
  const reviewed = (allowPrivate = true) => reviewWith(new LinkChecker(createCall({ allowPrivate })))
  const openLinks = (count: number) => {
    const people = peopleOf(count).map((one, at) => ({
      ...one,
      fields: { ...one.fields, field02: `https://files.example/${at}.png` },
    }))
    return open(people, { campaign: { mapping: linked('field02', null) } })
  }
  const image = (type = 'image/png', status = 200) =>
    accepted({
      ...{ status, url: '', redirects: 0, body: new Uint8Array(), truncated: false },
      headers: [['content-type', type] as const],
    })

  test.each([
    ['/foto.png', undefined, ['HEAD /foto.png']],
    ['/assinada.png', undefined, ['HEAD /assinada.png', 'GET /assinada.png']],
    ['/pagina', ['type', 'text/html'], ['HEAD /pagina']],
    ['/grande.jpg', ['size', '6000000'], ['HEAD /grande.jpg']],
    ['/sumiu.png', ['status', '404'], ['HEAD /sumiu.png', 'GET /sumiu.png']],
  ])('asks once for %s among all recipients [P-2927]', async (path, fault, asked) => {
    const files = await startFiles()
    await open(peopleOf(4), { campaign: { mapping: linked('text', files.at(path)) } })
    const { ready, media } = await reviewed()
    await files.close()
    expect([ready, files.asked, media?.checked]).toEqual([4, asked, 1])
    expect(media?.faults.map(({ code, detail, count, url }) => [code, detail, count, url])).toEqual(
      fault === undefined ? [] : [[...fault, 4, files.at(path)]],
    )
  })

  test('names an address that is none, and one that is not public, without calling it [P-2927]', async () => {
    const files = await startFiles()
    await open(peopleOf(1), { campaign: { mapping: linked('text', files.at('/foto.png')) } })
    const found = await reviewed(false)
    await files.close()
    expect([found.media?.faults.map(({ code }) => code), files.asked]).toEqual([['unreachable'], []])
    await world.close()
    await open(peopleOf(1), { campaign: { mapping: linked('text', 'foto.png') } })
    expect((await reviewed()).media?.faults).toMatchObject([{ code: 'address', isPasted: true }])
  })

  test('names the contact of an address that is a value, without the address; people outside of the hours count too [P-2927]', async () => {
    const files = await startFiles()
    const people = peopleOf(3).map((one, at) => ({
      ...one,
      fields: { ...one.fields, field02: files.at(at === 1 ? '/sumiu.png' : '/foto.png') },
    }))
    const saturday = Date.parse('2026-11-28T12:00:00-03:00')
    const own = { window: 'own', window_days: ['monday'], window_from: '09:00', window_to: '10:00' }
    await open(people, { campaign: { mapping: linked('field02', null), ...own }, now: () => saturday })
    const found = await reviewed()
    await files.close()
    expect([found.ready, found.media?.checked]).toEqual([0, 2])
    const jobs = new ReviewJobs(() => Date.now())
    const job = jobs.start(CAMPAIGN, 3, async () => found)
    await job.result
    expect(shownReview(job, 'en', () => undefined).media?.faults).toMatchObject([
      { code: 'status', url: null, count: 1, variables: ['header'], example: { contact: 'p1', line: 2, file: null } },
    ])
  })

  test('asks for the first 20 different addresses alone [P-2927]', async () => {
    const files = await startFiles()
    const people = peopleOf(23).map((one, at) => ({
      ...one,
      fields: { ...one.fields, field02: files.at(`/${at}.png`) },
    }))
    await open(people, { campaign: { mapping: linked('field02', null) } })
    const { media } = await reviewed()
    await files.close()
    expect([media?.checked, media?.unchecked, media?.faults.length]).toEqual([20, 3, 20])
  })

  test('keeps outcomes for 5 minutes, and asks nothing that the caller may not [P-2935]', async () => {
    let now = Date.now()
    const asked: string[] = []
    const call: Call = async ({ url, maxRedirects }) => {
      asked.push(`${url} ${maxRedirects}`)
      return image()
    }
    const checker = new LinkChecker(call, () => now)
    await openLinks(2)
    const refusing = { mayAsk: () => false }
    expect((await reviewWith(checker, refusing)).media).toEqual({ checked: 0, unchecked: 2, faults: [] })
    expect(asked).toEqual([])
    expect((await reviewWith(checker)).media?.checked).toBe(2)
    expect(asked).toEqual(['https://files.example/0.png 2', 'https://files.example/1.png 2'])
    now += 299_000
    const notAsked = { mayAsk: () => expect.fail('all outcomes are kept') }
    expect((await reviewWith(checker, notAsked)).media).toEqual({ checked: 2, unchecked: 0, faults: [] })
    now += 2_000
    expect((await reviewWith(checker, refusing)).media?.unchecked).toBe(2)
    expect((await reviewWith(checker)).media?.checked).toBe(2)
    expect(asked).toHaveLength(4)
  })

  test('ends after 15 s of slow servers, and before the next links at shutdown [P-2936]', async () => {
    let now = Date.now()
    let asked = 0
    const closing = new AbortController()
    const slow: Call = async ({ timeout }) => {
      asked += 1
      // Four are asked at a time.
      if (asked % 4 === 0) now += timeout
      return refused('outbound.timeout')
    }
    await openLinks(20)
    const begun = now
    const { media } = await reviewWith(new LinkChecker(slow, () => now))
    expect(now - begun).toBeLessThanOrEqual(15_000)
    expect(media?.faults.map(({ code }) => code)).toEqual(Array(4).fill('unreachable'))
    expect([media?.checked, media?.unchecked]).toEqual([4, 16])
    asked = 0
    const ending: Call = async () => {
      asked += 1
      closing.abort()
      return image()
    }
    await expect(reviewWith(new LinkChecker(ending), { signal: closing.signal })).rejects.toThrow('aborted')
    expect(asked).toBe(4)
  })

  test.each([
    ['times out', refused('outbound.timeout')],
    ['is reset', refused('outbound.unreachable', { params: { reason: 'ECONNRESET' } })],
    ['has no type', image('')],
  ])('sends GET when HEAD %s; the detail of a fault has 100 characters [P-2936]', async (_, head) => {
    const call: Call = async ({ method }) => (method === 'HEAD' ? head : image(`x/${'y'.repeat(300)}`))
    await openLinks(1)
    const { media } = await reviewWith(new LinkChecker(call))
    expect(media?.faults).toMatchObject([{ code: 'type', detail: `x/${'y'.repeat(98)}` }])
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
