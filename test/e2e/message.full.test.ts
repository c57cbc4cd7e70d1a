import { beforeAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, fitsWithin, focused, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

const CODES = 500

inBrowser('locale messages by language', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  let bot: string
  beforeAll(async () => {
    const lines = Array.from({ length: CODES }, (_, at) => {
      const code = `step.${String(at + 1).padStart(3, '0')}`
      return [`pt,fala,${code},Texto ${at + 1},true`, ...(at % 2 === 0 ? [`en,fala,${code},Text ${at + 1},true`] : [])]
    }).flat()
    const text = ['locale,namespace,code,message,enabled', ...lines].join('\r\n')
    const imported = await admin.send('POST', '/localemessage/import', {
      body: text,
      headers: { 'content-type': 'text/csv' },
    })
    expect(imported.status, imported.text).toBe(200)
    bot = (await admin.post('/bot', { name: 'Vendas' })).body.id
  }, LONG)

  const cell = (code: string, language: 'English' | 'Portuguese', on = page) =>
    on
      .getByRole('row')
      .filter({ has: on.getByRole('rowheader', { name: code }) })
      .getByRole('gridcell')
      .nth(language === 'English' ? 0 : 1)
  const stored = async (entity: string, query: string) => (await admin.get(`/${entity}?${query}`)).body.items[0]

  test('shows 500 codes page by page, and those alone that miss a text [P-440]', async () => {
    await visit(page, '/botadmin/localemessage/search')
    await page.getByRole('button', { name: 'By language' }).click()
    await page.getByText('1–25 of 500').waitFor()
    await cell('step.002', 'English').getByText('Missing').waitFor()
    await page.getByRole('button', { name: 'No English 250' }).click()
    await page.getByText('1–25 of 250').waitFor()
    await page.getByRole('searchbox').fill('step.01')
    await page.getByText('1–5 of 5').waitFor()
    await page.reload()
    await page.getByText('1–5 of 5').waitFor()
    await count(page.getByRole('row'), 6)
  })

  test('is filled in by keyboard: arrows, Enter, Escape, with the same checks as the form [P-441]', async () => {
    await visit(page, '/botadmin/localemessage/search?view=matrix')
    await cell('step.001', 'English').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'step.001, English' }).fill('')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This is required').waitFor()
    await page.keyboard.press('Escape')
    await focused(cell('step.001', 'English'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const box = page.getByRole('textbox', { name: 'step.002, English' })
    await focused(box)
    await box.fill('Second text')
    await page.keyboard.press('Enter')
    await cell('step.002', 'English').getByText('Second text').waitFor()
    await focused(cell('step.002', 'English'))
    expect(await stored('localemessage', 'search=Second')).toMatchObject({ locale: 'en', code: 'step.002' })
  })

  test('shows a text changed by another person before it is overwritten [P-441]', async () => {
    await visit(page, '/botadmin/localemessage/search?view=matrix&search=step.003')
    await cell('step.003', 'Portuguese').click()
    const box = page.getByRole('textbox', { name: 'step.003, Portuguese' })
    await box.fill('Mine')
    const row = (await stored('localemessage', 'search=step.003&locale=pt')) as { id: string; revision: number }
    await admin.patch(`/localemessage/${row.id}`, { message: 'Theirs' }, row.revision)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Theirs').waitFor()
    expect((await admin.get(`/localemessage/${row.id}`)).body).toMatchObject({ message: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await cell('step.003', 'Portuguese').getByText('Mine').waitFor()
    // The cell shows the new text while it is still being written.
    const written = async () => (await admin.get(`/localemessage/${row.id}`)).body
    await eventually(written).toMatchObject({ message: 'Mine', revision: 3 })
  })

  test("a bot's own text takes the place of the general one and goes back to it, on a phone too [C-3.46] [P-441]", async () => {
    const phone = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD, width: 390, height: 844 },
    })
    await visit(phone, `/botadmin/bot/settings/botspecificlocalemessage/${bot}?search=step.005`)
    await phone.getByRole('button', { name: 'By language' }).click()
    const english = cell('step.005', 'English', phone)
    await english.getByText('General').waitFor()
    await english.click()
    await phone.getByText('General text: Text 5').waitFor()
    await phone.getByRole('textbox', { name: 'step.005, English' }).fill('Text of Vendas')
    await phone.getByRole('button', { name: 'Save' }).click()
    await english.getByText('This bot').waitFor()
    expect(await stored('botspecificlocalemessage', `bot=${bot}`)).toMatchObject({ message: 'Text of Vendas' })
    await fitsWithin(phone, 390)
    await english.click()
    await phone.getByRole('button', { name: 'Use the general text' }).click()
    await english.getByText('Text 5').waitFor()
    await eventually(async () => (await admin.get(`/botspecificlocalemessage?bot=${bot}`)).body.total).toBe(0)
    await phone.context().close()
  })

  test('a code is added with its texts, and the list is exported and imported from the same page [P-441]', async () => {
    await visit(page, '/botadmin/localemessage/search?view=matrix')
    await page.getByRole('button', { name: 'Add a code' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code').fill('thanks')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').getByText('Give a text in at least one language').waitFor()
    await dialog.getByLabel('English').fill('Thank you')
    await dialog.getByLabel('Portuguese').fill('Obrigado')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await cell('thanks', 'Portuguese').getByText('Obrigado').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await download).suggestedFilename()).toBe('Locale messages.csv')
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByLabel('Choose a CSV file').setInputFiles({
      name: 'texts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('locale,namespace,code,message\r\nen,,thanks,Thanks a lot\r\n'),
    })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Import 1/ })
      .click()
    await cell('thanks', 'English').getByText('Thanks a lot').waitFor()
  })
})
