import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, holdBack, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

/** Entries of the side menu with the address that each leads to. */
const MENU = {
  Dashboard: 'dashboard',
  Bots: 'bot/search',
  'Natural Language': 'nlu/search',
  'NLU Projects': 'nluproject/search',
  'Train Stories': 'story/search',
  'Bot Brain': 'brain/search',
  'Bot Messages': 'localemessage/search',
  'Code Samples': 'codesample/search',
  'Tiny URL Generator': 'tinyurlmapping/search',
  'Site Search Index': 'sitesearchindex/search',
  Reports: 'reports',
  Admin: 'admin',
  'Application Settings': 'appsettings/search',
  'Release Notes': 'releasenote/search',
} as const
/** Their pages have a menu of their own. */
const CAMPAIGNS = { Campaigns: 'campaignmanagement/search', 'Meta Apps': 'metaapp/search' } as const
const APP_SETTINGS = {
  'JSON Path evaluation': 'tools/jsonpathonline',
  'Upload file to cloud': 'tools/uploadfiletocloud',
  'Deployment Settings': 'deploymentsettings',
} as const

inBrowser('the shell of the console', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const made = await makeDialog(admin, CLINIC_FLOW)
  const path = (of = page) => new URL(of.url()).pathname
  const heading = (name: string | RegExp, of = page) => of.getByRole('heading', { name, level: 1 }).waitFor()
  const drawer = () => page.getByRole('navigation', { name: 'Main menu' })
  const trail = async () => {
    const entries = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
    return (await entries.allInnerTexts()).map(text => text.trim()).filter(text => text !== '')
  }

  test('shows a wait dialog when a page loads slowly [C-2.103]', async () => {
    await visit(page, '/botadmin/')
    await heading(/.+/)
    // No test before this one has loaded the page.
    const release = await holdBack(page, /\/assets\/audit-page/u)
    await drawer().getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('dialog', { name: 'please stand by' }).waitFor()
    release()
    await heading('Audit')
    await count(page.getByRole('dialog', { name: 'please stand by' }), 0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  const helpPanel = () => page.locator('[data-help-panel]')
  const topic = (name: string) => helpPanel().getByRole('heading', { name, exact: true, level: 3 }).waitFor()
  const hasFocus = (selector: string) => page.evaluate(at => document.activeElement?.matches(at) === true, selector)

  test('the toolbar switches between Portuguese, English and Spanish [C-2.14]', async () => {
    await visit(page, '/botadmin/audit')
    let present = /^Language: English$/u
    for (const [name, title, next] of [
      ['Português', 'Auditoria', /: Português$/u],
      ['Español', 'Auditoría', /: Español$/u],
      ['English', 'Audit', /^Language: English$/u],
    ] as const) {
      await page.getByRole('banner').getByRole('button', { name: present }).click()
      await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).click()
      await heading(title)
      present = next
    }
    await eventually(() => page.evaluate(() => document.documentElement.lang)).toBe('en')
  })

  test('a change of language waits for the texts of the open page alone [P-2894]', async () => {
    const other = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await other.goto('/botadmin/bot/search')
    await heading('Bots', other)
    await visit(other, '/botadmin/')
    await heading(/.+/, other)
    const release = await holdBack(other, /\/assets\/list-text-es/u)
    const asked = other.waitForRequest(/\/assets\/list-text-es/u)
    await other.getByRole('banner').getByRole('button', { name: 'Language: English' }).click()
    await other
      .getByRole('menuitem', { name: 'Español' })
      .or(other.getByRole('menuitemradio', { name: 'Español' }))
      .click()
    await eventually(() => other.evaluate(() => document.documentElement.lang)).toBe('es')
    await other.getByRole('navigation', { name: 'Menú principal' }).waitFor()
    // Texts of the page before load afterwards.
    await asked
    release()
    await visit(other, '/botadmin/bot/search')
    await other.getByRole('button', { name: 'Filtrar' }).first().waitFor()
    await other.close()
  })

  test('marks unseen news, and opens the help of the page with F1; Escape returns the focus [P-2854] [P-2857]', async () => {
    await visit(page, '/botadmin/audit')
    await heading('Audit')
    await page.getByRole('button', { name: 'Help, with news' }).focus()
    await page.keyboard.press('F1')
    await topic('Audit')
    await helpPanel().locator('[data-unseen]').first().waitFor()
    await eventually(() => hasFocus('[data-help-panel] input[type=search]')).toBe(true)
    await page.keyboard.press('Escape')
    await count(helpPanel(), 0)
    await eventually(() => hasFocus('[data-help]')).toBe(true)
    await page.reload()
    await heading('Audit')
    await page.getByRole('button', { name: 'Help', exact: true }).waitFor()
    await count(page.locator('[data-news]'), 0)
    await page.keyboard.press('?')
    await topic('Audit')
    await count(helpPanel().locator('[data-unseen]'), 0)
    await drawer().getByRole('link', { name: 'Bots' }).click()
    await topic('Bots')
    for (const _ of ['from the page', 'from the same topic']) {
      await helpPanel().getByRole('searchbox').fill('template rejected')
      await helpPanel().getByRole('button', { name: 'Templates' }).click()
      await topic('Templates')
    }
    await helpPanel().getByRole('button', { name: 'Help for this page' }).click()
    await topic('Bots')
    await helpPanel().getByRole('button', { name: 'Close' }).click()
    await count(helpPanel(), 0)
  })

  test('lists help and the keys in the command palette, and opens them [P-2856] [P-2858]', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('?phone')
    await page.getByRole('option', { name: /Simulated phone/ }).click()
    await topic('Simulated phone')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('keyboard')
    await page.getByRole('option', { name: /Keyboard shortcuts/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Add a block').waitFor()
    await sheet.getByText('Return to the bot').waitFor()
    await sheet.getByText('Help for this page').waitFor()
    await page.keyboard.press('Escape')
    await count(sheet, 0)
  })

  test('leads from an empty list to its help [P-2859]', async () => {
    await visit(page, '/botadmin/segment/search')
    await page.getByRole('button', { name: 'How this works' }).click()
    await topic('Segments')
    await page.keyboard.press('Escape')
    await count(helpPanel(), 0)
  })

  test('shows the help of the selected block in the designer, and its keys [P-2855]', async () => {
    await visit(page, `/botadmin/designer/dialog/${made.dialog}?block=menu`)
    await page.getByRole('complementary', { name: 'Inspector' }).getByText('· menu').waitFor()
    await page.keyboard.press('F1')
    await topic('Prompt')
    await page.keyboard.press('Escape')
    await count(helpPanel(), 0)
    await visit(page, `/botadmin/designer/dialog/${made.dialog}`)
    await page.locator('[data-block]').first().waitFor()
    await page.keyboard.press('F1')
    await topic('Draw a dialog')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const first = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('heading', { level: 3 }).first()
    await eventually(() => first.textContent()).toBe('Designer')
    await page.keyboard.press('Escape')
  })

  test('shows drawer, toolbar with the name of the instance, trail and footer [C-2.02] [C-2.10] [C-2.17] [C-2.18] [C-9.16]', async () => {
    await page.goto('/botadmin/audit')
    await heading('Audit')
    await drawer().getByRole('link', { name: 'Home' }).waitFor()
    await page.getByRole('banner').getByText('production').first().waitFor()
    await eventually(trail).toEqual(['Home', 'Audit'])
    await page.locator('footer').getByText('production').waitFor()
    expect(page.url()).not.toContain('#')
    // The designer says that it has no drawer.
    await visit(page, `/botadmin/designer/dialog/${made.dialog}`)
    await page.getByRole('application').first().waitFor()
    await count(drawer(), 0)
  })

  test('shrinks the drawer to icons and keeps it so after a reload [C-2.03] [C-4.37]', async () => {
    await visit(page, '/botadmin/audit')
    const width = async () => (await drawer().boundingBox())?.width ?? 0
    await heading('Audit')
    const wide = await width()
    await drawer().getByRole('button', { name: 'Collapse' }).click()
    await eventually(width).toBeLessThan(wide / 2)
    await page.reload()
    await heading('Audit')
    await eventually(width).toBeLessThan(wide / 2)
    await drawer().getByRole('button', { name: 'Expand the menu' }).click()
    await eventually(width).toBe(wide)
  })

  test('keeps the way to a thing that is opened outside of its parents, and rebuilds it after a reload [C-2.90] [C-2.91]', async () => {
    await visit(page, `/botadmin/bot/${made.bot}`)
    await heading(/.+/)
    await eventually(trail).toHaveLength(3)
    const [home, bots, bot] = await trail()
    expect([home, bots]).toEqual(['Home', 'Bots'])
    await drawer().getByRole('link', { name: 'Tasks' }).click()
    await eventually(trail).toEqual(['Home', 'Bots', bot, 'Tasks'])
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: String(bot) })
      .click()
    await eventually(trail).toEqual(['Home', 'Bots', bot])
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' }).click()
    await eventually(() => path()).toMatch(/^\/botadmin\/?$/)
    await page.goto(`/botadmin/dialogtask/${made.task}?pid=${made.bot}`)
    await eventually(trail).toHaveLength(4)
    expect((await trail()).slice(0, 1)).toEqual(['Home'])
  })

  test('shows each error page with its words, a picture of 404 and 500, and a way home [C-2.49] [C-2.50] [C-2.104] [C-8.07] [C-8.08]', async () => {
    const pages = [
      ['errorpages/400', 'The request could not be read'],
      ['errorpages/401', 'Please sign in'],
      ['errorpages/403', 'You are not authorized!!!'],
      ['errorpages/404', 'This page could not be found.'],
      ['errorpages/500', 'Server Error!!'],
      ['errorpages/418', 'Something did not work'],
      ['errorpages/sessionexpired', 'Your session has ended'],
      ['nowhere/at/all/here', 'This page could not be found.'],
    ] as const
    for (const [address, title] of pages) {
      await visit(page, `/botadmin/${address}`)
      await heading(title)
      const pictures = page.getByRole('main').locator('img')
      const drawn = title.startsWith('This page') || title.startsWith('Server')
      await count(pictures, drawn ? 1 : 0)
      if (drawn) await eventually(() => pictures.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(280)
    }
    await page.getByText('Whoops, 404').waitFor()
    await visit(page, '/botadmin/errorpages/500')
    await page.getByText(/Problems with the server/).waitFor()
    await page.getByRole('button', { name: 'Go home' }).click()
    await eventually(() => path()).toMatch(/^\/botadmin\/?$/)
  })

  test('goes to the error page of a failed read, which leads back to the address [C-8.01] [C-8.02] [C-8.03]', async () => {
    for (const [status, title] of [
      [400, 'The request could not be read'],
      [403, 'You are not authorized!!!'],
      [404, 'This page could not be found.'],
    ] as const) {
      // The console has read none of them before.
      const task = (await admin.post('/dialogtask', { bot: made.bot, name: `Falha ${status}` })).body.id
      const answer = { status, contentType: 'application/problem+json', body: '{"code":"entity.notfound"}' }
      await page.route(`**/api/dialogtask/${task}`, route => route.fulfill(answer))
      await visit(page, `/botadmin/dialogtask/${task}`)
      await heading(title)
      await eventually(() => path()).toBe(`/botadmin/errorpages/${status}`)
      await page.unroute(`**/api/dialogtask/${task}`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading(`Falha ${status}`)
      expect(path()).toBe(`/botadmin/dialogtask/${task}`)
    }
  })

  test('each entry of the menus leads to its screen [C-2.98] [C-2.36]', async () => {
    await visit(page, '/botadmin/')
    for (const [name, address] of Object.entries(MENU)) {
      await drawer()
        .getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`, 'u') })
        .click()
      await eventually(() => path()).toBe(`/botadmin/${address}`)
      await heading(/.+/)
    }
    for (const [name, address] of Object.entries(APP_SETTINGS)) {
      await visit(page, '/botadmin/appsettings/search')
      await page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${name}`, 'u') })
        .click()
      await eventually(() => path()).toBe(`/botadmin/${address}`)
      await heading(/.+/)
    }
    for (const [name, address] of Object.entries(CAMPAIGNS)) {
      await visit(page, '/botadmin/')
      await drawer().getByRole('link', { name }).click()
      await eventually(() => path()).toBe(`/botadmin/${address}`)
      await heading(name)
    }
    await visit(page, `/botadmin/bot/${made.bot}`)
    for (const [name, address, title] of [
      ['Bot Analytics', `bot/reports/${made.bot}`, 'Bot Analytics'],
      ['Settings', `bot/settings/${made.bot}`, 'Bot settings'],
    ] as const) {
      await drawer().getByRole('link', { name, exact: true }).click()
      await eventually(() => path()).toBe(`/botadmin/${address}`)
      await heading(title)
    }
  })

  test('shows a menu of the bot, whose links carry the bot, its name and its type [C-2.05] [C-2.86]', async () => {
    await visit(page, `/botadmin/bot/${made.bot}`)
    await drawer().getByText('Clínica').waitFor()
    await drawer().getByRole('link', { name: 'All bots' }).waitFor()
    const addresses = await drawer()
      .getByRole('link')
      .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))
    const inBot = addresses.map(address => new URL(address)).filter(({ searchParams }) => searchParams.has('pid'))
    expect(inBot.length).toBeGreaterThan(10)
    for (const { pathname, searchParams } of inBot) {
      expect(Object.fromEntries(searchParams)).toEqual({ pid: made.bot, pname: 'Clínica', ptype: 'bot' })
      if (pathname !== '/botadmin/version/search') expect(pathname.endsWith(`/${made.bot}`), pathname).toBe(true)
    }
    for (const [name, title] of [
      ['Tasks', 'Tasks'],
      ['Variables', 'Variables'],
      ['Versions', 'Versions'],
      ['Overview', 'Clínica'],
    ] as const) {
      await drawer().getByRole('link', { name, exact: true }).click()
      await heading(title)
      await eventually(() => drawer().getByRole('link', { name, exact: true }).getAttribute('aria-current')).toBe(
        'page',
      )
      expect(new URL(page.url()).searchParams.get('pname')).toBe('Clínica')
    }
    await drawer().getByRole('link', { name: 'All bots' }).click()
    await heading('Bots')
    await drawer().getByRole('link', { name: 'Dashboard' }).waitFor()
  })

  test('a refused save says that validation failed before the list of fields [C-5.22]', async () => {
    await visit(page, '/botadmin/tinyurlmapping')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('x')
    await page.getByRole('button', { name: /^Create/u }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Validation failed' })
    await alert.getByText('Please correct the following error(s)').waitFor()
    await alert.getByRole('listitem').first().waitFor()
  })

  test('a toast is closed by a click on it [C-9.12]', async () => {
    await page.route('**/api/bot/*/start', route => route.fulfill({ status: 500, body: '{}' }))
    await visit(page, `/botadmin/bot/${made.bot}`)
    await page.getByRole('button', { name: 'Start', exact: true }).first().click()
    const toast = page.getByRole('alert').first()
    await toast.click()
    await count(page.getByRole('alert'), 0)
    await page.unroute('**/api/bot/*/start')
  })

  test('leads from the menu of the account to the password page and out [C-2.15] [C-2.48]', async () => {
    await visit(page, '/botadmin/audit')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Change password' }).click()
    await heading('Change password')
    expect(path()).toBe('/botadmin/password/passwordchange')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await eventually(() => path()).toBe('/botadmin/login')
  })

  test('begins in Portuguese where nothing was chosen, without drawer, toolbar and trail before the sign-in [C-1.05] [C-2.07] [C-2.99] [C-2.102]', async () => {
    const context = await browser.newContext({ baseURL: parley.origin, locale: 'fr-FR' })
    const window = await context.newPage()
    await window.goto('/botadmin/login')
    await heading('Entrar', window)
    await eventually(() => window.evaluate(() => document.documentElement.lang)).toBe('pt')
    expect(await window.getByRole('navigation').count()).toBe(0)
    await window.getByLabel('Usuário ou e-mail').waitFor()
    await window.getByLabel('Senha', { exact: true }).waitFor()
    await window.getByText(/peça a um administrador/i).waitFor()
    await window.locator('footer').waitFor()
    await context.close()
  })
})
