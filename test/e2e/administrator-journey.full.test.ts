import { test } from 'vitest'
import { PASSWORD } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { textsOf } from './entity-texts.ts'

/** A thing that is made, changed and found by the page of its list. */
interface Made {
  readonly entity: string
  readonly name: string
  readonly title?: string
  /** Fills fields other than the title. */
  readonly fill?: () => Promise<void>
  /** Leads from the page of a list to its search. */
  readonly toSearch?: () => Promise<void>
}

inBrowser('a day of an administrator', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole()
  await visit(page, '/botadmin/')

  /** The entry of a list may count what is in it. */
  const menu = (name: string) =>
    page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name: new RegExp(`^${name}[\\s\\d]*$`, 'u') })
      .click()
  const link = (name: RegExp) => page.getByRole('main').getByRole('link', { name }).first().click()
  const field = (name: string) => page.locator(`[data-field="${name}"] :is(input, textarea)`).first()
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const saved = (entity: string, name: string) =>
    eventually(async () => (await admin.get(`/${entity}?search=${name}`)).body.items).toMatchObject([{}])

  /** From a list: makes a thing, changes its name, goes back, finds it by the new name and opens it. */
  const makeChangeFind = async ({ entity, name, title = 'name', fill, toSearch }: Made) => {
    // The list that was left shows its own button until the next one is there.
    await page
      .getByRole('button', { name: new RegExp(`^New ${textsOf(entity).name}`, 'iu') })
      .first()
      .click()
    await field(title).fill(name)
    await fill?.()
    await page.getByRole('button', { name: /^Create/u }).click()
    await heading(name)
    const changed = `${name}2`
    await field(title).fill(changed)
    await page.keyboard.press('Control+s')
    await saved(entity, changed)
    await heading(changed)
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').last().click()
    await toSearch?.()
    const search = page.getByRole('main').getByRole('searchbox').first()
    await search.fill(`no ${name}`)
    await count(page.getByRole('link', { name: changed, exact: true }), 0)
    await search.fill(changed)
    await page.getByRole('main').getByRole('link', { name: changed, exact: true }).click()
    await heading(changed)
  }

  test('a role, a user group, a user and a level are made, changed, found and opened through the menus alone [C-1.01]', async () => {
    await menu('Admin')
    await link(/^Roles/u)
    await makeChangeFind({ entity: 'role', name: 'Revisor' })
    await menu('Admin')
    await link(/^User groups/u)
    await makeChangeFind({ entity: 'usergroup', name: 'Revisores' })
    await menu('Admin')
    await link(/^Users/u)
    const fill = () => field('password').fill(PASSWORD)
    await makeChangeFind({ entity: 'user', name: 'rosa', title: 'username', fill })

    await menu('Admin')
    await link(/^Hierarchy/u)
    await page.getByRole('button', { name: 'New level' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Norte')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'More actions for Norte' }).click()
    await page.getByRole('menuitem', { name: /^Edit/u }).click()
    await field('name').fill('Nordeste')
    await page.keyboard.press('Control+s')
    await heading('Nordeste')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').last().click()
    await page.getByRole('row').filter({ hasText: 'Nordeste' }).waitFor()
  })

  test('a bot with a channel and an agent channel, an NLU project and a report are made, changed, found and opened through the menus alone [C-1.01]', async () => {
    await menu('Bots')
    await makeChangeFind({ entity: 'bot', name: 'Lume' })
    await menu('Channels')
    const toSearch = () => page.getByRole('button', { name: 'As a table', exact: true }).click()
    await makeChangeFind({ entity: 'channel', name: 'Site', toSearch })
    await menu('Agent channels')
    await makeChangeFind({ entity: 'agentchannel', name: 'Central' })
    await menu('All bots')
    await menu('NLU Projects')
    await makeChangeFind({ entity: 'nluproject', name: 'Clinica' })
    await menu('Reports')
    await link(/^Report definitions/u)
    await makeChangeFind({ entity: 'report', name: 'Vendas', fill: () => field('metabaseid').fill('7') })
  })

  test('the deployment settings are changed and opened again through the menus alone [C-1.01]', async () => {
    await menu('Application Settings')
    await link(/^Deployment Settings/u)
    await field('environments').waitFor()
    const description = page.getByRole('main').getByRole('textbox', { name: 'Description' }).first()
    await description.fill('Where people try things')
    await page.keyboard.press('Control+s')
    await eventually(async () => (await admin.get('/deploymentsettings')).text).toContain('Where people try things')
    await menu('Home')
    await menu('Application Settings')
    await link(/^Deployment Settings/u)
    await eventually(() => description.inputValue()).toBe('Where people try things')
  })
})
