import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'

const LINES = ['quero marcar consulta', 'minha filha quer um [dentista](especialidade) hoje', 'marcar um exame agora']

inBrowser('the statement designer', { timeout: LONG }, async () => {
  const { parley, admin } = await openAdmin()
  const project = (await admin.post('/nluproject', { name: 'Saúde', locale: 'pt' })).body.id
  const make = async (entity: string, fields: object) =>
    (await admin.post(`/${entity}`, { nluproject: project, ...fields })).body.id
  await make('nluprojectentity', { name: 'especialidade' })
  await make('nluprojectentity', { name: 'quando' })
  const intent = await make('intent', { name: 'marcar', statements: LINES.map(text => ({ text })) })
  await make('intent', { name: 'remarcar', statements: [{ text: 'quero remarcar a consulta de hoje' }] })
  const page = await openWindow(await openBrowser(), parley, { username: 'admin', password: ADMIN_PASSWORD })

  const texts = async () =>
    ((await admin.get(`/intent/${intent}`)).body.statements as readonly { text: string }[]).map(({ text }) => text)
  const lines = () => page.getByRole('list', { name: 'Lines' })

  test('is opened from the project, with its intents and their lines beside it [C-2.73] [C-2.74] [C-2.97]', async () => {
    await visit(page, '/botadmin/nluproject/search')
    await page.getByRole('link', { name: 'Saúde' }).first().click()
    await page.getByRole('link', { name: /^Intents/ }).click()
    await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/nluproject/intent/${project}`)
    await page
      .getByRole('navigation', { name: 'Intents' })
      .getByRole('link', { name: /^marcar/ })
      .click()
    await lines().getByText('quero marcar consulta').waitFor()
    await visit(page, `/botadmin/intent/statementdesigner/${intent}`)
    await lines().getByText('quero marcar consulta').waitFor()
    await visit(page, `/botadmin/intent/responsedesigner/${intent}`)
    await page.getByRole('heading', { level: 1, name: 'marcar' }).waitFor()
    for (const list of ['nluprojectentity', 'regex', 'synonym']) {
      await visit(page, `/botadmin/nluproject/${list}/${project}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
  })

  test('says of a new line while it is typed whether it is new and where it looks like [P-755]', async () => {
    await visit(page, `/botadmin/intent/statementdesigner/${intent}`)
    const field = page.getByRole('textbox', { name: 'New line' })
    await field.fill('Quero MARCAR consulta')
    await page.getByText('already here').waitFor()
    await field.fill('quero remarcar consulta de hoje')
    await page.getByText(/looks like remarcar, 0\.83/).waitFor()
    await field.fill('preciso de [pediatra](especialidade)')
    await page.getByText('new', { exact: true }).waitFor()
    await field.press('Enter')
    await eventually(texts).toContain('preciso de [pediatra](especialidade)')
    await expect.poll(() => field.inputValue()).toBe('')
  })

  test('marks a part by the keyboard alone: selected, then a digit; marks survive editing [P-753]', async () => {
    const line = lines().getByRole('button', { name: /marcar um exame agora/ })
    await line.focus()
    await page.keyboard.press('Enter')
    const input = page.getByRole('textbox', { name: 'Edit the line' })
    await input.press('End')
    for (let at = 0; at < 'agora'.length; at += 1) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('2')
    await page.keyboard.press('Home')
    await page.keyboard.type('quero ')
    await page.keyboard.press('Enter')
    await eventually(texts).toContain('quero marcar um exame [agora](quando)')
  })

  test('marks a part that is selected with the pointer, with an entity that is new [P-753]', async () => {
    const box = await lines().getByText('quero marcar consulta').boundingBox()
    if (box === null) throw new Error('the line is not shown')
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2)
    // On a busy page the timer of the first press comes while the button is down again.
    const inTime = await page.evaluateHandle(() => window.setTimeout)
    await inTime.evaluate(start =>
      Object.assign(window, { setTimeout: (run: () => void, ms = 0) => start(run, ms + 100) }),
    )
    await page.mouse.down()
    await page.mouse.up()
    await page.mouse.down({ clickCount: 2 })
    await page.evaluate(() => new Promise<void>(done => setTimeout(done, 100)))
    await page.mouse.up({ clickCount: 2 })
    await inTime.evaluate(start => Object.assign(window, { setTimeout: start }))
    await page.getByRole('combobox', { name: 'Find or name an entity' }).waitFor()
    await page.keyboard.type('ato')
    await page.keyboard.press('Enter')
    await eventually(texts).toContain('quero marcar [consulta](ato)')
    const names = async () =>
      (await admin.get(`/nluprojectentity?nluproject=${project}`)).body.items.map(one => one.name)
    await eventually(names).toContain('ato')
  })

  test('keeps the lines that two people write into one intent at once [P-751]', async () => {
    const other = await page.context().newPage()
    await visit(other, `/botadmin/intent/statementdesigner/${intent}`)
    const add = async (window: Page, text: string) => {
      await window.getByRole('textbox', { name: 'New line' }).fill(text)
      await window.getByRole('textbox', { name: 'New line' }).press('Enter')
    }
    await other.getByRole('textbox', { name: 'New line' }).waitFor()
    await Promise.all([add(page, 'de uma pessoa'), add(other, 'de outra pessoa')])
    await eventually(texts).toEqual(expect.arrayContaining(['de uma pessoa', 'de outra pessoa']))
    await other.getByText('de uma pessoa').waitFor()
    await page.getByText('de outra pessoa').waitFor()
    await other.close()
  })

  test('imports a file after showing what it brings [N-6.5]', async () => {
    await visit(page, `/botadmin/nluproject/intent/${project}`)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import training data' })
    const give = (text: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'dados.yml', mimeType: 'text/yaml', buffer: Buffer.from(text) })
    await give('nlu: [\n')
    await dialog
      .getByRole('alert')
      .getByText(/dados\.yml: line \d cannot be read/)
      .waitFor()
    expect(await dialog.getByRole('button', { name: 'Take it in' }).isDisabled()).toBe(true)
    await give('nlu:\n- intent: agradecer\n  examples: |\n    - obrigada\n')
    await dialog.getByText('agradecer').waitFor()
    await dialog.getByRole('button', { name: 'Take it in' }).click()
    await page
      .getByRole('navigation', { name: 'Intents' })
      .getByRole('link', { name: /^agradecer/ })
      .waitFor()
  })

  test('of a brain holds its questions [C-2.76]', async () => {
    const brain = (await admin.post('/brain', { name: 'Dúvidas', locale: 'pt' })).body.id
    await admin.post('/nluintent', { brain, name: 'horário', statements: [{ text: 'que horas abre?' }] })
    await visit(page, `/botadmin/brain/nluintent/${brain}`)
    await page.getByRole('link', { name: /^horário/ }).click()
    await lines().getByText('que horas abre?').waitFor()
  })

  test('shows fields that are read-only as such, choices among them [P-1926]', async () => {
    await visit(page, `/botadmin/nluproject/${project}`)
    const training = page.locator('[data-field=training_status] select')
    await training.waitFor()
    expect(await training.isDisabled()).toBe(true)
    const colorOf = (field: string) =>
      page
        .locator(`[data-field=${field}] :is(select, input, textarea)`)
        .evaluate(each => getComputedStyle(each).backgroundColor)
    expect(await colorOf('training_status')).toBe(await colorOf('training_error'))
    expect(await colorOf('training_status')).not.toBe(await colorOf('locale'))
  })
})
