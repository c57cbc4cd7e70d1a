import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'

const lamp = (name: string) => ({
  header: { type: 'image/png', value: { title: `Luz ${name}`, text: 'Bela' } },
  options: [{ type: 'imBack', title: `Levar ${name}`, value: name }],
})
const CHOICE = { type: 'choice', text: 'Qual cor?', options: ['Azul', 'Verde', 'Preta'].map(label => ({ label })) }

/** Cards, a name, a choice and a day; then it begins again. */
const FLOW = {
  operators: {
    start: plainBlock('start', 0),
    cards: plainBlock('carousel', 100, { cards: { itemType: 'herocard', items: [lamp('um'), lamp('dois')] } }),
    which: plainBlock('prompt', 200, { varname: 'luz', data: { type: 'text', text: 'Qual luz?' } }),
    color: plainBlock('prompt', 300, { varname: 'cor', data: CHOICE }),
    day: plainBlock('prompt', 400, {
      varname: 'dia',
      data: { type: 'time', text: 'Que dia?', dateExtractType: 'date' },
    }),
    noted: plainBlock('text', 500, { text: 'Anotado: {{luz}}, {{cor}}' }),
  },
  links: {
    ...{ a: link('start', 'cards'), b: link('cards', 'which'), c: link('which', 'color') },
    ...{ d: link('color', 'day'), e: link('day', 'noted'), f: link('noted', 'cards') },
  },
}

inBrowser('settings of a web chat', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  let page: Page

  const made = await makeChatBot(admin)
  const bot = made.bot
  const channel = made.channel
  expect((await admin.put(`/dialog/${made.dialog}/flow`, FLOW)).status).toBe(200)
  expect((await admin.post(`/dialog/${made.dialog}/publish`)).status).toBe(200)
  afterEach(async () => page?.context().close())

  /** Saves fields of the bot, or of what it has one of. */
  const save = async (entity: 'bot' | 'chatinterface' | 'conversationsetting', fields: object) => {
    const one = entity === 'bot' ? (await admin.get(`/bot/${bot}`)).body : undefined
    const { id, revision } = one ?? ((await admin.get(`/${entity}?bot=${bot}`)).body.items[0] as never)
    const { status, text } = await admin.patch(`/${entity}/${id}`, fields, revision)
    expect(status, text).toBe(200)
  }
  const chat = () => page.getByRole('dialog')
  const told = (hasText: string) => chat().locator('.say', { hasText })
  const write = async (text: string) => {
    await chat().getByRole('textbox').fill(text)
    await page.keyboard.press('Enter')
  }
  /** A site's page with the chat, in a separate browser. */
  const visit = async () => {
    page = await openWindow(browser, parley, { width: 1440, height: 900 })
    const script = `<script src="/chat/widget.js" data-channel="${channel}" data-language="pt"></script>`
    const body = `<!doctype html><html lang="pt"><title>Loja</title><main><h1>Loja</h1></main>${script}</html>`
    await page.route('**/shop', route => route.fulfill({ contentType: 'text/html', body }))
    await page.goto('/shop')
    await page.getByRole('button', { name: 'Abrir o chat' }).click()
    await told('Qual luz?').waitFor()
  }

  test('it is 372 pixels wide and as high as the page less 80, unless its interface says otherwise [D-9.03] [D-9.04]', async () => {
    await visit()
    expect(await chat().boundingBox()).toMatchObject({ width: 372, height: 820 })
    await page.context().close()
    await save('chatinterface', { chat_width: '480px', chat_height: '50%' })
    await visit()
    expect(await chat().boundingBox()).toMatchObject({ width: 480, height: 450 })
  })

  test('nothing is typed while buttons are shown, where the bot wants that [C-3.24]', async () => {
    await save('bot', { disable_userinput_chatwindow_on_buttondisplay: true })
    await visit()
    expect(await chat().getByRole('textbox').isEnabled()).toBe(true)
    await write('Luz um')
    await told('Qual cor?').waitFor()
    await eventually(() => chat().getByRole('textbox').isEnabled()).toBe(false)
    await chat().getByRole('button', { name: 'Verde', exact: true }).click()
    await told('Que dia?').waitFor()
    await eventually(() => chat().getByRole('textbox').isEnabled()).toBe(true)
    await save('bot', { disable_userinput_chatwindow_on_buttondisplay: false })
  })

  test('buttons of earlier messages end, those of the last are taken, where the bot wants that [C-3.24]', async () => {
    const first = () => chat().getByRole('button', { name: 'Levar dois' })
    await visit()
    await first().click()
    await told('Qual cor?').waitFor()
    expect(await first().isEnabled()).toBe(true)
    await page.context().close()
    await save('bot', { disable_buttons_from_previous_messages: true })
    await visit()
    await first().click()
    await told('Qual cor?').waitFor()
    expect(await first().isEnabled()).toBe(false)
    await chat().getByRole('button', { name: 'Azul', exact: true }).click()
    await told('Que dia?').waitFor()
    await page.reload()
    await told('Que dia?').waitFor()
    expect(await first().isEnabled()).toBe(false)
    await save('bot', { disable_buttons_from_previous_messages: false })
  })

  test('options are a dropdown from a number on, and a day is chosen in a calendar [D-3.5.13]', async () => {
    const asked = async () => {
      await visit()
      await write('Luz um')
      await told('Qual cor?').waitFor()
    }
    await save('chatinterface', { use_dropdown: true, minimum_options_to_enable_dropdown: 4, useCalendar: false })
    await asked()
    await chat().getByRole('button', { name: 'Verde', exact: true }).click()
    await told('Que dia?').waitFor()
    await count(chat().getByRole('grid'), 0)
    await page.context().close()
    await save('chatinterface', { minimum_options_to_enable_dropdown: 3, useCalendar: true })
    await asked()
    await count(chat().getByRole('button', { name: 'Verde', exact: true }), 0)
    await chat().getByRole('combobox').selectOption('Verde')
    await chat().locator('.pick').getByRole('button', { name: 'Enviar' }).click()
    const grid = chat().getByRole('grid')
    await grid.waitFor()
    await grid.locator('button[tabindex="0"]').focus()
    await page.keyboard.press('Enter')
    await told('Anotado: Luz um, Verde').waitFor()
  })

  test('continues the conversation after a reload with so many of its last messages, or starts a new one [C-3.63]', async () => {
    await save('chatinterface', { use_dropdown: false })
    await save('conversationsetting', { history_length: 3 })
    await visit()
    await write('Luz três')
    await told('Qual cor?').waitFor()
    await page.reload()
    await told('Qual cor?').waitFor()
    expect(await chat().locator('.turn .say:not(.typing)').allTextContents()).toEqual([
      'Qual luz?',
      'Luz três',
      'Qual cor?',
    ])
    await save('conversationsetting', { remember_user_on_reload: false })
    await page.reload()
    await chat().getByRole('button', { name: 'Levar um' }).waitFor()
    await told('Qual luz?').waitFor()
    expect(await chat().locator('.turn .say:not(.typing)').allTextContents()).not.toContain('Luz três')
    await save('conversationsetting', { remember_user_on_reload: true })
  })

  test('a person is welcomed until they have talked with the bot, with the tips in their language, and not again [C-4.36] [P-1402] [P-2989]', async () => {
    await save('chatinterface', { welcome_start_message: 'Boas-vindas à loja' })
    for (const tip of [
      { message: 'Escreva **menu** para ver tudo', order: 2 },
      { message: 'Tenha o número do pedido à mão', order: 1 },
      { message: 'Write menu', order: 0, locale: 'en' },
      { message: 'Fora do ar', order: 0, enabled: false },
    ])
      expect((await admin.post('/usertip', { bot, name: tip.message, ...tip })).status).toBe(201)
    const welcome = () => chat().getByText('Boas-vindas à loja')
    await visit()
    await count(welcome(), 1)
    expect(await chat().locator('.tips > li').allTextContents()).toEqual([
      'Tenha o número do pedido à mão',
      'Escreva menu para ver tudo',
    ])
    await page.reload()
    await told('Qual luz?').waitFor()
    await count(welcome(), 1)
    await write('Luz um')
    await told('Qual cor?').waitFor()
    await page.reload()
    await told('Qual cor?').waitFor()
    await count(welcome(), 0)
    await count(chat().locator('.tips'), 0)
    await chat().getByRole('button', { name: 'Menu' }).click()
    await chat().getByRole('menuitem', { name: 'Encerrar a conversa' }).click()
    await chat().getByRole('button', { name: 'Nova conversa' }).click()
    await told('Qual luz?').waitFor()
    await count(welcome(), 0)
    expect(await page.evaluate(id => localStorage.getItem(`parley.chat.${id}.met`), channel)).toBe('1')
  })
})
