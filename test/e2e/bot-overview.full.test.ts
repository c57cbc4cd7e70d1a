import { expect, test } from 'vitest'
import { PIXEL } from '#test/fixture/pixel.ts'
import { count, eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('the page of a bot', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()
  /** A started bot with a web chat. */
  let parada: unknown
  const made = await makeDialog(admin, CLINIC_FLOW)
  const card = (name: string) => page.getByRole('region', { name, exact: true })

  test('names unpublished flows, a missing channel and a stopped bot, and leads to each and to the audit [P-430] [P-431] [P-1830]', async () => {
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'))
    await visit(page, `/botadmin/bot/${made.bot}?field=defaultdialogtask`)
    await eventually(focused).toBe('defaultdialogtask')
    await card('In numbers')
      .getByRole('link', { name: /^Dialogs 1 1 not published as drawn/u })
      .waitFor()
    const publishing = card('To publish')
    await publishing.getByText('Never published').waitFor()
    await publishing.getByText(/has no main dialog/u).waitFor()
    await publishing.getByText('The bot is stopped and does not answer.').waitFor()
    const channels = publishing.getByRole('listitem').filter({ hasText: 'No channel is enabled' })
    expect(await channels.getByRole('link', { name: 'Channels' }).getAttribute('href')).toContain(
      `/bot/channel/${made.bot}`,
    )
    await publishing.getByRole('button', { name: 'Choose one' }).click()
    await eventually(focused).toBe('defaultdialogtask')
    await publishing.getByRole('link', { name: 'Principal' }).click()
    await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/designer/dialog/${made.dialog}`)

    await page.goBack()
    await card('What happened').getByRole('link', { name: 'Open the audit' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('within')).toBe(made.bot)
    await page.getByRole('button', { name: 'Take off Bot' }).waitFor()
    const { total } = (await admin.get(`/audit?within=${made.bot}`)).body
    expect(total).toBeGreaterThan(2)
    await page.getByText(`${total} lines`).waitFor()
  })

  test('starts a stopped bot and makes a web chat where it says that they are missing [P-1922]', async () => {
    const bot = (await admin.post('/bot', { name: 'Parada' })).body.id
    await admin.post('/dialogtask', { name: 'Tarefa', bot })
    await visit(page, `/botadmin/bot/${bot}`)
    const line = (text: string) => card('To publish').getByRole('listitem').filter({ hasText: text })
    await line('No channel is enabled').getByRole('button', { name: 'Create web chat' }).click()
    await line('No channel is enabled').waitFor({ state: 'detached' })
    expect((await admin.get(`/channel?bot=${bot}`)).body.items).toMatchObject([{ type: 'webchat', name: 'Web chat' }])
    await line('The bot is stopped').getByRole('button', { name: 'Start', exact: true }).click()
    await line('The bot is stopped').waitFor({ state: 'detached' })
    expect((await admin.get(`/bot/${bot}`)).body.runningstatus).toBe('started')
    parada = bot
  })

  test('shows the web chat on a page, and says when the first conversation came from a site [P-2944] [P-2818]', async () => {
    const [channel] = (await admin.get(`/channel?bot=${parada}`)).body.items
    const chat = card('Put it on a site')
    await chat.getByText('choose the site').waitFor()
    await chat.getByRole('textbox', { name: 'Address of the site' }).fill('https://www.lume.example/contact')
    await page.keyboard.press('Enter')
    await chat.getByText('waits for the first visit').waitFor()
    await chat.getByText('0 conversations').waitFor()
    await chat.getByRole('button', { name: 'How it looks' }).click()
    const shown = page.getByRole('dialog', { name: 'How it looks' })
    await shown.getByText('https://www.lume.example').waitFor()
    await shown.getByRole('textbox').waitFor()
    await shown.getByRole('button', { name: 'Closed', exact: true }).click()
    await count(shown.getByRole('textbox'), 0)
    await page.keyboard.press('Escape')

    const opened = await fetch(`${parley.origin}/chat/${channel?.id}/conversations`, {
      method: 'POST',
      headers: { origin: 'https://www.lume.example', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(opened.status).toBe(201)
    await page.reload()
    await chat.getByText('receives conversations of www.lume.example').waitFor()
    await chat.getByText('1 conversation', { exact: true }).waitFor()
    await chat.getByText('It works').waitFor()
    await chat.getByRole('img', { name: '1 conversation by web chat in 14 days' }).waitFor()
    await chat.getByText(/^The first came on \d\d\/\d\d\/\d{4}$/u).waitFor()
  })

  test('leads to the web chat, and gives the line for another page [P-462]', async () => {
    const { id } = (await admin.post('/channel', { bot: made.bot, type: 'webchat', name: 'Site' })).body
    await page.goto(`/botadmin/bot/${made.bot}`)
    const chat = card('Put it on a site')
    await chat.getByText('The bot is stopped').waitFor()
    const address = await chat.getByRole('link', { name: 'Open the chat' }).getAttribute('href')
    expect(address).toBe(`${parley.origin}/chat/${id}`)
    expect((await fetch(String(address))).status).toBe(200)
    await chat.getByRole('button', { name: 'Copy line' }).click()
    await chat.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `<script src="${parley.origin}/chat/widget.js" data-channel="${id}" async></script>`,
    )
  })

  test('adds a site to the web chat, and allows one that was refused [P-1842]', async () => {
    const [channel] = (await admin.get(`/channel?bot=${made.bot}`)).body.items
    const open = (origin: string) =>
      fetch(`${parley.origin}/chat/${channel?.id}/conversations`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: '{}',
      })
    expect((await open('https://shop.example')).status).toBe(403)
    await visit(page, `/botadmin/bot/${made.bot}`)
    const chat = card('Put it on a site')
    await chat.getByText('No site yet').waitFor()
    await chat.getByRole('textbox', { name: 'Address of the site' }).fill('www.lume.example/contact')
    await page.keyboard.press('Enter')
    await chat.getByRole('button', { name: 'Remove https://www.lume.example' }).waitFor()
    await chat.getByRole('button', { name: 'Allow https://shop.example' }).click()
    await chat.getByRole('button', { name: 'Remove https://shop.example' }).waitFor()
    expect((await admin.get(`/channel/${channel?.id}`)).body.channel_origin).toBe(
      'https://www.lume.example; https://shop.example',
    )
    expect((await open('https://shop.example')).status).not.toBe(403)
  })

  test('is a bot without anything in it alone, in few words [P-430]', async () => {
    const { id } = (await admin.post('/bot', { name: 'Vazio' })).body
    await visit(page, `/botadmin/bot/${id}`)
    await card('To publish').getByText('No dialog is drawn yet.').waitFor()
    await card('What happened').getByText('created').waitFor()
  })

  test('offers a bot its own tasks alone, and none before it is created; makes it in the chosen language [P-433] [P-2867]', async () => {
    const field = (name: string) => page.locator(`[data-field="${name}"]`)
    const other = (await admin.post('/bot', { name: 'Vizinho' })).body.id
    await admin.post('/dialogtask', { name: 'Alheia', bot: other })
    await visit(page, '/botadmin/bot/new')
    await field('defaultdialogtask').getByText('Available once it is created: tasks').waitFor()
    expect(await field('defaultdialogtask').getByRole('combobox').count()).toBe(0)
    // It begins with the language of the console.
    const language = field('language').getByRole('combobox')
    await eventually(() => language.inputValue()).toBe('en')
    await language.selectOption('es')
    await field('name').getByRole('textbox').fill('Hablante')
    await page.getByRole('button', { name: /^Create/u }).click()
    await page.getByRole('heading', { name: 'Hablante', level: 1 }).waitFor()
    const [spoken] = (await admin.get('/bot?search=Hablante')).body.items
    expect((await admin.get(`/bot/${String(spoken?.id)}`)).body).toMatchObject({ language: 'es', defaultlocale: 'en' })

    await visit(page, `/botadmin/bot/${made.bot}`)
    await field('defaultdialogtask').getByRole('combobox').click()
    await page.getByRole('option', { name: 'Agenda' }).waitFor()
    expect(await page.getByRole('option', { name: 'Alheia' }).count()).toBe(0)
  })

  test('takes pictures of a bot by their address and by upload, at most 1 MB [P-434]', async () => {
    await visit(page, `/botadmin/bot/${made.bot}`)
    const avatars = page.locator('[data-field="avatars"]')
    await avatars.getByRole('textbox').fill('https://a.example/bia.png')
    await avatars.getByRole('button', { name: 'Add an address' }).click()
    const picker = avatars.locator('input[type=file]')
    await picker.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(1_000_001 * 2) })
    await avatars.getByRole('alert').waitFor()
    await picker.setInputFiles({ name: 'bia.png', mimeType: 'image/png', buffer: PIXEL })
    const address = avatars.getByText(/\/botadmin\/files\/.+\/bia\.png$/u)
    await address.waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const saved = async () => (await admin.get(`/bot/${made.bot}`)).body.avatars as readonly string[]
    await eventually(saved).toEqual(['https://a.example/bia.png', await address.textContent()])
    const [, uploaded = ''] = await saved()
    const shown = await fetch(uploaded)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  })
})
