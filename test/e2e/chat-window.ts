import type { Browser, Page } from 'playwright-core'
import { PATIENT } from './browser.ts'
import type { Exchange } from './fixture/chat-talks.ts'

interface ChatView {
  readonly width: number
  readonly dark: boolean
}

/** Replaces pictures on external servers. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360">' +
  '<rect width="640" height="360" fill="#dfe7e4"/><circle cx="320" cy="150" r="70" fill="#2e6a61"/>' +
  '<rect x="180" y="250" width="280" height="24" rx="12" fill="#f2c14e"/></svg>'

/** The web chat of a channel on a separate page, in the browser of a Portuguese speaker. */
export class ChatWindow {
  readonly page: Page
  /** Console errors and uncaught exceptions of the page. */
  readonly errors: string[] = []

  private constructor(page: Page) {
    this.page = page
    page.on('pageerror', error => this.errors.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text())
    })
  }

  static async open(browser: Browser, origin: string, channel: string, { width, dark }: ChatView): Promise<ChatWindow> {
    const context = await browser.newContext({
      baseURL: origin,
      locale: 'pt-BR',
      viewport: { width, height: width < 500 ? 844 : 900 },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(PATIENT.timeout)
    await context.route(
      url => url.origin !== origin,
      route =>
        route.request().resourceType() === 'image'
          ? route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
          : route.fulfill({ contentType: 'video/mp4', body: '' }),
    )
    const chat = new ChatWindow(await context.newPage())
    await chat.page.goto(`/chat/${channel}`)
    await chat.page.getByRole('textbox').waitFor()
    return chat
  }

  /** Turns of the bot with these words. */
  told(words: string) {
    return this.page.locator('.turn.bot', { hasText: words })
  }

  /** Answers, and waits until the bot has said these words once more. */
  async exchange({ write, press, told }: Exchange): Promise<void> {
    const before = await this.told(told).count()
    if (write !== undefined) {
      await this.page.getByRole('textbox').fill(write)
      await this.page.keyboard.press('Enter')
    }
    if (press !== undefined) await this.page.getByRole('button', { name: press, exact: true }).last().click()
    await this.told(told).nth(before).waitFor()
  }

  /** Elements wider than their container: a chat never scrolls sideways, except in a row of cards. */
  overflows(): Promise<readonly string[]> {
    return this.page.evaluate(() => {
      const root = document.querySelector('parley-chat')?.shadowRoot
      const boxes = [document.documentElement, ...(root?.querySelectorAll('.panel, .log, .say, .card') ?? [])]
      return boxes
        .filter(box => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible')
        .map(box => `${box.className || box.tagName}: ${box.scrollWidth} in ${box.clientWidth}`)
    })
  }

  /** Waits until what was said last is in sight, once its pictures have come. */
  async seen(): Promise<void> {
    await this.page.waitForFunction(() => {
      const log = document.querySelector('parley-chat')?.shadowRoot?.querySelector('.log')
      return log instanceof HTMLElement && log.scrollHeight - log.scrollTop - log.clientHeight < 2
    })
  }

  close(): Promise<void> {
    return this.page.context().close()
  }
}
