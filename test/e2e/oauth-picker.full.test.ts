import { test } from 'vitest'
import type { FlowFile } from '#schemas/flow/file.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { Designer, flowOf, makeDialog } from './designer.ts'

const flow = {
  format: 'parley-flow',
  version: 1,
  operators: {
    call: { type: 'restservice', title: 'Find', top: 0, left: 0, properties: { oauthConfigName: 'Post office' } },
  },
  links: {},
} as unknown as FlowFile

inBrowser('the OAuth configuration of a REST block', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()

  test('is chosen among those of the bot; one that was named is shown, and one that is missing is a problem [C-3.54] [P-442]', async () => {
    const { bot, dialog } = await makeDialog(admin, flow)
    const configuration = { bot, grant_type: 'client_credentials', access_token_url: 'https://id.example/token' }
    await admin.post('/oauth', { ...configuration, name: 'Post office' })
    const other = (await admin.post('/oauth', { ...configuration, name: 'Payments' })).body.id
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    const designer = await new Designer(page).open(dialog)
    await designer.block('call').click()
    await designer.inspector.getByRole('tab', { name: 'Rules' }).click()
    const picker = designer.inspector.getByRole('combobox', { name: 'OAuth configuration' })
    await eventually(() => picker.inputValue()).toBe('Post office')
    await picker.click()
    await page.getByRole('option', { name: 'Post office' }).waitFor()
    await picker.fill('pay')
    await page.getByRole('option', { name: 'Payments' }).click()
    const stored = async () => (await flowOf(admin, dialog)).operators.call?.properties?.oauthConfigName
    await eventually(stored).toBe(other)
    await visit(page, `/botadmin/oauth/${other}`)
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()

    const { operators } = await flowOf(admin, dialog)
    const missing = { ...operators.call?.properties, oauthConfigName: 'Nowhere' }
    await admin.put(`/dialog/${dialog}/flow`, {
      ...flow,
      operators: { call: { ...operators.call, properties: missing } },
    })
    await designer.open(dialog)
    await designer.block('call').click()
    await designer.inspector.getByRole('tab', { name: 'Rules' }).click()
    await eventually(() => picker.inputValue()).toBe('No such OAuth configuration: Nowhere')
    await designer.inspector.getByText('What it points to is missing. Choose it again').first().waitFor()
  })
})
