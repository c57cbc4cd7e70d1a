import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import {
  closeWindows,
  count,
  eventually,
  holdBack,
  inBrowser,
  LONG,
  openBrowser,
  openWindow,
  visit,
} from './browser.ts'

/** Entries of the side menu with the address that each leads to. */
const MENU = {
  Dashboard: 'dashboard',
  Bots: 'bot/search',
  'Natural Language': 'nlu/search',
  'NLU Projects': 'nluproject/search',
  'Train Stories': 'story/search',
  'Bot Brain': 'brain/search',
  'Bot Messages': 'localemessage/search',
  'Code Samples': 'codesample/search',
  'Tiny URL Generator': 'tinyurlmapping/search',
  'Site Search Index': 'sitesearchindex/search',
  Reports: 'reports',
  Admin: 'admin',
  'Application Settings': 'appsettings/search',
  'Release Notes': 'releasenote/search',
} as const
/** Their pages have a menu of their own. */
const CAMPAIGNS = { Campaigns: 'campaignmanagement/search', 'Meta Apps': 'metaapp/search' } as const
const APP_SETTINGS = {
  'JSON Path evaluation': 'tools/jsonpathonline',
  'Upload file to cloud': 'tools/uploadfiletocloud',
  'Deployment Settings': 'deploymentsettings',
} as const

inBrowser('ways through the console', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let page: Page
  let bot: string
  beforeAll(async () => {
    parley = await openParley()
    admin = await parley.signIn()
    bot = (await admin.post('/bot', { name: 'São João' })).body.id
    browser = await openBrowser()
    page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })
  const path = () => new URL(page.url()).pathname
  const heading = (name?: string | RegExp) =>
    page
      .getByRole('heading', { level: 1, ...(name === undefined ? {} : { name }) })
      .first()
      .waitFor()
  const drawer = () => page.getByRole('navigation', { name: 'Main menu' })

  test('asks to stand by where a page does not come soon [C-2.103]', async () => {
    await visit(page, '/botadmin/')
    await heading()
    // No test before this one has loaded the page.
    const release = await holdBack(page, /\/assets\/audit-page/u)
    await drawer().getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('dialog', { name: 'please stand by' }).waitFor()
    release()
    await heading('Audit')
    await count(page.getByRole('dialog', { name: 'please stand by' }), 0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('each entry of the menus leads to its screen [C-2.98] [C-2.36]', async () => {
    await visit(page, '/botadmin/')
    for (const [name, address] of Object.entries(MENU)) {
      await drawer()
        .getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`, 'u') })
        .click()
      await eventually(path).toBe(`/botadmin/${address}`)
      await heading()
    }
    for (const [name, address] of Object.entries(APP_SETTINGS)) {
      await visit(page, '/botadmin/appsettings/search')
      await page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${name}`, 'u') })
        .click()
      await eventually(path).toBe(`/botadmin/${address}`)
      await heading()
    }
    for (const [name, address] of Object.entries(CAMPAIGNS)) {
      await visit(page, '/botadmin/')
      await drawer().getByRole('link', { name }).click()
      await eventually(path).toBe(`/botadmin/${address}`)
      await heading(name)
    }
    await visit(page, `/botadmin/bot/${bot}`)
    for (const [name, address, title] of [
      ['Bot Analytics', `bot/reports/${bot}`, 'Bot Analytics'],
      ['Settings', `bot/settings/${bot}`, 'Bot settings'],
    ] as const) {
      await drawer().getByRole('link', { name, exact: true }).click()
      await eventually(path).toBe(`/botadmin/${address}`)
      await heading(title)
    }
  })

  test('a bot has a menu of its own, whose links carry the bot, its name and what it is [C-2.05] [C-2.86]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    await drawer().getByText('São João').waitFor()
    await drawer().getByRole('link', { name: 'All bots' }).waitFor()
    const addresses = await drawer()
      .getByRole('link')
      .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))
    const inBot = addresses.map(address => new URL(address)).filter(({ searchParams }) => searchParams.has('pid'))
    expect(inBot.length).toBeGreaterThan(10)
    for (const { pathname, searchParams } of inBot) {
      expect(Object.fromEntries(searchParams)).toEqual({ pid: bot, pname: 'São João', ptype: 'bot' })
      if (pathname !== '/botadmin/version/search') expect(pathname.endsWith(`/${bot}`), pathname).toBe(true)
    }
    for (const [name, title] of [
      ['Tasks', 'Tasks'],
      ['Variables', 'Variables'],
      ['Versions', 'Versions'],
      ['Overview', 'São João'],
    ] as const) {
      await drawer().getByRole('link', { name, exact: true }).click()
      await heading(title)
      await eventually(() => drawer().getByRole('link', { name, exact: true }).getAttribute('aria-current')).toBe(
        'page',
      )
      expect(new URL(page.url()).searchParams.get('pname')).toBe('São João')
    }
    await drawer().getByRole('link', { name: 'All bots' }).click()
    await heading('Bots')
    await drawer().getByRole('link', { name: 'Dashboard' }).waitFor()
  })

  test('a fixed path wins over the id of a thing [C-2.59]', async () => {
    for (const [address, title] of [
      ['bot/search', 'Bots'],
      [`bot/settings/${bot}`, 'Bot settings'],
      [`bot/reports/${bot}`, 'Bot Analytics'],
      ['user/search', 'Users'],
      ['user', 'New user'],
      [`bot/${bot}`, 'São João'],
      ['bot/search-', 'This page could not be found.'],
    ] as const) {
      await visit(page, `/botadmin/${address}`)
      await heading(title)
    }
  })

  test('after 300 px a button leads back to the top [C-2.04]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    const box = page.locator('#page-scroll')
    const top = page.getByRole('button', { name: 'Back to top' })
    await page.locator('[data-field="avatars"]').waitFor()
    // Content that arrives above the place that is read would scroll the page.
    await box.evaluate(element => element.style.setProperty('overflow-anchor', 'none'))
    await count(top, 0)
    await box.evaluate(element => element.scrollTo(0, 300))
    await eventually(() => box.evaluate(element => element.scrollTop)).toBe(300)
    await count(top, 0)
    await box.evaluate(element => element.scrollTo(0, 301))
    await top.click()
    await eventually(() => box.evaluate(element => element.scrollTop)).toBe(0)
    await count(top, 0)
  })

  test('the toolbar switches between Portuguese, English and Spanish [C-2.14]', async () => {
    await visit(page, '/botadmin/audit')
    let present = /^Language: English$/u
    for (const [name, title, next] of [
      ['Português', 'Auditoria', /: Português$/u],
      ['Español', 'Auditoría', /: Español$/u],
      ['English', 'Audit', /^Language: English$/u],
    ] as const) {
      await page.getByRole('banner').getByRole('button', { name: present }).click()
      await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).click()
      await heading(title)
      present = next
    }
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  })

  test('a refused save says that validation failed before the list of fields [C-5.22]', async () => {
    await visit(page, '/botadmin/tinyurlmapping')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('x')
    await page.getByRole('button', { name: /^Create/u }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Validation failed' })
    await alert.getByText('Please correct the following error(s)').waitFor()
    await alert.getByRole('listitem').first().waitFor()
  })

  test('a toast is closed by a click on it [C-9.12]', async () => {
    await page.route('**/api/bot/*/start', route => route.fulfill({ status: 500, body: '{}' }))
    await visit(page, `/botadmin/bot/${bot}`)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    const toast = page.getByRole('alert').first()
    await toast.click()
    await count(page.getByRole('alert'), 0)
    await page.unroute('**/api/bot/*/start')
  })
})
