import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, inBrowser, LONG, openWindow } from './browser.ts'
import { openConsole } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('addresses of the console', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const failed: string[] = []
  const made = await makeDialog(admin, CLINIC_FLOW)
  page.on('response', response => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
  })
  const path = () => new URL(page.url()).pathname
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

  test('shows V 1.0.0 when there is no release note [C-9.17]', async () => {
    await page.goto('/botadmin/')
    await page.getByRole('button', { name: /^V 1\.0\.0,/ }).waitFor()
  })

  test('opens the history when the history of a flow is chosen on Home [P-92]', async () => {
    await page.goto('/botadmin/')
    await page.getByRole('link', { name: 'History: Principal' }).first().click()
    await page.getByRole('button', { name: 'Back to now' }).waitFor()
    expect(new URL(page.url()).searchParams.get('mode')).toBe('history')
  })

  test('leads to a list without a failed request when the optional id is missing [P-93]', async () => {
    failed.length = 0
    for (const [from, to] of [
      ['bot/dialogtask', '/botadmin/dialogtask/search'],
      [`bot/dialogtask?pid=${made.bot}`, '/botadmin/bot/dialogtask'],
      [`designer/dialog?pid=${made.bot}`, '/botadmin/bot/dialogtask'],
      ['bot/settings', '/botadmin/bot/search'],
      ['bot/settings/variable', '/botadmin/variable/search'],
      [`bot/settings?pid=${made.bot}`, `/botadmin/bot/settings/${made.bot}`],
      [`bot/settings/variable?pid=${made.bot}`, `/botadmin/bot/settings/variable/${made.bot}`],
      ['role/actionandservices', '/botadmin/role/search'],
    ] as const) {
      await page.goto(`/botadmin/${from}`)
      await eventually(path).toBe(to)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    expect(failed).toEqual([])
  })

  test('takes the language of the path, also after the sign-in and in links [C-2.87]', async () => {
    const visitor = await openWindow(browser, parley)
    await visitor.goto('/botadmin/pt/codesample/search?size=50')
    await eventually(() => visitor.url()).toContain('/botadmin/pt/login?next=')
    await visitor.locator('input[autocomplete="username"]').fill('admin')
    await visitor.locator('input[type="password"]').fill(ADMIN_PASSWORD)
    await visitor.keyboard.press('Enter')
    await eventually(() => visitor.url()).toContain('/botadmin/pt/codesample/search?size=50')
    await visitor.getByRole('link', { name: 'Auditoria' }).click()
    await visitor.getByRole('heading', { name: 'Auditoria', level: 1 }).waitFor()
    expect(new URL(visitor.url()).pathname).toBe('/botadmin/pt/audit')
    await visitor.getByRole('button', { name: /: Português$/ }).click()
    await visitor
      .getByRole('menuitemradio', { name: 'Español' })
      .or(visitor.getByRole('menuitem', { name: 'Español' }))
      .click()
    await visitor.getByRole('heading', { name: 'Auditoría', level: 1 }).waitFor()
    expect(new URL(visitor.url()).pathname).toBe('/botadmin/es/audit')
    await visitor.context().close()
  })

  test('drops the language from the path when it is the fallback language, and keeps the query [C-2.89]', async () => {
    await page.goto('/botadmin/es/audit')
    await heading('Auditoría')
    await page.goto('/botadmin/en/codesample/search?size=50')
    await page.getByRole('heading', { name: /^Code samples$/i, level: 1 }).waitFor()
    expect(page.url()).toBe(`${parley.origin}/botadmin/codesample/search?size=50`)
  })

  test('shows that the page is not found when the path has another language, signed in or not [C-2.88]', async () => {
    const visitor = await openWindow(browser, parley)
    for (const [window, place] of [
      [page, 'fr/bot/search'],
      [page, 'fr'],
      [visitor, 'de/login'],
    ] as const) {
      await window.goto(`/botadmin/${place}`)
      await window.getByText('This page could not be found.').waitFor()
    }
    await count(visitor.locator('input[type="password"]'), 0)
    await visitor.context().close()
  })
})
