import { test } from 'vitest'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { BUILDER, Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

/** Beside what builders may do anyway: to know what is declared, they read what is declared for all bots. */
const MORE = [
  ...['read', 'create', 'update'].map(verb => `${verb}localemessage`),
  'showlocalemessage',
  'readglobalvariable',
  ...['read', 'create', 'update'].flatMap(verb => [`${verb}integration`, `${verb}intent`]),
  ...['shownlu', 'readnluproject'],
]

inBrowser('a day of someone who builds bots', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  await person(parley, admin, { username: 'bia', level, actions: [...BUILDER, ...MORE] })
  const { bot, dialog } = await makeDialog(admin, CLINIC_FLOW)
  const project = (await admin.post('/nluproject', { name: 'Consultas', locale: 'pt' })).body.id
  const path = `/bot/${bot}`
  await admin.patch(path, { nluproject: project }, (await admin.get(path)).body.revision)
  const page = await openWindow(browser, parley, { username: 'bia', password: `${PASSWORD}x` })
  const menu = () => page.getByRole('navigation', { name: 'Main menu' })
  const create = () => page.getByRole('button', { name: /^Create/u }).click()
  const openBot = async () => {
    await menu().getByRole('link', { name: 'Bots' }).click()
    await page.getByRole('link', { name: 'Clínica', exact: true }).click()
  }

  test('an intent of the project of the bot and an integration are made and changed through the menus alone [C-1.02]', async () => {
    await page.goto('/botadmin/')
    await menu().getByRole('link', { name: 'NLU Projects' }).click()
    await page.getByRole('link', { name: 'Consultas' }).first().click()
    await page.getByRole('link', { name: /^Intents/u }).click()
    await page.getByRole('button', { name: 'New intent' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('marcar')
    await create()
    const intent = async () => (await admin.get(`/intent?nluproject=${project}`)).body.items[0]
    await eventually(intent).toMatchObject({ name: 'marcar', statements: [] })
    const line = page.getByRole('textbox', { name: 'New line' })
    await line.fill('quero marcar consulta')
    await line.press('Enter')
    await eventually(intent).toMatchObject({ statements: [{ text: 'quero marcar consulta' }] })

    await openBot()
    await menu().getByRole('link', { name: 'Integrations' }).click()
    await page
      .getByRole('button', { name: /^New integration/u })
      .first()
      .click()
    const provider = page.locator('[data-field="map_provider"] input')
    await provider.fill('mapbox')
    await create()
    const integration = async () => (await admin.get(`/integration?bot=${bot}`)).body.items[0]
    await eventually(integration).toMatchObject({ map_provider: 'mapbox' })
    await page.getByRole('heading', { level: 1, name: 'mapbox' }).waitFor()
    await page.locator('[data-field="google_analytics_id"] input').fill('G-ABC123')
    await page.keyboard.press('Control+s')
    await eventually(integration).toMatchObject({ map_provider: 'mapbox', google_analytics_id: 'G-ABC123' })
  })

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
    // Declared variables are known here; others are reported.
    await page.keyboard.type(' {{plano}}')
    await designer.inspector.getByText(/knows “plano”/u).waitFor()
    await count(designer.inspector.getByText(/knows “convenio”/u), 0)
  })
})
