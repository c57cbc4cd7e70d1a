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

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, headless: true, args: FLAGS })
