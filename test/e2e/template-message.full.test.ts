import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { GUPSHUP, ZENVIA } from '#test/doubles/whatsapp/json-wires.ts'
import { PROVIDER_ENV, startProvider } from '#test/doubles/whatsapp/provider-server.ts'
import { done } from '#test/fixture/agent-bot.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { Designer } from './designer.ts'
import { violations } from './violations.ts'

const ANA = '5511988800001'
const AGENT = ['showdesk', 'answerconversation', 'readbot']
const FLOW = {
  operators: {
    start: block('start', 'Start', 0),
    ready: block('sendmessage', 'Ready', 120, { text: 'Your order is ready' }),
    ask: block('prompt', 'Ask', 240, { varname: 'order', data: { type: 'text', text: 'Which order?' } }),
    hand: block('connecttoagent', 'Hand', 360, { agentSystem: 'parley' }),
  },
  links: { a: link('start', 'ready'), b: link('ready', 'ask'), c: link('ask', 'hand') },
}
const RECORD = {
  ...{ id: 'g-1', elementName: 'listed', languageCode: 'en', category: 'UTILITY', status: 'APPROVED' },
  ...{ templateType: 'TEXT', containerMeta: JSON.stringify({ data: 'Hello, {{1}}!' }) },
}

inBrowser('templates of WhatsApp outside the window', { timeout: LONG }, async () => {
  const provider = await startProvider(ZENVIA)
  const listing = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 'success', templates: [RECORD] })),
  )
  listing.listen(0, '127.0.0.1')
  await once(listing, 'listening')
  const url = `http://127.0.0.1:${(listing.address() as AddressInfo).port}`
  const { parley, admin } = await openAdmin({ env: PROVIDER_ENV })
  const made = await makeDeskBot(admin, FLOW)
  const dialog = made.dialog
  const at = { bot: made.bot, enable: true }
  const channel = await done(admin.post('/channel', { ...at, type: ZENVIA.type, url: provider.url, ...ZENVIA.fields }))
  const gupshup = await done(admin.post('/channel', { ...at, type: GUPSHUP.type, ...GUPSHUP.fields, url }))
  const path = `/channel/${channel}/${ZENVIA.fields.channel_verify_token}`
  await done(
    admin.post('/template', {
      ...{ channel, templateName: 'order_ready', language: 'en', category: 'utility', templateType: 'TEXT' },
      ...{ body: 'Hello, {{1}}! Order {{2}} is ready.', provider_id: 'z-1' },
      provider_fields: [
        { variable: '1', name: 'name' },
        { variable: '2', name: 'order' },
      ],
    }),
  )
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const camila = await person(parley, admin, { username: 'camila', level: root, actions: AGENT })
  await done(admin.post('/deskqueue', { name: 'Orders', mode: 'manual', members: [{ user: camila.id }] }))
  const agent = camila.client
  const browser = await openBrowser()
  const builder = await openWindow(browser, parley, {
    ...{ username: 'admin', password: 'Parley-2026!', width: 1440, height: 900 },
  })
  afterAll(async () => {
    await closeWindows()
    provider.close()
    listing.close()
  })

  test('the form of a message chooses a template and adds a line for each variable [P-2512]', async () => {
    const designer = await new Designer(builder).open(dialog)
    await designer.block('ready').click()
    const form = designer.inspector
    await form.getByRole('combobox', { name: 'Template outside the 24 hours' }).click()
    await builder.getByRole('option', { name: /order_ready/u }).click()
    await form.getByText('Hello, {{1}}! Order {{2}} is ready.').waitFor()
    await form.getByRole('button', { name: 'Add 2 lines' }).click()
    await count(form.getByRole('button', { name: /^Add \d lines$/u }), 0)
    const values = form.getByRole('group', { name: 'Values of the template' })
    await count(values.getByRole('listitem'), 2)
    await eventually(() => values.getByRole('textbox', { name: 'Variable' }).last().inputValue()).toBe('2')
    await form.getByText('1, 2 have no value yet.').waitFor()
    expect(await violations(builder)).toEqual([])
  })

  test('a channel reads its templates, and the list names those registered by hand [P-2519]', async () => {
    await visit(builder, `/botadmin/channel/${gupshup}`)
    await builder.getByRole('button', { name: 'Read templates' }).click()
    await builder.getByText('1 added, 0 changed').waitFor()
    await visit(builder, '/botadmin/campaignmanagement/channel/app/template/search')
    const row = builder.getByRole('row', { name: /order_ready/u })
    await row.getByText('Registered by hand').waitFor()
    await count(row.getByText('Draft'), 0)
    await row.getByText('order_ready').click()
    await builder.getByRole('heading', { name: 'order_ready', level: 1 }).waitFor()
    await count(builder.getByRole('button', { name: /^Submit/u }), 0)
  })

  test('the desk sends one with its values at 1440 and at 390 pixels [P-2518]', async () => {
    const say = async (id: string, text: string) =>
      expect((await provider.call(parley.origin, path, ZENVIA.said(ANA, id, text))).status).toBe(200)
    await say('in-1', 'hi')
    await eventually(() => provider.sentTo(ANA).length).toBe(2)
    await say('in-2', '77')
    const camila = { username: 'camila', password: `${PASSWORD}x` }
    const wide = await openWindow(browser, parley, { ...camila, width: 1440, height: 900 })
    const narrow = await openWindow(browser, parley, { ...camila, width: 390, height: 844 })
    let chat = ''
    await eventually(async () => {
      const { items } = (await admin.get('/desk/chat?view=waiting')).body
      chat = String(items[0]?.conversation ?? '')
      return items.length
    }).toBe(1)
    for (const page of [wide, narrow])
      await page.route(`**/desk/chat/${chat}`, async route => {
        const answer = await route.fetch()
        const window = new Date(Date.now() - 3_600_000).toISOString()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), window } })
      })
    expect((await agent.post(`/desk/chat/${chat}/take`, {})).status).toBe(200)
    await visit(wide, `/botadmin/desk?open=${chat}`)
    for (const [page, name] of [
      [wide, 'Ana'],
      [narrow, 'Bia'],
    ] as const) {
      if (page === narrow) await visit(page, `/botadmin/desk?open=${chat}`)
      await page.getByRole('button', { name: 'Send a template' }).click()
      const dialogOf = page.getByRole('dialog', { name: /^Send a template to/u })
      const send = dialogOf.getByRole('button', { name: 'Send template' })
      await dialogOf.getByRole('combobox', { name: 'Template' }).selectOption({ label: 'order_ready · en · Utility' })
      await dialogOf.getByLabel('Variable 1').fill(name)
      await eventually(() => send.isDisabled()).toBe(true)
      await dialogOf.getByLabel('Variable 2').fill('77')
      await dialogOf.getByText(`Hello, ${name}! Order 77 is ready.`).waitFor()
      expect(await violations(page)).toEqual([])
      await send.click()
      await dialogOf.waitFor({ state: 'detached' })
      await eventually(() => provider.sentTo(ANA).at(-1)?.text ?? '').toContain(`Hello, ${name}! Order 77 is ready.`)
    }
  })
})
