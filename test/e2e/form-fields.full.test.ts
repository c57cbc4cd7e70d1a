import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, focused, holdBack, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

interface Pair {
  readonly revision: number
  readonly values: readonly { readonly id: string; readonly value: string; readonly title: string | null }[]
}

inBrowser('fields of an entity form', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole({ window: { width: 1440 } })
  const bot = (await admin.post('/bot', { name: 'Formulário' })).body.id

  const field = (name: string): Locator => page.locator(`[data-field="${name}"]`)
  const textOf = (name: string) => field(name).getByRole('textbox')
  const save = () => page.keyboard.press('Control+s')
  const makePair = async () => {
    const values = ['SP', 'RJ', 'MG'].map(value => ({ id: value, value }))
    const { id } = (await admin.post('/entityvaluepair', { bot, name: 'Estados', entity: 'estado', values })).body
    return id
  }
  const pairOf = async (id: string) => (await admin.get(`/entityvaluepair/${id}`)).body as unknown as Pair
  /** Titles that another user gives to items of a list. */
  const giveTitles = async (id: string, titles: Readonly<Record<string, string>>) => {
    const { values, revision } = await pairOf(id)
    const next = values.map(item => ({ ...item, title: titles[item.id] ?? item.title }))
    expect((await admin.patch(`/entityvaluepair/${id}`, { values: next }, revision)).status).toBe(200)
  }
  const titleOf = (place: number) => page.locator(`[data-member="${place}.title"]`).getByRole('textbox')
  const titlesIn = async (id: string) => (await pairOf(id)).values.map(({ title }) => title)

  test('keeps the field that is typed in while a control and its texts load [P-2022]', async () => {
    // given a control whose code has arrived, and whose texts have not
    const release = await holdBack(page, /\/assets\/contact-text-en-/u)
    const asked = page.waitForRequest(/\/assets\/contact-text-en-/u)
    await visit(page, '/botadmin/template/new')
    await textOf('templateName').click()
    await page.keyboard.type('boas')
    await asked
    // when
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.keyboard.type('_vindas')
    release()
    await page.getByText('The text has no variables.').waitFor()
    await page.keyboard.type('_2')
    // then
    expect(await textOf('templateName').inputValue()).toBe('boas_vindas_2')
    await focused(textOf('templateName'))
  })

  test('shows what is typed during a save as a change that is not saved, and saves it with the next one [P-2023]', async () => {
    const { id } = (await admin.post('/codesample', { name: 'Demora', description: 'antes' })).body
    await visit(page, `/botadmin/codesample/${id}`)
    await textOf('description').fill('um')
    const release = await holdBack(page, new RegExp(`/api/codesample/${id}`, 'u'))
    const sent = page.waitForRequest(request => request.method() === 'PATCH')
    await save()
    await sent
    await textOf('description').press('End')
    await page.keyboard.type(' dois')
    await textOf('name').fill('Demora mais')
    release()
    await page.getByText('2 unsaved changes').waitFor()
    await eventually(async () => (await admin.get(`/codesample/${id}`)).body).toMatchObject({
      name: 'Demora',
      description: 'um',
    })
    expect(await textOf('description').inputValue()).toBe('um dois')
    await save()
    await eventually(async () => (await admin.get(`/codesample/${id}`)).body).toMatchObject({
      name: 'Demora mais',
      description: 'um dois',
    })
    await count(page.getByText('unsaved change'), 0)
  })

  test('shows what is typed while a thing is created as a change of its page [P-2024]', async () => {
    await visit(page, '/botadmin/codesample/new')
    await textOf('name').fill('Novo')
    const release = await holdBack(page, /\/api\/codesample$/u)
    const sent = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/codesample'))
    await save()
    await sent
    await textOf('description').fill('tarde')
    release()
    await page.getByText('1 unsaved change').waitFor()
    expect(await textOf('description').inputValue()).toBe('tarde')
    await save()
    await eventually(async () => (await admin.get('/codesample?search=Novo')).body.items[0]).toMatchObject({
      description: 'tarde',
    })
  })

  test('keeps what is typed when another person removes the thing, and saves it once it is back [P-2025]', async () => {
    const { id } = (await admin.post('/codesample', { name: 'Some' })).body
    await visit(page, `/botadmin/codesample/${id}`)
    await textOf('description').fill('escrito')
    await admin.delete(`/codesample/${id}`)
    await page.getByText(/^Deleted by/u).waitFor()
    expect(await textOf('description').inputValue()).toBe('escrito')
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await count(page.getByText(/^Deleted by/u), 0)
    await save()
    await eventually(async () => (await admin.get(`/codesample/${id}`)).body).toMatchObject({ description: 'escrito' })
  })

  test('keeps a form while a failed reading of its parent is repeated [P-2026]', async () => {
    const parent = new RegExp(`/api/bot/${bot}$`, 'u')
    await page.route(parent, route => route.fulfill({ status: 500 }))
    await visit(page, `/botadmin/intentmapping/new?pid=${bot}`)
    await textOf('name').fill('Saudação')
    await page.unroute(parent)
    const release = await holdBack(page, parent)
    const again = page.waitForRequest(parent)
    const { revision } = (await admin.get(`/bot/${bot}`)).body
    expect((await admin.patch(`/bot/${bot}`, { description: 'mudado' }, revision)).status).toBe(200)
    await again
    release()
    await page.waitForResponse(parent)
    expect(await textOf('name').inputValue()).toBe('Saudação')
  })

  test('shows the fields that another one asks for, and clears what it leaves out [P-452]', async () => {
    // Intents of the bot's NLU project are offered; others can be typed.
    const intent = field('intent').getByRole('combobox')
    await visit(page, `/botadmin/intentmapping/new?pid=${bot}`)
    await textOf('name').fill('Saudação')
    await count(field('intent'), 0)
    await field('type').getByRole('combobox').selectOption('intent')
    await intent.fill('saudar')
    await field('type').getByRole('combobox').selectOption('usermessage')
    await count(field('intent'), 0)
    await page.getByText('No longer needed and cleared: Intent').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(() => intent.inputValue()).toBe('saudar')
    await field('type').getByRole('combobox').selectOption('usermessage')
    await textOf('usermessage').fill('oi')
    await field('action').getByRole('combobox').selectOption('randomresponses')
    await textOf('responses').fill('Olá!')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Create/u }).click()
    await eventually(async () => (await admin.get(`/intentmapping?bot=${bot}`)).body.items[0]).toMatchObject({
      type: 'usermessage',
      intent: null,
      usermessage: 'oi',
      responses: ['Olá!'],
    })
  })

  test.each([
    ['en', 'Create'],
    ['pt', 'Criar'],
    ['es', 'Crear'],
  ] as const)('says what is wrong in the words of the server: %s [P-453]', async (language, create) => {
    const wrong = { name: '', access_token_url: 'example', callback: 'ftp://a', headers: [{ name: '' }] }
    const answer = await admin.send('POST', '/oauth', {
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ bot, grant_type: 'password', ...wrong }),
    })
    const errors = answer.body.errors as unknown as readonly { path: string; message: string }[]
    expect(errors.map(({ path }) => path).sort()).toEqual(['access_token_url', 'callback', 'headers.0.name', 'name'])

    const window = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD, language })
    await visit(window, `/botadmin/oauth/new?pid=${bot}`)
    const box = (name: string) => window.locator(`[data-field="${name}"]`)
    await box('access_token_url').getByRole('textbox').fill(wrong.access_token_url)
    await box('callback').getByRole('textbox').fill(wrong.callback)
    await box('headers').getByRole('button').click()
    let sent = 0
    window.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/api/oauth')) sent += 1
    })
    await window.getByRole('button', { name: new RegExp(`^${create}`, 'u') }).click()
    for (const { path, message } of errors) {
      const [name = '', ...rest] = path.split('.')
      const place = rest.length === 0 ? box(name) : box(name).locator(`[data-member="${rest.join('.')}"]`)
      await place.getByText(message, { exact: true }).waitFor()
    }
    expect(sent).toBe(0)
    await window.context().close()
  })

  test('takes the value that another person saved, after the dialog was left [P-454]', async () => {
    const { id } = (await admin.post('/codesample', { name: 'Dois', description: 'antes' })).body
    await visit(page, `/botadmin/codesample/${id}`)
    await textOf('description').fill('minha')
    expect((await admin.patch(`/codesample/${id}`, { description: 'dela' }, 1)).status).toBe(200)
    await save()
    const dialog = page.getByRole('dialog', { name: 'Two people changed Description' })
    await dialog.getByText('antes').waitFor()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    expect(await textOf('description').inputValue()).toBe('minha')
    await field('description').getByText('dela').waitFor()
    await field('description').getByRole('button', { name: 'Use this' }).click()
    await eventually(() => textOf('description').inputValue()).toBe('dela')
    await count(field('description').getByRole('button', { name: 'Use this' }), 0)
    expect((await admin.get(`/codesample/${id}`)).body).toMatchObject({ description: 'dela', revision: 2 })
  })

  test('merges other items of a list, and lets one choose for each that both changed [P-451]', async () => {
    const id = await makePair()
    await visit(page, `/botadmin/entityvaluepair/${id}`)
    // Another item each: both are there.
    await titleOf(0).fill('São Paulo')
    await giveTitles(id, { RJ: 'Rio' })
    await save()
    await eventually(() => titlesIn(id)).toEqual(['São Paulo', 'Rio', null])
    await eventually(() => titleOf(1).inputValue()).toBe('Rio')
    // The same two items, and another one.
    await titleOf(0).fill('Sampa')
    await titleOf(1).fill('Rio de Janeiro')
    await giveTitles(id, { SP: 'São Paulo (SP)', RJ: 'Rio (RJ)', MG: 'Minas' })
    await save()
    const dialog = page.getByRole('dialog', { name: 'Two people changed Values' })
    const first = dialog.getByRole('group', { name: 'Values › SP' })
    const second = dialog.getByRole('group', { name: 'Values › RJ' })
    await first.getByText('Sampa').waitFor()
    await first.getByText('São Paulo (SP)').click()
    await second.getByText('Rio (RJ)').waitFor()
    await count(dialog.getByText('Minas'), 0)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save this choice' }).click()
    await eventually(() => titlesIn(id)).toEqual(['São Paulo (SP)', 'Rio de Janeiro', 'Minas'])
    await eventually(() => titleOf(2).inputValue()).toBe('Minas')
    // Left for later, an item is taken beside its list, and one's other items stay.
    await titleOf(0).fill('Meu')
    await titleOf(2).fill('Minas Gerais')
    await giveTitles(id, { SP: 'Dela' })
    await save()
    await page
      .getByRole('dialog', { name: 'Two people changed Values › SP' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await field('values').getByRole('button', { name: 'Use this' }).click()
    await eventually(() => titleOf(0).inputValue()).toBe('Dela')
    await save()
    await eventually(() => titlesIn(id)).toEqual(['Dela', 'Rio de Janeiro', 'Minas Gerais'])
  })
})
