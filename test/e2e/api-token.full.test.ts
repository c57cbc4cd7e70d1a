import { expect, test, vi } from 'vitest'
import { clientOf } from '#test/api/harness.ts'
import { inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('tokens of the API', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()

  test('a token is made with chosen permissions, shown once, used and revoked [P-2490]', async () => {
    const user = (await admin.get('/auth/user')).body.user as { id: string }
    await admin.create('serviceaccount', { name: 'Painel', owner: user.id })
    await visit(page, '/botadmin/access')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Give it a name.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Noturno')
    const rate = dialog.getByRole('textbox', { name: 'Requests a minute' })
    await rate.fill('100001')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Enter a whole number from 1 to 100,000.').waitFor()
    await rate.fill('120')
    await dialog.getByRole('button', { name: 'Only what I choose' }).click()
    await dialog.getByRole('searchbox', { name: 'Find a permission' }).fill('readbot')
    await dialog.getByText('readbot', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const token = await dialog.getByRole('textbox', { name: 'Token' }).inputValue()
    expect(token).toMatch(/^prl_[0-9A-Za-z]{49}$/)
    expect((await admin.get('/apitoken?search=Noturno')).body.items).toMatchObject([{ rate: 120 }])
    // Not copied yet: closing asks once.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.getByText('You have not copied the token yet.').waitFor()
    await dialog.getByRole('button', { name: 'Close anyway' }).click()

    const program = clientOf(parley.origin, token)
    expect((await program.get('/bot')).status).toBe(200)
    expect((await program.get('/dialog')).status).toBe(403)
    await page.getByRole('button', { name: 'Actions for Noturno' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke' }).last().click()
    await page.getByText('revoked', { exact: true }).waitFor()
    expect((await program.get('/bot')).status).toBe(401)
    await visit(page, '/botadmin/account/tokens')
    await page.getByText('Noturno', { exact: true }).waitFor()
  })

  test('a webhook that sends personal data needs a reason, and its page says so [P-2748]', {
    timeout: LONG,
  }, async () => {
    await visit(page, '/botadmin/webhook/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Cadastro')
    await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/crm')
    await page.getByRole('switch', { name: 'Sends' }).click()
    expect(await page.getByRole('switch', { name: 'With personal data' }).count()).toBe(0)
    await page.getByRole('switch', { name: 'With values' }).click()
    await page.getByRole('switch', { name: 'With personal data' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    const reason = page.getByRole('textbox', { name: 'Reason' })
    await vi.waitFor(async () => expect(await reason.getAttribute('aria-invalid')).toBe('true'), { timeout: 5_000 })
    await reason.fill('Sincronizar o CRM')
    await page.getByRole('button', { name: 'Create' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.getByRole('button', { name: 'Close anyway' }).click()
    await page.getByText('Reason: Sincronizar o CRM').waitFor()
    await page.getByRole('link', { name: 'See in the audit' }).click()
    await page.waitForURL(url => url.pathname === '/botadmin/audit' && url.searchParams.get('entity') === 'webhook')
  })

  test('a new webhook shows its secret once, and its page has its deliveries [P-2732]', { timeout: LONG }, async () => {
    await visit(page, '/botadmin/webhook/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Painel')
    await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/hook')
    await page.getByRole('switch', { name: 'Sends' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    const dialog = page.getByRole('dialog')
    const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.getByText('You have not copied the secret yet.').waitFor()
    await dialog.getByRole('button', { name: 'Close anyway' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    await page.getByRole('button', { name: 'Failing' }).click()
    await page.getByText('Nothing is waiting for another attempt.').waitFor()
    expect(await page.content()).not.toContain(secret)

    await page.getByRole('button', { name: 'Make a new secret' }).first().click()
    await page.getByRole('button', { name: 'Make a new secret' }).last().click()
    const rotated = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()
    expect(rotated).toMatch(/^whsec_/)
    expect(rotated).not.toBe(secret)
  })
})
