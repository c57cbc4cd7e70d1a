import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'
import { BUILDER } from './rights.ts'

/** Beside what builders may do anyway: to know what is declared, they read what is declared for all bots. */
const MORE = [
  ...['read', 'create', 'update'].map(verb => `${verb}localemessage`),
  'showlocalemessage',
  'readglobalvariable',
]

inBrowser('a day of someone who builds bots', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let page: Page
  let dialog: string
  let bot: string
  beforeAll(async () => {
    parley = await openParley()
    admin = await parley.signIn()
    const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    await person(parley, admin, { username: 'bia', level, actions: [...BUILDER, ...MORE] })
    ;({ bot, dialog } = await makeDialog(admin, CLINIC_FLOW))
    browser = await openBrowser()
    page = await openWindow(browser, parley, { username: 'bia', password: `${PASSWORD}x` })
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })
  const menu = () => page.getByRole('navigation', { name: 'Main menu' })
  const create = () => page.getByRole('button', { name: /^Create/u }).click()

  test('a variable and a message of the bot are made, and the dialog is drawn with them, through the menus alone [C-1.02]', async () => {
    await visit(page, '/botadmin/')
    await menu().getByRole('link', { name: 'Bots' }).click()
    await page.getByRole('link', { name: 'Clínica', exact: true }).click()

    await menu().getByRole('link', { name: 'Variables', exact: true }).click()
    await page
      .getByRole('button', { name: /^New variable/u })
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('convenio')
    await create()
    await eventually(async () => (await admin.get(`/variable?bot=${bot}`)).body.items).toMatchObject([
      { name: 'convenio' },
    ])

    await menu().getByRole('link', { name: 'All bots' }).click()
    await menu().getByRole('link', { name: 'Bot Messages' }).click()
    await page
      .getByRole('button', { name: /^New locale message/u })
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('boasvindas')
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Bem-vindo à clínica')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('pt')
    await create()
    await eventually(async () => (await admin.get('/localemessage?search=boas')).body.items[0]).toMatchObject({
      code: 'boasvindas',
      message: 'Bem-vindo à clínica',
    })

    await menu().getByRole('link', { name: 'Bots' }).click()
    await page.getByRole('link', { name: 'Clínica', exact: true }).click()
    await menu().getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('link', { name: 'Agenda', exact: true }).click()
    await page.getByRole('link', { name: 'Principal' }).click()
    const designer = new Designer(page)
    await designer.block('hello').waitFor()
    await designer.select('hello')
    await designer.add('text')
    // Playwright puts an accented letter straight into what has the focus, without the key that a keyboard sends.
    await page.locator('.pl-rich:focus').waitFor()
    await page.keyboard.type('Seu convênio é {{con')
    await page.getByRole('option', { name: /convenio/u }).click()
    await page.keyboard.type(', certo?')
    await designer.saved()
    const texts = async () => Object.values((await flowOf(admin, dialog)).operators).map(each => each.properties?.text)
    await eventually(texts).toContain('Seu convênio é {{convenio}}, certo?')
    // Declared in the bot, it is known here; what is not is told.
    await page.keyboard.type(' {{plano}}')
    await designer.inspector.getByText(/knows “plano”/u).waitFor()
    await count(designer.inspector.getByText(/knows “convenio”/u), 0)
  })
})
