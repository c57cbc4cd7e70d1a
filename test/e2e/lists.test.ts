import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, fitsWithin, focused, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

const BOTS = 30

inBrowser('lists that follow from the declarations', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()
  for (let number = 1; number <= BOTS; number += 1) {
    const made = await admin.post('/bot', {
      name: `Bot ${String(number).padStart(2, '0')}`,
      customer: number % 2 === 0 ? 'Aurora' : 'Lume',
      minservicesneeded: number,
      agentenabled: number <= 10,
    })
    expect(made.status).toBe(201)
  }

  const rows = (on = page) => on.getByRole('table').getByRole('row')
  /** Rows of the table below its header. */
  const showsRows = (expected: number, on = page) => count(rows(on), expected + 1)
  const headers = async (on = page) =>
    (await on.getByRole('columnheader').allTextContents()).filter(text => text !== '' && text !== 'Actions')
  const query = () => new URL(page.url()).searchParams
  const addFilter = async (name: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  test('a page past the end becomes the last page [P-1847]', async () => {
    await visit(page, '/botadmin/bot/search?page=9')
    await showsRows(BOTS - 25)
    await eventually(() => query().get('page')).toBe('2')
    await page.getByText(`26–${BOTS} of ${BOTS}`).waitFor()
  })

  test('filters by a boolean and by a referenced thing that is found by typing, and keeps both in the address [P-108]', async () => {
    const [bot] = (await admin.get('/bot?search=Bot%2007')).body.items as unknown as { id: string; revision: number }[]
    if (bot === undefined) throw new Error('Bot 07 was not made')
    const task = (await admin.post('/dialogtask', { bot: bot.id, name: 'Recepção' })).body.id
    await admin.patch(`/bot/${bot.id}`, { defaultdialogtask: task }, bot.revision)

    // The list opens on the page that it last had, unless the address names one.
    await visit(page, '/botadmin/bot/search?page=1')
    await showsRows(25)
    await addFilter('Agents enabled')
    await page.getByRole('menuitemradio', { name: /^Yes/ }).click()
    await showsRows(10)
    await addFilter('Default task')
    const find = page.getByRole('searchbox', { name: 'Find in Tasks' })
    await focused(find)
    await find.fill('recep')
    await page.getByRole('button', { name: /^Recepção/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await showsRows(1)
    expect(query().get('agentenabled')).toBe('true')
    expect(query().get('defaultdialogtask')).toBe(task)
    await page.getByText('Default task: Recepção').waitFor()
    await page.reload()
    await showsRows(1)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await showsRows(25)
  })

  test('shows the language that each bot speaks in the table, its filter and on cards [P-2971]', async () => {
    const spoken = { 'Bot 02': { language: 'es', defaultlocale: 'en' }, 'Bot 04': { defaultlocale: 'en' } }
    for (const [name, fields] of Object.entries(spoken)) {
      const [bot] = (await admin.get(`/bot?search=${encodeURIComponent(name)}`)).body.items
      expect((await admin.patch(`/bot/${bot?.id}`, fields, Number(bot?.revision))).status).toBe(200)
    }
    await visit(page, '/botadmin/bot/search?page=1&sort=name')
    await showsRows(25)
    await eventually(() => headers()).toContain('Language of the chat')
    const languages = async () => {
      const found = await rows().allInnerTexts()
      return found.slice(1, 5).map(text => /English|Spanish|Portuguese/u.exec(text)?.[0])
    }
    await eventually(languages).toEqual(['Portuguese', 'Spanish', 'Portuguese', 'English'])
    await page.getByRole('button', { name: 'Language of the chat' }).first().click()
    await page.getByRole('menuitemradio', { name: /^Spanish/ }).click()
    await showsRows(1)
    expect(query().get('language')).toBe('es')
    await visit(page, '/botadmin/bot/search?language=en&view=cards')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Bot 04' }) })
    await card.getByText('English').waitFor()
    await visit(page, '/botadmin/bot/search?view=table')
  })

  test('chooses columns and their order by keyboard and by dragging, kept when the list is opened again [C-4.33]', async () => {
    await visit(page, '/botadmin/bot/search')
    await page.getByRole('button', { name: 'Columns' }).click()
    const panel = page.getByRole('group', { name: 'Columns' })
    await panel.getByRole('checkbox', { name: 'Customer' }).check()
    await panel.getByRole('checkbox', { name: 'Environment' }).uncheck()
    expect(await panel.getByRole('checkbox', { name: 'Name', exact: true }).isDisabled()).toBe(true)
    await panel.getByRole('button', { name: 'Move Customer' }).focus()
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowUp')
    await eventually(async () => (await headers()).slice(0, 3)).toEqual(['Name', 'Customer', 'Live now'])

    const industry = await panel.getByRole('button', { name: 'Move Industry' }).boundingBox()
    const status = await panel.getByRole('button', { name: 'Move Status' }).boundingBox()
    if (industry === null || status === null) throw new Error('The handles are not shown')
    await page.mouse.move(industry.x + 8, industry.y + 8)
    await page.mouse.down()
    await page.mouse.move(status.x + 8, status.y + 2, { steps: 5 })
    await page.mouse.up()
    await eventually(async () => (await headers()).slice(0, 5)).toEqual([
      'Name',
      'Customer',
      'Live now',
      'Industry',
      'Status',
    ])
    await page.keyboard.press('Escape')

    await visit(page, '/botadmin/codesample/search')
    await page.getByRole('heading', { name: 'Code samples', level: 1 }).waitFor()
    await visit(page, '/botadmin/bot/search')
    await eventually(async () => (await headers()).slice(0, 5)).toEqual([
      'Name',
      'Customer',
      'Live now',
      'Industry',
      'Status',
    ])

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Default columns' }).click()
    await eventually(async () => (await headers()).slice(0, 3)).toEqual(['Name', 'Live now', 'Status'])
    await page.keyboard.press('Escape')
  })

  test('begins as a table, and keeps for each entity whether it was last shown as cards [C-4.34]', async () => {
    const shownAs = (name: string) =>
      page.getByRole('group', { name: 'View', exact: true }).getByRole('button', { name })
    const open = async (path: string, heading: string) => {
      await visit(page, `/botadmin/${path}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    }
    await open('bot/search', 'Bots')
    await eventually(() => shownAs('Table').getAttribute('aria-pressed')).toBe('true')
    await shownAs('Cards').click()
    await count(page.getByRole('table'), 0)
    await open('codesample/search', 'Code samples')
    await eventually(() => shownAs('Table').getAttribute('aria-pressed')).toBe('true')
    await open('bot/search', 'Bots')
    await eventually(() => shownAs('Cards').getAttribute('aria-pressed')).toBe('true')
    await page.reload()
    await eventually(() => shownAs('Cards').getAttribute('aria-pressed')).toBe('true')
    await shownAs('Table').click()
    await page.getByRole('table').waitFor()
  })

  test('saves a view, opens the list with it, renames and removes it, for one person alone [P-108]', async () => {
    await visit(page, '/botadmin/bot/search?search=Bot%200&sort=-name&view=cards')
    await page.getByRole('link', { name: 'Bot 09' }).waitFor()
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByLabel('Name of the view').fill('First ones')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open the list with First ones' }).click()
    await page.getByRole('button', { name: 'Reset the list' }).click()
    await showsRows(25)
    await eventually(() => query().toString()).toBe('')

    await visit(page, '/botadmin/bot/search')
    await page.getByRole('button', { name: 'Saved view: First ones' }).click()
    await page.getByRole('link', { name: 'Bot 09' }).waitFor()
    expect(query().get('sort')).toBe('-name')
    await page.getByRole('button', { name: 'Rename First ones' }).click()
    await page.getByRole('textbox', { name: 'Rename First ones' }).fill('The first nine')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'The first nine', exact: true }).waitFor()

    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    await person(parley, admin, { username: 'ana', level: root, actions: ['readbot', 'showbot', 'readcodesample'] })
    const signedOut = page.context()
    await signedOut.request.post(`${parley.origin}/botadmin/api/auth/login`, {
      data: { username: 'ana', password: `${PASSWORD}x` },
      headers: { origin: parley.origin },
    })
    await page.goto('/botadmin/bot/search')
    await showsRows(25)
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByText('Save the present filters and display under a name.').waitFor()
    // Users with read permission only cannot select or import.
    await count(page.getByRole('checkbox', { name: 'Select this page' }), 0)
    await visit(page, '/botadmin/codesample/search')
    await page.getByRole('button', { name: 'Export' }).waitFor()
    await count(page.getByRole('button', { name: 'Import' }), 0)

    await signedOut.request.post(`${parley.origin}/botadmin/api/auth/login`, {
      data: { username: 'admin', password: ADMIN_PASSWORD },
      headers: { origin: parley.origin },
    })
    await page.goto('/botadmin/bot/search')
    await page.getByRole('button', { name: 'Saved view: The first nine' }).click()
    await page.getByRole('button', { name: 'Remove The first nine' }).click()
    await page.getByText('Save the present filters and display under a name.').waitFor()
    await page.getByRole('button', { name: 'Reset the list' }).click()
    await showsRows(25)
  })

  const exported = async () => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe('Bots.csv')
    return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  }

  test('exports what the list is filtered to, all pages of it, in its order [P-110]', async () => {
    await visit(page, '/botadmin/bot/search?minservicesneeded=2..&sort=name')
    await showsRows(25)
    const lines = await exported()
    expect(lines).toHaveLength(1 + 29)
    expect(lines[0]).toMatch(/^id,revision,/)
    expect(lines[1]).toContain('Bot 02')
    await visit(page, '/botadmin/bot/search?minservicesneeded=..3&search=03')
    await showsRows(1)
    expect(await exported()).toHaveLength(1 + 1)
  })

  test('sorts cards by a menu, and is free of faults with its panels open, on a phone as well', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/botadmin/bot/search?search=Bot%200')
    await page.getByRole('button', { name: 'Sort' }).click()
    await page.getByRole('menuitemradio', { name: 'Name' }).click()
    await eventually(() =>
      page
        .getByRole('link', { name: /^Bot \d\d$/u })
        .first()
        .innerText(),
    ).toBe('Bot 01')
    await page.getByRole('checkbox', { name: 'Select Bot 01' }).check()
    await page.getByText('1 selected').waitFor()
    await fitsWithin(page, 390)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1680, height: 1000 })

    await page.getByRole('searchbox', { name: 'Search bots' }).fill('')
    await showsRows(25)
    await page.getByRole('checkbox', { name: 'Select this page' }).check()
    await page.getByRole('button', { name: 'Select all 30 that match' }).click()
    await page.getByText('30 selected').waitFor()
    await addFilter('Services needed')
    await focused(page.getByRole('textbox', { name: 'From' }))
    await page.keyboard.type('9')
    await page.getByRole('textbox', { name: 'To' }).fill('3')
    await page.keyboard.press('Enter')
    await page.getByText('The first value is after the last').waitFor()
    expect(await violations(page), 'range').toEqual([])
    await page.getByRole('textbox', { name: 'To' }).fill('12')
    await page.keyboard.press('Enter')
    await page.getByText('Services needed: 9 – 12').waitFor()
    await showsRows(4)
    for (const name of ['Columns', 'Saved views']) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('group', { name, exact: true }).waitFor()
      expect(await violations(page), name).toEqual([])
      await page.keyboard.press('Escape')
    }
    await addFilter('Created at')
    await page.getByLabel('To').fill('2001-02-03')
    await page.keyboard.press('Enter')
    await page.getByText('Created at: up to 03/02/2001').waitFor()
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Take off Created at' }).click()
    await showsRows(4)
    // Another filter begins without a selection.
    await count(page.getByText('30 selected'), 0)
  })
})
