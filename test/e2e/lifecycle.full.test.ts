import { expect, test } from 'vitest'
import { person } from '#test/api/people.ts'
import { eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('running a bot', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole({ window: { width: 1440 } })
  const bot = (await admin.post('/bot', { name: 'Loja' })).body.id
  const home = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const given = { username: 'ana', level: home, actions: ['readbot', 'startbot'] }
  const other = (await person(parley, admin, given)).client
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  test('starts it, asks before a stop, and shows actions of others on the page [C-4.02] [P-561]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    await button('Start').click()
    await button('Restart').waitFor()
    expect(await button('Start').count()).toBe(0)
    await button('More actions for Loja').click()
    await page.getByRole('menuitem', { name: 'Stop' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('nobody is answered until it is started again').waitFor()
    await question.getByRole('button', { name: 'Stop' }).click()
    await button('Start').waitFor()
    expect((await other.post(`/bot/${bot}/start`)).status).toBe(200)
    await button('Restart').waitFor()
  })

  test('a channel is made from the menu of its bot, shows its fields by type and says that it is saved [C-2.65] [D-8.01]', async () => {
    await visit(page, `/botadmin/bot/channel/${bot}`)
    await page
      .getByRole('link', { name: /^New/u })
      .or(page.getByRole('button', { name: /^New/u }))
      .first()
      .click()
    await page.getByLabel('Allowed sites').fill('https://www.loja.example')
    expect(await page.getByLabel('Callback address').count()).toBe(0)
    await page.getByRole('button', { name: /^Create/u }).click()
    await page.getByText('channel saved!!').waitFor()
    const [channel] = (await admin.get(`/channel?bot=${bot}`)).body.items
    expect(channel).toMatchObject({ type: 'webchat', channel_origin: 'https://www.loja.example' })
    await page.getByText(`/chat/${channel?.id}`).waitFor()
    await eventually(() => new URL(page.url()).pathname).toContain(String(channel?.id))
  })

  test('the channels of a bot are listed by health, narrowed by state, enabled by a switch and shown in a panel [P-1971]', async () => {
    await visit(page, `/botadmin/bot/channel/${bot}`)
    const [channel] = (await admin.get(`/channel?bot=${bot}`)).body.items
    const row = page.locator(`[data-channel="${channel?.id}"]`)
    await row.getByText('Not used yet').waitFor()
    await row.getByRole('switch').click()
    await row.getByText('Disabled').waitFor()
    expect((await admin.get(`/channel/${channel?.id}`)).body.enable).toBe(false)
    await page.getByRole('button', { name: 'Off 1' }).click()
    await row.waitFor()
    await page.getByRole('button', { name: 'Work 0' }).click()
    await page.getByText('No channel is in this state').waitFor()
    await page.getByRole('button', { name: 'All 1' }).click()
    await row.getByRole('switch').click()
    await row.getByText('Not used yet').waitFor()
    await row.getByRole('button', { name: /^Open /u }).click()
    const panel = page.getByRole('complementary', { name: 'Web chat' })
    await panel.getByRole('button', { name: 'Test connection' }).click()
    await panel.getByText('in order').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => panel.count()).toBe(0)
    await page.getByRole('button', { name: 'As a table' }).click()
    await page.getByRole('columnheader', { name: 'Enabled' }).waitFor()
    await page.getByRole('link', { name: 'With health' }).click()
    await row.waitFor()
  })
})
