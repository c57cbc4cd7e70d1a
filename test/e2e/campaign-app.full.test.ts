import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { startTemplateWorld } from '#test/api/template-world.ts'
import {
  closeWindows,
  count,
  eventually,
  fitsWithin,
  inBrowser,
  LONG,
  openBrowser,
  openWindow,
  visit,
} from './browser.ts'
import { violations } from './violations.ts'

inBrowser('apps and channels that campaigns are sent through', { timeout: LONG }, async () => {
  const world = await startTemplateWorld()
  const unkeyed = await world.made('/metaapp', { name: 'Sem chave', app_id: '998877' })
  await world.made('/metaaccount', { metaapp: unkeyed, name: 'Conta nova', waba_id: '4711' })
  const bot = await world.made('/bot', { name: 'Loja' })
  await world.made('/channel', {
    ...{ bot, type: 'whatsapp_twilio', name: 'Atendimento', sender_number: '+5511987650000' },
    // Disabled: an enabled channel is not stored without its credentials.
    enable: false,
  })
  await world.made('/channel', { bot, type: 'webchat', name: 'Janela' })
  await world.submitted(await world.draft({ templateName: 'novidades_novembro' }))
  await world.draft({ templateName: 'rascunho' })
  expect((await world.admin.post(`/metaaccount/${world.account}/subscribe`, {})).status).toBe(200)
  const browser = await openBrowser()
  const page = await openWindow(browser, world.parley, { username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
  afterAll(async () => {
    await closeWindows()
    await world.close()
  })
  const drawer = () => page.getByRole('navigation', { name: 'Main menu' })
  const crumbs = async () => {
    const items = await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts()
    return items.map(text => text.trim()).filter(text => text !== '')
  }

  test('replaces the main menu with the menu of campaigns on their pages, with a link back [C-2.06] [P-1360]', async () => {
    await visit(page, '/botadmin/')
    await drawer().getByRole('link', { name: 'Campaigns' }).click()
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    for (const [name, address] of [
      ['Templates', '/campaignmanagement/channel/app/template/search'],
      ['Sending apps', '/campaignmanagement/channel/apps'],
      ['WhatsApp channels', '/campaignmanagement/channel/search'],
      ['Meta Apps', '/metaapp/search'],
    ] as const) {
      const link = drawer().getByRole('link', { name, exact: true })
      await link.click()
      await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin${address}`)
      await eventually(() => link.getAttribute('aria-current')).toBe('page')
    }
    await drawer().getByRole('link', { name: 'Main menu' }).click()
    await drawer().getByRole('link', { name: 'Bots' }).waitFor()
  })

  test('apps show their numbers and whether their API key is set [C-2.39] [C-4.29] [D-8.09] [P-1361]', async () => {
    await visit(page, '/botadmin/campaignmanagement/channel/apps')
    const lume = page.getByRole('article', { name: 'Lume' })
    await lume.getByText('Key set').waitFor()
    await page.getByRole('article', { name: 'Sem chave' }).getByText('No key').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Sem chave', exact: true }).click()
    await page.getByRole('alert').getByText('API Key is not set for the app').waitFor()
    await page.getByRole('link', { name: 'Set the key' }).click()
    await eventually(() => new URL(page.url()).pathname).toMatch(/\/metaaccount\/[\da-f-]{36}$/u)
    await page.locator('[data-field="access_token"] input').fill('EAAG-novo')
    await page.getByRole('button', { name: /^Save/u }).click()
    await page.getByText('Saved').first().waitFor()
    await visit(page, `/botadmin/campaignmanagement/channel/app/${unkeyed}`)
    await page.getByText('Key set').waitFor()
    await count(page.getByRole('alert'), 0)
  })

  test('an app shows its number as Meta tells it, and leads to its templates [C-2.61] [C-2.42] [C-2.94] [P-1362]', async () => {
    await visit(page, `/botadmin/campaignmanagement/channel/app/${world.app}?appName=Lume`)
    await eventually(crumbs).toEqual(['Home', 'Campaigns', 'Sending apps', 'Lume'])
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByRole('status').filter({ hasText: 'Meta answers' }).waitFor()
    const number = page.getByRole('region', { name: /^Number/u })
    await number.getByText('High quality').waitFor()
    await number.getByText(/people in 24 h|No limit/u).waitFor()
    const templates = page.getByRole('region', { name: 'Templates' })
    await templates.getByRole('link', { name: 'rascunho' }).getByText('Draft').waitFor()
    await templates.getByRole('link', { name: 'novidades_novembro' }).getByText('Under review').waitFor()
    expect(await violations(page)).toEqual([])
    await templates.getByRole('link', { name: 'All 2' }).click()
    await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    await eventually(() => new URL(page.url()).searchParams.get('metaaccount')).toBe(world.account)
    await page.getByRole('link', { name: 'rascunho' }).waitFor()
    await visit(page, '/botadmin/campaignmanagement/channel/app')
    await eventually(() => new URL(page.url()).pathname).toBe('/botadmin/campaignmanagement/channel/apps')
  })

  test('channels on WhatsApp of all bots are listed, others not, no wider than a phone [C-2.39] [P-1363]', async () => {
    await visit(page, '/botadmin/campaignmanagement/channel/search')
    await page.getByRole('link', { name: 'Atendimento' }).waitFor()
    await count(page.getByRole('link', { name: 'Janela' }), 0)
    await page.getByText('Incomplete').waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    for (const address of ['channel/search', 'channel/apps', `channel/app/${world.app}`]) {
      await visit(page, `/botadmin/campaignmanagement/${address}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await fitsWithin(page, 391)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
