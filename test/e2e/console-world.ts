import type { Browser, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { ADMIN_PASSWORD, type Client } from '#test/api/harness.ts'
import { type HostedParley, openAdmin, type ParleyOptions } from '#test/api/open-parley.ts'
import { closeWindows, openBrowser, openWindow, type WindowOptions } from './browser.ts'

interface BrowserWorld {
  readonly parley: HostedParley
  readonly admin: Client
  readonly browser: Browser
}

/** A gateway for a test file or a group of its tests, and a browser for its windows, which close before it. */
export const openBrowserWorld = async (given: ParleyOptions = {}): Promise<BrowserWorld> => {
  const opened = await openAdmin(given)
  afterAll(closeWindows)
  return { ...opened, browser: await openBrowser() }
}

interface ConsoleWorld extends BrowserWorld {
  /** Window of the administrator. */
  readonly page: Page
}

/** The same, and the console in a window of the administrator. */
export const openConsole = async (
  given: ParleyOptions & { readonly window?: WindowOptions } = {},
): Promise<ConsoleWorld> => {
  const world = await openBrowserWorld(given)
  const administrator = { username: 'admin', password: ADMIN_PASSWORD, ...given.window }
  return { ...world, page: await openWindow(world.browser, world.parley, administrator) }
}

/** Bot messages `code.01`, `code.02`, …, with the texts `Olá 1`, `Olá 2`, … */
export const makeMessages = async (admin: Client, count: number): Promise<void> => {
  for (let number = 1; number <= count; number += 1) {
    const code = `code.${String(number).padStart(2, '0')}`
    await admin.create('localemessage', { code, locale: 'pt', namespace: 'geral', message: `Olá ${number}` })
  }
}
