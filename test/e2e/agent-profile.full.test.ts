import { expect, test } from 'vitest'
import { agentProfileExample } from '#domain/agent-profile-example.ts'
import { done } from '#test/fixture/agent-bot.ts'
import { count, eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

inBrowser('the form of a declared agent system', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole()
  const bot = await done(admin.post('/bot', { name: 'Lume' }))
  const fields = { bot, type: 'gocontact', name: 'Central', url: 'https://g.example', channel_password: 'planted' }
  const agentchannel = await done(admin.post('/agentchannel', fields))

  test('says what is missing, offers an example, and shows a fault at its line [P-2414] [P-2418]', async () => {
    await visit(page, `/botadmin/agentchannel/${agentchannel}`)
    await count(page.getByText('No chat is handed to this channel. Missing: Profile.'), 1)
    await page.getByRole('button', { name: 'Start from an example' }).click()
    const editor = page.locator('[data-field="channel_extra_info"] .cm-content')
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await page.keyboard.type('"wrong": 1,')
    await count(page.getByText('Line 1: wrong cannot be used in this form'), 1)
    await page.getByRole('button', { name: 'Try the rules' }).click()
    await count(page.getByText('The profile has faults. Rules can be tried once it has none.'), 1)
    await page.keyboard.press('Control+Home')
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    for (const _ of '"wrong": 1,') await page.keyboard.press('Backspace')
    await count(page.getByText('Line 1: wrong cannot be used in this form'), 0)
  })

  test('tries a rule against a pasted answer, and saves the profile [P-2418]', async () => {
    await page.getByLabel('Rule', { exact: true }).selectOption('events.list')
    const answer = {
      events: [
        { type: 'joined', id: 'j', agent: 'Joao' },
        { type: 'message', id: 'm', text: 'Olá' },
        { type: 'message', text: 'no id' },
        { type: 'message', id: 'own', from: 'customer', text: 'oi' },
      ],
    }
    await page.getByLabel('Answer of the system').fill(JSON.stringify(answer))
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await count(page.getByText('Joao · #j'), 1)
    await count(page.getByText('Olá · #m'), 1)
    await count(page.getByText('1 value is no event and is left out.'), 1)
    expect(await violations(page)).toEqual([])
    await page.locator('[data-field="channel_extra_info"] .cm-content').click()
    await page.keyboard.press('Control+a')
    const withFiles = JSON.stringify(agentProfileExample('gocontact'), null, 2)
    await page.keyboard.insertText(withFiles.replace("'isTyping': true", "'files': files"))
    const withFile = { events: [{ type: 'message', id: 'f', text: 'Veja', files: [{ url: 'none' }] }] }
    await page.getByLabel('Answer of the system').fill(JSON.stringify(withFile))
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await count(page.getByText('Veja · #f'), 1)
    await count(page.getByText('A file cannot be read and is left out.'), 1)
    await page.getByRole('button', { name: /^Save/u }).click()
    await count(page.getByText('No chat is handed to this channel.', { exact: false }), 0)
    await eventually(async () => (await admin.get(`/agentchannel/${agentchannel}`)).body.configured).toBe(true)
  })

  test('shows in the list which channels are incomplete, and why [P-2414]', async () => {
    await done(admin.post('/agentchannel', { bot, type: 'aacc', name: 'Avaya', url: 'https://aacc.example' }))
    await visit(page, `/botadmin/bot/agentchannel/${bot}`)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await count(row('Central').getByText('Complete', { exact: true }), 1)
    await count(row('Avaya').getByText('Missing: Default queue.'), 1)
    expect(await row('Avaya').getByText('Incomplete').count()).toBe(1)
  })
})
