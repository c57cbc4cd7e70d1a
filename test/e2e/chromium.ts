import { accessSync, constants } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Whether there is a Chromium to drive. */
export const hasChromium = (): boolean => {
  try {
    accessSync(PROGRAM, constants.X_OK)
    return true
  } catch {
    return false
  }
}

let running: Promise<Browser> | undefined

/** The browser of this process. Its windows close when the test file ends; it ends with the process. */
export const openBrowser = async (): Promise<Browser> => {
  const current = await running
  if (current?.isConnected() === true) return current
  running = chromium.launch({ executablePath: PROGRAM, headless: true, args: FLAGS })
  return running
}

export const closeWindows = async (): Promise<void> => {
  const browser = await running
  await Promise.all(browser?.contexts().map(context => context.close()) ?? [])
}

/** Errors of the pages that `openWindow` opened, until they are read. */
export const broken: string[] = []
