import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APP_SECRET, PHONE_ID, WABA_ID } from '#test/doubles/meta/graph-server.ts'
import { startTemplateWorld, type TemplateWorld } from './template-world.ts'

let world: TemplateWorld
let campaign: string
const text = {
  category: 'utility',
  header: null,
  body: 'Oi, {{1}}! Seu pedido {{2}} chegou.',
  params: [
    { name: '1', example: 'Ana' },
    { name: '2', example: 'A1' },
  ],
  footer: null,
  buttons: [{ type: 'QUICK_REPLY', text: 'Obrigada' }],
}
beforeAll(async () => {
  world = await startTemplateWorld()
  world.graph.nextStatus = 'APPROVED'
  const template = await world.draft(text)
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

/** What Meta calls the app's webhook with, signed. */
const hook = async (value: object, field = 'messages') => {
  const metadata = { display_phone_number: '551198765', phone_number_id: PHONE_ID }
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: WABA_ID, changes: [change] }] })
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const url = `${world.parley.origin}/meta/${world.app}/webhook`
  const { status } = await fetch(url, { method: 'POST', headers, body })
  expect(status).toBe(200)
}
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
    expect(body).toMatchObject({ total: 4, ready: 3, notsent: [{ code: 'variable', count: 1 }] })
  })

  test('is sent from its contacts and counted: total, sent, read, failed, engaged [C-1.03] [D-3.9.02] [D-4.08]', async () => {
    const { status, text: answer } = await world.admin.post(`/campaign/${campaign}/start`, {})
    expect(status, answer).toBe(200)
    await expect.poll(async () => (await row()).run_status, { timeout: 20_000 }).toBe('completed')
    expect(world.graph.accepted.map(({ to }) => to)).toEqual(['+5511987650001', '+5511987650002', '+5511987650003'])
    expect(world.graph.accepted[2]).toMatchObject({
      template: { components: [{ type: 'body', parameters: [{ text: 'cliente' }, { text: 'C3' }] }] },
    })
    expect(await statistics()).toMatchObject({ total: 4, waiting: 3, sent: 0, failed: 1 })

    await hook({ statuses: [receipt(0, 'delivered'), receipt(1, 'read'), receipt(2, 'sent')] })
    await hook({ statuses: [receipt(0, 'sent')] })
    await hook({
      messages: [
        { from: '5511987650002', id: 'wamid.R', type: 'text', text: { body: 'oi' }, context: { id: 'wamid.TESTE1' } },
      ],
    })
    expect(await statistics()).toMatchObject({
      ...{ total: 4, waiting: 0, sent: 3, read: 1, engaged: 1, failed: 1, unknown: 0, skipped: 0 },
      bystatus: { sent_successfully: 2, engaged: 1, failed: 1 },
      byreason: [{ code: 'variable', text: 'A variable has no value', count: 1, act: 'contact' }],
    })
  })

  test('tells each recipient with its times and its reason, and the runs [P-1316]', async () => {
    const { body } = await world.admin.get(at('recipients?status=engaged'))
    expect(body).toMatchObject({ total: 1, items: [{ phone: '+5511987650002', nome: 'Bia', status: 'engaged' }] })
    const runs = (await world.admin.get(`/campaignrun?campaign=${campaign}`)).body
    expect(runs).toMatchObject({ items: [{ kind: 'all', status: 'completed', total: 4, sent: 3, failed: 1 }] })
    const file = await world.admin.get(at('recipients/export'))
    expect(file.text.split('\r\n')).toHaveLength(6)
    expect(file.text).toContain("'+5511987650002,Bia,engaged")
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
    const review = async () => (await world.admin.get(`/campaign/${other}/review`)).body
    expect(await review()).toMatchObject({ total: 2, ready: 1, notsent: [{ code: 'optout', count: 1 }] })
    const { items } = (await world.admin.get(`/contact?campaign=${other}`)).body
    expect(items.map(({ phone, suppressed }) => [phone, suppressed])).toEqual([
      ['+5511987650002', false],
      ['+5511987650001', true],
    ])
    const reply = [{ locale: 'pt', text: 'Pronto, você não recebe mais.' }]
    await world.made('/optoutsetting', { reply })
    const button = { button: { payload: 'STOP', text: 'Stop promotions' }, type: 'button' }
    await hook({ messages: [{ from: '551187650002', id: 'wamid.T', ...button }] })
    expect(await review()).toMatchObject({ ready: 0, notsent: [{ code: 'optout', count: 2 }] })
    const replies = () => world.graph.accepted.filter(({ type }) => type === 'text')
    await expect.poll(replies).toMatchObject([{ to: '+551187650002', text: { body: 'Pronto, você não recebe mais.' } }])
    await hook({ messages: [{ from: '551187650002', id: 'wamid.V', type: 'text', text: { body: 'STOP' } }] })
    // What the person's own words stopped is not resumed by a preference at Meta.
    await hook({ user_preferences: [{ wa_id: '551187650002', value: 'resume' }] }, 'user_preferences')
    expect(await review()).toMatchObject({ ready: 0 })
    await hook({
      messages: [{ from: '5511987650002', id: 'wamid.U', type: 'text', text: { body: 'Voltar a receber' } }],
    })
    expect(await review()).toMatchObject({ ready: 1, notsent: [{ code: 'optout', count: 1 }] })
    expect(replies()).toHaveLength(1)
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
