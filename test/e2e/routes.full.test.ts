import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { makeCampaign } from '#test/api/campaign.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { level, PASSWORD, person } from '#test/api/people.ts'
import { eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'

/** Pages that are no entity's, with the heading in English. */
const PAGES: Readonly<Record<string, RegExp>> = {
  '': /./,
  admin: /Admin/,
  'appsettings/search': /Application Settings/,
  audit: /Audit/,
  'nlu/search': /Natural Language/,
  'campaignmanagement/search': /Campaigns/,
  'campaignmanagement/channel/search': /WhatsApp channels/,
  'campaignmanagement/channel/apps': /Sending apps/,
  inspire: /./,
  reports: /Reports/,
  'tools/jsonpathonline?parsertype=jsonpathplus': /./,
  'tools/jsonpathonline?parsertype=jsonata': /./,
  'tools/uploadfiletocloud': /Files/,
  'password/passwordchange': /Change password/,
  'account/twofactor': /./,
  'account/sessions': /./,
  'account/tokens': /Personal tokens/,
}
/** Pages without a trail: Home is where it begins. */
const WITHOUT_TRAIL = new Set([''])
/** Routes of later stages. */
const LATER = ['designer', 'bot/nlu/x']

const listed = (Object.values(ENTITIES) as readonly EntityDeclaration[]).filter(({ place }) => place !== undefined)
const many = listed.filter(({ cardinality, place }) => cardinality !== 'one' && place?.hidden !== true)
const inBot = listed.filter(({ place }) => place?.bot?.group === 'settings')

inBrowser('every route', { timeout: LONG * 2 }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const formsAndLists = () => [
    ...many.map(({ name, place }) => (place?.list ?? `/${name}/search`).slice(1)),
    ...many.filter(({ name, writtenBy }) => name !== 'version' && writtenBy === undefined).map(({ name }) => name),
    'nlusettings',
    ...campaigns,
  ]
  const otherPages = () => [
    ...Object.keys(PAGES),
    `bot/settings/${bot}`,
    `bot/reports/${bot}`,
    `bot/conversation/${bot}`,
    `bot/insight/${bot}`,
    `bot/botservice/${bot}`,
    `bot/settings/botlogs/${bot}`,
    ...inBot.map(({ name }) => `bot/settings/${name}/${bot}`),
    'deploymentsettings',
    'sitesearchindex/bot/search',
    'meta/app/search',
  ]
  const bot = (await admin.post('/bot', { name: 'Loja' })).body.id
  const made = (entity: string, fields: object) => admin.create(entity, fields)
  const metaapp = await made('metaapp', { name: 'Avisos', app_id: '1' })
  const account = await made('metaaccount', { metaapp, name: 'Principal', waba_id: '1' })
  const profile = await made('campaignuploadprofile', {
    name: 'Planilha',
    campaign_id: await makeCampaign(admin, 'avisos'),
  })
  /** Addresses of things of campaigns. */
  const campaigns = [
    `metaapp/${metaapp}`,
    `meta/account/${account}`,
    `campaignuploadprofile/${profile}`,
    `campaignuploadprofile/campaignupload/${profile}`,
  ]
  const nowhere = await level(admin, 'Sem direitos')
  await person(parley, admin, { username: 'ninguem', level: nowhere, actions: [] })
  const least = { username: 'ninguem', password: `${PASSWORD}x` }

  /** A window that records its console errors. */
  const watched = async (options: Parameters<typeof openWindow>[2]) => {
    const page = await openWindow(browser, parley, options)
    const errors: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()} (${message.location().url})`)
    })
    return { page, errors }
  }
  const opened = async (page: Page, address: string) => {
    await visit(page, `/botadmin/${address}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  /** The page as it stands, made as narrow as a phone for a moment. */
  const isWiderThanPhone = async (page: Page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const isWider = await page.evaluate(
      () =>
        new Promise<boolean>(done =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => done(document.documentElement.scrollWidth > innerWidth + 1)),
          ),
        ),
    )
    await page.setViewportSize({ width: 1440, height: 900 })
    return isWider
  }

  /** Each has a heading and a trail, an empty console of the browser, and is no wider than a phone. */
  const walk = async (addresses: readonly string[]) => {
    const { page, errors } = await watched({ username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
    for (const address of addresses) {
      await opened(page, address)
      expect(await isWiderThanPhone(page), address).toBe(false)
      const heading = (await page.getByRole('heading', { level: 1 }).first().innerText()).trim()
      expect(heading, address).toMatch(PAGES[address] ?? /\S/)
      expect(heading, address).not.toMatch(/could not be found|not authorized/)
      if (WITHOUT_TRAIL.has(address)) continue
      const home = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').first()
      expect((await home.innerText()).trim(), address).toBe('Home')
    }
    expect(errors).toEqual([])
    await page.context().close()
  }

  test('opens for an administrator: pages, hubs and settings [P-301] [C-2.01] [C-2.38] [C-2.42] [C-2.44] [D-2.11] [C-2.78] [C-2.79] [C-2.82] [C-2.83] [C-2.84] [C-2.85]', () =>
    walk(otherPages()))

  test('opens for an administrator: lists and forms [P-301] [C-2.21] [C-2.23] [C-2.24] [C-2.25] [C-2.26] [C-2.28] [C-2.30] [C-2.31] [C-2.32] [C-2.33] [C-2.35] [C-2.43] [C-2.52] [C-2.57] [C-2.63] [C-2.64]', () =>
    walk(formsAndLists()))

  test('shows not authorized, or nothing of others, to a person without any right [C-6.09] [C-6.10]', async () => {
    const { page } = await watched({ ...least, width: 1440 })
    for (const { name, place } of many) {
      await opened(page, (place?.list ?? `/${name}/search`).slice(1))
      await page.getByRole('heading', { level: 1, name: 'You are not authorized!!!' }).waitFor()
    }
    await opened(page, '')
    const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
    expect((await links.allInnerTexts()).map(text => text.trim()).filter(text => text !== '')).toEqual([
      'Home',
      'Campaigns',
    ])
    await page.context().close()
  })

  test('leads to the sign-in and back when nobody is signed in', async () => {
    const { page } = await watched({ width: 1440 })
    for (const address of ['bot/search', 'audit?user=x', 'tools/jsonpathonline?parsertype=jsonata', `bot/${bot}`]) {
      await visit(page, `/botadmin/${address}`)
      await eventually(() => new URL(page.url()).pathname).toBe('/botadmin/login')
      expect(new URL(page.url()).searchParams.get('next')).toBe(`/${address}`)
    }
    await page.context().close()
  })

  test('of a later stage is not found yet [C-2.104]', async () => {
    const { page } = await watched({ username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
    for (const address of LATER) {
      await opened(page, address)
      await page.getByRole('heading', { level: 1, name: 'This page could not be found.' }).waitFor()
    }
    await page.context().close()
  })
})
