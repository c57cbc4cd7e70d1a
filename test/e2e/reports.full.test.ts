import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { startMetabase } from '#test/doubles/metabase.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'

inBrowser('reports of Metabase', { timeout: LONG }, () => {
  let metabase: Awaited<ReturnType<typeof startMetabase>>
  let parley: Parley
  let admin: Client
  let browser: Browser
  let page: Page
  let bot: string
  beforeAll(async () => {
    metabase = await startMetabase()
    parley = await openParley({ env: { METABASE_URL: metabase.url, METABASE_SECRET: 'ab'.repeat(32) } })
    admin = await parley.signIn()
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    bot = await make('bot', { name: 'Aurora' })
    const ana = await person(parley, admin, {
      username: 'ana',
      level: root,
      actions: ['showreport', 'showbot', 'readbot'],
    })
    const queue = await make('report', { name: 'Queue', type: 'question', metabaseid: 42 })
    await make('reportgroup', { name: 'Service', reports: [queue], usergroups: [ana.group] })
    const parameters = { bot: '{bot}' }
    await make('report', { name: 'By subject', type: 'dashboard', metabaseid: 7, global: true, parameters })
    browser = await openBrowser()
    page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
    await metabase?.close()
  })
  const make = (entity: string, fields: object) => admin.create(entity, fields)
  const heading = (name: string, on = page) => on.getByRole('heading', { name, level: 1 }).waitFor()
  const list = (on = page) => on.getByRole('navigation', { name: 'Reports' })
  const trail = async () =>
    (await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts())
      .map(text => text.trim())
      .filter(text => text !== '')

  test('answers under /report, /reportgroup and /reports [C-2.29]', async () => {
    await visit(page, '/botadmin/report/new')
    await heading('New report')
    await visit(page, '/botadmin/reportgroup/new')
    await heading('New report group')
    await visit(page, '/botadmin/reports')
    await heading('Reports')
  })

  test('lists reports and report groups below /reports [C-2.37] [C-2.96]', async () => {
    await visit(page, '/botadmin/reports')
    await page.getByRole('main').getByRole('link', { name: 'Report groups' }).click()
    await heading('Report groups')
    expect(new URL(page.url()).pathname).toBe('/botadmin/reportgroup/search')
    await eventually(trail).toEqual(['Home', 'Reports', 'Report groups'])
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Report definitions' }).click()
    expect(new URL(page.url()).pathname).toBe('/botadmin/report/search')
    await eventually(trail).toEqual(['Home', 'Reports', 'Report definitions'])
  })

  test('opens a report and a report group by id [C-2.58]', async () => {
    for (const entity of ['report', 'reportgroup']) {
      const [row] = (await admin.get(`/${entity}`)).body.items as unknown as { id: string; name: string }[]
      await visit(page, `/botadmin/${entity}/${row?.id}`)
      await heading(row?.name ?? '')
    }
  })

  test('shows a question in a closed frame that sends no address of the console', async () => {
    await visit(page, '/botadmin/reports')
    await list().getByRole('button', { name: 'Queue' }).click()
    const frame = page.locator('iframe[title="Queue"]')
    const content = page.frameLocator('iframe[title="Queue"]')
    await content.getByText('/embed/question/').waitFor()
    await content.getByText('closed').waitFor()
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups allow-downloads')
    expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer')
    expect(metabase.referrers.filter(referrer => referrer !== '')).toEqual([])
  })

  test('renews the address of a frame before it ends [P-203]', async () => {
    const own = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await own.clock.install()
    await visit(own, '/botadmin/reports')
    await list(own).getByRole('button', { name: 'Queue' }).click()
    await own.frameLocator('iframe[title="Queue"]').getByText('/embed/question/').waitFor()
    const address = () => own.locator('iframe').getAttribute('src')
    const before = await address()
    await own.clock.fastForward(560_000)
    expect(await address()).toBe(before)
    // Another token: it says when it ends, in whole seconds.
    await new Promise(resolve => setTimeout(resolve, 1000))
    await own.clock.fastForward(15_000)
    await eventually(address).not.toBe(before)
    await own.context().close()
  })

  test('asks for the bot of a report that is about one', async () => {
    await visit(page, '/botadmin/reports')
    await list().getByRole('button', { name: 'By subject' }).click()
    await page.getByText('Which bot is it about?').waitFor()
    await count(page.locator('iframe'), 0)
    await page.getByLabel('Bot', { exact: true }).selectOption({ label: 'Aurora' })
    await page.frameLocator('iframe').getByText('/embed/dashboard/').waitFor()
  })

  test('shows the global reports under a bot, locked to it [C-2.69]', async () => {
    metabase.asked.length = 0
    await visit(page, `/botadmin/bot/${bot}`)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Bot Analytics' }).click()
    // The links of a bot's menu say which bot they belong to.
    await page.waitForURL(url => url.pathname === `/botadmin/bot/reports/${bot}`)
    await page.frameLocator('iframe[title="By subject"]').getByText('/embed/dashboard/').waitFor()
    await count(list().getByRole('button'), 1)
    const [, payload = ''] = (metabase.asked.find(path => path.startsWith('/embed/dashboard/')) ?? '').split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ params: { bot } })
    await eventually(trail).toEqual(['Home', 'Bots', 'Aurora', 'Bot Analytics'])
    await visit(page, '/botadmin/bot/reports')
    await eventually(() => new URL(page.url()).pathname).toBe('/botadmin/bot/search')
  })

  test('shows to others what their report groups grant, without downloads and lists', async () => {
    const own = await openWindow(browser, parley, { username: 'ana', password: `${PASSWORD}x` })
    await visit(own, '/botadmin/reports')
    await own.frameLocator('iframe[title="Queue"]').getByText('/embed/question/').waitFor()
    expect(await own.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-popups')
    await count(list(own).getByRole('button'), 1)
    await count(own.getByRole('link', { name: 'Report groups' }), 0)
    await own.context().close()
  })
})
