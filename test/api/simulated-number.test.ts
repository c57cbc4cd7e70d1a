import { afterAll, describe, expect, test } from 'vitest'
import { makeChatBot } from './chat-bot.ts'
import { discard } from './harness.ts'
import { openParley } from './open-parley.ts'

let account: string
let template: string
const made = async (path: string, body: object): Promise<string> => {
  const { status, text, body: answer } = await admin.post(path, body)
  expect(status, text).toBe(201)
  return answer.id
}
const row = async (path: string): Promise<Record<string, unknown>> => (await admin.get(path)).body
const until = (path: string, member: string, value: unknown) =>
  expect.poll(async () => (await row(path))[member], { timeout: 30_000 }).toBe(value)
interface Phone {
  readonly open: boolean
  readonly blocked: boolean
  readonly messages: readonly {
    readonly id: string
    readonly from: string
    readonly kind: string
    readonly text: string
    readonly status: string | null
    readonly buttons: readonly { readonly title: string; readonly answers: boolean }[]
  }[]
}
const phonePath = (persona: number) => `/simulatednumber/${account}/persona/${persona}`
const phone = async (persona: number) => (await row(phonePath(persona))) as unknown as Phone
const act = async (persona: number, body: object) => {
  const answer = await admin.post(phonePath(persona), body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as unknown as Phone
}
const texts = async (persona: number) => (await phone(persona)).messages.map(({ from, text }) => `${from}: ${text}`)

const parley = await openParley({ env: { PARLEY_SAMPLE: 'off' } })
const admin = await parley.signIn()
const { bot, dialog } = await makeChatBot(admin)
afterAll(() => parley.close())

describe('a simulated number', () => {
  test('is made with its app, account, channel and first template in one call [P-2550]', async () => {
    const { status, text, body } = await admin.post('/simulatednumber', { bot })
    expect(status, text).toBe(201)
    const given = body as unknown as { account: string; app: string; channel: string; template: string }
    ;({ account, template } = given)
    expect(await row(`/metaaccount/${account}`)).toMatchObject({
      account_mode: 'SIMULATED',
      messaging_limit: 'TIER_250',
      bot,
    })
    expect(await row(`/channel/${given.channel}`)).toMatchObject({ type: 'whatsapp_simulated', enable: true, bot })
    const again = (await admin.post('/simulatednumber', { bot })).body
    expect(again).toMatchObject({ account, channel: given.channel, template: null })
    await until(`/template/${template}`, 'status', 'APPROVED')
    expect(await row('/simulatednumber')).toMatchObject({ on: true, items: [{ id: account, bot }] })
  })

  test('passes the connection tests of its account and of its channel [P-2551]', async () => {
    const tested = await admin.post(`/metaaccount/${account}/test`, {})
    expect(tested.body, tested.text).toMatchObject({ ok: true })
    const channel = String((await row(`/simulatednumber/${account}`)).channel)
    expect((await admin.post(`/channel/${channel}/test`, {})).body).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ part: 'provider', ok: true })]),
    })
    expect(await row(`/metaaccount/${account}`)).toMatchObject({ account_mode: 'SIMULATED', quality_rating: 'GREEN' })
  })

  test('sends a campaign to its personas, who react by their last two digits [P-2552]', async () => {
    await admin.post(`/simulatednumber/${account}/clock?speed=100`, {})
    const mapping = [{ variable: '1', source: 'nome', default: 'cliente' }]
    const given = { name: 'primeira', template, metaaccount: account, mapping, rate: 1000 }
    const campaign = await made('/campaign', given)
    const added = await admin.post(`/simulatednumber/${account}/contacts`, { campaign, count: 94 })
    expect(added.body, added.text).toMatchObject({ added: 94, duplicates: 0 })
    const real = await admin.post('/contact', { campaign, phone: '+55 11 98765-4321', nome: 'Ana' })
    expect(real.status).toBe(201)
    expect(await row(`/campaign/${campaign}/review`)).toMatchObject({
      ready: 94,
      notsent: [{ code: 'nopersona', count: 1 }],
    })
    const started = await admin.post(`/campaign/${campaign}/start`, {})
    expect(started.status, started.text).toBe(200)
    await expect
      .poll(async () => (await row(`/campaign/${campaign}`)).run_status, { timeout: 60_000 })
      .toBe('completed')
    const settled = async () => {
      const sums = await row(`/campaign/${campaign}/statistics`)
      return {
        accepted: sums.accepted,
        sent: sums.sent,
        failed: sums.failed,
        unknown: sums.unknown,
        skipped: sums.skipped,
      }
    }
    // 93 is silent; 80 to 83 fail after they were taken; 89 is delivered after all.
    await expect.poll(settled, { timeout: 30_000 }).toEqual({ accepted: 1, sent: 0, failed: 4, unknown: 0, skipped: 1 })
    const reasons = (await row(`/campaign/${campaign}/statistics`)).byreason as { code: string; count: number }[]
    expect(Object.fromEntries(reasons.map(({ code, count }) => [code, count]))).toEqual({
      131026: 1,
      131049: 1,
      131050: 1,
      130472: 1,
      nopersona: 1,
    })
    const { buttons, text, status } = (await phone(92)).messages[0] ?? {}
    expect({ text, status }).toEqual({
      text: 'Hi, Marina Esteves! Your order is ready to be picked up. Can we help you with anything else?',
      status: 'read',
    })
    expect(buttons).toMatchObject([{ answers: true }, { answers: true }])
  })

  test('sends the words of a persona to the bot, and its answers to the phone [P-2553]', async () => {
    await act(107, { do: 'say', text: 'Oi' })
    await expect.poll(() => texts(107), { timeout: 20_000 }).toContain('business: Seu nome?')
    await act(107, { do: 'say', text: 'Rita' })
    await expect.poll(() => texts(107), { timeout: 20_000 }).toContain('business: Oi, Rita')
    const { items } = (await admin.get(`/conversation?bot=${bot}`)).body
    expect(items.map(({ channeltype }) => channeltype)).toContain('whatsapp_simulated')
  })
})

test('excludes personas from the drop-off of a dialog unless the filter names their channel [P-2567]', async () => {
  const entered = async (query: string) => {
    const { blocks } = (await row(`/dialog/${dialog}/dropoff${query}`)) as unknown as {
      blocks: readonly { block: string; entered: number }[]
    }
    return blocks.find(({ block }) => block === 'name')?.entered ?? 0
  }
  expect(await entered('')).toBe(0)
  expect(await entered('?channel=whatsapp_simulated')).toBeGreaterThan(0)
})

describe('the phone of a persona', () => {
  const webhookRow = () => row(`/metaaccount/${account}`)

  test('is closed to free messages until its persona writes, and again a day later [P-2554]', async () => {
    expect((await phone(150)).open).toBe(false)
    expect((await act(150, { do: 'say', text: 'Oi' })).open).toBe(true)
    expect((await act(150, { do: 'wait' })).open).toBe(false)
  })

  test('presses a button of a template, and sends a place and a picture [P-2555]', async () => {
    const [message] = (await phone(12)).messages
    expect(message?.kind).toBe('template')
    const { messages } = await act(12, { do: 'press', message: message?.id ?? '', button: 1 })
    expect(messages.at(-1)).toMatchObject({ from: 'persona', kind: 'button', text: 'All good' })
    await expect.poll(() => texts(12), { timeout: 20_000 }).toContain('business: Seu nome?')
    await act(12, { do: 'place' })
    await act(12, { do: 'picture' })
    // Neither answers the question for a name: the bot asks again.
    await expect
      .poll(async () => (await texts(12)).filter(text => text === 'business: Seu nome?').length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(2)
    const missing = await admin.post(phonePath(12), { do: 'press', message: 'none', button: 0 })
    expect(missing.status).toBe(404)
  })

  test('opts out with a word, by the rules of every channel, and in again [P-2573]', async () => {
    const isStopped = async (persona: number) => {
      const phone = `+55 11 90000-0${String(persona).padStart(3, '0')}`
      const { status, text, body } = await admin.post('/suppression/search', { phone })
      return status === 200 ? body.marketing : text
    }
    const soon = (persona: number, value: boolean) =>
      expect.poll(() => isStopped(persona), { timeout: 20_000 }).toBe(value)
    await act(21, { do: 'say', text: 'STOP' })
    // "Sair" counts within a week after a campaign, and is an answer to the bot else.
    await act(23, { do: 'say', text: 'Sair' })
    await act(160, { do: 'say', text: 'Sair' })
    await soon(21, true)
    await soon(23, true)
    await expect.poll(() => texts(160), { timeout: 20_000 }).toContain('business: Seu nome?')
    expect(await isStopped(160)).toBe(false)
    await act(21, { do: 'say', text: 'Voltar a receber' })
    await soon(21, false)
  })

  test('blocks the number: three blocks pause the template and lower the quality [P-2556]', async () => {
    for (const persona of [40, 41, 42]) expect((await act(persona, { do: 'block' })).blocked).toBe(true)
    await until(`/template/${template}`, 'status', 'PAUSED')
    expect(await row(`/simulatednumber/${account}`)).toMatchObject({ blocks: 3, quality: 'YELLOW' })
    await expect.poll(async () => (await webhookRow()).quality_rating, { timeout: 20_000 }).toBe('YELLOW')
    expect((await act(40, { do: 'unblock' })).blocked).toBe(false)
  })

  test('may be one of more people after the tier is raised [P-2557]', async () => {
    const { body } = await admin.post(`/simulatednumber/${account}/tier`, {})
    expect(body).toMatchObject({ tier: 'TIER_2K', raisable: true })
    await expect.poll(async () => (await webhookRow()).messaging_limit, { timeout: 20_000 }).toBe('TIER_2K')
  })

  test('belongs to nobody who may not read the account [P-2558]', async () => {
    expect((await parley.anyone.get(phonePath(1))).status).toBe(401)
    expect((await admin.get('/simulatednumber/none')).status).toBe(404)
    expect((await admin.get(`/simulatednumber/${account}/persona/200`)).status).toBe(404)
  })
})

describe('a template of a simulated number', () => {
  const draft = async (templateName: string) => {
    const fields = { metaaccount: account, templateName, language: 'en', category: 'utility', body: 'Good news' }
    const id = await made('/template', fields)
    expect((await admin.post(`/template/${id}/submit`, {})).status).toBe(200)
    return id
  }

  test('is rejected when its name ends in _reject, else approved [P-2559]', async () => {
    const [rejected, taken] = [await draft('news_reject'), await draft('news')]
    await until(`/template/${rejected}`, 'status', 'REJECTED')
    expect(await row(`/template/${rejected}`)).toMatchObject({ reason: 'TAG_CONTENT_MISMATCH' })
    await until(`/template/${taken}`, 'status', 'APPROVED')
  })
})

describe('leaving a simulated number', () => {
  test('copies a campaign and its template to a real account, and no contact [P-2560]', async () => {
    const app = await made('/metaapp', { name: 'Lume', app_id: '1234567890' })
    const metaaccount = await made('/metaaccount', { metaapp: app, name: 'Real', waba_id: '1', phone_number_id: '2' })
    const campaign = String((await admin.get('/campaign')).body.items[0]?.id)
    const { status, text, body } = await admin.post(`/simulatednumber/${account}/copy`, { campaign, metaaccount })
    expect(status, text).toBe(201)
    const copied = body as unknown as { campaign: string; template: string }
    expect(await row(`/campaign/${copied.campaign}`)).toMatchObject({
      name: 'primeira_copy',
      enabled: false,
      metaaccount,
      run_status: null,
    })
    expect(await row(`/template/${copied.template}`)).toMatchObject({
      metaaccount,
      submission: 'draft',
      templateName: 'order_ready',
    })
    expect(await row(`/contact?campaign=${copied.campaign}`)).toMatchObject({ total: 0 })
    const back = await admin.post(`/simulatednumber/${account}/copy`, { campaign, metaaccount: account })
    expect(back.status).toBe(404)
    // A real number does not write to a persona.
    const persona = { campaign: copied.campaign, phone: '+55 11 90000-0001', nome: 'Bruno' }
    expect((await admin.post('/contact', persona)).status).toBe(201)
    expect(await row(`/campaign/${copied.campaign}/review`)).toMatchObject({
      ready: 0,
      notsent: [{ code: 'simulated', count: 1 }],
    })
  })
})

describe('without simulated numbers', () => {
  test('offers none and sends nothing [P-2561]', async () => {
    const off = await openParley({ env: { PARLEY_SAMPLE: 'off', SIMULATED_NUMBERS: 'off' } })
    try {
      const client = await off.signIn()
      const made = (await client.post('/bot', { name: 'Bia' })).body.id
      expect((await client.post('/simulatednumber', { bot: made })).status).toBe(404)
      expect((await client.get('/simulatednumber')).body).toMatchObject({ on: false, items: [] })
    } finally {
      await discard(off)
    }
  })
})
