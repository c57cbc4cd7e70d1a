import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { describe, expect, type TestOptions } from 'vitest'
import type { Parley } from '#test/api/harness.ts'
import { broken, hasChromium } from './chromium.ts'

/**
 * Tests that need a browser: left out where there is none, except in continuous integration, where that is a failure.
 * The group opens its gateway itself, so it is not called where it is left out.
 */
export const inBrowser = (name: string, options: TestOptions, tests: () => Promise<void> | void): void => {
  if (hasChromium() || process.env.CI !== undefined) describe(name, options, tests)
  else describe.skip(name)
}

/** Timeout for slow steps on a busy machine. */
export const PATIENT = { timeout: 30_000, interval: 50 }
/** For tests and hooks that drive a browser. */
export const LONG = 120_000

export { closeWindows, openBrowser } from './chromium.ts'

export interface WindowOptions {
  /** Signed in when given. */
  readonly username?: string
  readonly password?: string
  readonly language?: 'en' | 'pt' | 'es'
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

const HIDDEN = 'Hidden while it is typed in'

/**
 * Reports a field that is hidden while it has the keyboard. React hides what is shown when something in it suspends, such
 * as a control whose texts are not loaded: the next keys are lost.
 */
const reportHiddenFields = (report: string): void => {
  const fields = 'input, textarea, [contenteditable=true]'
  new MutationObserver(records => {
    const focused = document.activeElement
    for (const { target } of records)
      if (
        target instanceof HTMLElement &&
        target.style.display === 'none' &&
        target.style.getPropertyPriority('display') === 'important' &&
        target.contains(focused) &&
        focused?.matches(fields)
      )
        console.error(`${report}: ${focused.outerHTML.slice(0, 200)}`)
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['style'] })
}

const watch = (page: Page): void => {
  page.on('pageerror', error => broken.push(`${page.url()}: ${error.stack || `${error.name}: ${error.message}`}`))
  page.on('console', message => {
    const isFault = message.text().includes('Content Security Policy') || message.text().startsWith(HIDDEN)
    if (message.type() === 'error' && isFault) broken.push(`${page.url()}: ${message.text()}`)
  })
}

type Served = Pick<Parley, 'origin'>

/** Another person's browser: a separate profile, with a session when a name is given. */
export const openWindow = async (browser: Browser, parley: Served, options: WindowOptions = {}): Promise<Page> => {
  const { username, password, language = 'en', dark = false, width = 1680, height = 1000 } = options
  const context = await browser.newContext({
    baseURL: parley.origin,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  })
  context.setDefaultTimeout(PATIENT.timeout)
  await context.addInitScript(chosen => {
    // The designer is not preloaded for a page that is open for seconds.
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    if (localStorage.getItem('parley.language') === null) localStorage.setItem('parley.language', chosen)
  }, language)
  await context.addInitScript(reportHiddenFields, HIDDEN)
  if (username !== undefined) await signInContext(context, parley, username, password ?? '')
  const page = await context.newPage()
  watch(page)
  return page
}

async function signInContext(context: BrowserContext, parley: Served, username: string, password: string) {
  const answer = await context.request.post(`${parley.origin}/botadmin/api/auth/login`, {
    data: { username, password },
    headers: { origin: parley.origin },
  })
  if (!answer.ok()) throw new Error(`${username} could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Waits until what a page shows is as expected. */
export const eventually = <T>(read: () => Promise<T> | T) => expect.poll(read, PATIENT)

/** Waits until there is exactly this number of them. */
export const count = (locator: Locator, expected: number): Promise<void> =>
  eventually(() => locator.count()).toBe(expected)

/** Waits until the page is at most this wide, in pixels. A resized window is drawn again in the next frame. */
export const fitsWithin = (page: Page, width: number): Promise<void> =>
  eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

/** Blocks requests to an address until the returned function is called. */
export const holdBack = async (page: Page, address: RegExp): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Waits until it has the keyboard's focus. */
export const focused = (locator: Locator): Promise<void> =>
  eventually(() => locator.evaluate(element => element === document.activeElement)).toBe(true)

/**
 * Opens a page of the console from the page that is open, as its links do, without loading the program again. Loads it
 * where there is no page yet, where only the query changes, and where the address names a language.
 */
export const visit = async (page: Page, path: string): Promise<void> => {
  const open = page.url()
  const isConsole = /^https?:\/\/[^/]+\/botadmin\/(?!(?:en|pt|es)(?:\/|$))/u
  const target = URL.parse(path, open)
  const shown = target !== null && isConsole.test(open) && isConsole.test(target.href)
  const left = shown
    ? await page.evaluate(() => document.querySelector<HTMLElement>('#content')?.dataset.path)
    : undefined
  if (target === null || left === undefined || target.pathname === new URL(open).pathname) {
    await page.goto(path)
    return
  }
  await page.evaluate(address => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, target.href)
  const goal = target.pathname.replace('/botadmin', '')
  await page.waitForFunction(
    ([before, wanted]) => {
      const now = document.querySelector<HTMLElement>('#content')?.dataset.path
      const at = location.pathname.replace('/botadmin', '')
      // A page that is being left may have the address already, and the element not yet; an address may lead back to it.
      return now !== undefined && (now !== before || now === wanted || (at !== wanted && at === now))
    },
    [left, goal],
  )
}
