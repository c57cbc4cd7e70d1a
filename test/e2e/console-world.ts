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

/** Bot messages `code.01`, `code.02`, …, with the texts `Olá 1`, `Olá 2`, … */
export const makeMessages = async (admin: Client, count: number): Promise<void> => {
  for (let number = 1; number <= count; number += 1) {
    const code = `code.${String(number).padStart(2, '0')}`
    await admin.create('localemessage', { code, locale: 'pt', namespace: 'geral', message: `Olá ${number}` })
  }
}
