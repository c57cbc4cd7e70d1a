import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startWidgetServer, type WidgetScript } from '#test/doubles/widget-server.ts'
import { closeWindows, eventually, holdBack, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { chatViolations } from './chat-violations.ts'

const MAX_GZIP = 45 * 1024

const wait = (kind: string, more: object = {}) => ({
  kind,
  list: 'button',
  mask: false,
  skip: false,
  unit: '',
  calendar: '',
  ...more,
})
const replies = (...titles: string[]) =>
  titles.map((title, at) => ({ id: String(at + 1), type: 'reply', title, value: title }))

const line = (text: string) => ({ type: 'TextBlock', text })
/** A card of every kind of part beside inputs. */
const PARTS = {
  type: 'adaptive',
  body: [
    line('{{DATE(2026-05-04T15:00:00Z,LONG)}}'),
    { type: 'Input.Text', id: 'name', label: 'Name' },
    { ...line('Small print'), id: 'print', isVisible: false },
    { type: 'ActionSet', actions: [{ type: 'Action.ToggleVisibility', title: 'Terms', targetElements: ['print'] }] },
    { type: 'Table', rows: [{ cells: [{ items: [line('Lamp')] }, { items: [line('10')] }] }] },
    { type: 'Carousel', pages: [{ type: 'CarouselPage', items: [line('Page one')] }] },
    { type: 'Media', sources: [{ mimeType: 'audio/mpeg', url: 'https://example.com/a.mp3' }] },
    { type: 'Badge', fallback: line('Instead') },
  ],
  actions: [
    { type: 'Action.Submit', title: 'Order', data: { step: 1 } },
    {
      type: 'Action.ShowCard',
      title: 'Comment',
      card: {
        body: [{ type: 'Input.Text', id: 'comment', label: 'Comment' }],
        actions: [{ type: 'Action.Submit', title: 'Send the comment' }],
      },
    },
    { type: 'Action.OpenUrl', title: 'Shop', url: 'https://example.com/' },
  ],
}

const SCRIPT: WidgetScript = (input, sent) => {
  switch (input) {
    case 'open':
      return [
        { text: 'Hello, I am **Lume**. <img src=x onerror=alert(1)>' },
        { text: 'What is it about?', actions: replies('Order', 'Date', 'Cards'), wait: wait('choice') },
      ]
    case 'Order':
      return [{ text: 'Your code?', wait: wait('text', { mask: true }) }]
    case 'Date':
      return [{ text: 'Which day?', wait: wait('time', { calendar: 'date' }) }]
    case 'Cards':
      return [
        {
          type: 'carousel',
          cards: [1, 2].map(at => ({
            title: `Lamp ${at}`,
            text: 'With a *shade*',
            actions: [{ id: String(at), type: 'postBack', title: `Take ${at}`, value: `lamp-${at}` }],
          })),
          actions: [],
        },
        {
          type: 'receipt',
          family: 'microsoft_channels',
          receipt: { title: 'Receipt', items: [{ title: 'Lamp', price: '10' }] },
        },
        {
          type: 'adaptive',
          body: [{ type: 'Input.Text', id: 'name', label: 'Your name', isRequired: true }],
          submit: true,
          actions: [],
        },
      ]
    case 'Parts':
      return [PARTS, { type: 'adaptive', body: [], actions: [{ type: 'Action.Submit', title: 'Plain', data: 'said' }] }]
    case 'submit':
      return [{ text: `You said: submit ${JSON.stringify(sent.data)} of ${String(sent.of)}` }]
    default:
      return [{ text: `You said: ${input}` }]
  }
}

inBrowser('the web chat on a site', { timeout: LONG }, async () => {
  let server: Awaited<ReturnType<typeof startWidgetServer>>
  const browser = await openBrowser()
  beforeEach(async () => {
    await server?.close()
    server = await startWidgetServer(SCRIPT)
  })
  afterAll(async () => {
    await closeWindows()
    await server?.close()
  })
  const visit = async (
    options: { readonly width?: number; readonly height?: number; readonly dark?: boolean } = {},
  ) => {
    const page = await openWindow(browser, { origin: server.url }, { width: 1440, height: 900, ...options })
    await page.goto(`${server.url}/`)
    return page
  }
  const opened = async (page: Page) => {
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await page.locator('.say', { hasText: 'What is it about?' }).waitFor()
    return page.getByRole('dialog', { name: 'Lume' })
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Write a message' }).fill(text)
    await page.keyboard.press('Enter')
  }

  test('is one small script [R-80]', () => {
    const script = readFileSync(join(import.meta.dirname, '../../web/dist/chat/widget.js'))
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(MAX_GZIP)
  })

  test.each([1440, 390])('is used by keyboard alone, and accessible, at a width of %i [R-80] [P-541]', async width => {
    const page = await visit({ width, height: 844, dark: width === 390 })
    await page.getByRole('button', { name: 'Open the chat' }).focus()
    await page.keyboard.press('Enter')
    const chat = page.getByRole('dialog', { name: 'Lume' })
    await chat.locator('.say', { hasText: 'What is it about?' }).waitFor()
    expect(await chat.locator('img').count()).toBe(0)
    expect(await chat.locator('strong').textContent()).toBe('Lume')
    if (width === 390) {
      const box = await chat.boundingBox()
      expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
    }
    expect(await chatViolations(page)).toEqual([])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await eventually(() =>
      page.evaluate(() => document.querySelector('parley-chat')?.shadowRoot?.activeElement?.textContent),
    ).toBe('Order')
    await page.keyboard.press('Enter')
    const code = chat.getByRole('textbox', { name: 'Your answer' })
    await code.waitFor()
    await code.fill('secret-7')
    await page.keyboard.press('Enter')
    await chat.locator('.say', { hasText: 'You said: secret-7' }).waitFor()
    expect(await chat.locator('.user .say').allTextContents()).toEqual(['Order', '••••••'])
    expect(await chat.getByRole('button', { name: 'Order', exact: true }).count()).toBe(0)
    await eventually(() => chat.locator('.quiet[role=status]').textContent()).toBe('Lume: You said: secret-7')
    await page.keyboard.press('Escape')
    await eventually(() => chat.isVisible()).toBe(false)
    await eventually(() =>
      page.evaluate(() => document.querySelector('parley-chat')?.shadowRoot?.activeElement?.getAttribute('aria-label')),
    ).toBe('Open the chat')
    await page.context().close()
  })

  test('shows cards, receipts, forms, a calendar and a dropdown, and sends what they answer [R-80] [D-3.5.12]', async () => {
    server.look = {
      useCalendar: true,
      use_dropdown: true,
      minimum_options_to_enable_dropdown: 3,
      chat_header_background: '#17443F',
      overrideCarousal: true,
    }
    const page = await visit()
    const chat = await opened(page)
    const header = chat.locator('.head')
    expect(await header.evaluate(element => getComputedStyle(element).backgroundColor)).toBe('rgb(23, 68, 63)')
    await chat.getByRole('combobox', { name: 'Choose an option' }).selectOption('Date')
    await chat.getByRole('button', { name: 'Send' }).first().click()
    const grid = chat.getByRole('grid', { name: 'Choose a date' })
    await grid.waitFor()
    await grid.locator('button[tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await chat.locator('.say', { hasText: /You said: \d{4}-\d\d-\d\d/ }).waitFor()
    await write(page, 'Cards')
    await chat.getByRole('heading', { name: 'Lamp 1' }).waitFor()
    expect(await chatViolations(page)).toEqual([])
    await chat.getByRole('button', { name: 'Send', exact: true }).first().click()
    await chat.getByText('Fill this in').waitFor()
    await chat.getByRole('textbox', { name: 'Your name' }).fill('Ana')
    await chat.getByRole('button', { name: 'Send', exact: true }).first().click()
    await chat.locator('.say', { hasText: 'You said: submit' }).waitFor()
    await chat.getByRole('button', { name: 'Take 1' }).click()
    await eventually(() => server.texts().at(-1)).toBe('1')
    await page.context().close()
  })

  test('draws each part of an adaptive card, and sends what its buttons hold, once for a double click [P-1721] [P-1723]', async () => {
    const page = await visit()
    const chat = await opened(page)
    await write(page, 'Parts')
    await chat.getByText('Monday, May 4, 2026').waitFor()
    await chat.getByText('Instead').waitFor()
    await chat.getByText('Page one').waitFor()
    expect(
      await chat
        .getByRole('cell', { name: '10' })
        .or(chat.getByRole('columnheader', { name: '10' }))
        .count(),
    ).toBe(1)
    expect(await chat.locator('audio').getAttribute('src')).toBe('https://example.com/a.mp3')
    expect(await chat.getByRole('link', { name: 'Shop' }).getAttribute('href')).toBe('https://example.com/')
    await chat.getByText('Small print').waitFor({ state: 'hidden' })
    await chat.getByRole('button', { name: 'Terms' }).click()
    await chat.getByText('Small print').waitFor()
    await chat.getByRole('textbox', { name: 'Name' }).fill('Ana')
    await chat.getByRole('button', { name: 'Comment', exact: true }).click()
    await chat.getByRole('textbox', { name: 'Comment' }).fill('Soon')
    expect(await chatViolations(page)).toEqual([])
    const said = (text: string) => chat.locator('.say', { hasText: `You said: submit ${text} of` }).waitFor()
    // Both clicks reach the button, although the log scrolls after the first.
    await chat
      .getByRole('button', { name: 'Order', exact: true })
      .last()
      .evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
    await said('{"step":1,"name":"Ana"}')
    await chat.getByRole('button', { name: 'Send the comment' }).click()
    await said('{"name":"Ana","comment":"Soon"}')
    await chat.getByRole('button', { name: 'Plain' }).click()
    await said('"said"')
    expect(await chat.locator('.say', { hasText: 'You said: submit' }).count()).toBe(3)
    await page.context().close()
  })

  test('sends what is written before the conversation is open, once it is [P-1038]', async () => {
    const page = await visit()
    const open = await holdBack(page, /\/conversations$/u)
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await write(page, 'too early')
    await page.locator('.user .say', { hasText: 'too early' }).waitFor()
    open()
    await page.locator('.say', { hasText: 'You said: too early' }).waitFor()
    expect(await page.locator('.user .say', { hasText: 'too early' }).count()).toBe(1)
    expect(server.texts().filter(text => text === 'too early')).toHaveLength(1)
    await page.context().close()
  })

  test('keeps what is written without a network, sends it once, and hears what it missed [R-80] [P-542]', async () => {
    const page = await visit()
    const chat = await opened(page)
    await page.context().setOffline(true)
    server.drop()
    await write(page, 'kept words')
    await chat.getByText('1 message kept').waitFor()
    server.say({ text: 'Meanwhile' })
    await page.context().setOffline(false)
    await chat.locator('.say', { hasText: 'You said: kept words' }).waitFor()
    await chat.locator('.say', { hasText: 'Meanwhile' }).waitFor()
    await eventually(() => chat.getByText('1 message kept').isVisible()).toBe(false)
    expect(server.texts().filter(text => text === 'kept words')).toHaveLength(1)
    expect(await chat.locator('.user .say', { hasText: 'kept words' }).count()).toBe(1)
    server.drop()
    server.say({ text: 'After the break' })
    await chat.locator('.say', { hasText: 'After the break' }).waitFor()
    expect(await chat.locator('.say', { hasText: 'Meanwhile' }).count()).toBe(1)
    await page.context().close()
  })

  test('continues after a reload and in a second tab, with messages in both [P-543]', async () => {
    const page = await visit()
    await opened(page)
    await write(page, 'first tab')
    await page.locator('.say', { hasText: 'You said: first tab' }).waitFor()
    await page.reload()
    await page.locator('.say', { hasText: 'You said: first tab' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.url}/`)
    await other.getByRole('button', { name: 'Open the chat' }).click()
    await other.locator('.say', { hasText: 'You said: first tab' }).waitFor()
    await write(other, 'second tab')
    await page.locator('.say', { hasText: 'You said: second tab' }).waitFor()
    await other.locator('.say', { hasText: 'You said: second tab' }).waitFor()
    expect(await page.locator('.user .say', { hasText: 'second tab' }).count()).toBe(1)
    expect(server.talks.size).toBe(1)
    await page.context().close()
  })

  test.each(['events', 'polling'])('works over %s where sockets are refused [P-544]', async transport => {
    server.refusesSockets = true
    server.refusesEvents = transport === 'polling'
    const page = await visit()
    const chat = await opened(page)
    await write(page, 'no socket')
    await chat.locator('.say', { hasText: 'You said: no socket' }).waitFor()
    await page.context().close()
  })

  test('shows an agent, offers its menu, ends with the last words in view, and starts again [P-545] [P-2135]', async () => {
    const page = await visit()
    const chat = await opened(page)
    server.say({ from: 'agent', name: 'Diego', text: 'I am here' })
    await chat.locator('.line', { hasText: 'Diego joined the conversation' }).waitFor()
    await chat.getByRole('heading', { name: 'Diego' }).waitFor()
    await chat.getByRole('button', { name: 'Menu' }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await chat.locator('.say', { hasText: 'You said: task-1' }).waitFor()
    for (let line = 1; line <= 12; line += 1) server.say({ from: 'agent', name: 'Diego', text: `Line ${line}` })
    await chat.locator('.say', { hasText: 'Line 12' }).waitFor()
    await chat.getByRole('button', { name: 'Menu' }).click()
    await chat.getByRole('menuitem', { name: 'End the conversation' }).click()
    await chat.getByRole('button', { name: 'New conversation' }).waitFor()
    // The foot that says so covers none of the last words.
    const below = () => chat.locator('.log').evaluate(log => log.scrollHeight - log.scrollTop - log.clientHeight)
    await eventually(below).toBeLessThan(2)
    await chat.getByRole('button', { name: 'New conversation' }).click()
    await chat.locator('.say', { hasText: 'What is it about?' }).waitFor()
    await eventually(() => chat.locator('.say', { hasText: 'You said: task-1' }).count()).toBe(0)
    expect(server.talks.size).toBe(2)
    await page.context().close()
  })

  test('says in the words of the bot that it cannot be opened, and tries again [D-3.5.11]', async () => {
    server.look = { chat_error_title: 'Something broke', chat_error_alternative_link: 'https://a.example/help' }
    server.refusal = 500
    const page = await visit()
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await page.getByRole('heading', { name: 'Something broke' }).waitFor()
    expect(await page.getByRole('link').last().getAttribute('href')).toBe('https://a.example/help')
    server.refusal = undefined
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.say', { hasText: 'What is it about?' }).waitFor()
    await page.context().close()
  })
})
