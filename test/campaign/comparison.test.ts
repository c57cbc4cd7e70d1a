import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { variantOf } from '#domain/campaign/comparison.ts'
import { priceListOf } from '#domain/campaign/price.ts'
import { Chance } from '#domain/conversation/fixture/random-talk.ts'
import { reviewCampaign } from '#runtime/campaign/run/review.ts'
import { comparisonOf, costOf } from '#runtime/campaign/run/statistics.ts'
import { cloudEvents } from '#runtime/channel/whatsapp-cloud/cloud-events.ts'
import type { JsonObject } from '#schemas/event.ts'
import { startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { isFull } from '#test/fixture/full.ts'
import { CAMPAIGN, type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

let world: CampaignWorld
let folder: string
const graph = await startGraphServer()
afterAll(() => graph.close())
afterEach(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
  graph.accepted.length = 0
  graph.replies.length = 0
})

const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ phone: phoneAt(at), nome: `Pessoa ${at}`, fields: {} }))
const OTHER = {
  ...{ metaaccount: 'a1', templateName: 'aviso_b', language: 'pt_BR', category: 'utility', templateType: 'TEXT' },
  ...{ body: 'Olá, {{1}}.', params: [{ name: '1', example: 'Luana' }], status: 'APPROVED' },
}

const open = async (count: number, campaign = {}) => {
  folder = mkdtempSync(join(tmpdir(), 'parley-comparison-'))
  world = await openCampaignWorld({ graphUrl: graph.url, people: people(count), campaign, folder })
  world.fields.templateB = OTHER
  // The world opens entities by their name alone.
  const { openFields } = world.parts.commands
  Object.assign(world.parts.commands, {
    openFields: async (entity: string, id: string) =>
      entity === 'template' && id === 't2' ? world.fields.templateB : openFields(entity, id),
  })
}
const partAt = (at: number, share: number) => variantOf(CAMPAIGN, world.audience.hmac(phoneAt(at)), share)
const sentAs = () =>
  Object.fromEntries(graph.accepted.map(({ to, template }) => [String(to), (template as { name: string }).name]))
const drive = async (until: string) => {
  const driver = world.driver()
  const ended = driver.drive()
  await expect.poll(() => world.fields.campaign?.run_status, { timeout: 20_000 }).toBe(until)
  driver.stop()
  await ended
}
const hear = (status: string, to: string, pricing?: JsonObject) => {
  const sent = graph.accepted.find(one => one.to === to)
  const one = {
    ...{ id: `wamid.${to}`, status, timestamp: '1764126000', recipient_id: to.slice(1) },
    biz_opaque_callback_data: String(sent?.biz_opaque_callback_data),
    ...(pricing === undefined ? {} : { pricing }),
  }
  const value = { metadata: { phone_number_id: '1' }, statuses: [one] }
  const events = cloudEvents({ entry: [{ id: 'w', changes: [{ field: 'messages', value }] }] })
  return world.receipts.hearReceipts(
    events.map(event => ({ route: { family: 'whatsapp_meta', to: '1', account: 'a1' }, event })) as never,
  )
}

describe('a comparison of two templates', () => {
  const COMPARED = { template_b: 't2', compare_share: 40 }

  test('sends each to half of the share, waits, and sends the chosen one to the rest [P-2805] [P-2806]', async () => {
    await open(100, COMPARED)
    const parts = Array.from({ length: 100 }, (_, at) => partAt(at, 40))
    const sizes = { a: 0, b: 0, rest: 0 }
    for (const part of parts) sizes[part] += 1
    const { template = {}, templateB, campaign = {} } = world.fields
    const opened = await world.parts.senders.open({ metaaccount: 'a1', channel: '' })
    const review = await reviewCampaign(world.parts, { id: CAMPAIGN, fields: campaign, template, templateB, opened })
    expect(review).toMatchObject({ ready: sizes.a + sizes.b, variants: sizes })
    expect(review.later).toMatchObject([{ code: 'winner', count: sizes.rest }])
    expect(world.say('start')).toBeUndefined()
    await drive('waiting')
    expect(world.fields.campaign?.run_reason).toBe('winner')
    const first = { ...sentAs() }
    expect(Object.keys(first)).toHaveLength(sizes.a + sizes.b)
    for (const [at, part] of parts.entries())
      expect(first[phoneAt(at)]).toBe({ a: 'aviso', b: 'aviso_b', rest: undefined }[part])
    expect(world.say('choosewinner', { winner: 'b' })).toBeUndefined()
    expect(world.say('choosewinner', { winner: 'a' })).toBe('campaign.winner')
    await world.drive()
    expect(world.fields.campaign?.run_status).toBe('completed')
    expect(graph.accepted).toHaveLength(100)
    for (const [at, part] of parts.entries())
      expect(sentAs()[phoneAt(at)]).toBe({ a: 'aviso', b: 'aviso_b', rest: 'aviso_b' }[part])
    const { queries } = world.parts.index
    const found = comparisonOf(queries, CAMPAIGN, queries.runsOf(CAMPAIGN)[0], false)
    expect(found).toMatchObject({
      winner: 'b',
      variants: [
        { variant: 'a', template: { id: 't1', name: 'aviso' }, total: sizes.a, handedover: sizes.a },
        { variant: 'b', template: { id: 't2', name: 'aviso_b' }, total: sizes.b, handedover: sizes.b },
        { variant: 'rest', template: { id: 't2', name: 'aviso_b' }, total: sizes.rest, handedover: sizes.rest },
      ],
    })
  })

  test('sends a failed message again with its own template, and the winner to all of a later run [P-2806]', async () => {
    await open(20, { template_b: 't2', compare_share: 100 })
    graph.replies.push({ http: 400, body: { error: { code: 131026, message: 'x' } } })
    world.say('start')
    await world.drive()
    const [missing] = people(20).filter(({ phone }) => sentAs()[phone] === undefined)
    const at = people(20).findIndex(({ phone }) => phone === missing?.phone)
    world.say('retryfailed')
    await world.drive()
    expect(sentAs()[phoneAt(at)]).toBe({ a: 'aviso', b: 'aviso_b', rest: undefined }[partAt(at, 100)])
    Object.assign(world.fields.campaign ?? {}, { winner: 'b', repeat: 'everyone' })
    Object.assign(world.parts, { now: () => Date.now() + 7000 })
    graph.accepted.length = 0
    world.say('start')
    await world.drive()
    expect(new Set(Object.values(sentAs()))).toEqual(new Set(['aviso_b']))
    expect(graph.accepted).toHaveLength(20)
  })

  test('needs a second template of the same category that can be sent, with all its variables [P-2807]', async () => {
    await open(2, COMPARED)
    const rules = (change: object) => {
      world.fields.templateB = { ...OTHER, ...change }
      return [world.say('start'), ...world.refused()]
    }
    expect(rules({ status: 'PENDING' })).toEqual(['campaign.incomplete', 'campaignapproved'])
    expect(rules({ category: 'marketing' })).toEqual(['campaign.incomplete', 'campaigncategory'])
    expect(rules({ body: 'Olá, {{2}}.' })).toEqual(['campaign.incomplete', 'campaignmapping'])
    Object.assign(world.fields.campaign ?? {}, { template_b: 't1' })
    expect(rules({})).toEqual(['campaign.incomplete', 'campaignsame'])
    expect(graph.accepted).toEqual([])
  })
})

describe('costs', () => {
  const list = priceListOf('p1', {
    ...{ name: 'q4', currency: 'BRL', valid_from: '2020-01-01' },
    rows: [{ category: 'marketing', country: '*', price: '0.3125' }],
  })

  test('keep the words of receipts; a computed price is never added to a reported one [P-2803]', async () => {
    await open(6)
    world.say('start')
    await world.drive()
    const billed = { billable: true, category: 'MARKETING', type: 'regular', pricing_model: 'PMP' }
    await hear('sent', phoneAt(0), billed)
    // The price comes once, and a later receipt without one takes nothing away.
    await hear('delivered', phoneAt(0))
    await hear('delivered', phoneAt(1), billed)
    await hear('delivered', phoneAt(2), { ...billed, billable: false, type: 'free_customer_service' })
    await hear('delivered', phoneAt(3), { ...billed, category: 'utility' })
    const counts = () => world.parts.index.queries.costs({ campaign: CAMPAIGN })
    expect(counts()).toContainEqual(
      expect.objectContaining({ type: 'free_customer_service', isBillable: false, count: 1 }),
    )
    expect(costOf(counts(), [list])).toMatchObject({
      reported: [],
      computed: [{ currency: 'BRL', amount: '0.625', count: 2, list: { id: 'p1' } }],
      ...{ unpriced: 1, free: 1, open: 2 },
    })
    const infobip = { route: { family: 'whatsapp_infobip', to: '' } }
    const event = {
      kind: 'receipt',
      id: 'm4',
      state: 'delivered',
      time: 1,
      to: '',
      pricing: { amount: '0.05', currency: 'EUR' },
    }
    const callback = String(graph.accepted[4]?.biz_opaque_callback_data)
    await world.receipts.hearReceipts([{ ...infobip, event: { ...event, callback } }] as never)
    expect(costOf(counts(), [list])).toMatchObject({
      reported: [{ currency: 'EUR', amount: '0.05', count: 1 }],
      computed: [{ currency: 'BRL', amount: '0.625', count: 2 }],
      open: 1,
    })
    expect(costOf(counts(), [])).toMatchObject({ computed: [], unpriced: 3 })
  })
})

/** Counters in the index, and the same figures counted from the recipients. */
const counted = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const newest = `SELECT *, max((skipped IS NULL) * 1000000000 + run) FROM recipient WHERE campaign = '${CAMPAIGN}' GROUP BY phone`
  const figures = database
    .prepare(`SELECT status, variant, count(*) AS count FROM (${newest}) GROUP BY 1, 2 ORDER BY 1, 2`)
    .all()
  const runs = database
    .prepare('SELECT run, status, count(*) AS count FROM recipient GROUP BY 1, 2 ORDER BY 1, 2')
    .all()
  const kept = database
    .prepare(
      `SELECT status, variant, sum(count) AS count FROM figure WHERE scope = '${CAMPAIGN}' GROUP BY 1, 2 HAVING sum(count) > 0 ORDER BY 1, 2`,
    )
    .all()
  const keptRuns = database
    .prepare(
      `SELECT CAST(scope AS INTEGER) AS run, status, sum(count) AS count FROM figure WHERE scope <> '${CAMPAIGN}' GROUP BY 1, 2 HAVING sum(count) > 0 ORDER BY 1, 2`,
    )
    .all()
  const costs = database
    .prepare(`SELECT category, billable, count(*) AS count, total(micros) AS micros FROM (${newest})
      WHERE status IN ('queuedAtWhatsapp', 'sent_successfully', 'read_by_user', 'engaged') GROUP BY 1, 2 ORDER BY 1, 2`)
    .all()
  const keptCosts = database
    .prepare(`SELECT category, billable, sum(count) AS count, total(micros) AS micros FROM cost WHERE scope = '${CAMPAIGN}'
      GROUP BY 1, 2 HAVING sum(count) > 0 ORDER BY 1, 2`)
    .all()
  const minutes = database
    .prepare('SELECT claimed / 60000 AS minute, count(*) AS count FROM recipient WHERE claimed IS NOT NULL GROUP BY 1')
    .all()
  const keptMinutes = database.prepare('SELECT minute, count FROM minute WHERE count > 0').all()
  database.close()
  const plain = (rows: readonly unknown[]) => rows.map(one => ({ ...(one as object) }))
  return {
    fresh: [figures, runs, costs, minutes].map(plain),
    kept: [kept, keptRuns, keptCosts, keptMinutes].map(plain),
  }
}

test.each(isFull ? [1, 2, 3] : [1])(
  'counters equal the recipients after random runs and receipts (%i) [P-2808]',
  async seed => {
    const chance = new Chance(seed)
    await open(60, { repeat: 'everyone', template_b: 't2', compare_share: 100 })
    for (let run = 0; run < 3; run += 1) {
      for (let at = 0; at < 60; at += 1)
        graph.replies.push(
          chance.pick([
            null,
            null,
            null,
            { http: 400, body: { error: { code: 131026, message: 'x' } } },
            { http: 502, body: 'x' },
          ]),
        )
      if (chance.pick([true, false])) world.audience.stopped.add(world.audience.hmac(phoneAt(run * 7)))
      Object.assign(world.parts, { now: () => Date.now() + run * 7000 })
      Object.assign(world.fields.campaign ?? {}, { rate: 100 })
      world.say(run === 1 ? 'retryfailed' : 'start')
      await world.drive()
      if (world.fields.campaign?.run_status === 'paused') {
        world.say('cancel')
        await world.drive()
      }
      for (let at = 0; at < 40; at += 1) {
        const to = chance.pick(graph.accepted.map(one => String(one.to)) as [string, ...string[]])
        const pricing = chance.pick([
          undefined,
          { billable: true, category: 'utility' },
          { billable: false, category: 'service' },
        ])
        await hear(chance.pick(['sent', 'delivered', 'read', 'failed']), to, pricing)
      }
      await new Promise(resolve => setImmediate(resolve))
      const { fresh, kept } = counted(join(folder, 'campaign.sqlite'))
      expect(kept).toEqual(fresh)
    }
  },
)
