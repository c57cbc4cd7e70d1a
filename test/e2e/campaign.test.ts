import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { startTemplateWorld } from '#test/api/template-world.ts'
import {
  closeWindows,
  count,
  eventually,
  fitsWithin,
  inBrowser,
  LONG,
  openBrowser,
  openWindow,
  visit,
} from './browser.ts'
import { violations } from './violations.ts'

const NAMES = ['Luana', 'Roberto', 'Ana Clara', 'Marta']

inBrowser('campaigns', { timeout: LONG }, async () => {
  const world = await startTemplateWorld()
  await world.admin.post(`/metaaccount/${world.account}/subscribe`, {})
  await world.admin.post(`/metaaccount/${world.account}/test`, {})
  world.graph.nextStatus = 'APPROVED'
  const template = await world.draft({
    templateName: 'consulta_vespera',
    category: 'utility',
    buttons: [{ type: 'QUICK_REPLY', text: 'Confirmar' }],
  })
  expect(await world.submitted(template)).toMatchObject({ status: 'APPROVED' })
  const browser = await openBrowser()
  const page = await openWindow(browser, world.parley, { username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
  afterAll(async () => {
    await closeWindows()
    await world.close()
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const contact = async (campaign: string, at: number, fields: object) => {
    const phone = `+55119876500${String(at).padStart(2, '0')}`
    const { status, text } = await world.admin.post('/contact', { campaign, phone, ...fields })
    expect(status, text).toBe(201)
  }
  const campaignId = () => String(new URL(page.url()).searchParams.get('campaign'))
  const tile = (name: string) => page.getByRole('group', { name: /^Recipients by/u }).getByRole('button', { name })

  test('a campaign is made in four steps, each fault at its field; the last one says how many get it [C-1.03] [C-2.40] [D-5.10] [D-5.11] [D-5.12] [P-1366]', async () => {
    await visit(page, '/botadmin/campaignmanagement/channel/app/campaign/search')
    await page
      .getByRole('main')
      .getByRole('button', { name: /^New/u })
      .or(page.getByRole('main').getByRole('link', { name: /^New/u }))
      .first()
      .click()
    await heading('New campaign')
    await button('Continue').click()
    await page.locator('[data-field="name"]').getByText('Name is required').waitFor()
    await page.locator('[data-field="template"]').getByText('Template is required').waitFor()
    await page.getByRole('textbox', { name: /^Name/u }).fill('lembrete de consulta')
    await page.getByRole('radio', { name: /consulta_vespera/u }).check()
    await button('Continue').click()
    await page.getByText('Campaign name should not contain spaces').first().waitFor()
    await page.getByRole('textbox', { name: /^Name/u }).fill('lembrete_consulta')
    expect(await violations(page)).toEqual([])
    await button('Continue').click()
    await page.getByText('0 contacts').first().waitFor()
    for (const [at, nome] of NAMES.entries())
      await contact(campaignId(), at, { nome, ...(at === 3 ? {} : { field01: 'Clínica geral' }) })
    await page.reload()
    await page.getByText('4 contacts').first().waitFor()
    await page.getByText('Contact 1 of 4').waitFor()
    const second = page.locator('[data-variable="2"]')
    await second.getByRole('combobox', { name: 'Filled with' }).selectOption('field01')
    expect(await violations(page)).toEqual([])
    await button('Continue').click()
    await page.getByText('Sending hours').first().waitFor()
    expect((await world.admin.get(`/campaign/${campaignId()}`)).body).toMatchObject({
      enabled: false,
      run_status: null,
    })
    await button('Continue').click()
    await page.getByText('3 ready').waitFor()
    await page.getByText('1 not sent').waitFor()
    await page.getByText('A variable has no value').waitFor()
    expect(await violations(page)).toEqual([])
    await button('Send 3 messages').waitFor()
  })

  test('its review sends a test to a telephone that its code has verified, not counted [P-2626]', async () => {
    const test = page.getByRole('region', { name: 'Send a test' })
    await test.getByRole('textbox', { name: 'Telephone number' }).fill('11 98765-9999')
    await test.getByRole('button', { name: 'Send a code' }).click()
    await test.getByText('+5511987659999 (not verified)').waitFor()
    const code = /\d{6}/u.exec(JSON.stringify(world.graph.accepted.at(-1)?.text))?.[0] ?? ''
    await test.getByRole('textbox', { name: 'Code that was sent' }).fill(code)
    await test.getByRole('button', { name: 'Verify' }).click()
    await test.getByRole('checkbox', { name: '+5511987659999' }).check()
    await test.getByRole('button', { name: 'Send test' }).click()
    await test.getByText('Sent to +5511987659999').waitFor()
    expect(world.graph.accepted.at(-1)).toMatchObject({ to: '+5511987659999', type: 'template' })
    expect(await violations(page)).toEqual([])
    world.graph.accepted.length = 0
    await button('Send 3 messages').click()
    await heading('lembrete_consulta')
    await eventually(() => world.graph.accepted.length).toBe(3)
  })

  test('its page shows what became of each message, narrowed by a press, and takes it along as CSV [D-4.08] [D-4.09] [P-1367] [P-2091]', async () => {
    await page.getByText('Completed').first().waitFor()
    await tile('WhatsApp queue').getByText('3', { exact: true }).waitFor()
    const recipients = page.getByRole('region', { name: 'Recipients' })
    await count(recipients.getByRole('listitem'), 4)
    await tile('WhatsApp queue').click()
    await count(recipients.getByRole('listitem'), 3)
    expect(new URL(page.url()).searchParams.get('status')).toBe('queuedAtWhatsapp')
    await recipients.getByText('Luana').waitFor()
    expect(await violations(page)).toEqual([])
    const search = recipients.getByRole('searchbox', { name: 'Name or number' })
    await search.fill('luana')
    await count(recipients.getByRole('listitem'), 1)
    await recipients.getByLabel('1 attempt').waitFor()
    await search.fill('nobody of this name')
    await recipients.getByText('No recipient matches').waitFor()
    await search.fill('')
    await count(recipients.getByRole('listitem'), 3)
    const [file] = await Promise.all([page.waitForEvent('download'), button('Export').click()])
    expect(file.suggestedFilename()).toBe('lembrete_consulta.csv')
    const csv = await readFile(await file.path(), 'utf8')
    expect(csv.trim().split('\n')).toHaveLength(4)
    await tile('WhatsApp queue').click()
    const failures = page.getByRole('region', { name: 'Failures by reason' })
    await failures.getByText('A variable has no value').waitFor()
  })

  test('each failure has one act or nothing to do, never one for all [P-1368]', async () => {
    const refused = {
      http: 400,
      body: { error: { code: 131026, message: 'Message undeliverable', type: 'OAuthException' } },
    }
    world.graph.replies.push(refused)
    const { body } = await world.admin.post('/campaign', {
      name: 'aviso',
      template,
      metaaccount: world.account,
      warmup: false,
      mapping: ['1', '2'].map(variable => ({ variable, source: 'nome' })),
    })
    for (const [at, nome] of NAMES.entries()) await contact(body.id, at, { nome })
    await visit(page, `/botadmin/campaign/${body.id}`)
    await page.getByRole('link', { name: 'Review and send' }).click()
    await page.getByRole('button', { name: /Review/u }).click()
    await button('Send 4 messages').click()
    await heading('aviso')
    await tile('Failed').getByText('1', { exact: true }).waitFor()
    const failures = page.getByRole('region', { name: 'Failures by reason' })
    await failures.getByText('131026').waitFor()
    expect(await failures.getByRole('button').count()).toBeLessThanOrEqual(1)
  })

  test('is paused at once, resumed, and cancelled with CONFIRM while its page updates [P-1369]', async () => {
    const { body } = await world.admin.post('/campaign', {
      name: 'lenta',
      template,
      metaaccount: world.account,
      rate: 1,
      warmup: false,
      mapping: ['1', '2'].map(variable => ({ variable, source: 'nome' })),
    })
    for (let at = 10; at < 60; at += 1) await contact(body.id, at, { nome: `Pessoa ${at}` })
    expect((await world.admin.post(`/campaign/${body.id}/start`, {})).status).toBe(200)
    await visit(page, `/botadmin/campaign/${body.id}`)
    await button('Pause').click()
    await page.getByText('Paused').first().waitFor()
    await button('Resume').click()
    await button('Pause').waitFor()
    await button('More actions for lenta').click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await dialog.getByRole('textbox').fill('CONFIRM')
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).last().click()
    await page.getByText('Cancelled').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await fitsWithin(page, 391)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('the list shows each with its bar and figures; of an app, and of a bot by the app it is assigned to [C-2.41] [C-2.43] [P-1370]', async () => {
    await visit(page, `/botadmin/campaignmanagement/channel/app/campaign/search?appid=${world.app}&appName=Lume`)
    const row = page.getByRole('row', { name: /lembrete_consulta/u })
    await row.getByRole('img', { name: 'WhatsApp queue 3, Failed 1' }).waitFor()
    await row.getByText('3 of 4 handed over to WhatsApp, 1 failed').waitFor()
    expect(new URL(page.url()).searchParams.get('metaaccount')).toBe(world.account)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await crumbs.getByText('All campaigns').waitFor()
    expect(await violations(page)).toEqual([])
    const bot = await world.made('/bot', { name: 'Saúde' })
    await visit(page, `/botadmin/bot/campaign/search?pid=${bot}`)
    await page.getByText('No app is assigned to this bot').waitFor()
    const { body } = await world.admin.get(`/metaapp/${world.app}`)
    expect(
      (await world.admin.patch(`/metaapp/${world.app}`, { bot_assigned: bot }, Number(body.revision))).status,
    ).toBe(200)
    await page.reload()
    await row.waitFor()
  })

  test('shows hours that end after midnight [P-2143]', async () => {
    const hours = { window: 'own', window_from: '20:00', window_to: '02:05' }
    const campaign = await world.made('/campaign', { name: 'noite', template, metaaccount: world.account, ...hours })
    await visit(page, `/botadmin/campaign/${campaign}`)
    await page.getByText('Sends only between 20h and 2h05').waitFor()
  })

  test('offers the remedy beside a failed check of an account, and names no author of its findings [P-2144]', async () => {
    world.graph.isSubscribed = false
    await visit(page, `/botadmin/metaaccount/${world.account}`)
    await button('Test connection').click()
    const findings = page.getByRole('alert').filter({ hasText: 'Something does not work' })
    await findings.getByRole('button', { name: 'Subscribe app' }).click()
    await page.getByText('Meta answers').waitFor()
    expect(world.graph.isSubscribed).toBe(true)
    await count(page.getByText('changed this'), 0)
    await count(button('Subscribe app'), 0)
    expect(await violations(page)).toEqual([])
  })
})
