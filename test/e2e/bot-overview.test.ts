import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Client, discard, type Parley, startParley } from '#test/api/harness.ts'
import { eventually, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('the page of a bot', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let page: Page
  let made: Awaited<ReturnType<typeof makeDialog>>
  beforeAll(async () => {
    parley = await startParley()
    admin = await parley.signIn()
    made = await makeDialog(admin, CLINIC_FLOW)
    browser = await openBrowser()
    page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
  }, LONG)
  afterAll(async () => {
    await browser?.close()
    await discard(parley)
  })
  const card = (name: string) => page.getByRole('region', { name, exact: true })

  test('tells what is not live and leads there, to the default task and to the audit [P-430] [P-431]', async () => {
    await page.goto(`/botadmin/bot/${made.bot}`)
    await card('In numbers')
      .getByRole('link', { name: /^Dialogs 1 1 not live as drawn/u })
      .waitFor()
    const publishing = card('To publish')
    await publishing.getByText('Never published').waitFor()
    await publishing.getByText(/has no main dialog/u).waitFor()
    await publishing.getByRole('button', { name: 'Choose one' }).click()
    await eventually(() =>
      page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field')),
    ).toBe('defaultdialogtask')
    await publishing.getByRole('link', { name: 'Principal' }).click()
    await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/designer/dialog/${made.dialog}`)

    await page.goBack()
    await card('What happened').getByRole('link', { name: 'Open the audit' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('within')).toBe(made.bot)
    await page.getByRole('button', { name: 'Take off Bot' }).waitFor()
    const { total } = (await admin.get(`/audit?within=${made.bot}`)).body
    expect(total).toBeGreaterThan(2)
    await page.getByText(`${total} lines`).waitFor()
  })

  test('is a bot without anything in it alone, in few words [P-430]', async () => {
    const { id } = (await admin.post('/bot', { name: 'Vazio' })).body
    await page.goto(`/botadmin/bot/${id}`)
    await card('To publish').getByText('No dialog is drawn yet.').waitFor()
    await card('What happened').getByText('created').waitFor()
  })
})
