import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '#test/api/campaign.ts'
import { ADMIN_PASSWORD, type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { closeWindows, count, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { violations } from './violations.ts'

const ADMIN = { username: 'admin', password: ADMIN_PASSWORD } as const

inBrowser('the contacts of a campaign', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let page: Page
  let campaign: string
  beforeAll(async () => {
    parley = await openParley()
    admin = await parley.signIn()
    campaign = await makeCampaign(admin, 'lembrete')
    const mapping = [
      { variable: '1', source: 'nome' },
      { variable: '2', source: 'field03' },
    ]
    const { revision } = (await admin.get(`/campaign/${campaign}`)).body
    expect((await admin.patch(`/campaign/${campaign}`, { mapping }, revision)).status).toBe(200)
    browser = await openBrowser()
    page = await openWindow(browser, parley, ADMIN)
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })

  test('are added by hand, with what the template needs first [C-2.62] [D-9.24] [P-1383]', async () => {
    await visit(page, `/botadmin/bot/campaign/contact/${campaign}`)
    await page.waitForURL(`**/campaignmanagement/contact/${campaign}`)
    await page.getByText('No contacts yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Add contact' }).first().click()
    await page.getByText('Fills {{2}} of the template').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('A phone number is required').waitFor()
    await page.getByLabel('Phone').fill('5,51E+12')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('A spreadsheet has rounded this number', { exact: false }).waitFor()
    await page.getByLabel('Phone').fill('12 90000-4410')
    await page.getByLabel('nome').fill('Luana Freitas')
    await page.getByLabel('field03').fill('24/11/2026 8h20')
    await page.getByRole('button', { name: 'Add and go on' }).click()
    await page.getByText('Added.').waitFor()
    await page.getByLabel('Phone').fill('+55 11 98765-4321')
    await page.getByLabel('nome').fill('Roberto Maia')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'Roberto Maia' }).waitFor()
    await page.getByRole('cell', { name: '+5511987654321' }).waitFor()
    await page.getByRole('columnheader', { name: 'field03' }).waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('are found by a part of name or number, which stays out of the address [P-1384]', async () => {
    const search = page.getByRole('searchbox', { name: 'Name or number' })
    await search.fill('freit')
    await page.getByRole('rowheader', { name: 'Luana Freitas' }).waitFor()
    await count(page.getByRole('rowheader'), 1)
    await page.getByText('1 contact found').waitFor()
    expect(page.url()).not.toContain('freit')
    await search.fill('nobody')
    await page.getByText('Nobody is like this').waitFor()
    await search.fill('')
    await count(page.getByRole('rowheader'), 2)
  })

  test('are changed, taken out, and forgotten for good [C-2.62] [P-1385]', async () => {
    await page.getByRole('button', { name: 'Luana Freitas', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit contact' })
    await form.getByLabel('nome').fill('Luana F. Souza')
    expect(await violations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('rowheader', { name: 'Luana F. Souza' }).waitFor()

    await page.getByRole('button', { name: 'More about Roberto Maia' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await count(page.getByRole('rowheader'), 1)

    await page.getByRole('button', { name: 'More about Luana F. Souza' }).click()
    await page.getByRole('menuitem', { name: 'Forget this person' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Forget Luana F. Souza?' })
    await asked.getByLabel(/Type CONFIRM/u).fill('CONFIRM')
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Forget' }).click()
    await asked.waitFor({ state: 'detached' })
    await count(page.getByText('Luana'), 0)
  })

  test('are read on a phone, and by who may alone [C-2.62]', async () => {
    await admin.post('/contact', { campaign, phone: '+5511987654321', nome: 'Ana Clara', field03: 'Odontologia' })
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, `/botadmin/campaignmanagement/contact/${campaign}`)
    await page.getByRole('listitem').filter({ hasText: 'Ana Clara' }).getByText('Odontologia').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await violations(page)).toEqual([])

    const level = String((await admin.get('/userhierarchy')).body.hierarchylevel)
    await person(parley, admin, { username: 'rui', level, actions: ['readcampaign', 'readcontact'] })
    const other = await openWindow(browser, parley, { username: 'rui', password: `${PASSWORD}x` })
    await visit(other, `/botadmin/campaignmanagement/contact/${campaign}`)
    await other.getByRole('rowheader', { name: 'Ana Clara' }).waitFor()
    await count(other.getByRole('link', { name: 'Add contact' }), 0)
    await count(other.getByRole('button', { name: /More about/u }), 0)
    await other.context().close()
  })
})
