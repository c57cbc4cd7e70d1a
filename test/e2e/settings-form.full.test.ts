import { expect, test } from 'vitest'
import { person } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('forms that show what comes of their values', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()

  test('previews a theme during edits, and reports and fixes an unreadable colour [P-445]', async () => {
    const bot = (await admin.post('/bot', { name: 'Vendas' })).body.id
    const colors = { user_message: '#17443F', user_text: '#FFFFFF' }
    const id = (await admin.post('/theme', { bot, name: 'Lume', colors })).body.id
    await visit(page, `/botadmin/theme/${id}?pid=${bot}`)
    const preview = page.getByRole('region', { name: 'Preview' })
    const bubble = preview.getByText('I want to change my order')
    const ground = () => bubble.evaluate(element => getComputedStyle(element).backgroundColor)
    await eventually(ground).toBe('rgb(23, 68, 63)')
    await preview.getByText('Nothing to correct').waitFor()
    await page.getByRole('textbox', { name: 'Message of the person' }).fill('#F7DFA3')
    await eventually(ground).toBe('rgb(247, 223, 163)')
    await preview.getByText('Text of the person on Message of the person: 1.3 : 1, needs 4.5 : 1').waitFor()
    await preview.getByRole('button', { name: /^Use #/ }).click()
    await preview.getByText('Nothing to correct').waitFor()
    await page.getByRole('button', { name: 'Save', exact: false }).first().click()
    await eventually(async () => (await admin.get(`/theme/${id}`)).body.revision).toBe(2)
    const stored = (await admin.get(`/theme/${id}`)).body as unknown as { colors: Record<string, string> }
    expect(stored.colors.user_message).toBe('#F7DFA3')
    expect(stored.colors.user_text).not.toBe('#FFFFFF')
  })

  test('a chat interface is shown as the chat while it is edited, and saved in its own words [P-548] [D-8.03]', async () => {
    const bot = (await admin.post('/bot', { name: 'Balcao' })).body.id
    await visit(page, `/botadmin/bot/settings/chatinterface/${bot}`)
    const preview = page.getByRole('region', { name: 'Preview' })
    const header = preview.locator('.head').first()
    await page.getByRole('textbox', { name: 'Header background' }).first().fill('#17443F')
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Lume')
    await eventually(() => header.evaluate(element => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(23, 68, 63)',
    )
    await eventually(() => header.locator('h2').textContent()).toBe('Lume')
    // It is placed beside the fields, not in the corner of the window.
    await count(preview.locator('.panel'), 2)
    expect(
      await preview
        .locator('.panel')
        .first()
        .evaluate(element => getComputedStyle(element).position),
    ).toBe('absolute')
    await page.getByRole('textbox', { name: 'Menu button' }).fill('#17443F')
    await preview.getByText('Menu button on Header background: 1.0 : 1, needs 3 : 1').waitFor()
    await eventually(() => header.locator('.to-menu').evaluate(element => getComputedStyle(element).outlineStyle)).toBe(
      'dashed',
    )
    await preview.getByRole('button', { name: /^Use #/ }).click()
    await preview.getByText('Nothing to correct').waitFor()
    await preview.getByRole('button', { name: 'Agent' }).click()
    await eventually(() => header.locator('h2').textContent()).toBe('Diego')
    await page.getByRole('button', { name: 'Save', exact: false }).first().click()
    await page.getByText('Chat interface saved!!').waitFor()
  })

  test('a code sample is read with its code in colours, copied, and its document as text [C-3.66] [P-446]', async () => {
    const code = 'const cpf = "529.982.247-25" // example'
    const fields = { name: 'Mask', description: 'For documents', code, markdown_doc: '# Mask\n\n- **three** dots' }
    const id = (await admin.post('/codesample', fields)).body.id
    await visit(page, `/botadmin/codesample/${id}`)
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    const article = page.getByRole('article')
    await article.getByRole('heading', { name: 'Mask' }).waitFor()
    expect(await article.locator('strong').textContent()).toBe('three')
    const shown = article.getByRole('textbox', { name: 'Code' })
    expect(await shown.getAttribute('aria-readonly')).toBe('true')
    const colors = () =>
      shown.evaluate(box => new Set([...box.querySelectorAll('span')].map(one => getComputedStyle(one).color)).size)
    await eventually(colors).toBeGreaterThan(1)
    await article.getByRole('button', { name: 'Copy code' }).click()
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    await page.reload()
    await article.waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await count(article, 0)
  })

  test('a fault of a compose file leads to its line and column [D-5.09]', async () => {
    await visit(page, '/botadmin/deploymentsettings')
    const file = page.getByRole('textbox', { name: 'Compose file' })
    await file.fill('version: "3.8"\nservices:\n  web:\n    imagee: parley:1\n')
    const fault = page.getByRole('button', { name: 'Line 4, column 13' })
    await fault.click()
    const caret = () => file.evaluate(area => (area as HTMLTextAreaElement).selectionStart)
    await eventually(caret).toBe('version: "3.8"\nservices:\n  web:\n    imagee: '.length)
    await file.fill('version: "3.8"\nservices:\n  web:\n    image: parley:1\n')
    await count(fault, 0)
  })

  test('settings that there is one of are listed by their kind, and groups by their first field [P-1270]', async () => {
    await visit(page, '/botadmin/deploymentsettings/search')
    const main = page.getByRole('main')
    await main.getByText('pre production', { exact: true }).waitFor()
    await main.getByText('object Object').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cards' }).click()
    await main.getByRole('link', { name: 'Deployment settings', exact: true }).waitFor()
  })

  test('a time that is kept in UTC is read in the zone of all other times [P-596]', async () => {
    const home = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const { id } = await person(parley, admin, { username: 'relogio', level: home, actions: [] })
    const { last_password_changed_at: changed } = (await admin.get(`/user/${id}`)).body
    const [day, time] = ['dateStyle', 'timeStyle'].map(style =>
      new Intl.DateTimeFormat('pt-BR', { [style]: 'short', timeZone: 'America/Sao_Paulo' }).format(
        new Date(`${changed}Z`),
      ),
    )
    await visit(page, `/botadmin/user/${id}`)
    await page.getByText(`${day} ${time}`, { exact: true }).first().waitFor()
    await count(page.getByText(String(changed)), 0)
  })

  test('a cloud file tells its type and size, and which field links to it [C-2.47] [P-444]', async () => {
    await visit(page, '/botadmin/tools/uploadfiletocloud')
    await page
      .getByLabel('Choose files')
      .last()
      .setInputFiles({
        name: 'prices.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('a,b\r\n'.repeat(300)),
      })
    await page.getByRole('table').getByText('CSV · 1.5 kB').waitFor()
    const [file] = (await admin.get('/cloudfile')).body.items
    const message = `Prices: /botadmin/files/${String(file?.address)}`
    const linking = (await admin.post('/localemessage', { locale: 'pt', code: 'prices', message })).body.id
    await visit(page, `/botadmin/cloudfile/${String(file?.id)}`)
    await page.getByText('Locale message · Message').waitFor()
    await page.getByRole('link', { name: 'prices', exact: true }).click()
    await page.waitForURL(`**/localemessage/${linking}`)
  })
})
