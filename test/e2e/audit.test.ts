import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { isFull } from '#test/fixture/full.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('the audit page', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const { dialog } = await admin.createDialog({ name: 'Lume' }, 'Loja', 'Menu')
  const text = (title: string, words: string, left: number) => ({
    type: 'text',
    title,
    top: 300,
    left,
    properties: { text: words },
  })
  const flow = (await admin.get(`/dialog/${dialog}/flow`)).body
  const draw = async (operators: object) => {
    const drawn = await admin.put(`/dialog/${dialog}/flow`, {
      ...flow,
      operators: { ...flow.operators, ...operators },
    })
    expect(drawn.status).toBe(200)
  }
  await draw({ oi: text('Saudação', 'Olá', 0), fim: text('Despedida', 'Tchau', 300) })
  await draw({ oi: text('Saudação', 'Bom dia', 0), fim: text('Despedida', 'Tchau', 600) })

  const lines = () => page.getByRole('main').locator('li [aria-expanded]')

  test('shows an edit of a flow block by block, before and after, and counts moved blocks [P-591]', async () => {
    await visit(page, `/botadmin/audit?entity=dialog&entityid=${dialog}`)
    await page.getByText('1 block changed, 1 block moved').first().waitFor()
    await lines().first().click()
    const change = page.getByRole('list').filter({ hasText: 'Saudação · Text' }).last()
    await change.getByText('Message', { exact: true }).waitFor()
    expect(await change.locator('del').allTextContents()).toEqual(['Olá'])
    expect(await change.locator('ins').allTextContents()).toEqual(['Bom dia'])
    expect(await change.getByText('Despedida').count()).toBe(0)
    expect(await page.getByRole('main').textContent()).not.toMatch(/\[object|\{"/u)
    await page.getByText('2 blocks added').first().waitFor()
  })

  test('opens a line on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await lines().first().click()
    await page.locator('del').getByText('Olá').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('shows no line of the filter before while those of another one are on their way [P-592]', async () => {
    await visit(page, '/botadmin/audit?entity=dialog')
    await page.getByText('dialog.created').first().waitFor()
    const waiting = Promise.withResolvers<void>()
    await page.route('**/api/audit?*', async route => {
      await waiting.promise
      await route.continue()
    })
    await page.getByRole('button', { name: /Entity: Dialog/u }).click()
    await page.getByRole('menuitemradio', { name: 'Bot', exact: true }).click()
    await eventually(() => new URL(page.url()).searchParams.get('entity')).toBe('bot')
    await count(page.getByText('dialog.created'), 0)
    waiting.resolve()
    await page.getByText('bot.created').first().waitFor()
    await page.unroute('**/api/audit?*')
  })

  test('saves its filters under a name, and opens with one of them [P-2099]', async () => {
    await visit(page, '/botadmin/audit?entity=dialog&action=created')
    await page.getByRole('button', { name: 'Saved views', exact: true }).click()
    const views = page.getByRole('group', { name: 'Saved views' })
    await views.getByRole('textbox').fill('New dialogs')
    await views.getByRole('button', { name: 'Save view' }).click()
    await views.getByRole('button', { name: 'Open the list with New dialogs' }).click()
    await page.keyboard.press('Escape')
    await visit(page, '/botadmin/audit')
    await eventually(() => new URL(page.url()).searchParams.toString()).toBe('entity=dialog&action=created')
    // An address with a filter keeps it.
    await visit(page, '/botadmin/audit?entity=bot')
    await page.getByRole('button', { name: 'Saved views', exact: true }).click()
    expect(new URL(page.url()).searchParams.toString()).toBe('entity=bot')
    await views.getByRole('button', { name: 'Remove New dialogs' }).click()
    await page.keyboard.press('Escape')
    await visit(page, '/botadmin/audit')
    await page.getByRole('button', { name: 'Saved views', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('opens each filter on the first page of a visit [P-2140]', async () => {
    const names = ['From – to', 'Person', 'Entity', 'Action', 'Level', 'Groups', 'Roles']
    for (const name of isFull ? names : names.slice(0, 3)) {
      await visit(page, '/botadmin/audit')
      const filter = page.getByRole('button', { name, exact: true })
      await filter.click()
      const open = page.locator('[popover]:popover-open')
      await open.locator('input, [role=menuitemradio]').first().waitFor()
      await eventually(() => open.evaluate(popover => popover.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('Escape')
      await eventually(() => filter.getAttribute('aria-expanded')).toBe('false')
    }
  })

  test('names the bot whose conversations were exported, and the kind in the language of the reader [P-2145]', async () => {
    const bot = (await admin.get('/bot?size=50')).body.items.find(({ name }) => name === 'Lume')?.id
    expect((await admin.get(`/conversation/export?bot=${bot}`)).status).toBe(200)
    const reader = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD, language: 'pt' })
    await visit(reader, '/botadmin/audit?entity=conversation')
    const line = reader.getByRole('main').getByRole('listitem').filter({ hasText: 'conversa · exportou' }).first()
    await line.getByText('Lume', { exact: true }).waitFor()
    await line.getByText('Bot', { exact: true }).waitFor()
    await reader.context().close()
  })

  test('translates lines about opted-out numbers [P-2207]', async () => {
    const phone = '+5511987650001'
    expect((await admin.post('/suppression', { phone, reason: 'Pediu na loja', scope: 'marketing' })).status).toBe(200)
    const reader = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD, language: 'pt' })
    await visit(reader, '/botadmin/audit?entity=suppression')
    const line = reader.getByRole('main').getByRole('listitem').filter({ hasText: 'descadastrou' }).first()
    await line.getByText('Motivo, Mensagens que param').waitFor()
    await line.getByRole('button', { expanded: false }).click()
    await line.getByText('Marketing', { exact: true }).waitFor()
    await line.getByText('Pediu na loja').waitFor()
    await reader.context().close()
  })

  test('says that someone failed to sign in, not the program [P-2214]', async () => {
    for (const username of ['admin', 'nobody-has-it'])
      expect((await parley.anyone.post('/auth/login', { username, password: 'wrong' })).status).toBe(401)
    await visit(page, '/botadmin/audit?action=signinfailed')
    const rows = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: / · failed/u })
    await count(rows, 2)
    for (const row of await rows.all()) {
      await row.getByText('Someone', { exact: true }).waitFor()
      await count(row.getByText('Parley', { exact: true }), 0)
    }
  })

  test('shows who may do what since when, narrows it to who may export and has service accounts [P-2892]', async () => {
    const me = ((await admin.get('/auth/user')).body.user as { id: string }).id
    const role = await admin.create('role', { name: 'Conteúdo', actions: ['readbot', 'updatebot'] })
    const group = await admin.create('usergroup', { name: 'Redação', roles: [role] })
    await admin.create('user', { username: 'revisada', password: 'Segredo-2026!', usergroup: [group] })
    await admin.create('serviceaccount', { name: 'Conta da redação', owner: me, usergroup: [group] })
    await visit(page, '/botadmin/audit')
    await page.getByRole('link', { name: 'Access review' }).click()
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('revisada')
    const people = page.getByRole('list', { name: 'People' })
    const person = people.locator(':scope > li')
    await person.getByText('through Redação').waitFor()
    await expect.poll(() => person.count()).toBe(1)
    expect(await person.textContent()).toMatch(/Conteúdo \d+ rights · through Redação · since /u)
    await person.getByText('1 right unused').click()
    await person.getByText('Change: Bots').waitFor()
    await page.getByText('Only who may export').click()
    await page.getByText('Nobody matches.').waitFor()
    await page.getByRole('button', { name: 'Service accounts' }).click()
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('Conta da')
    await page.getByRole('list', { name: 'Service accounts' }).getByText('Last use: never').waitFor()
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
  })
})
