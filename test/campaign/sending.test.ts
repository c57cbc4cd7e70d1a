import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { storeAround } from '#commands/store/port.ts'
import { optOutFollower } from '#runtime/campaign/optout/opt-outs.ts'
import { statisticsOf } from '#runtime/campaign/run/statistics.ts'
import type { ProviderEvent } from '#runtime/channel/channel-port.ts'
import { cloudEvents } from '#runtime/channel/whatsapp-cloud/cloud-events.ts'
import { RECIPIENT_STATES } from '#schemas/api/campaign.ts'
import type { JsonObject } from '#schemas/event.ts'
import { startGraphServer } from '#test/doubles/meta/graph-server.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { ownClock } from '#test/fixture/processor-clock.ts'
import { CAMPAIGN, type CampaignWorld, openCampaignWorld, phoneAt } from './campaign-world.ts'

interface Reply {
  readonly http: number
  readonly body: JsonObject
}
const REPLIES = corpusJson<Readonly<Record<string, Partial<Reply> & Pick<Reply, 'http'>>>>(
  'campaigns/constructed/send-replies.json',
)
const ACCEPTED = REPLIES.accepted as Reply

let world: CampaignWorld
const graph = await startGraphServer()
afterAll(() => graph.close())
afterEach(async () => {
  await world.close()
  graph.accepted.length = 0
  graph.replies.length = 0
  graph.faults.length = 0
  graph.fault = undefined
})

const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ phone: phoneAt(at), nome: `Pessoa ${at}`, fields: {} }))

const open = async (count: number, more: Partial<Parameters<typeof openCampaignWorld>[0]> = {}) => {
  world = await openCampaignWorld({ graphUrl: graph.url, people: people(count), ...more })
  return world
}

const sentTo = () => graph.accepted.map(({ to }) => to)
const status = () => [world.fields.campaign?.run_status, world.fields.campaign?.run_reason ?? null]
const refusal = (code: number, http = 400) => ({ http, body: { error: { code, message: 'x' } } })

describe('a run', () => {
  test('sends the template to each number once, with the values of its contact [C-1.03] [P-1300]', async () => {
    await open(3)
    expect(world.say('start')).toBeUndefined()
    await world.drive()
    expect(sentTo()).toEqual([phoneAt(0), phoneAt(1), phoneAt(2)])
    expect(graph.accepted[1]).toMatchObject({
      type: 'template',
      template: {
        name: 'aviso',
        language: { code: 'pt_BR' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Pessoa 1' }] }],
      },
      biz_opaque_callback_data: expect.stringMatching(/^p1:[0-9a-f-]{36}\.1\.1$/),
    })
    expect(status()).toEqual(['completed', null])
    expect(world.figures()).toMatchObject({ total: 3, waiting: 0, accepted: 3, handedover: 3, failed: 0, progress: 1 })
  })

  test('sends to nobody again, but to those who came since, unless it repeats for everyone [P-1301]', async () => {
    await open(2)
    world.say('start')
    await world.drive()
    world.say('start')
    await world.drive()
    expect(sentTo()).toHaveLength(2)
    Object.assign(world.fields.campaign ?? {}, { repeat: 'everyone' })
    world.say('start')
    const later = { ...world.parts, now: () => Date.now() + 7000 }
    Object.assign(world.parts, later)
    await world.drive()
    expect(sentTo()).toHaveLength(4)
  })

  test('is refused while one is open, and for what is disabled or not approved [D-4.06] [P-1302]', async () => {
    await open(1)
    Object.assign(world.fields.campaign ?? {}, { enabled: false })
    expect(world.say('start')).toBe('campaign.disabled')
    Object.assign(world.fields.campaign ?? {}, { enabled: true })
    Object.assign(world.fields.template ?? {}, { status: 'PENDING' })
    expect(world.say('start')).toBe('campaign.incomplete')
    Object.assign(world.fields.template ?? {}, { status: 'APPROVED' })
    expect(world.say('start')).toBeUndefined()
    expect(world.say('start')).toBe('campaign.open')
    expect(world.say('cancel')).toBeUndefined()
    await world.drive()
    expect([status(), sentTo()]).toEqual([['cancelled', null], []])
  })

  test('leaves out who wants nothing, and who has no value for a variable [P-1303]', async () => {
    const mapping = [{ variable: '1', source: 'field01', text: null, default: null, format: 'text' }]
    const given = people(3).map((one, at) => ({ ...one, fields: { field01: at === 1 ? '' : 'x' } }))
    await open(3, { people: given, campaign: { mapping } })
    const stopped = world.audience.digestsOf({ phone: phoneAt(2) })
    await world.audience.suppress('*', stopped, { category: 'utility', source: 'hand' })
    world.say('start')
    await world.drive()
    expect(sentTo()).toEqual([phoneAt(0)])
    expect(world.parts.index.queries.counts({ campaign: CAMPAIGN })).toEqual(
      expect.arrayContaining([
        { status: 'failed', state: 'failed', reason: 'variable', count: 1, held: 0 },
        { status: 'skipped', state: 'skipped', reason: 'optout', count: 1, held: 0 },
      ]),
    )
  })
})

test('leaves out people without a needed consent, and those with marketing in the last 24 hours [P-2154]', async () => {
  const consent = { source: 'site', time: '2026-01-01T00:00:00Z' }
  const given = people(2).map((one, at) => (at === 0 ? { ...one, consent } : one))
  await open(2, { people: given, campaign: { require_consent: true, repeat: 'everyone' } })
  Object.assign(world.fields.template ?? {}, { category: 'marketing' })
  const reasons = () =>
    world.parts.index.queries
      .counts({ campaign: CAMPAIGN, run: world.parts.index.queries.runsOf(CAMPAIGN)[0]?.seq })
      .flatMap(({ reason, count }) => (reason === null ? [] : [[reason, count]]))
  const begun = Date.now()
  const send = async (after: number, campaign: JsonObject) => {
    Object.assign(world.fields.campaign ?? {}, campaign)
    Object.assign(world.parts, { now: () => begun + after })
    const from = sentTo().length
    world.say('start')
    await world.drive()
    return [sentTo().slice(from), reasons()]
  }
  expect(await send(0, {})).toEqual([[phoneAt(0)], [['consent', 1]]])
  expect(await send(60_000, { require_consent: false })).toEqual([[phoneAt(1)], [['dailycap', 1]]])
  expect(await send(120_000, { daily_cap: false })).toEqual([[phoneAt(0), phoneAt(1)], []])
  expect(await send(26 * 3_600_000, { daily_cap: true })).toEqual([[phoneAt(0), phoneAt(1)], []])
})

test('sends nothing to a person who opts out after the claim of their message [P-2961]', async () => {
  await open(3)
  const { store } = world.parts
  const stopping = storeAround(store, {
    async append(stream, expected, events) {
      const appended = await store.append(stream, expected, events)
      const isClaim = events.some(({ type }) => type === 'SendsClaimed')
      if (isClaim) world.audience.stopped.add(world.audience.hmac(phoneAt(1)))
      return appended
    },
  })
  Object.assign(world.parts, { store: stopping })
  world.say('start')
  await world.drive()
  expect(sentTo()).toEqual([phoneAt(0), phoneAt(2)])
  expect(world.parts.index.queries.counts({ campaign: CAMPAIGN })).toContainEqual(
    expect.objectContaining({ status: 'failed', reason: 'optout', count: 1 }),
  )
})

describe('refusals by Meta', () => {
  test.each([
    [131026, 'failed'],
    [131030, 'failed'],
    [132012, 'failed'],
    [100, 'failed'],
  ])('%i fails one recipient; the others continue [P-1304]', async code => {
    await open(3)
    graph.replies.push(refusal(code))
    world.say('start')
    await world.drive()
    expect([status(), sentTo().length]).toEqual([['completed', null], 2])
    expect(world.figures()).toMatchObject({ failed: 1 })
  })

  test.each([132001, 132015, 190, 10, 200, 368, 131042, 131048])(
    '%i pauses the run at once; resumed, it sends to all that are left and to nobody twice [P-1305]',
    async code => {
      await open(4)
      graph.replies.push(...Array.from({ length: 4 }, () => refusal(code)))
      world.say('start')
      await world.drive()
      expect([status(), sentTo()]).toEqual([['paused', String(code)], []])
      graph.replies.length = 0
      expect(world.say('resume')).toBeUndefined()
      await world.drive()
      expect([status()[0], sentTo().toSorted()]).toEqual(['completed', people(4).map(({ phone }) => phone)])
    },
  )

  test('a refusal for being too fast is tried again under a new attempt [P-1306]', async () => {
    await open(1)
    graph.replies.push(refusal(130429))
    world.say('start')
    await world.drive()
    expect(graph.accepted.map(({ biz_opaque_callback_data: data }) => String(data).slice(-4))).toEqual(['.0.2'])
  })

  test('131050 fails and is suppressed from then on [P-1307]', async () => {
    await open(1)
    graph.replies.push(refusal(131050))
    world.say('start')
    await world.drive()
    expect([world.figures().failed, world.audience.stopped.size]).toEqual([1, 1])
  })

  test.each(['html502', 'server', 'emptyBody200'])(
    'marks an unclear answer (%s) as unknown and never resends it automatically [P-1308]',
    async name => {
      await open(2)
      const { http, body } = REPLIES[name] ?? expect.fail(`no reply ${name}`)
      graph.replies.push({ http, body: body ?? 'x' })
      world.say('start')
      await world.drive()
      expect(status()).toEqual(['completed', null])
      expect([sentTo().length, world.figures().unknown]).toEqual([1, 1])
      world.say('start')
      await world.drive()
      expect(sentTo()).toHaveLength(1)
    },
  )

  test('a connection that breaks off after the request is unknown, five in a row pause the run [P-1309]', async () => {
    await open(20, { campaign: { rate: 5 } })
    graph.fault = 'cut'
    world.say('start')
    await world.drive()
    expect(status()).toEqual(['paused', 'unknown'])
    const { unknown, waiting, total, progress } = world.figures()
    expect(unknown).toBeGreaterThanOrEqual(5)
    expect([unknown + waiting, total, progress]).toEqual([20, 20, unknown / 20])
  })

  test.each([
    ['ten in a row', 'DDDDDDDDDD', ['paused', 'errors']],
    ['more than 5 % of the last 200', 'DDDDDDDDDADD', ['paused', 'errors']],
    ['fewer', 'DDDDDDDDDA', ['completed', null]],
  ])('mistakes in messages pause the run: %s [P-2148]', async (_name, outcomes, ended) => {
    await open(outcomes.length, { campaign: { rate: 5 } })
    graph.replies.push(...Array.from(outcomes, outcome => (outcome === 'D' ? refusal(100) : null)))
    world.say('start')
    await world.drive()
    expect(status()).toEqual(ended)
    expect(world.figures()).toMatchObject({ failed: outcomes.replaceAll('A', '').length, waiting: 0 })
  })

  test('failed and unknown ones are sent again by a person alone, as a run over just those [P-1310]', async () => {
    await open(3)
    graph.replies.push(refusal(131026), { http: 502, body: 'x' })
    world.say('start')
    await world.drive()
    expect(world.figures()).toMatchObject({ failed: 1, unknown: 1, accepted: 1, waiting: 0 })
    world.say('retryfailed')
    await world.drive()
    expect([sentTo().length, world.figures().failed]).toEqual([2, 0])
    Object.assign(world.parts, { now: () => Date.now() + 7000 })
    Object.assign(world.fields.campaign ?? {}, { run: world.parts.index.queries.runsOf(CAMPAIGN)[1]?.id })
    world.say('resendunknown')
    await world.drive()
    expect([sentTo().length, world.figures().unknown]).toEqual([3, 0])
  })
})

describe('actions during a run', () => {
  test('a pause ends sending within two seconds, and resuming sends the rest [P-1311]', async () => {
    await open(60, { campaign: { rate: 20 } })
    world.say('start')
    const driver = world.driver()
    const ended = driver.drive()
    await expect.poll(() => sentTo().length, { timeout: 10_000 }).toBeGreaterThan(3)
    const at = ownClock()
    world.say('pause')
    driver.wake()
    await ended
    expect(ownClock() - at).toBeLessThan(2000)
    const sent = sentTo().length
    expect([status(), sent < 60]).toEqual([['paused', 'person'], true])
    Object.assign(world.fields.campaign ?? {}, { run_status: 'cancelling' })
    await world.drive()
    expect(world.figures()).toMatchObject({ accepted: sent, waiting: 0, skipped: 60 - sent })
  })

  test('expires a paused run after its time; skips unsent messages [P-1312]', async () => {
    await open(2)
    graph.replies.push(refusal(132015), refusal(132015))
    world.say('start')
    await world.drive()
    expect(status()[0]).toBe('paused')
    Object.assign(world.parts, { now: () => Date.now() + 73 * 3_600_000 })
    await world.drive()
    expect([status()[0], world.figures().skipped, sentTo()]).toEqual(['expired', 2, []])
  })

  test('plans a run that was paused before planning when it resumes [P-1311]', async () => {
    await open(2)
    world.say('start')
    world.say('pause')
    await world.drive()
    expect([status(), sentTo()]).toEqual([['paused', 'person'], []])
    world.say('resume')
    await world.drive()
    expect([status()[0], sentTo().length]).toEqual(['completed', 2])
  })
})

const { scenarios } = corpusJson<{
  readonly scenarios: readonly {
    readonly name: string
    readonly deliver: readonly JsonObject[]
    readonly expect: string
  }[]
}>('campaigns/constructed/webhooks-status-scenarios.json')

/** As the followers of the inbox get the events of a change of an account. */
const hearValue = async (value: JsonObject) => {
  for (const event of cloudEvents({ entry: [{ changes: [{ field: 'messages', value }] }] })) await hearEvent(event)
}

/** As the followers of the inbox get the events of a webhook. */
const hearEvent = async (event: ProviderEvent) => {
  const route = { family: 'whatsapp_meta', to: event.to, account: 'a1' }
  if (event.kind === 'receipt') await world.receipts.hearReceipts([{ route, event }])
  if (event.kind === 'message' || event.kind === 'unknown') await world.receipts.hearPerson({ route, event })
  const follower = optOutFollower({
    ...{ optOuts: world.parts.optOuts, levelOf: async () => null, isHeardByBot: async () => false },
    ...{ answer: () => undefined, now: Date.now },
  })
  if (event.kind === 'message') await follower.message?.({ route, event })
}

describe('receipts', () => {
  test('count a plain reply under another spelling of the number as an engagement [P-1767]', async () => {
    await open(1, { people: [{ phone: '+5511988131234', nome: 'Ana', fields: {} }] })
    world.say('start')
    await world.drive()
    const timestamp = String(Math.floor(Date.now() / 1000))
    const callback = `p1:${world.fields.campaign?.run}.0.1`
    const status = { id: 'wamid.A', status: 'delivered', timestamp, biz_opaque_callback_data: callback }
    await hearValue({ statuses: [status] })
    expect(world.figures()).toMatchObject({ delivered: 1, engaged: 0 })
    const from = '551188131234'
    await hearValue({
      messages: [{ from, id: 'wamid.B', timestamp, type: 'text', text: { body: 'oi' } }],
    })
    expect(world.figures()).toMatchObject({ delivered: 0, engaged: 1, handedover: 1 })
  })

  test('suppress a person without a number who answers a campaign with an unsure word [P-1767]', async () => {
    await open(1, { people: [{ phone: '+5511988131234', nome: 'Ana', fields: {} }] })
    graph.replies.push(ACCEPTED)
    world.say('start')
    await world.drive()
    const callback = `p1:${world.fields.campaign?.run}.0.1`
    const status = { id: 'wamid.A', status: 'read', timestamp: '1', biz_opaque_callback_data: callback }
    await hearValue({ statuses: [status] })
    const answer = { id: 'wamid.B', context: { id: 'wamid.A' }, type: 'text', text: { body: 'Sair' } }
    await hearValue({ messages: [{ ...answer, from_user_id: 'BR.13491208655302741918' }] })
    const scope = { lists: ['*'], category: 'marketing' }
    for (const person of [{ phone: '551188131234' }, { scoped: 'BR.13491208655302741918' }])
      expect(world.audience.isSuppressed(scope, world.audience.digestsOf(person))).toBe(true)
  })

  test.each(scenarios)('$name [D-4.08] [P-1313]', async ({ name, deliver, expect: wanted }) => {
    await open(1)
    graph.replies.push(name.includes('unknown') ? { http: 502, body: 'x' } : ACCEPTED)
    world.say('start')
    await world.drive()
    const callback = `p1:${world.fields.campaign?.run}.0.1`
    const text = JSON.stringify(deliver).replaceAll('p1:01J9ZK0000000000000000000A', callback)
    for (const { entry } of JSON.parse(text)) for (const event of cloudEvents({ entry })) await hearEvent(event)
    const { rows } = world.parts.index.queries.recipients(
      { campaign: CAMPAIGN },
      { status: '', reason: '' },
      { offset: 0, limit: 1 },
    )
    const [word = ''] = wanted.split(/[ ,;]/)
    if (word === 'ignored') expect([rows[0]?.status, world.parts.index.foreign]).toEqual(['queuedAtWhatsapp', 1])
    else expect(rows[0]?.status, wanted).toBe(word)
  })

  test('retries recipients with the marketing limit of Meta after 24 hours, other failures at once [P-2613]', async () => {
    let now = Date.now()
    await open(3, { now: () => now })
    graph.replies.push(ACCEPTED, refusal(131049), refusal(131026))
    world.say('start')
    await world.drive()
    graph.accepted.length = 0
    now += 7000
    expect(world.say('retryfailed')).toBeUndefined()
    const driver = world.driver()
    const ended = driver.drive()
    await expect.poll(() => world.fields.campaign?.run_reason).toBe('cap')
    driver.stop()
    await ended
    expect(sentTo()).toEqual([phoneAt(2)])
    now += 86_400_000
    await world.drive()
    expect(sentTo()).toEqual([phoneAt(2), phoneAt(1)])
    expect(world.fields.campaign?.run_status).toBe('completed')
  })

  test('a reason goes with the failure that a receipt overtakes; states add up to all recipients, unknown ones are resent [D-4.08] [P-1825] [P-1826]', async () => {
    await open(5)
    graph.replies.push(ACCEPTED, { http: 502, body: 'x' }, refusal(131026))
    world.say('start')
    await world.drive()
    const run = String(world.fields.campaign?.run)
    const receipt = (n: number, status: string, code?: number) => ({
      id: `wamid.${n}`,
      status,
      timestamp: '1795000000',
      recipient_id: phoneAt(n).slice(1),
      biz_opaque_callback_data: `p1:${run}.${n}.1`,
      ...(code === undefined ? {} : { errors: [{ code, title: 'x' }] }),
    })
    await hearValue({ statuses: [receipt(3, 'failed', 131049), receipt(4, 'sent')] })
    const { queries } = world.parts.index
    const shown = () => statisticsOf(queries.counts({ campaign: CAMPAIGN }), [], 'en')
    const failed = shown()
    expect(failed).toMatchObject({ accepted: 1, sent: 1, failed: 2, unknown: 1, handedover: 2, deliveredrate: 0 })
    expect(failed.byreason.map(({ code, status, act }) => [code, status, act]).toSorted()).toEqual([
      ['131026', 'failed', 'contact'],
      ['131049', 'failed', 'tomorrow'],
      ['502', 'unknown', 'resend'],
    ])
    await hearValue({ statuses: [receipt(3, 'delivered'), receipt(1, 'read')] })
    const overtaken = shown()
    expect(overtaken).toMatchObject({
      accepted: 1,
      sent: 1,
      delivered: 1,
      read: 1,
      failed: 1,
      unknown: 0,
      handedover: 4,
    })
    expect(overtaken.deliveredrate).toBe(0.5)
    expect(overtaken.byreason.map(({ code }) => code)).toEqual(['131026'])
    const sum = RECIPIENT_STATES.reduce((total, state) => total + overtaken[state], 0)
    expect([sum, overtaken.total]).toEqual([5, 5])
    const { rows } = queries.recipients({ campaign: CAMPAIGN }, { status: '', reason: '' }, { offset: 0, limit: 5 })
    expect(rows.map(({ reason }) => reason)).toEqual([null, null, '131026', null, null])
  })
})
