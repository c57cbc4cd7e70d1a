import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startWidgetServer, type WidgetScript } from '#test/doubles/widget-server.ts'
import { closeWindows, eventually, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { chatViolations } from './chat-violations.ts'

const wait = (kind: string, more: object = {}) => ({
  ...{ kind, list: 'button', mask: false, skip: false, unit: '', calendar: '' },
  ...more,
})

const SCRIPT: WidgetScript = input => {
  switch (input) {
    case 'open':
      return [{ text: 'What is it about?' }]
    case 'Window':
      return [
        {
          text: 'Which day then?',
          wait: wait('time', { calendar: 'date', days: { from: '2099-05-04', except: ['2099-05-06'] } }),
        },
      ]
    case 'Hour':
      return [{ text: 'When?', wait: wait('time', { calendar: 'time' }) }]
    case 'File':
      return [{ text: 'Send it', wait: wait('attachment') }]
    default:
      return [{ text: `You said: ${input}` }]
  }
}

inBrowser('answers in the web chat', { timeout: LONG }, async () => {
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
  const opened = async () => {
    const page = await openWindow(browser, { origin: server.url }, { width: 1440, height: 900 })
    await page.goto(`${server.url}/`)
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await page.locator('.say', { hasText: 'What is it about?' }).waitFor()
    return { page, chat: page.getByRole('dialog', { name: 'Lume' }) }
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Write a message' }).fill(text)
    await page.keyboard.press('Enter')
  }

  test('strikes the days that cannot be chosen, asks for a time, and shows a picture that is sent [P-711] [P-712]', async () => {
    server.look = { useCalendar: true }
    const { page, chat } = await opened()
    await chat.locator('.line', { hasText: /^(?:today|yesterday), / }).waitFor()
    await write(page, 'Window')
    const grid = chat.getByRole('grid', { name: 'Choose a date' })
    const closed = grid.getByRole('button', { name: 'Wednesday, May 6, 2099, cannot be chosen' })
    await closed.click({ force: true })
    expect(await closed.evaluate(element => getComputedStyle(element).textDecorationLine)).toBe('line-through')
    expect(await chatViolations(page)).toEqual([])
    await grid.locator('button[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await chat.locator('.say', { hasText: 'You said: 2099-05-07' }).waitFor()
    expect(server.texts().filter(text => text.startsWith('2099'))).toEqual(['2099-05-07'])
    await write(page, 'Hour')
    await chat.getByLabel('Time').fill('14:30')
    await chat.locator('.pick').getByRole('button', { name: 'Send' }).click()
    await chat.locator('.say', { hasText: 'You said: 14:30' }).waitFor()
    await write(page, 'File')
    const choosing = page.waitForEvent('filechooser')
    await chat.locator('.answer').getByRole('button', { name: 'Attach a file' }).click()
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    )
    await (await choosing).setFiles({ name: 'lamp.png', mimeType: 'image/png', buffer })
    await chat.getByRole('img', { name: 'lamp.png' }).waitFor()
    await chat.locator('.say', { hasText: 'You said: attachment' }).waitFor()
    await page.context().close()
  })

  test('calls while it is closed, and the call can be put away [P-713]', async () => {
    const { page } = await opened()
    await page.keyboard.press('Escape')
    server.say({ text: 'Your lamp is **ready**' })
    await page.getByRole('button', { name: 'Your lamp is ready' }).waitFor()
    expect(await chatViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Hide this message' }).click()
    await eventually(() => page.getByRole('button', { name: 'Your lamp is ready' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Open the chat, 1 unread' }).click()
    await page.locator('.say', { hasText: 'Your lamp is ready' }).waitFor()
    await page.context().close()
  })
})
