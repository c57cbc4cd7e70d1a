import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openChat } from '#test/api/open-chat.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

/** It calls what is not reached from here. */
const FLOW = {
  format: 'parley-flow',
  version: 1,
  operators: {
    start: block('start', 'Início', 0),
    hello: block('restservice', 'Saldo', 100, { methodType: 'get', url: 'http://127.0.0.1:9/saldo' }),
    name: block('prompt', 'Nome', 200, { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }),
  },
  links: { a: link('start', 'hello'), b: link('hello', 'name'), c: link('hello', 'name', 'output_error') },
}

inBrowser('operating a bot', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()
  const { bot, task, dialog } = await admin.createDialog({ name: 'Bia', minservicesneeded: 2 }, 'Cadastro', 'Principal')
  await admin.put(`/dialog/${dialog}/flow`, FLOW)
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
  await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
  const channel = (await admin.post('/channel', { bot, type: 'webchat', name: 'Site' })).body.id

  test('its services come up as it starts, go as a channel is switched off, and fix says what it did [C-2.68] [C-3.18] [R-95]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Services' }).click()
    await page.getByText('No service yet').waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).first().click()
    await page.getByText('2 of 2 up').waitFor()
    const table = page.getByRole('table', { name: 'Services' })
    await table.getByRole('row', { name: /^Dialog runtime runtime Up/u }).waitFor()
    await table.getByRole('row', { name: /^Site webchat Up/u }).waitFor()
    await page.getByText('The bot runs: the 2 services that it needs are up.').waitFor()
    expect(await violations(page)).toEqual([])

    const { revision } = (await admin.get(`/channel/${channel}`)).body
    await admin.patch(`/channel/${channel}`, { enable: false }, revision)
    await table.getByText('Switched off').waitFor()
    await page.getByText('The bot is pending: it needs 2 services.').waitFor()
    await admin.patch(`/channel/${channel}`, { enable: true }, revision + 1)
    await page.getByText('2 of 2 up').waitFor()

    await page.getByRole('button', { name: 'Fix', exact: true }).click()
    const fixed = page.getByRole('status').filter({ hasText: 'What “Fix” did' })
    await fixed.getByText('was up; nothing to do').first().waitFor()
    await visit(page, '/botadmin/bot/search')
    await page.getByText('2 / 2').waitFor()
    await page.getByText('Running').waitFor()
  })

  test('its log is followed, filtered and paused, and leads to the block and the conversation [C-2.80] [R-96]', async () => {
    await visit(page, `/botadmin/bot/settings/botlogs/${bot}`)
    const lines = page.getByRole('list', { name: 'Lines of the log' }).getByRole('listitem')
    await lines.filter({ hasText: 'service came up · runtime' }).waitFor()
    await openChat(parley.origin, channel)
    const failed = lines.filter({ hasText: 'an outside call failed · Principal' })
    await failed.waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Warning 1' }).click()
    await eventually(() => lines.count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Code, block or service' }).fill('nothing like it')
    await page.getByText('No such line').waitFor()
    await page.getByRole('searchbox', { name: 'Code, block or service' }).fill('')
    await page.getByRole('button', { name: 'All' }).click()
    await eventually(() => lines.filter({ hasText: 'service came up' }).count()).toBeGreaterThan(1)

    await page.getByRole('button', { name: 'Pause' }).click()
    const before = await lines.count()
    const log = new DatabaseSync(join(parley.folder, 'botlog.sqlite'))
    log.exec(
      `INSERT INTO line (bot, time, level, code, count) VALUES ('${bot}', ${Date.now()}, 'error', 'turn.steps', 2)`,
    )
    log.close()
    await page.getByText('paused, 1 new').waitFor()
    expect(await lines.count()).toBe(before)
    await page.getByRole('button', { name: 'Follow' }).click()
    await lines.filter({ hasText: 'too many steps' }).waitFor()

    await failed.getByRole('link', { name: 'See conversation' }).click()
    await page.getByRole('region', { name: 'Conversation' }).waitFor()
    await page.goBack()
    await failed.getByRole('link', { name: 'See block' }).click()
    await page.waitForURL(new RegExp(`designer/dialog/${dialog}.*block=hello`, 'u'))
  })

  test('its log names the nodes that did not answer, or says that it hears no other one [P-1543]', async () => {
    const answer = { silent: ['node-7'], heard: true }
    const isLog = /\/api\/bot\/[^/]+\/logs/u
    await page.route(isLog, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...answer } })
    })
    await visit(page, `/botadmin/bot/settings/botlogs/${bot}`)
    await page.getByText('No answer from node-7. Lines of this node are missing.').waitFor()
    expect(await violations(page)).toEqual([])
    answer.heard = false
    await page.getByText('This node has no connection to the others. Their lines are missing.').waitFor()
    await page.unroute(isLog)
    await page.getByText('Their lines are missing.').waitFor({ state: 'detached' })
  })

  test('the address of its log without an id leads to the bots, or to the log of the bot in the query [C-2.80]', async () => {
    await page.goto('/botadmin/bot/settings/botlogs')
    await page.waitForURL('**/botadmin/bot/search')
    await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor()
    await page.goto(`/botadmin/bot/settings/botlogs?pid=${bot}`)
    await page.waitForURL(`**/botadmin/bot/settings/botlogs/${bot}`)
    await page.getByRole('list', { name: 'Lines of the log' }).waitFor()
  })

  test('shows a separate message for each failed action of a bot [C-8.16]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    const isWrite = (method: string) => method !== 'GET'
    await page.route('**/api/bot/**', route => (isWrite(route.request().method()) ? route.abort() : route.continue()))
    const more = page.getByRole('button', { name: 'More actions for Bia' })
    const told = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restart', exact: true }).click()
    await told('could not restart the bot')
    await page.getByRole('button', { name: 'Cancel' }).click()
    for (const [action, text] of [
      ['Fix', 'could not fix the bot'],
      ['Stop', 'could not stop the bot'],
    ] as const) {
      await more.click()
      await page.getByRole('menuitem', { name: action }).click()
      const question = page.getByRole('alertdialog')
      if (action === 'Stop') await question.getByRole('button', { name: action }).click()
      await told(text)
      if (action === 'Stop') await question.getByRole('button', { name: 'Cancel' }).click()
    }
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('textbox').fill('CONFIRM')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await told('could not delete the bot')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await page.unroute('**/api/bot/**')
    expect((await admin.post(`/bot/${bot}/stop`)).status).toBe(200)
    await page.getByRole('button', { name: 'Start', exact: true }).first().waitFor()
    await page.route('**/api/bot/**', route => (isWrite(route.request().method()) ? route.abort() : route.continue()))
    await page.getByRole('button', { name: 'Start', exact: true }).first().click()
    await told('could not start the bot')
    const description = page.getByRole('textbox', { name: 'Description' })
    await description.fill('Answers at night as well')
    await page.getByRole('region', { name: 'Unsaved' }).getByRole('button', { name: 'Save' }).click()
    await page
      .getByText(/^could not save the bot/u)
      .first()
      .waitFor()
    expect(await description.inputValue()).toBe('Answers at night as well')
    await page.unroute('**/api/bot/**')
    await page.getByRole('region', { name: 'Unsaved' }).getByRole('button', { name: 'Save' }).click()
    await eventually(async () => (await admin.get(`/bot/${bot}`)).body.description).toBe('Answers at night as well')
  })

  test('reports that a bot needs a restart when the node is behind the store [C-8.17]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    await page.route('**/api/bot/*/start', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'parley-projection': 'behind' } })
    })
    await page.getByRole('button', { name: 'Start', exact: true }).first().click()
    await page.getByText('could not update bot realtime, restart needed').waitFor()
  })
})
