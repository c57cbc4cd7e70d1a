import { accessSync, constants, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { isFull } from '#test/fixture/full.ts'

/** Benchmarks and tests of the full run measure times: for them the browser is that of users. */
const isMeasured = process.env.VITEST === undefined || isFull
/** The shell has the engine of Chromium without its window, which costs a fifth of the processor time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const PROGRAM = process.env.CHROMIUM ?? (isMeasured ? PROGRAMS.toReversed() : PROGRAMS).find(existsSync) ?? ''
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Pages of tests live for seconds: optimizing compilers cost more than they save. */
const SHORT_LIVED = ['--js-flags=--no-turbofan --no-maglev --min-semi-space-size=32 --max-semi-space-size=64']

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
  running = chromium.launch({
    executablePath: PROGRAM,
    headless: true,
    args: isMeasured ? FLAGS : [...FLAGS, ...SHORT_LIVED],
  })
  return running
}

export const closeWindows = async (): Promise<void> => {
  const browser = await running
  await Promise.all(browser?.contexts().map(context => context.close()) ?? [])
}

/** Address and text of each open page. */
export const shownWindows = async (): Promise<string[]> => {
  const browser = await running
  const pages = browser?.contexts().flatMap(context => context.pages()) ?? []
  return Promise.all(
    pages.map(async page => {
      const text = page.evaluate(() => document.body.innerText.slice(0, 2_000)).catch(String)
      return `${page.url()}\n${await Promise.race([text, pause(5_000, 'The page does not answer')])}`
    }),
  )
}

/** Errors of the pages that `openWindow` opened, until they are read. */
export const broken: string[] = []
