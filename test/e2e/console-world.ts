import type { Browser, Page } from 'playwright-core'
import { ADMIN_PASSWORD, type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { closeWindows, openBrowser, openWindow } from './browser.ts'

interface ConsoleWorld {
  readonly parley: Parley
  readonly admin: Client
  readonly browser: Browser
  /** Window of the administrator. */
  readonly page: Page
}

/** A gateway with an empty store, and the console in a browser. */
export const openConsole = async (): Promise<ConsoleWorld> => {
  const parley = await openParley()
  const admin = await parley.signIn()
  const browser = await openBrowser()
  const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
  return { parley, admin, browser, page }
}

export const closeConsole = async (parley: Parley): Promise<void> => {
  await closeWindows()
  await discard(parley)
}
