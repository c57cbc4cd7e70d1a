import { expect, test } from 'vitest'
import { level, person } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { makeDialog } from './designer.ts'

inBrowser('seeing the console as another person', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()
  const north = await level(admin, 'Norte')
  const bots = ['readbot', 'createbot', 'updatebot', 'showbot']
  const actions = [...bots, 'readdialog', 'updatedialog', 'readdialogtask', 'readhandler']
  const ana = (await person(parley, admin, { username: 'ana', level: north, actions })).id
  await admin.post('/bot', { name: 'Do Norte', hierarchylevel: north })
  await admin.post('/bot', { name: 'Da raiz' })

  const band = () => page.getByRole('status').filter({ hasText: 'You see Parley as ana does' })

  test('shows what the person sees, says so on every page, refuses to change anything, and leads back [P-606]', async () => {
    await visit(page, `/botadmin/user/${ana}`)
    await page.getByRole('button', { name: 'See as this person' }).click()
    await band().waitFor()
    await visit(page, '/botadmin/bot/search')
    await page.getByRole('link', { name: 'Do Norte' }).waitFor()
    await count(page.getByRole('link', { name: 'Da raiz' }), 0)
    expect(await page.getByRole('button', { name: 'New bot' }).isDisabled()).toBe(true)
    await count(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }), 0)

    await page.getByRole('link', { name: 'Do Norte' }).click()
    await page.getByRole('heading', { name: 'Do Norte', level: 1 }).waitFor()
    const field = page.locator('[data-field=description]').locator('input, textarea').first()
    await field.fill('Mudado')
    await page.getByText('While you see the console as another person, nothing can be changed').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.keyboard.press('Control+s')
    expect((await admin.get('/bot?name=Do%20Norte')).body.items[0]).toMatchObject({ revision: 1 })
    await page.getByRole('button', { name: 'Discard' }).first().click()

    await page.reload()
    await band().getByRole('button', { name: 'Back to yourself' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('ana').waitFor()
    await count(band(), 0)
    // The page of a person of another level is opened in that level.
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Admin' }).waitFor()
  })

  test('offers no first steps meanwhile [P-2213]', async () => {
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const actions = ['readbot', 'createbot', 'readdialog', 'createdialog', 'publishdialog', 'readdialogtask', 'showbot']
    const lia = await person(parley, admin, { username: 'lia', level: root, actions })
    await visit(page, `/botadmin/user/${lia.id}`)
    await page.getByRole('button', { name: 'See as this person' }).click()
    const see = page.getByRole('status').filter({ hasText: 'You see Parley as lia does' })
    await see.waitFor()
    await visit(page, '/botadmin/')
    await page.getByRole('heading', { name: 'Where you left off' }).waitFor()
    await page.waitForLoadState('networkidle')
    await count(page.getByRole('region', { name: 'First steps' }), 0)
    await see.getByRole('button', { name: 'Back to yourself' }).click()
    await count(see, 0)
  })

  test('a dialog is shown for looking alone meanwhile [P-606]', async () => {
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const clerk = await person(parley, admin, {
      username: 'rui',
      level: root,
      actions: ['readbot', 'readdialog', 'updatedialog', 'readdialogtask', 'readhandler', 'showbot'],
    })
    const { dialog } = await makeDialog(admin, {
      format: 'parley-flow',
      version: 1,
      operators: { hello: { type: 'text', title: 'Hello', top: 0, left: 0, properties: {} } },
      links: {},
    } as never)
    await visit(page, `/botadmin/user/${clerk.id}`)
    await page.getByRole('button', { name: 'See as this person' }).click()
    await page.getByRole('status').filter({ hasText: 'as rui does' }).waitFor()
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.locator('[data-block]').first().waitFor()
    await eventually(() => page.getByRole('button', { name: 'Add a block' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Back to yourself' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('rui').waitFor()
  })
})
