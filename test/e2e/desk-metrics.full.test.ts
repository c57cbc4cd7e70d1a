import { afterAll, expect, test } from 'vitest'
import { message, openDeskTeam } from '#test/api/desk-team.ts'
import { ADMIN_PASSWORD, discard } from '#test/api/harness.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { violations } from './violations.ts'

inBrowser('figures of the desk', { timeout: LONG }, async () => {
  const figure = (name: string) => page.locator('.dk-totals > div', { hasText: name }).locator('b')

  const team = await openDeskTeam()
  const browser = await openBrowser()
  const size = { width: 1440, height: 900 }
  const page = await openWindow(browser, team.parley, { username: 'admin', password: ADMIN_PASSWORD, ...size })
  afterAll(async () => {
    await closeWindows()
    await discard(team.parley)
  })

  test('say that there are none, and then count chats by day, agent and subject [P-2476]', async () => {
    await visit(page, `${team.parley.origin}/botadmin/desk/metrics`)
    await count(page.getByText('No chats in these days'), 1)
    expect(await violations(page)).toEqual([])
    const { at } = await team.waiting()
    expect((await team.camila.client.post(`${at}/take`, {})).status).toBe(200)
    const { body } = await team.camila.client.get(at)
    await team.camila.client.post(`${at}/messages`, message('Oi', String(body.position)))
    expect((await team.camila.client.post(`${at}/close`, { reason: 'resolvido' })).status).toBe(200)
    await page.reload()
    await eventually(() => figure('Chats').textContent()).toBe('1')
    await eventually(() => figure('Service level').textContent()).toBe('100%')
    await eventually(() => figure('Satisfied').textContent()).toBe('–')
    await page.getByRole('button', { name: 'Agent' }).click()
    await count(page.getByRole('row', { name: /^camila/u }), 1)
    await page.getByRole('button', { name: 'Subject' }).click()
    await count(page.getByRole('row', { name: /^Resolvido/u }), 1)
    expect(await violations(page)).toEqual([])
  })

  test('define each figure on hover and focus [P-2476]', async () => {
    await page.locator('.dk-totals').getByRole('button', { name: 'Waiting' }).hover()
    await count(page.getByRole('tooltip', { name: /^From the request until an agent came/u }), 1)
    await page.mouse.move(0, 0)
    await count(page.getByRole('tooltip'), 0)
  })

  test('fit a phone without scrolling sideways [P-2476]', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await count(page.getByRole('row', { name: /Resolvido/u }), 1)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(wide).toBe(false)
    expect(await violations(page)).toEqual([])
  })
})
