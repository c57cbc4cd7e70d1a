import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sample, sampleNames } from '#test/contract/channel/contract.ts'
import { APP_SECRET, PHONE_ID, WABA_ID } from '#test/doubles/meta/graph-server.ts'
import { makeChatBot } from './chat-bot.ts'
import { endedUpload, sendFile } from './contact-file.ts'
import { person } from './people.ts'
import { callHook, ORDER, startTemplateWorld, type TemplateWorld } from './template-world.ts'

let world: TemplateWorld
let campaign: string
beforeAll(async () => {
  world = await startTemplateWorld()
  world.graph.nextStatus = 'APPROVED'
  const template = await world.draft(ORDER)
  await world.submitted(template)
  const mapping = [
    { variable: '1', source: 'nome', default: 'cliente' },
    { variable: '2', source: 'field01' },
  ]
  campaign = await world.made('/campaign', { name: 'pedidos', template, metaaccount: world.account, mapping })
})
afterAll(() => world.close())

const at = (path: string) => `/campaign/${campaign}/${path}`
const statistics = async () => (await world.admin.get(at('statistics'))).body
const row = async () => (await world.admin.get(`/campaign/${campaign}`)).body
const add = async (phone: string, more: object) => {
  const { status, text: answer } = await world.admin.post('/contact', { campaign, phone, ...more })
  expect(status, answer).toBe(201)
}

const hook = (value: object, field?: string) => callHook(world, value, field)
const callbacks = () => world.graph.accepted.map(({ biz_opaque_callback_data: data }) => String(data))
const receipt = (recipient: number, status: string) => ({
  id: `wamid.TESTE${recipient}`,
  status,
  timestamp: '1764126000',
  biz_opaque_callback_data: callbacks()[recipient],
})

describe('a campaign over HTTP', () => {
  test('shows before it is started who gets it and who does not [P-1315]', async () => {
    await add('+55 11 98765-0001', { nome: 'Ana', field01: 'A1' })
    await add('+55 11 98765-0002', { nome: 'Bia', field01: 'B2' })
    await add('+55 11 98765-0003', { nome: '', field01: 'C3' })
    await add('+55 11 98765-0004', { nome: 'Davi' })
    const { body } = await world.admin.get(at('review'))
    expect(body).toMatchObject({
      progress: null,
      total: 4,
      ready: 3,
      later: [],
      notsent: [
        {
          code: 'variable',
          count: 1,
          examples: [{ line: 4, file: null, variable: expect.any(String) }],
          variables: [{ variable: expect.any(String), count: 1 }],
        },
      ],
    })
    const same = await world.admin.get(at(`review?job=${String(body.job)}`))
    expect(same.body.job).toBe(body.job)
    expect((await world.admin.get(at('review?job=none'))).body.job).not.toBe(body.job)
  })

  test('is sent from its contacts and counted: total, sent, read, failed, engaged [C-1.03] [D-3.9.02] [D-4.08]', async () => {
    const { status, text: answer } = await world.admin.post(`/campaign/${campaign}/start`, {})
    expect(status, answer).toBe(200)
    await expect.poll(async () => (await row()).run_status, { timeout: 20_000 }).toBe('completed')
    expect(world.graph.accepted.map(({ to }) => to)).toEqual(['+5511987650001', '+5511987650002', '+5511987650003'])
    expect(world.graph.accepted[2]).toMatchObject({
      template: { components: [{ type: 'body', parameters: [{ text: 'cliente' }, { text: 'C3' }] }] },
    })
    expect(await statistics()).toMatchObject({
      total: 4,
      waiting: 0,
      accepted: 3,
      handedover: 3,
      failed: 1,
      progress: 1,
    })

    await hook({ statuses: [receipt(0, 'delivered'), receipt(1, 'read'), receipt(2, 'sent')] })
    await hook({ statuses: [receipt(0, 'sent')] })
    await hook({
      messages: [
        { from: '5511987650002', id: 'wamid.R', type: 'text', text: { body: 'oi' }, context: { id: 'wamid.TESTE1' } },
      ],
    })
    expect(await statistics()).toMatchObject({
      ...{ total: 4, accepted: 0, sent: 1, delivered: 1, read: 0, engaged: 1, failed: 1, unknown: 0, skipped: 0 },
      ...{ handedover: 3, deliveredrate: 2 / 3 },
      bystatus: { sent_successfully: 2, engaged: 1, failed: 1 },
      byreason: [{ code: 'variable', text: 'A variable has no value', status: 'failed', count: 1, act: 'contact' }],
    })
  })

  test('tells each recipient with its times and its reason, and the runs [P-1316]', async () => {
    const { body } = await world.admin.get(at('recipients?status=engaged'))
    expect(body).toMatchObject({ total: 1, items: [{ phone: '+5511987650002', nome: 'Bia', status: 'engaged' }] })
    const runs = (await world.admin.get(`/campaignrun?campaign=${campaign}`)).body
    expect(runs).toMatchObject({ items: [{ kind: 'all', status: 'completed', total: 4, handedover: 3, failed: 1 }] })
    const file = await world.admin.get(at('recipients/export'))
    expect(file.text.split('\r\n')).toHaveLength(6)
    expect(file.text).toContain("'+5511987650002,Bia,engaged")
  })

  test('finds recipients by a number or a part of a name, with attempts and values, for who reads contacts [P-2090]', async () => {
    const find = async (body: object) => (await world.admin.post(at('recipients/search'), body)).body
    const names = ({ items }: Awaited<ReturnType<typeof find>>) => items.map(({ nome }) => nome)
    expect(await find({ search: '11 98765-0002' })).toMatchObject({
      items: [{ nome: 'Bia', status: 'engaged', tries: 1, values: ['B2'] }],
      next: null,
    })
    // A spelling that is no part of the number.
    expect(names(await find({ search: '011 98765-0002' }))).toEqual(['Bia'])
    expect(await find({ search: 'DAV' })).toMatchObject({ items: [{ nome: 'Davi', tries: 0, values: [] }], next: null })
    expect(await find({ search: 'Zoraide' })).toEqual({ items: [], next: null })
    const first = await find({ search: '98765', size: 3 })
    const rest = await find({ search: '98765', size: 3, after: first.next })
    expect([...names(first), ...names(rest)].sort()).toEqual(['', 'Ana', 'Bia', 'Davi'])
    expect(names(rest)).toHaveLength(1)
    const { hierarchylevel } = await row()
    const given = { username: 'leitor', level: String(hierarchylevel), actions: ['readcampaign'] }
    const { client } = await person(world.parley, world.admin, given)
    expect((await client.post(at('recipients/search'), { search: 'Bia' })).status).toBe(403)
    const seen = (await client.get(at('recipients?status=engaged'))).body
    expect(seen).toMatchObject({ items: [{ nome: null, phone: null, values: [] }] })
  })

  test('is audited once for each command, without a number in it [P-1317]', async () => {
    const { text: audit, body } = await world.admin.get('/audit?entity=campaign&size=100')
    const actions = body.items.map(({ action }) => String(action))
    for (const action of ['started', 'exported']) expect(actions.filter(each => each === action)).toHaveLength(1)
    expect(audit).not.toContain('98765000')
  })

  test('a person who answers SAIR under any spelling of the number gets no marketing any more [P-1318]', async () => {
    // Ids of WhatsApp may lack the ninth digit.
    await hook({ messages: [{ from: '551187650001', id: 'wamid.S', type: 'text', text: { body: 'Sair 🙏' } }] })
    const promo = await world.draft()
    await world.submitted(promo)
    const mapping = ['1', '2', 'button.1', 'button.2'].map(variable => ({ variable, source: 'text', text: 'x' }))
    const given = { name: 'promocao', template: promo, metaaccount: world.account, mapping, window: 'always' }
    const other = await world.made('/campaign', given)
    for (const end of ['1', '2'])
      expect((await world.admin.post('/contact', { campaign: other, phone: `+551198765000${end}` })).status).toBe(201)
    // For six seconds after the first campaign its messages make others wait.
    const review = async () => {
      const { body } = await world.admin.get(`/campaign/${other}/review`)
      const { ready, later } = body as unknown as { ready: number; later: readonly { count: number }[] }
      return { ...body, ready: later.reduce((sum, { count }) => sum + count, ready) }
    }
    expect(await review()).toMatchObject({ total: 2, ready: 1, notsent: [{ code: 'optout', count: 1 }] })
    const { items } = (await world.admin.get(`/contact?campaign=${other}`)).body
    expect(items.map(({ phone, suppressed }) => [phone, suppressed])).toEqual([
      ['+5511987650002', false],
      ['+5511987650001', true],
    ])
    const list = (await world.admin.get('/suppression')).body
    expect(list.items[0]).toMatchObject({
      ...{ word: 'Sair 🙏', source: 'word', ends: '0001', campaign: { id: campaign, name: 'pedidos' } },
      channel: { type: 'metaaccount', name: 'Casa Lume', bot: '' },
    })
    const reply = [{ locale: 'pt', text: 'Pronto, você não recebe mais.' }]
    await world.made('/optoutsetting', { reply })
    const button = { button: { payload: 'STOP', text: 'Stop promotions' }, type: 'button' }
    await hook({ messages: [{ from: '551187650002', id: 'wamid.T', ...button }] })
    expect(await review()).toMatchObject({ ready: 0, notsent: [{ code: 'optout', count: 2 }] })
    const replies = () => world.graph.accepted.filter(({ type }) => type === 'text')
    await expect.poll(replies).toMatchObject([{ to: '+551187650002', text: { body: 'Pronto, você não recebe mais.' } }])
    await hook({ messages: [{ from: '551187650002', id: 'wamid.V', type: 'text', text: { body: 'STOP' } }] })
    // A preference set at Meta does not revert an opt-out by text.
    await hook({ user_preferences: [{ wa_id: '551187650002', value: 'resume' }] }, 'user_preferences')
    expect(await review()).toMatchObject({ ready: 0 })
    await hook({
      messages: [{ from: '5511987650002', id: 'wamid.U', type: 'text', text: { body: 'Voltar a receber' } }],
    })
    expect(await review()).toMatchObject({ ready: 1, notsent: [{ code: 'optout', count: 1 }] })
    expect(replies()).toHaveLength(1)
  })

  test('notifies only its readers of its end and of many opt-outs, once [P-2716]', async () => {
    const told = async (client = world.admin) => {
      const { items } = (await client.get('/notification?size=50')).body
      return items
        .filter(({ entityid }) => entityid === campaign)
        .map(({ message, params }) => [message, params])
        .toSorted()
    }
    const more = { name: 'pedidos', of: expect.any(String), mark: expect.any(String) }
    await expect
      .poll(() => told(), { timeout: 15_000 })
      .toEqual([
        ['campaign.completed', { sent: 3, total: 4, ...more }],
        ['campaign.optouts', { count: 1, sent: 3, ...more }],
      ])
    const above = (await world.admin.get(`/campaign/${campaign}`)).body.hierarchylevel
    const given = { level: String(above), username: 'semcampanha', actions: ['readbot'] }
    const { client } = await person(world.parley, world.admin, given)
    expect(await told(client)).toEqual([])
  })

  test('is reviewed with the line that each contact has in its file [P-1943]', async () => {
    const { template, metaaccount, mapping } = await row()
    const given = { name: 'arquivo', template, metaaccount, mapping, window: 'always' }
    const other = await world.made('/campaign', given)
    const columns = { phone: 1, nome: 0, field01: 2 }
    const file =
      'nome;telefone;pedido\n\nAna;11987651001;A1\n"Bia\nSouza";11987651002;\nCaio;11987651002;x\nDavi;11987651004;\n'
    const path = `/campaign/${other}/contacts/import?mapping=${encodeURIComponent(JSON.stringify({ columns }))}`
    const { body: upload } = await sendFile(world.admin, path, file, 'julho.csv')
    expect(await endedUpload(world.admin, upload.id)).toMatchObject({ added: 3, repeated: 1 })
    const { body } = await world.admin.get(`/campaign/${other}/review`)
    const [missing] = body.notsent as readonly { examples: readonly { line: number; file: string }[] }[]
    expect(missing?.examples.map(({ line, file: name }) => [line, name])).toEqual([
      [4, 'julho.csv'],
      [7, 'julho.csv'],
    ])
  })

  describe('on a number that also has a bot', () => {
    const send = async (path: string, value: object) => {
      const metadata = { display_phone_number: '551198765', phone_number_id: PHONE_ID }
      const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: WABA_ID, changes: [change] }] })
      const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
      return (await fetch(`${world.parley.origin}${path}`, { method: 'POST', headers, body })).status
    }
    const said = (from: string, id: string, body: string, more: object = {}) => ({
      messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body }, ...more }],
    })
    let channel: string
    let bot: string
    const written = async () => {
      const { items } = (await world.admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
      const all = await Promise.all(items.map(({ id }) => world.admin.get(`/conversation/${String(id)}/transcript`)))
      const messages = all.flatMap(({ body }) => body.messages as readonly { from: string; text: string }[])
      return messages.filter(({ from }) => from === 'user').map(({ text: words }) => words)
    }
    beforeAll(async () => {
      const asks = { varname: 'nome', data: { type: 'text', text: 'Nome? {{campaign.template}} {{campaign.button}}' } }
      bot = (await makeChatBot(world.admin, {}, asks)).bot
      const secrets = { auth_token: 'EAAx', app_secret: APP_SECRET, channel_verify_token: 'v' }
      channel = await world.made('/channel', {
        ...{ bot, type: 'whatsapp_meta', account_id: PHONE_ID, url: world.graph.url },
        ...secrets,
      })
    })

    test('gets an answer at the door of the app to the bot, and counts it as engaged [P-1746]', async () => {
      const reply = said('5511987650003', 'wamid.door4', 'quero', { context: { id: 'wamid.TESTE2' } })
      expect(await send(`/meta/${world.app}/webhook`, reply)).toBe(200)
      await expect.poll(written, { timeout: 10_000 }).toEqual(['quero'])
      expect(await statistics()).toMatchObject({ engaged: 2 })
    })

    test('shows the template that a person answers in the transcript once, and does not send it again [P-1945]', async () => {
      const again = said('5511987650003', 'wamid.door5', 'oi', { context: { id: 'wamid.TESTE2' } })
      expect(await send(`/channel/${channel}`, again)).toBe(200)
      await expect.poll(written, { timeout: 10_000 }).toEqual(['quero', 'oi'])
      const { items } = (await world.admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
      const path = `/conversation/${String(items[0]?.id)}`
      const { messages } = (await world.admin.get(`${path}/transcript`)).body as unknown as {
        readonly messages: readonly Record<string, unknown>[]
      }
      const shown = messages.filter(({ source }) => source === 'campaign')
      expect(shown).toMatchObject([{ from: 'bot', campaign, text: 'Oi, cliente! Seu pedido C3 chegou.' }])
      expect(messages.indexOf(shown[0] ?? {})).toBe(messages.findIndex(({ text: words }) => words === 'quero') - 1)
      const answered = async () => {
        const { turns } = (await world.admin.get(`${path}/replay`)).body as unknown as {
          readonly turns: readonly { readonly input: { readonly answers?: unknown } }[]
        }
        return turns.filter(({ input }) => input.answers !== undefined)
      }
      await expect
        .poll(answered, { timeout: 10_000 })
        .toMatchObject([{ input: { said: { text: 'quero' }, answers: { actions: [{ title: 'Obrigada' }] } } }])
      const texts = world.graph.accepted
        .filter(({ type }) => type === 'text')
        .map(({ text: words }) => JSON.stringify(words))
      expect(texts.filter(words => words.includes('chegou'))).toEqual([])
    })

    test('lets the bot read the campaign that a message answers, from the first turn on [P-1883]', async () => {
      const button = { type: 'button', button: { payload: 'saldo', text: 'Ver saldo' } }
      const pressed = { from: '5511987650008', id: 'wamid.door8', timestamp: '1764300000', ...button }
      const asked = async (person: string) => {
        const { items } = (await world.admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
        const all = await Promise.all(items.map(({ id }) => world.admin.get(`/conversation/${String(id)}/transcript`)))
        const one = all.find(({ body }) => JSON.stringify(body.messages).includes(person))
        const messages = (one?.body.messages ?? []) as readonly { from: string; text: string; source?: string }[]
        return messages.find(({ from, source }) => from === 'bot' && source === undefined)?.text
      }
      expect(await send(`/channel/${channel}`, { messages: [{ ...pressed, context: { id: 'wamid.TESTE2' } }] })).toBe(
        200,
      )
      await expect.poll(() => asked('Ver saldo'), { timeout: 10_000 }).toMatch(/^Nome\? promo_\d+ saldo$/u)
      expect(await send(`/channel/${channel}`, said('5511987650007', 'wamid.door7', 'bom dia'))).toBe(200)
      await expect.poll(() => asked('bom dia'), { timeout: 10_000 }).toBe('Nome?  ')
    })

    test('counts receipts and answers at the door of the channel [P-1747]', async () => {
      expect(await send(`/channel/${channel}`, { statuses: [receipt(0, 'read')] })).toBe(200)
      expect(await statistics()).toMatchObject({ read: 1, engaged: 2, bystatus: { engaged: 2, read_by_user: 1 } })
      const reply = said('5511987650001', 'wamid.door1', 'oi', { context: { id: 'wamid.TESTE0' } })
      expect(await send(`/channel/${channel}`, reply)).toBe(200)
      await expect.poll(statistics, { timeout: 10_000 }).toMatchObject({ engaged: 3 })
    })

    test('takes an event once, by both doors and five times at once [P-1748]', async () => {
      const doors = [`/meta/${world.app}/webhook`, `/channel/${channel}`]
      const event = said('5511987650009', 'wamid.twice', 'uma vez')
      const calls = Array.from({ length: 5 }).flatMap(() => doors.map(door => send(door, event)))
      expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
      await expect.poll(written, { timeout: 10_000 }).toContain('uma vez')
      expect((await written()).filter(words => words === 'uma vez')).toHaveLength(1)
    })

    const names = sampleNames('whatsapp-meta', 'in', 'status', 'event')
    test('takes every sample of Meta alike by both doors [P-1748]', async () => {
      expect(names.length).toBeGreaterThan(10)
      const post = async (path: string, content: string) => {
        const signature = `sha256=${createHmac('sha256', APP_SECRET).update(content).digest('hex')}`
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
        return (await fetch(`${world.parley.origin}${path}`, { method: 'POST', headers, body: content })).status
      }
      const bodies = names.map(name =>
        JSON.stringify(sample('whatsapp-meta', name)).replaceAll(
          /"phone_number_id":"?[^",}]*"?/gu,
          `"phone_number_id":"${PHONE_ID}"`,
        ),
      )
      for (const body of bodies) expect(await post(`/meta/${world.app}/webhook`, body)).toBe(200)
      const settled = async () => {
        const seen = await written()
        await new Promise(resolve => setTimeout(resolve, 1_000))
        return (await written()).length === seen.length
      }
      await expect.poll(settled, { timeout: 20_000 }).toBe(true)
      const [words, figures] = [await written(), await statistics()]
      expect(words.length).toBeGreaterThan(5)
      for (const body of bodies) expect(await post(`/channel/${channel}`, body)).toBe(200)
      await new Promise(resolve => setTimeout(resolve, 1_000))
      expect((await written()).sort()).toEqual([...words].sort())
      expect(await statistics()).toEqual(figures)
    }, 90_000)

    test('suppresses who says SAIR at the door of the channel, also while it is disabled [P-1749]', async () => {
      expect(await send(`/channel/${channel}`, said('5511987650002', 'wamid.door2', 'SAIR'))).toBe(200)
      await world.admin.patch(`/channel/${channel}`, { enable: false }, 1)
      expect(await send(`/channel/${channel}`, said('5511987650003', 'wamid.door3', 'sair'))).toBe(404)
      const promo = await world.draft()
      await world.submitted(promo)
      const mapping = ['1', '2', 'button.1', 'button.2'].map(variable => ({ variable, source: 'text', text: 'x' }))
      const given = { name: 'saldos', template: promo, metaaccount: world.account, mapping, window: 'always' }
      const other = await world.made('/campaign', given)
      for (const end of ['2', '3', '4'])
        await world.admin.post('/contact', { campaign: other, phone: `+551198765000${end}` })
      const review = async () => (await world.admin.get(`/campaign/${other}/review`)).body
      await expect
        .poll(review, { timeout: 10_000 })
        .toMatchObject({ total: 3, ready: 1, notsent: [{ code: 'optout', count: 2 }] })
    })
  })

  describe('with a price list', () => {
    const LIST = { name: 'Meta Q4', currency: 'BRL', valid_from: '2026-01-01' }
    const rows = [
      { category: 'utility', country: 'BR', price: '0.0375' },
      { category: 'marketing', country: '*', price: '0.5' },
    ]

    test('says what it costs at most, by the list of its level or of one above [P-2804]', async () => {
      const { template, metaaccount, hierarchylevel } = await row()
      expect((await world.admin.get(at('review'))).body.cost).toMatchObject({ list: null, atmost: null, free: false })
      const list = await world.made('/pricelist', { ...LIST, hierarchylevel, rows })
      const unknown = { ...LIST, name: 'y', valid_from: '2026-02-30', rows: [{ ...rows[0], price: '0,5' }] }
      expect((await world.admin.post('/pricelist', { ...unknown, hierarchylevel })).status).toBe(422)
      const below = (await world.admin.post('/hierarchy', { name: 'Loja' })).body.id
      const other = await world.made('/campaign', {
        ...{ name: 'loja', template, metaaccount, hierarchylevel: below },
        mapping: ['1', '2'].map(variable => ({ variable, source: 'nome' })),
      })
      for (const phone of ['+55 11 98765-0401', '+55 11 98765-0402', '+351 912 345 678'])
        await world.admin.post('/contact', { campaign: other, phone, nome: 'Ana' })
      const { body } = await world.admin.get(`/campaign/${other}/review`)
      // Two of 0.0375; the list has no price for a utility message to Portugal.
      expect(body.cost).toMatchObject({
        list: { id: list, currency: 'BRL' },
        atmost: '0.075',
        unpriced: 1,
        free: false,
      })
      expect((body.cost as unknown as { counts: unknown }).counts).toEqual(
        expect.arrayContaining([
          { category: 'utility', country: 'BR', count: 2 },
          { category: 'utility', country: 'PT', count: 1 },
        ]),
      )
      const own = { ...LIST, name: 'Loja', currency: 'USD', hierarchylevel: below, rows: [{ ...rows[0], price: '1' }] }
      await world.made('/pricelist', own)
      const nearest = (await world.admin.get(`/campaign/${other}/review`)).body
      expect(nearest.cost).toMatchObject({ list: { currency: 'USD' }, atmost: '2.00' })
    })

    test('returns the price data of receipts in its statistics [P-2803]', async () => {
      expect((await statistics()).cost).toMatchObject({ computed: [], reported: [], open: 3 })
      const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
      await hook({ statuses: [{ ...receipt(0, 'delivered'), pricing }] })
      await hook({ statuses: [{ ...receipt(1, 'read'), pricing: { ...pricing, billable: false } }] })
      await expect
        .poll(async () => (await statistics()).cost, { timeout: 10_000 })
        .toMatchObject({ computed: [{ currency: 'BRL', amount: '0.0375', count: 1 }], reported: [], free: 1, open: 1 })
    })
  })

  test('is duplicated with all settings, disabled, without its runs, its contacts only when asked for [P-2809]', async () => {
    const before = await row()
    const plain = await world.admin.post(at('duplicate'), {})
    expect([plain.status, plain.body.contacts]).toEqual([201, 0])
    const copy = (await world.admin.get(`/campaign/${plain.body.id}`)).body
    const settings = ['template', 'metaaccount', 'mapping', 'window', 'rate', 'repeat', 'timezone', 'hierarchylevel']
    for (const name of settings) expect([name, copy[name]]).toEqual([name, before[name]])
    expect(copy).toMatchObject({ name: 'pedidos_2', enabled: false, run_status: null, run_started_at: null })
    expect((await world.admin.get(`/campaignrun?campaign=${copy.id}`)).body.items).toEqual([])
    const next = await world.admin.post(at('duplicate'), {})
    expect((await world.admin.get(`/campaign/${next.body.id}`)).body).toMatchObject({ name: 'pedidos_3' })
    const { total } = (await world.admin.get(`/contact?campaign=${campaign}`)).body
    const full = await world.admin.post(at('duplicate'), { name: 'pedidos_natal', contacts: true })
    expect([full.status, full.body.contacts]).toEqual([201, total])
    const found = (await world.admin.get(`/contact?campaign=${full.body.id}&size=100`)).body.items
    expect(found.map(({ phone }) => phone)).toContain('+5511987650001')
    const taken = await world.admin.post(at('duplicate'), { name: 'pedidos_natal' })
    expect([taken.status, taken.body.code]).toEqual([409, 'entity.name.taken'])
  })

  test('cancelling needs CONFIRM, and a disabled campaign is not started [D-4.06]', async () => {
    expect((await world.admin.patch(`/campaign/${campaign}`, { enabled: false }, (await row()).revision)).status).toBe(
      200,
    )
    const refused = await world.admin.post(`/campaign/${campaign}/start`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'campaign.disabled'])
    expect((await world.admin.post(`/campaign/${campaign}/cancel`, {})).status).toBe(422)
  })
})
