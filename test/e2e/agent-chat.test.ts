import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { ROCKETCHAT_SECRET, ROCKETCHAT_TOKEN, startRocketChatServer } from '#test/doubles/agent/rocketchat-server.ts'
import { done, makeAgentBot } from '#test/fixture/agent-bot.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

/** Asks for a password, hands the person over with the transcript, and greets when they are back. */
const FLOW = {
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 100, {
      varname: 'senha',
      data: { type: 'text', text: 'Sua senha?', textStyle: 'password' },
    }),
    hand: plainBlock('connecttoagent', 200, { agentSystem: 'rocketchat', queue: 'sac', transcript: true }),
    back: plainBlock('text', 300, { text: 'Voltei. Foi bom falar com a gente?' }),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'hand'), c: link('hand', 'back') },
}

inBrowser('a person who is handed to an agent', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
  let console_: Page
  const rocketchat = await startRocketChatServer()
  const made = await makeAgentBot(admin, FLOW, rocketchat.url)
  const bot = made.bot
  await done(admin.patch(`/bot/${bot}`, { defaultlocale: 'en' }, 2))
  const web = made.web
  const agentchannel = made.agentchannel
  const look = (await admin.get(`/chatinterface?bot=${bot}`)).body.items[0]
  await done(
    admin.patch(
      `/chatinterface/${look?.id}`,
      {
        alert_on_agent_connected: true,
        alert_on_agent_connected_url: 'https://sounds.example/joined.mp3',
        show_agentname_on_avtar: true,
        decorate_activity_based_on_role: true,
      },
      Number(look?.revision),
    ),
  )
  await done(admin.post(`/bot/${bot}/start`))
  rocketchat.is.webhook = `${parley.origin}/agent/${agentchannel}/webhook`
  const chat = await browser.newPage({ locale: 'en-US', viewport: { width: 390, height: 844 } })
  afterAll(() => rocketchat.close())

  const write = async (text: string) => {
    await chat.getByRole('textbox').fill(text)
    await chat.keyboard.press('Enter')
  }
  const told = (hasText: string) => chat.locator('.say', { hasText }).last().waitFor()
  const menu = async (name: string) => {
    await chat.getByRole('button', { name: 'Menu' }).click()
    await chat.getByRole('menuitem', { name }).click()
  }

  /** The conversations of the bot show who waits, and lead to the queue. */
  const seesQueue = async (page: Page) => {
    await visit(page, `/botadmin/bot/conversation/${bot}`)
    await page.getByRole('list', { name: 'Queues' }).getByText('1 waits', { exact: false }).waitFor()
    const row = page.getByRole('link', { name: /In the queue/u })
    await row.click()
    const pane = page.getByRole('region', { name: 'Conversation' })
    await pane.getByText('Place 1 of 1.', { exact: false }).waitFor()
    await pane.getByRole('button', { name: 'Take out of the queue' }).waitFor()
    expect(await violations(page)).toEqual([])
    await pane.getByRole('link', { name: 'Open the queue' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Waits for an agent' }).waitFor()
  }

  test('waits in the queue, which the console shows, and hears a sound when the agent joins [D-3.5.14] [D-3.2.02] [P-1195] [P-1382]', async () => {
    const sounds: string[] = []
    await chat.route('https://sounds.example/**', route => {
      sounds.push(route.request().url())
      return route.fulfill({ status: 200, contentType: 'audio/mpeg', body: '' })
    })
    await chat.goto(`${parley.origin}/chat/${web}`)
    await told('Sua senha?')
    await chat.locator('input[type=password]').fill('s3gredo')
    await chat.keyboard.press('Enter')
    await chat.getByText('Please wait, a person will be with you').first().waitFor()
    const heard = () => rocketchat.said().map(text => text.replaceAll(/^\d\d:\d\d/gmu, '00:00'))
    await eventually(heard).toEqual(['00:00 Bot: Sua senha?\n00:00 Visitor: ••••••'])
    expect(sounds).toEqual([])

    console_ = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD, width: 1440, height: 900 },
    })
    await visit(console_, `/botadmin/agentchannel/${agentchannel}`)
    await console_.getByRole('link', { name: 'Queue now' }).click()
    await console_.getByRole('listitem').filter({ hasText: 'Waits for an agent' }).waitFor()
    expect(await violations(console_)).toEqual([])
    await seesQueue(console_)

    expect(await rocketchat.tell('in-webhook-livechat-session-taken')).toBe(200)
    await chat.getByText('Joao joined the conversation').first().waitFor()
    await eventually(() => sounds).toEqual(['https://sounds.example/joined.mp3'])
    await console_.getByRole('listitem').filter({ hasText: 'Talks to an agent' }).waitFor()
    await count(console_.getByRole('button', { name: 'Take out of the queue' }), 0)
    await visit(console_, '/botadmin/tools/jsonpathonline')
  })

  test('talks to the agent, each message once, under the agent’s name [D-3.2.18] [D-3.5.10] [P-1195]', async () => {
    await write('Meu pedido não chegou')
    await eventually(() => rocketchat.said().slice(1)).toEqual(['Meu pedido não chegou'])
    expect(await rocketchat.write('Já vou ver, um momento')).toBe(200)
    expect(await rocketchat.write('Já vou ver, um momento')).toBe(200)
    await told('Já vou ver, um momento')
    await count(chat.locator('.agent .say', { hasText: 'Já vou ver' }), 1)
    await chat.locator('.agent .who', { hasText: 'Joao' }).first().waitFor()
    expect(
      await chat
        .locator('.by-role .agent .say')
        .first()
        .evaluate(say => getComputedStyle(say).borderTopWidth),
    ).toBe('2px')
    await chat.getByText('You are talking to a person').waitFor()
  })

  test('comes back to the bot when the agent closes the chat [C-3.17] [P-1195]', async () => {
    expect(await rocketchat.tell('in-webhook-session-closed')).toBe(200)
    await told('Voltei. Foi bom falar com a gente?')
    await count(chat.getByText('You are talking to a person'), 0)
    expect(rocketchat.said()).toHaveLength(2)
  })

  test('calls an agent from the menu, and goes back to the bot by it [C-3.23] [C-3.13] [P-1183]', async () => {
    await menu('Talk to a person')
    await eventually(() => rocketchat.rooms.size).toBe(2)
    await rocketchat.tell('in-webhook-livechat-session-taken')
    await chat.getByText('You are talking to a person').waitFor()
    await menu('Back to the assistant')
    await eventually(() => [...rocketchat.rooms.values()].map(({ isOpen }) => isOpen)).toEqual([false, false])
    await count(chat.getByText('You are talking to a person'), 0)
  })

  test('its log tells calls in and out by result, without words or secrets [D-2.10]', async () => {
    await visit(console_, `/botadmin/agentchannel/${agentchannel}`)
    // The menu of the bot has a log too.
    await console_.getByRole('main').getByRole('link', { name: 'Log', exact: true }).click()
    const lines = console_.getByRole('list', { name: 'Lines of the log' })
    await lines.getByText('a chat was opened at the agent system').first().waitFor()
    await lines.getByText('messages of people went to the agent system').first().waitFor()
    await lines.getByText('the agent system told what happens in a chat').first().waitFor()
    const shown = await console_.getByRole('main').innerText()
    for (const secret of ['Meu pedido', 'Já vou ver', ROCKETCHAT_TOKEN, ROCKETCHAT_SECRET])
      expect(shown).not.toContain(secret)
    expect(await violations(console_)).toEqual([])
  })

  test('believes no call that lacks the token [P-1193]', async () => {
    rocketchat.is.secret = 'guessed'
    expect(await rocketchat.tell('in-webhook-agent-message')).toBe(401)
  })
})
