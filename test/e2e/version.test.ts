import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'
import { BUILDER } from './rights.ts'

inBrowser('versions of a bot', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let ana: Designer
  let page: Page
  let made: Awaited<ReturnType<typeof makeDialog>>
  let second: string
  beforeAll(async () => {
    parley = await openParley()
    admin = await parley.signIn()
    const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
    made = await makeDialog(admin, CLINIC_FLOW)
    second = (await admin.post('/dialog', { name: 'Segundo', dialogtask: made.task })).body.id
    await admin.put(`/dialog/${second}/flow`, { ...CLINIC_FLOW, links: {} })
    browser = await openBrowser()
    const window = (username: string) => openWindow(browser, parley, { username, password: `${PASSWORD}x` })
    ana = await new Designer(await window('ana')).open(made.dialog)
    page = await window('joao')
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })

  const dialogs = async () =>
    (await admin.get(`/dialog?dialogtask=${made.task}&sort=name`)).body.items.map(({ name }) => String(name))

  test('the present state is kept under a name', async () => {
    await visit(page, `/botadmin/version/search?pid=${made.bot}`)
    await page.getByText('No versions yet', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Antes da reforma')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'If you apply Antes da reforma' }).waitFor()
    await page.getByText('No difference', { exact: true }).waitFor()
  })

  test('what applying would change is told flow by flow, and by kind [P-148]', async () => {
    await ana.select('bye')
    await ana.key('Delete')
    await ana.saved()
    await admin.delete(`/dialog/${second}`, { confirm: 'CONFIRM' })
    const third = (await admin.post('/dialog', { name: 'Terceiro', dialogtask: made.task })).body.id
    await admin.put(`/dialog/${third}/flow`, CLINIC_FLOW)
    await admin.post('/variable', { bot: made.bot, name: 'convenio' })
    await page.reload()
    const row = (name: string) => page.getByRole('row', { name })
    await row('Principal').getByText('Changes').waitFor()
    await row('Segundo').getByText('New flow').waitFor()
    await row('Terceiro').getByText('Goes away').waitFor()
    await row('Principal').getByText('+1').waitFor()
    await page.getByRole('row', { name: 'Variables 1' }).waitFor()
    await row('convenio').getByText('Goes away').waitFor()
  })

  test('applying it replaces all flows, live before those who have them open, and keeps the state before; a failure is said [C-4.06] [C-8.21]', async () => {
    await ana.page.evaluate(() => {
      document.documentElement.dataset.same = 'page'
    })
    await count(ana.block('bye'), 0)
    const apply = page.getByRole('button', { name: 'Apply version' })
    expect(await apply.isDisabled()).toBe(true)
    await page.route('**/api/version/*/apply', route => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
    await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    await apply.click()
    await page.getByRole('alert').getByText('could not apply the version, try later').click()
    await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    await apply.click()

    await ana.block('bye').waitFor()
    await count(ana.link('rate'), 1)
    await eventually(dialogs).toEqual(['Principal', 'Segundo'])
    expect(await ana.page.evaluate(() => document.documentElement.dataset.same), 'nothing was reloaded').toBe('page')
    expect(Object.keys((await flowOf(admin, made.dialog)).operators)).toHaveLength(30)
    await eventually(async () => (await admin.get(`/version?bot=${made.bot}`)).body.total).toBe(2)

    await ana.drag('bye', 60, 0)
    await ana.saved()
    const place = await ana.place('bye')
    expect((await flowOf(admin, made.dialog)).operators.bye).toMatchObject({ left: place.x, top: place.y })
  })
})
