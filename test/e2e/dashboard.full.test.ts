import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('the dashboard', { timeout: LONG }, async () => {
  const { parley, page } = await openConsole()
  const admin = await parley.signIn()
  for (const name of ['Aurora', 'Lume']) expect((await admin.post('/bot', { name })).status).toBe(201)
  const card = (name: string) => page.getByRole('region', { name, exact: true })

  test('leads from the menu to charts with a description, a table and a CSV [C-2.29] [P-312]', async () => {
    await visit(page, '/botadmin/')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    const edits = card('Edits per day, by person')
    await edits.getByRole('img', { name: /^Edits per day, by person: \d+ in all in 30 days\. Most on/ }).waitFor()
    await page.getByRole('button', { name: '7 days' }).click()
    await edits.getByRole('img', { name: /in 7 days\. Most on/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('days')).toBe('7')
    await edits.getByRole('button', { name: 'Show as table' }).click()
    expect(await edits.getByRole('row').count()).toBe(8)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      edits.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(8)
    expect(download.suggestedFilename()).toBe('dashboard-edits-7.csv')
    await card('Bots by state')
      .getByRole('img', { name: /stopped 2$/i })
      .waitFor()
  })

  test('leads from a day to the audit lines that it counts [P-432]', async () => {
    await visit(page, '/botadmin/dashboard?days=7')
    const edits = card('Edits per day, by person')
    await edits.getByText('Weekends are shaded.').waitFor()
    // The only bar: today's edits, by their one author.
    await edits.locator('.recharts-bar-rectangle path').last().click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    const query = new URL(page.url()).searchParams
    expect(query.get('figure')).toBe('edits')
    expect(query.get('user')).not.toBeNull()
    await page.getByRole('button', { name: 'Take off Counted as' }).waitFor()
    await page.getByText('Lume', { exact: true }).first().waitFor()

    await visit(page, '/botadmin/dashboard?days=7')
    const table = card('Sign-ins per day')
    await table.getByRole('button', { name: 'Show as table' }).click()
    await table.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    expect(new URL(page.url()).searchParams.get('figure')).toBe('signins')
  })

  test('shows the same charts with made-up numbers and says so [C-2.45] [P-313]', async () => {
    await visit(page, '/botadmin/dashboard')
    await page.getByRole('link', { name: 'See an example' }).click()
    await page.getByRole('note').getByText('These people, bots and numbers are made up.').waitFor()
    await card('Edits per day, by person').getByText('Camila Rocha').waitFor()
    await card('Locked people').getByText('Otávio Lima').waitFor()
    await page.getByRole('link', { name: 'Go to your own dashboard' }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1, exact: true }).waitFor()
  })
})
