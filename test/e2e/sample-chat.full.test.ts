import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { wholeSample } from '#test/fixture/whole-sample.ts'
import { inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

inBrowser('the web chat of the sample', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld({ env: { PARLEY_SAMPLE: 'on' } })
  await wholeSample(admin, LONG - 20_000)
  const [bot] = (await admin.get('/bot?search=Clara')).body.items
  const channel = (await admin.get(`/channel?bot=${bot?.id}&type=webchat`)).body.items[0]?.id

  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox').fill(text)
    await page.keyboard.press('Enter')
  }
  const told = (page: Page, hasText: string) => page.locator('.say', { hasText }).last().waitFor()

  test('shows in test mode what was understood and why, and makes a statement of it [P-972] [R-81]', async () => {
    const window = { username: 'admin', password: ADMIN_PASSWORD, width: 1440, height: 900 }
    const page = await openWindow(browser, parley, window)
    const [dialog] = (await admin.get('/dialog?search=Boas')).body.items
    await visit(page, `/botadmin/designer/dialog/${String(dialog?.id)}`)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('log').getByText('Como posso ajudar?').first().waitFor()
    const input = page.getByRole('textbox', { name: 'Answer as the person' })
    await input.fill('tem vacina da gripe no postinho?')
    await input.press('Enter')
    await page.getByRole('log').getByText('Vacina não precisa de hora marcada').waitFor()
    await page.getByRole('button', { name: 'Understood' }).click()
    const panel = page.getByRole('region', { name: 'Understood' })
    await panel.getByText('by the model').waitFor()
    expect(
      await panel
        .getByRole('listitem')
        .filter({ hasText: /^vacina9\d %/ })
        .count(),
    ).toBe(1)
    await panel.getByRole('list', { name: 'Entities' }).getByText('Gripe').waitFor()
    expect(await violations(page)).toEqual([])
    await panel.getByRole('button', { name: 'Add as statement' }).click()
    await panel.getByText('Now a statement of vacina').waitFor()
    const [intent] = (await admin.get('/intent?search=vacina&size=100')).body.items.filter(
      ({ name }) => name === 'vacina',
    )
    expect(JSON.stringify(intent?.statements)).toContain('tem vacina da gripe no postinho?')
  })

  test('understands free text, asks again what it does not, and books what was said [P-970]', async () => {
    // The chat speaks the language of the browser.
    const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 844 } })
    await page.goto(`${parley.origin}/chat/${String(channel)}`)
    await told(page, 'Como posso ajudar?')
    await write(page, 'qual é a capital da França?')
    await told(page, 'Por favor, escolha uma das opções.')
    await write(page, 'queria levar minha menina no pediatra')
    await told(page, 'me diga o seu CPF')
    await write(page, '529.982.247-25')
    await told(page, 'Você quer marcar Pediatria, certo?')
    await page.getByRole('button', { name: 'Sim' }).click()
    await told(page, 'Qual você prefere?')
  })

  test('an administrator removes the sample on the home page, which shows how far that is [P-2900]', async () => {
    const window = { username: 'admin', password: ADMIN_PASSWORD, width: 390, height: 844 }
    const page = await openWindow(browser, parley, window)
    await visit(page, '/botadmin/')
    const card = page.getByRole('region', { name: 'Sample workspace' })
    await card.getByRole('button', { name: 'Remove the sample' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the sample' }).click()
    await card.getByRole('progressbar', { name: 'Removing the sample workspace' }).waitFor()
    await vi.waitFor(async () =>
      expect((await admin.get('/sample')).body).toMatchObject({ state: 'removing', removable: false }),
    )
    expect(await violations(page)).toEqual([])
    await page.getByText('The sample was removed.').waitFor({ timeout: LONG / 2 })
    await card.waitFor({ state: 'detached' })
    expect((await admin.get('/bot')).body.total).toBe(0)
  })
})
