import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { dayBefore, dayIn } from '#domain/metrics/conversation-fact.ts'
import { makeFlowBot } from '#test/api/chat-bot.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { openChat } from '#test/api/open-chat.ts'
import { person } from '#test/api/people.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { noonZone } from '#test/fixture/noon-zone.ts'
import { eventually, fitsWithin, focused, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

const FLOW = {
  format: 'parley-flow',
  version: 1,
  operators: {
    start: block('start', 'Início', 0),
    part: block('marker', 'Cadastro da pessoa', 50),
    name: block('prompt', 'Nome da pessoa', 100, { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }),
    bye: block('text', 'Despedida', 200, { text: 'Até logo, <b>{{nome}}</b>' }),
  },
  links: { a: link('start', 'part'), c: link('part', 'name'), b: link('name', 'bye') },
}

/** Of the bot: its day does not end during this file. */
const ZONE = noonZone(Date.now())
const ADMIN = { username: 'admin', password: ADMIN_PASSWORD } as const

inBrowser('the conversations of a bot', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const { bot, channel } = await makeFlowBot(admin, { name: 'Bia', timezone: ZONE }, FLOW)
  await openChat(parley.origin, channel, ['Ana'])
  const page = await openWindow(browser, parley, ADMIN)

  test('are reached by the menu of the bot, filtered, and shown word by word with their path and values [R-91] [P-985] [P-2816] [P-2822]', async () => {
    await visit(page, `/botadmin/bot/${bot}`)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
    const standing = page.getByRole('group', { name: 'Status' })
    await standing.getByRole('button', { name: 'Bot 1' }).waitFor()
    await standing.getByRole('button', { name: 'Ended 0' }).click()
    await page.getByText('No conversation here').waitFor()
    await standing.getByRole('button', { name: 'Ended 0' }).click()
    const channel = page.getByLabel('Channel', { exact: true })
    await channel.selectOption({ label: 'REST' })
    await page.getByText('No conversation here').waitFor()
    await channel.selectOption({ label: 'Web chat' })
    const origin = page.getByLabel('Origin', { exact: true })
    await origin.selectOption({ label: 'Trial' })
    await page.getByText('No conversation here').waitFor()
    await page.reload()
    await eventually(() => origin.inputValue()).toBe('trial')
    await origin.selectOption({ label: 'Person' })
    await eventually(() => new URL(page.url()).searchParams.get('origin')).toBe('person')
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    expect((await file).suggestedFilename()).toBe('conversations.csv')
    const row = page.getByRole('listitem').getByRole('link', { name: /^Ana /u })
    await row.getByText('Até logo, Ana').waitFor()
    await row.click()
    const pane = page.getByRole('region', { name: 'Conversation' })
    await pane.getByRole('heading', { name: 'Ana' }).waitFor()
    const turns = pane.getByRole('list', { name: 'Turns' }).getByRole('listitem')
    await eventually(() => turns.count()).toBe(2)
    await turns.nth(0).getByText('Seu nome?').waitFor()
    await turns.nth(1).getByText('Até logo, Ana').waitFor()
    const facts = pane.getByRole('complementary', { name: 'About this conversation' })
    await facts.getByText('no conversation').waitFor()
    await facts.getByRole('term').filter({ hasText: 'nome' }).waitFor()
    expect(await violations(page)).toEqual([])
    await facts.getByRole('link', { name: 'Cadastro da pessoa' }).click()
    await page.waitForURL(/designer\/conversation\/.*turn=1/u)
    await page.locator('[data-block]').first().waitFor()
  })

  test('stand alone in a narrow window, with the list one step back and the facts in a sheet [R-91]', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, `/botadmin/bot/conversation/${bot}`)
    await page.getByRole('link', { name: /^Ana /u }).click()
    await page.getByText('Até logo, Ana').waitFor()
    await fitsWithin(page, 390)
    await page.getByRole('button', { name: 'About this conversation' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Cadastro da pessoa' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'All conversations' }).click()
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
  })

  test('are opened by the numbers of the results of their bot, also in a narrow window [P-2879] [P-2106]', async () => {
    await visit(page, `/botadmin/bot/insight/${bot}?days=1`)
    const number = page.getByRole('link', { name: 'Conversations: 1. Open the conversations' })
    await number.waitFor()
    await fitsWithin(page, 390)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('region', { name: 'Rating' }).getByText('Nobody has rated a conversation.').waitFor()
    await page.getByRole('button', { name: 'Channel' }).last().click()
    const detail = page.getByRole('region', { name: 'In detail' })
    await detail.getByRole('rowheader', { name: 'Web chat' }).waitFor()
    expect(await violations(page)).toEqual([])
    await detail.getByRole('button', { name: 'Day', exact: true }).click()
    await detail.getByRole('rowheader', { name: /^\d\d\/\d\d\/\d{4}$/u }).waitFor()
    const file = page.waitForEvent('download')
    await page.locator('main').getByRole('link', { name: 'Export' }).click()
    const csv = await readFile(await (await file).path(), 'utf8')
    const today = dayIn(Date.now(), ZONE)
    expect(csv).toMatch(new RegExp(`^day,started,.*\r\n${today},1,`, 'u'))
    await number.click()
    await page.waitForURL(/\/bot\/conversation\/.*measure=started/u)
    await page.getByRole('link', { name: /^Ana /u }).waitFor()
    await page.getByRole('button', { name: /Number of the results/u }).waitFor()
  })

  test('are opened by the hour of the weekday on which they began, by keyboard and on a phone [P-2102]', async () => {
    await visit(page, `/botadmin/bot/insight/${bot}?days=7`)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    const hours = page.getByRole('grid', { name: 'Conversations by weekday and hour' })
    const cell = hours.getByRole('link', { name: /^\w+day, \d+h–\d+h: 1\. Open the conversations$/u })
    await cell.waitFor()
    expect([await hours.getByRole('row').count(), await hours.getByRole('columnheader').count()]).toEqual([25, 7])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await eventually(() => hours.getByRole('row').count()).toBe(8)
    expect(await violations(page)).toEqual([])
    const [down = 0, right = 0] = String(await cell.getAttribute('data-at'))
      .split(' ')
      .map(Number)
    await eventually(() => hours.locator('[tabindex="0"]').count()).toBe(1)
    await hours.locator('[tabindex="0"]').focus()
    for (let row = 0; row < down; row += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    for (let column = 0; column < right; column += 1) await page.keyboard.press('ArrowRight')
    await focused(cell)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/bot\/conversation\/.*measure=hour/u)
    await page.getByRole('link', { name: /^Ana /u }).waitFor()
    await page.getByRole('button', { name: /Number of the results/u }).waitFor()
    await page.getByText(/^\w+day, \d+h–\d+h, /u).waitFor()
  })

  test('are opened by all figures of a week, and by the live state of their bot [P-2886] [P-2887]', async () => {
    const today = dayIn(Date.now(), ZONE)
    const week = dayBefore(today, 6)
    await visit(page, `/botadmin/bot/insight/${bot}?from=${week}&to=${today}`)
    const figures = page.getByRole('region', { name: 'More figures' })
    await figures.getByRole('link', { name: 'People: 1. Open the conversations' }).waitFor()
    await eventually(() => page.getByLabel('From', { exact: true }).inputValue()).toBe(week)
    await page.getByRole('region', { name: 'Cost' }).getByText('No receipt of these days has a price.').waitFor()
    expect(await violations(page)).toEqual([])
    await figures.getByRole('button', { name: 'Solved for good' }).hover()
    await page.getByRole('tooltip').getByText('did not come back within 72 hours').waitFor()
    await page.getByRole('button', { name: 'Report every Monday' }).click()
    await page.getByRole('button', { name: 'Reported every Monday' }).waitFor()
    expect((await admin.get(`/bot/${bot}`)).body.weeklyreport).toBe(true)
    await page.locator('main').getByRole('link', { name: 'Alerts' }).click()
    await page.waitForURL(/\/bot\/settings\/metricalert\//u)
    await visit(page, `/botadmin/bot/${bot}`)
    await page.getByRole('link', { name: 'Today: 1. Open the conversations' }).click()
    await page.getByRole('link', { name: /^Ana /u }).waitFor()
    await visit(page, '/botadmin/')
    await page
      .getByRole('region', { name: 'Live' })
      .getByRole('link', { name: /^Today: 1/u })
      .waitFor()
  })

  test('are counted beside those of all bots on the dashboard, which leads to the results of each, as reports do without Metabase [P-2973] [P-2107]', async () => {
    await admin.create('bot', { name: 'Sem conversas' })
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/botadmin/dashboard?days=7')
    const results = page.getByRole('region', { name: 'Results of the bots' }).first()
    await results.getByText('All bots').waitFor()
    const number = results.getByRole('link', { name: 'Conversations, Bia: open the results' })
    await eventually(() => number.innerText()).toBe('1')
    await fitsWithin(page, 390)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    const names = results.getByRole('rowheader')
    await eventually(() => names.allInnerTexts()).toEqual(['All bots', 'Bia', 'Sem conversas'])
    await results.getByRole('columnheader', { name: 'Only the bot' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: '90 days' }).click()
    await eventually(() => number.getAttribute('href')).toMatch(/\?days=90$/u)
    await number.click()
    await page.waitForURL(new RegExp(`/bot/insight/${bot}\\?days=90$`, 'u'))
    await page.getByRole('link', { name: 'Conversations: 1. Open the conversations' }).waitFor()
    await visit(page, '/botadmin/reports')
    await page.locator('main').getByRole('link', { name: 'Results of the bots' }).click()
    await page.waitForURL('**/dashboard')
    await visit(page, `/botadmin/bot/reports/${bot}`)
    await page.locator('main').getByRole('link', { name: 'Results of the bot', exact: true }).click()
    await page.waitForURL(`**/bot/insight/${bot}`)
  })

  test('hide what was said, and how few they are, from who may not read it [R-91] [P-2104]', async () => {
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const actions = ['readbot', 'readdialog', 'showbot']
    await person(parley, admin, { username: 'rui', level: root, actions })
    const other = await openWindow(browser, parley, { username: 'rui', password: 'Segredo-2026!x' })
    await visit(other, `/botadmin/bot/conversation/${bot}`)
    await other.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Bot < 5' }).waitFor()
    await other.getByText('counts are rounded to multiples of five').waitFor()
    await other.getByText('1–1', { exact: true }).waitFor()
    await other.getByRole('link', { name: /Visitor/u }).click()
    const pane = other.getByRole('region', { name: 'Conversation' })
    await pane.getByText('it takes the right to read conversations').waitFor()
    await pane.getByRole('link', { name: 'Cadastro da pessoa' }).waitFor()
    expect(await pane.innerText()).not.toContain('Ana')
    await other.context().close()
  })
})
