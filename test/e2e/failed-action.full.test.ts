import { test } from 'vitest'
import { inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('the pages of a task and its flows', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole()

  test('names the failed action in the error [C-8.22] [C-8.24] [C-8.26] [D-8.05] [D-8.06]', async () => {
    const { task, dialog } = await makeDialog(admin, CLINIC_FLOW, { bot: 'Padaria', dialog: 'Bolo de festa' })
    const handler = (await admin.post('/handler', { name: 'Preço', dialogtask: task })).body.id
    await admin.post(`/dialog/${dialog}/publish`)
    const { revision } = (await admin.get(`/dialogtask/${task}`)).body
    await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, revision)
    const problem = { status: 500, contentType: 'application/problem+json', body: '{"code":"server.error"}' }
    const fail = (pattern: RegExp, writes = true) =>
      page.route(pattern, route =>
        writes && route.request().method() === 'GET' ? route.fallback() : route.fulfill(problem),
      )
    const shown = page.getByRole('dialog')

    // Given a server that fails at every write
    await fail(/\/api\/(dialog|dialogtask)\//)
    await visit(page, `/botadmin/dialogtask/${task}`)
    await page.getByRole('button', { name: 'Publish all' }).click()
    await shown.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('could not publish the dialogs try later').waitFor()
    await page.keyboard.press('Escape')
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'More actions for Bolo de festa' }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose('Unpublish')
    await page.getByText('could not unpublish the dialog, try later').waitFor()
    await choose('Publish')
    await shown.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('could not publish the dialog, try later').waitFor()
    await page.keyboard.press('Escape')
    await choose('Rename')
    await shown.getByRole('button', { name: 'Save', exact: true }).click()
    await shown.getByText('could not rename the dialog, try later').waitFor()
    await page.keyboard.press('Escape')
    await choose('Delete')
    await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    await page.keyboard.press('Enter')
    await page.getByText('could not delete the dialog, try later').waitFor()

    // When lists, a dialog or its flow cannot be read either
    await fail(/\/api\/dialog\?/, false)
    await page.reload()
    await page.getByText('can not fetch dialogs for task').waitFor()
    const unread = (await admin.post('/dialog', { name: 'Ilegível', dialogtask: task })).body.id
    await visit(page, `/botadmin/designer/handler/${handler}`)
    await page.getByRole('tab', { name: 'Dialogs' }).click()
    await page.getByText('can not fetch dialogs for task').waitFor()
    await page.routeWebSocket(/\/realtime\//, socket => socket.close({ code: 4503 }))
    await fail(/\/api\/dialog\/[^/]+\/flow$/, false)
    await visit(page, `/botadmin/designer/dialog/${unread}`)
    await page.getByText('Flow invalid: delete and create again').waitFor()
    await fail(/\/api\/dialog\/[^/?]+$/, false)
    await page.reload()
    await page.getByText('The dialog cannot be loaded').waitFor()
  })
})
