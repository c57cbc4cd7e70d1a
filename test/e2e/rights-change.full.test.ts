import { expect, test } from 'vitest'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { BUILDER, Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('an open page whose rights change', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const ana = await person(parley, admin, { username: 'ana', level: root, actions: BUILDER })
  const role = ana.role
  const page = await openWindow(browser, parley, { username: 'ana', password: `${PASSWORD}x` })

  /** The administrator's session takes rights from her role, or gives them. */
  const give = async (actions: readonly string[]) => {
    const path = `/role/${role}`
    const { status } = await admin.patch(path, { actions }, (await admin.get(path)).body.revision)
    expect(status).toBe(200)
  }
  const without = (...lost: readonly string[]) => BUILDER.filter(action => !lost.includes(action))
  /** Opens a page and waits for its socket, which joins a moment after the console is loaded. */
  const open = async (path: string) => {
    if (page.url().startsWith(parley.origin)) return visit(page, `/botadmin${path}`)
    const joined = page.waitForEvent('websocket', socket => socket.url().includes('/socket.io/'))
    await page.goto(`/botadmin${path}`)
    const socket = await joined
    await socket.waitForEvent('framereceived', frame => frame.payload.toString().startsWith('40'))
    // The rights that are read again on connection.
    await page.waitForLoadState('networkidle')
  }

  test('shows and hides buttons, menu entries and the page itself without a reload [C-6.09] [C-6.10] [P-260]', async () => {
    await admin.post('/codesample', { name: 'Máscara' })
    await open('/codesample/search')
    const create = page
      .getByRole('link', { name: 'New code sample' })
      .or(page.getByRole('button', { name: 'New code sample' }))
    const entry = page.getByRole('navigation').getByRole('link', { name: /^Code Samples/i })
    await create.first().waitFor()
    await entry.first().waitFor()
    await page.evaluate(() => {
      document.documentElement.dataset.unreloaded = 'yes'
    })

    await give(without('createcodesample'))
    await count(create, 0)
    await page.getByText('Máscara').first().waitFor()
    await give(without('createcodesample', 'readcodesample', 'showcodesample'))
    await page.getByText('You are not authorized!!!').waitFor()
    await count(entry, 0)
    await give(BUILDER)
    await create.first().waitFor()
    await entry.first().waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset.unreloaded)).toBe('yes')
  })

  test('keeps what was typed into a form and says why saving is off [P-261]', async () => {
    const { id } = (await admin.post('/codesample', { name: 'Telefone' })).body
    await open(`/codesample/${id}`)
    const description = page.getByLabel('Description', { exact: true })
    await description.fill('Com DDD')
    await give(without('updatecodesample'))
    const bar = page.getByRole('region', { name: 'Unsaved' })
    await bar.getByText('Your rights changed').waitFor()
    expect(await bar.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true)
    expect(await description.inputValue()).toBe('Com DDD')
    await page.keyboard.press('Control+s')
    await give(BUILDER)
    await count(bar.getByText('Your rights changed'), 0)
    await bar.getByRole('button', { name: /^Save/ }).click()
    await eventually(async () => (await admin.get(`/codesample/${id}`)).body).toMatchObject({ description: 'Com DDD' })

    await open('/codesample/new')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Ainda não guardado')
    await give(without('createcodesample', 'readcodesample'))
    await bar.getByText('Your rights changed').waitFor()
    expect(await name.inputValue()).toBe('Ainda não guardado')
    await give(BUILDER)
    await bar.getByRole('button', { name: /^Create/ }).click()
    await page.getByRole('heading', { name: 'Ainda não guardado', level: 1 }).waitFor()
  })

  test('turns an open flow read-only in place, and editable again [C-6.10] [P-260]', async () => {
    const { dialog } = await makeDialog(admin, CLINIC_FLOW)
    const designer = new Designer(page)
    await open(`/designer/dialog/${dialog}`)
    await designer.blocks.first().waitFor()
    const viewOnly = page.getByText('View only', { exact: true })
    await count(viewOnly, 0)
    await give(without('updatedialog'))
    await page.getByText('Your right to edit was taken away').waitFor()
    await designer.blocks.first().waitFor()
    await viewOnly.first().waitFor()
    await give(BUILDER)
    await count(page.getByText('Your right to edit was taken away'), 0)
    await count(viewOnly, 0)
    await designer.blocks.first().waitFor()
    const [moved] = Object.keys(CLINIC_FLOW.operators)
    const placeOf = async () => (await flowOf(admin, dialog)).operators[moved ?? '']?.left
    const before = await placeOf()
    await designer.drag(moved ?? '', 80, 0)
    await eventually(placeOf).not.toBe(before)
  })
})
