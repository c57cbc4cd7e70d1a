import { expect, test } from 'vitest'
import { person } from '#test/api/people.ts'
import { eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('roles, users and groups', { timeout: LONG }, async () => {
  const { parley, admin, page } = await openConsole()
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const ana = await person(parley, admin, { username: 'ana', level: root, actions: ['readbot'] })

  const permissions = async () =>
    ((await ana.client.get('/auth/user')).body as unknown as { user: { permissions: string[] } }).user.permissions

  test('leads from the lists of roles, users and groups to the page of each [C-2.31] [C-2.55]', async () => {
    for (const [entity, id, name] of [
      ['role', ana.role, 'ana role'],
      ['user', ana.id, 'ana'],
      ['usergroup', ana.group, 'ana group'],
    ] as const) {
      await visit(page, `/botadmin/${entity}/search`)
      await page.getByRole('link', { name, exact: true }).first().click()
      await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/${entity}/${id}`)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
  })

  test('assigns actions and services to a role on its own page [C-2.77] [C-6.11]', async () => {
    await visit(page, `/botadmin/role/actionandservices/${ana.role}`)
    const tick = (label: string) => page.getByRole('checkbox', { name: label, exact: true })
    await tick('Read: Code sample').press('Space')
    await tick('Everything: Variable').press('Space')
    await page.keyboard.press('Control+s')
    await eventually(permissions).toContain('readcodesample')
    const held = await permissions()
    expect(held).toEqual(expect.arrayContaining(['readbot', 'readvariable', 'createvariable', 'deletevariable']))
    expect(held).not.toContain('createcodesample')
    expect((await admin.get(`/role/${ana.role}`)).body).toMatchObject({
      actions: ['readbot', 'readcodesample'],
      services: ['variable'],
    })
    await visit(page, '/botadmin/role/actionandservices')
    await eventually(() => new URL(page.url()).pathname).toBe('/botadmin/role/search')
  })

  test('finds permissions, goes over them by arrow keys, and tells and takes back what is not saved [P-400]', async () => {
    await visit(page, `/botadmin/role/actionandservices/${ana.role}`)
    const tick = (label: string) => page.getByRole('checkbox', { name: label, exact: true })
    const pending = page.getByRole('region', { name: 'If you save' })
    const lines = async () => (await pending.getByRole('listitem').allInnerTexts()).map(text => text.split('\n')[0])
    await page.getByRole('searchbox', { name: 'Entity or action' }).fill('publish')
    await tick('Publish all: Task').waitFor()
    expect(await tick('Read: User').count()).toBe(0)
    await tick('Read: Dialog').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await eventually(lines).toEqual(['Create: Dialogs', 'Create: Handlers'])
    await pending.getByRole('button', { name: 'Undo' }).first().click()
    await eventually(lines).toEqual(['Create: Handlers'])
    // A column of a group at once; grants of a service stay unchanged.
    await page.getByRole('searchbox', { name: 'Entity or action' }).fill('')
    await tick('Delete: People').press('Space')
    await eventually(async () => (await lines()).length).toBe(7)
    await page.getByRole('button', { name: 'Inherited', exact: true }).click()
    await eventually(() => tick('Read: Variable').isDisabled()).toBe(true)
    expect(await tick('Read: Bot').count()).toBe(0)
    await page.getByRole('button', { name: 'Discard' }).click()
    await pending.waitFor({ state: 'detached' })
  })

  test('shows what a person may do, and from which role and group [P-401]', async () => {
    await visit(page, `/botadmin/user/${ana.id}`)
    const rights = page.getByRole('region', { name: 'Rights' })
    await rights.getByRole('link', { name: 'ana role' }).waitFor()
    await rights.getByRole('link', { name: 'ana group' }).waitFor()
    await rights.getByRole('button', { name: 'Show what they allow' }).click()
    await rights.getByRole('searchbox').fill('bots')
    await rights.getByRole('row', { name: /^Bots.*Read.*ana role/u }).waitFor()
    await rights.getByRole('link', { name: 'ana group' }).click()
    await page.getByRole('heading', { name: 'ana group', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Rights' }).getByRole('link', { name: 'ana role' }).waitFor()
  })
})
