import { expect, test } from 'vitest'
import { count, inBrowser, LONG, visit } from './browser.ts'
import { makeMessages, openConsole } from './console-world.ts'
import { violations } from './violations.ts'

const MESSAGES = 30

inBrowser('many things of a list at once', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole()
  await makeMessages(admin, MESSAGES)

  const totalOf = async (query: string): Promise<unknown> => (await admin.get(`/localemessage?${query}`)).body.total
  const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
  const selection = () => page.getByRole('region', { name: 'Selection' })
  const confirm = async (action: string) => {
    await selection().getByRole('button', { name: action, exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: action, exact: true }).click()
  }

  test('changes what was selected over two pages, then everything that matches, and takes it back [P-109]', async () => {
    await visit(page, '/botadmin/localemessage/search?sort=code')
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await status('25 selected').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('checkbox', { name: 'Select code.30' }).check()
    await status('26 selected').waitFor()
    await confirm('Disable')
    await status('Disable: 26 done.').waitFor()
    expect(await totalOf('enabled=false')).toBe(26)
    expect(await violations(page)).toEqual([])

    await visit(page, '/botadmin/localemessage/search?search=code')
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await page.getByRole('button', { name: 'Select all 30 that match' }).click()
    await confirm('Delete')
    await status('Delete: 30 done.').waitFor()
    expect(await totalOf('')).toBe(0)

    await page.getByRole('button', { name: 'Undo' }).click()
    await status('Undo: 30 done.').waitFor()
    expect(await totalOf('enabled=false')).toBe(26)
    await page.getByRole('button', { name: 'Close' }).click()
  })

  test('removes after CONFIRM was typed, names what was refused and why, and brings back what was removed [P-109]', async () => {
    const made = (entity: string, fields: object) => admin.create(entity, fields)
    const used = await made('role', { name: 'Papel usado' })
    await made('role', { name: 'Papel livre' })
    await made('role', { name: 'Papel solto' })
    await made('usergroup', { name: 'Atendimento', roles: [used] })

    await visit(page, '/botadmin/role/search?search=papel')
    await count(page.getByRole('table').getByRole('row'), 4)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await selection().getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('alertdialog')
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    await page.keyboard.press('Enter')
    await status('Delete: 2 done. 1 was refused.').waitFor()
    await page.getByRole('button', { name: 'Show why' }).click()
    const refused = page.getByRole('list', { name: 'What was refused' })
    await refused.getByRole('link', { name: 'Papel usado' }).waitFor()
    await refused.getByText('It is still used in one place').waitFor()
    await count(page.getByRole('table').getByRole('row'), 2)

    // The process is still shown when the page is loaded again.
    await page.reload()
    await status('Delete: 2 done. 1 was refused.').waitFor()

    await visit(page, '/botadmin/role/search?search=papel&removed=true')
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await confirm('Bring back')
    await status('Bring back: 2 done.').waitFor()
    await visit(page, '/botadmin/role/search?search=papel')
    await count(page.getByRole('table').getByRole('row'), 4)
  })
})
