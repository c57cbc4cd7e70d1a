import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('the shell of the console at rare addresses and after failures', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  /** The tests of what fails share it, in their order. */
  let other: Page
  const made = await makeDialog(admin, CLINIC_FLOW)
  const path = (of = page) => new URL(of.url()).pathname
  const heading = (name: string | RegExp, of = page) => of.getByRole('heading', { name, level: 1 }).waitFor()
  const drawer = () => page.getByRole('navigation', { name: 'Main menu' })

  test('shows the menu of the bot for a channel or an agent channel that is opened by its address [P-2206]', async () => {
    for (const [entity, type, entry] of [
      ['channel', 'rest', 'Channels'],
      ['agentchannel', 'rocketchat', 'Agent channels'],
      ['variable', undefined, 'Variables'],
    ] as const) {
      const { id } = (await admin.post(`/${entity}`, { bot: made.bot, name: 'direta', ...(type && { type }) })).body
      await page.goto(`/botadmin/${entity}/${id}`)
      await drawer().getByText('Clínica').waitFor()
      await eventually(() =>
        drawer().getByRole('link', { name: entry, exact: true }).getAttribute('aria-current'),
      ).toBe('page')
    }
  })

  test('a fixed path wins over the id of a thing [C-2.59]', async () => {
    for (const [address, title] of [
      ['bot/search', 'Bots'],
      [`bot/settings/${made.bot}`, 'Bot settings'],
      [`bot/reports/${made.bot}`, 'Bot Analytics'],
      ['user/search', 'Users'],
      ['user', 'New user'],
      [`bot/${made.bot}`, 'Clínica'],
      ['bot/search-', 'This page could not be found.'],
    ] as const) {
      await visit(page, `/botadmin/${address}`)
      await heading(title)
    }
  })

  test('after 300 px a button leads back to the top [C-2.04]', async () => {
    await visit(page, `/botadmin/bot/${made.bot}`)
    const box = page.locator('#page-scroll')
    const top = page.getByRole('button', { name: 'Back to top' })
    await page.locator('[data-field="avatars"]').waitFor()
    // Content that arrives above the place that is read would scroll the page.
    await box.evaluate(element => element.style.setProperty('overflow-anchor', 'none'))
    await count(top, 0)
    await box.evaluate(element => element.scrollTo(0, 300))
    await eventually(() => box.evaluate(element => element.scrollTop)).toBe(300)
    await count(top, 0)
    await box.evaluate(element => element.scrollTo(0, 301))
    await top.click()
    await eventually(() => box.evaluate(element => element.scrollTop)).toBe(0)
    await count(top, 0)
  })

  test('works on without the notifications socket, and writes that to the log of the browser alone [C-7.12]', async () => {
    other = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    const logged: string[] = []
    other.on('console', message => logged.push(message.text()))
    await other.routeWebSocket(/socket\.io/, socket => {
      socket.send('0{"sid":"s","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}')
      socket.send('44{"message":"refused"}')
    })
    await other.goto('/botadmin/audit')
    await heading('Audit', other)
    await eventually(() => logged.some(text => text.startsWith('Notifications are not available'))).toBe(true)
    expect(await other.getByRole('alert').count()).toBe(0)
  })

  test('reloads the page once when a chunk of it is missing, and not again [C-8.09]', async () => {
    // React reports the error that the error page shows.
    other.removeAllListeners('pageerror')
    let loads = 0
    other.on('load', () => {
      loads += 1
    })
    await other.goto('/botadmin/')
    await heading(/.+/, other)
    await other.route('**/assets/audit-page-*.js', route => route.fulfill({ status: 404, body: '' }))
    await other.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Audit' }).click()
    await eventually(() => loads).toBe(2)
    await heading('This did not load', other)
    expect(loads).toBe(2)
    await other.unroute('**/assets/audit-page-*.js')
    await other.getByRole('button', { name: 'Try again' }).click()
    await heading('Audit', other)
  })

  test('offers to try again within its frame when the addresses of the pages did not load, and then shows the page [P-2820]', async () => {
    const window = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    window.removeAllListeners('pageerror')
    let loads = 0
    window.on('load', () => {
      loads += 1
    })
    const isCut = (url: URL) => /\/assets\/routes-/u.test(url.pathname) || url.pathname.endsWith('/api/instance')
    await window.route(isCut, route => route.abort())
    await window.goto('/botadmin/')
    await heading(/.+/, window)
    const menu = window.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Audit' }).click()
    await heading('This did not load', window)
    // Without an answer of the server a reload would lose the console.
    await window.getByRole('button', { name: 'Try again' }).click()
    await window.getByText('The server did not answer.', { exact: true }).waitFor()
    expect([loads, await menu.count(), path(window)]).toEqual([1, 1, '/botadmin/audit'])
    await window.unroute(isCut)
    await window.getByRole('button', { name: 'Try again' }).click()
    await heading('Audit', window)
    expect(loads).toBe(2)
    await window.context().close()
  })

  test('keeps what was typed and offers to reload when a part of the page does not load [P-2085]', async () => {
    const window = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await window.goto('/botadmin/bot/new')
    const name = window.locator('[data-field="name"] input')
    await name.fill('Loja do norte')
    const isCut = (url: URL) => /\/assets\/notification-list-/u.test(url.pathname)
    await window.route(isCut, route => route.abort())
    const bell = window.getByRole('button', { name: /^Notifications/ })
    const said = window.getByText('This part did not load. Save what you typed, then reload.')
    await bell.click()
    await said.waitFor()
    expect(await name.inputValue()).toBe('Loja do norte')
    await window.unroute(isCut)
    await window.getByRole('button', { name: 'Reload' }).click()
    await heading('New bot', window)
    await bell.click()
    await window.getByRole('dialog', { name: 'Notifications' }).waitFor()
    await window.context().close()
  })

  test('says that the error page failed, why, and leads home, when it fails to render [C-2.51]', async () => {
    const window = await other.context().newPage()
    await window.addInitScript(() => {
      const broken = {
        valueOf: () => {
          throw new Error('broken on purpose')
        },
      }
      Object.defineProperty(History.prototype, 'state', { get: () => ({ idx: broken }) })
    })
    const errors: string[] = []
    window.on('pageerror', error => errors.push(error.message))
    await window.goto('/botadmin/errorpages/404')
    await heading('The error page failed', window)
    await window.getByText('broken on purpose').waitFor()
    expect(await window.getByRole('link', { name: 'Go home' }).getAttribute('href')).toMatch(/^\/botadmin\/?$/)
    await window.close()
  })

  test('opens the sign-in when the session has ended, also when sign-out fails [C-8.04]', async () => {
    await other.goto('/botadmin/audit')
    await heading('Audit', other)
    await other.route('**/api/auth/logout', route => route.abort())
    await other.context().clearCookies()
    await other.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Bots' }).click()
    await eventually(() => path(other)).toBe('/botadmin/login')
    await other.context().close()
  })
})
