import { expect, test } from 'vitest'
import type { FlowFile } from '#schemas/flow/file.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { level, person } from '#test/api/people.ts'
import { done } from '#test/fixture/agent-bot.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { plainBlock } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { ChatWindow } from './chat-window.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

inBrowser('the queues of the desk', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()

  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const { web } = await makeDeskBot(admin)
  const actions = ['showdesk', 'answerconversation', 'readbot']
  const { id: user } = await person(parley, admin, { username: 'camila', level: root, actions })
  await done(admin.post('/deskqueue', { name: 'Pedidos', mode: 'manual', members: [{ user }] }))
  const visitor = await ChatWindow.open(browser, parley.origin, web, { width: 390, dark: false })
  await visitor.exchange({ write: 'CL204519', told: 'Você é o 1º da fila' })

  test('opens no queue on its own, and stays in its level [P-2374]', async () => {
    const east = await level(admin, 'Leste', root)
    await done(admin.post('/deskqueue', { name: 'Agenda', hierarchylevel: east }))
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    const changes: string[] = []
    page.on('request', request => {
      if (request.url().includes('/changehierarchylevel/')) changes.push(request.url())
    })
    await visit(page, '/botadmin/deskqueue/search')
    const queues = page.getByRole('region', { name: 'Queues' })
    await queues.getByRole('link', { name: /^Agenda/u }).waitFor()
    await page.getByText('Choose a queue to see its members, hours and texts.').waitFor()
    await page.waitForLoadState('networkidle')
    expect([new URL(page.url()).pathname, changes]).toEqual(['/botadmin/deskqueue/search', []])
    expect(await violations(page)).toEqual([])
    await queues.getByRole('link', { name: /^Pedidos/u }).click()
    await page.getByRole('heading', { level: 1, name: 'Pedidos' }).waitFor()
    await page.context().close()
  })

  test('sets the capacity of members and the places of return by name [P-2386] [P-2387]', async () => {
    const [pedidos] = (await admin.get('/deskqueue?search=Pedidos')).body.items as never as { readonly id: string }[]
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/deskqueue/${pedidos?.id}`)
    const capacity = page.getByLabel('Chats at once of camila')
    expect(await capacity.inputValue()).toBe('4')
    await capacity.fill('7')
    await capacity.press('Enter')
    const profiles = async () => (await admin.get('/deskagent?size=100')).body.items
    await eventually(profiles).toContainEqual(expect.objectContaining({ capacity: 7 }))
    await eventually(() => capacity.inputValue()).toBe('7')
    const places = page.getByRole('group', { name: 'Places to return to' })
    await places.getByRole('button', { name: 'Where it stopped' }).click()
    await places.getByRole('button', { name: 'A task' }).click()
    await places.getByRole('combobox').click()
    await page.getByRole('option', { name: /^Ajuda/u }).click()
    await places.getByRole('listitem').getByText('Ajuda').waitFor()
    await page.getByRole('button', { name: /^Save/u }).click()
    const stored = async () => {
      const { return_targets } = (await admin.get(`/deskqueue/${pedidos?.id}`)).body
      return (return_targets as never as { readonly kind: string; readonly task: string | null }[]).map(
        each => each.kind,
      )
    }
    await eventually(stored).toEqual(['flow', 'task'])
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  test('moves the chats of a queue that is removed to another one [P-2384]', async () => {
    const [pedidos] = (await admin.get('/deskqueue?search=Pedidos')).body.items as never as { readonly id: string }[]
    const open = async (queue = '') => (await admin.get(`/desk/chat?view=all&queue=${queue}`)).body.total
    const chats = await open(pedidos?.id)
    expect(chats).toBeGreaterThan(0)
    const to = await done(admin.post('/deskqueue', { name: 'Vendas', mode: 'manual', hierarchylevel: root }))
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/deskqueue/${pedidos?.id}`)
    await page.getByRole('button', { name: /^More/u }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const panel = page.getByRole('alertdialog')
    await panel.getByRole('textbox').fill('CONFIRM')
    await panel.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByText(`There is still something in it: ${chats}`).waitFor()
    await panel.getByLabel('Move the chats to…').selectOption({ label: 'Vendas' })
    await panel.getByRole('button', { name: 'Move and delete' }).click()
    await page.waitForURL(/\/deskqueue\/search/u)
    expect((await admin.get(`/deskqueue/${pedidos?.id}`)).status).toBe(404)
    expect(await open(to)).toBe(chats)
    await page.context().close()
  })

  test('offers the desk in the block that hands over while its bot has no agent channel, and takes it [P-2388] [P-2846]', async () => {
    const name = 'Brisa'
    const brisa = await done(admin.post('/bot', { name, hierarchylevel: root }))
    const task = await done(admin.post('/dialogtask', { name: 'Ajuda', bot: brisa }))
    const dialog = await done(admin.post('/dialog', { name: 'Começo', dialogtask: task }))
    const operators = { start: plainBlock('start', 0), hand: plainBlock('connecttoagent', 200, {}) }
    await done(admin.put(`/dialog/${dialog}/flow`, { format: 'parley-flow', version: 1, operators, links: {} }))
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/designer/dialog/${dialog}?block=hand`)
    await page.getByRole('button', { name: 'Turn on the desk' }).click()
    await page.getByText(`The desk is on for ${name}`).waitFor()
    await count(page.getByRole('button', { name: 'Turn on the desk' }), 0)
    expect((await admin.get(`/agentchannel?bot=${brisa}&type=parley`)).body.total).toBe(1)
    await eventually(async () => {
      const file = (await admin.get(`/dialog/${dialog}/flow`)).body as unknown as FlowFile
      return file.operators.hand?.properties?.agentSystem
    }).toBe('parley')
    await page.context().close()
  })
})
