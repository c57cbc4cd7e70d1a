import { afterAll, expect, test, vi } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { startInProcess } from '#test/entity/gateway.ts'
import { closeWindows, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { buildConsole } from './own-console.ts'

vi.mock('#schemas/entities/registry.ts', async load => {
  const [{ extendRegistry }, { PLACED_ENTITIES }] = await Promise.all([
    import('#test/entity/extend-registry.ts'),
    import('#test/entity/placed-entities.ts'),
  ])
  return extendRegistry(await load(), PLACED_ENTITIES)
})

inBrowser('entities that are declared and nothing else', { timeout: LONG }, async () => {
  const shown = await buildConsole('placed-registry.ts')
  const parley = await startInProcess()
  const bot = (await parley.admin.post('/bot', { name: 'Aurora' })).body.id
  const browser = await openBrowser()
  const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
  await shown.serveTo(page)
  afterAll(async () => {
    await closeWindows()
    await parley.close()
    await shown?.remove()
  })

  const menu = () => page.getByRole('navigation', { name: 'Main menu' })
  const crumbs = async () =>
    (await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()).map(text =>
      text.trim(),
    )
  const make = async (name: string) => {
    await page.getByRole('button', { name: /^New /u }).first().click()
    await page.getByRole('textbox', { name: 'name', exact: true }).fill(name)
    await page.getByRole('button', { name: /^Create/u }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  test('the side menu and a hub lead to their lists [P-117]', async () => {
    await visit(page, '/botadmin/')
    await menu().getByRole('link', { name: 'announcement' }).click()
    await make('Mudança')
    await eventually(crumbs).toEqual(['Home', 'announcement', 'Mudança'])
    await menu().getByRole('link', { name: 'Application Settings' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^depot/u })
      .click()
    await make('Sul')
    await eventually(crumbs).toEqual(['Home', 'Application Settings', 'depot', 'Sul'])
  })

  test('shows child entities as a tab of the page with their number [P-117]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    await menu().getByRole('link', { name: 'shelf' }).click()
    await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/bot/shelf/${bot}`)
    await make('Alto')
    const tabs = page.getByRole('navigation', { name: 'shelf', exact: true })
    await tabs.getByRole('link', { name: /^crate/u }).click()
    await make('Vermelho')
    await page.getByRole('button', { name: 'Show what lies between' }).click()
    await page.getByRole('menuitem', { name: 'Alto' }).click()
    await page.getByRole('heading', { level: 1, name: 'Alto' }).waitFor()
    await tabs.getByRole('link', { name: 'ticket 0' }).waitFor()
    await tabs.getByRole('link', { name: 'crate 1' }).click()
    await page.getByRole('link', { name: 'Vermelho' }).first().waitFor()
    await tabs.getByRole('link', { name: 'shelf' }).click()
    await page.getByRole('heading', { level: 1, name: 'Alto' }).waitFor()
  })

  test('an entity of which there is one leads to its form [P-117]', async () => {
    await visit(page, `/botadmin/bot/settings/${bot}`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^botpreference/u })
      .click()
    const greeting = page.getByRole('textbox', { name: 'greeting', exact: true })
    await eventually(() => greeting.inputValue()).toBe('hello')
    await eventually(crumbs).toEqual(['Home', 'Bots', 'Aurora', 'botpreference'])
    await greeting.fill('Bom dia')
    await page.keyboard.press('Control+s')
    await eventually(async () => (await parley.admin.get(`/botpreference?bot=${bot}`)).body.items[0]).toMatchObject({
      greeting: 'Bom dia',
      revision: 1,
    })
    await visit(page, '/botadmin/admin')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^sitepreference/u })
      .click()
    await eventually(() => greeting.inputValue()).toBe('hello')
    expect(new URL(page.url()).pathname).toBe('/botadmin/sitepreference')
  })

  test('a field offers what goes with another one, and is cleared when its value does not [P-452]', async () => {
    await visit(page, '/botadmin/office/new')
    const select = (name: string) => page.locator(`[data-field="${name}"]`).getByRole('combobox')
    const offered = () => select('state').getByRole('option').allInnerTexts()
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Central')
    expect(await select('state').count()).toBe(0)
    await select('country').selectOption('BR')
    await eventually(offered).toEqual(['None', 'SP', 'RJ'])
    await select('state').selectOption('RJ')
    await select('country').selectOption('US')
    await page.getByText('No longer needed and cleared: state').waitFor()
    await eventually(offered).toEqual(['None', 'CA'])
    expect(await select('state').inputValue()).toBe('')
    await select('state').selectOption('CA')
    await page.getByRole('button', { name: /^Create/u }).click()
    await eventually(async () => (await parley.admin.get('/office')).body.items[0]).toMatchObject({
      country: 'US',
      state: 'CA',
    })
  })

  test('an action asks for its input and CONFIRM on the page, in the row and for several at once [P-314]', async () => {
    await visit(page, '/botadmin/depot/search')
    await make('Leste')
    const dialog = page.getByRole('alertdialog')
    const reason = dialog.getByRole('textbox', { name: 'reason', exact: true })
    // On the page: the first action is a button, and an error appears at its field.
    await page.getByRole('button', { name: 'close', exact: true }).click()
    await dialog.getByRole('textbox', { name: /CONFIRM/u }).fill('CONFIRM')
    await dialog.getByRole('button', { name: 'close', exact: true }).click()
    await dialog.getByText('This is required').waitFor()
    await reason.fill('Inventory')
    await dialog.getByRole('button', { name: 'close', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'reopen', exact: true }).click()
    await page.getByRole('button', { name: 'close', exact: true }).waitFor()
    // In the row's menu.
    await visit(page, '/botadmin/depot/search')
    await page.getByRole('button', { name: 'More actions for Leste' }).first().click()
    await page.getByRole('menuitem', { name: 'close', exact: true }).click()
    await reason.fill('Again')
    await dialog.getByRole('textbox', { name: /CONFIRM/u }).fill('CONFIRM')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const rows = async () => (await parley.admin.get('/depot?name=Leste')).body.items
    await eventually(rows).toMatchObject([{ closed: true, reason: 'Again' }])
    // On several at once, without fields to fill in.
    await page.getByRole('checkbox', { name: /Leste/u }).first().click()
    await page.getByRole('button', { name: 'reopen', exact: true }).click()
    await dialog.getByRole('button', { name: 'reopen', exact: true }).click()
    await eventually(rows).toMatchObject([{ closed: false, reason: null }])
  })
})
