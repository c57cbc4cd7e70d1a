import { expect, test } from 'vitest'
import { PASSWORD, person } from '#test/api/people.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

inBrowser('the first five minutes', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()

  test('each step shows the next, from the sign-in to a published dialog of ten blocks, in seven clicks [P-403]', async () => {
    const own = admin
    const home = (await own.get('/userhierarchy')).body.hierarchylevel as string
    const actions = [
      'showbot',
      ...['bot', 'dialogtask', 'dialog', 'variable'].flatMap(entity => [
        `read${entity}`,
        `create${entity}`,
        `update${entity}`,
      ]),
      'publishdialog',
    ]
    await person(parley, own, { username: 'nova', level: home, actions })
    const window = await openWindow(browser, parley)
    let clicks = 0
    const click = async (role: 'button' | 'link', name: string | RegExp) => {
      clicks += 1
      await window
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click()
    }
    await visit(window, '/botadmin/')
    await window.getByLabel('Username or e-mail').fill('nova')
    await window.getByLabel('Password', { exact: true }).fill(`${PASSWORD}x`)
    await click('button', 'Sign in')
    const steps = window.getByRole('region', { name: 'First steps' })
    await click('button', 'Make the first bot')
    await window.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Primeiro')
    await click('button', 'Create and draw')
    await window.getByRole('application', { name: 'Flow Welcome' }).waitFor()
    // The start is selected, a line explains the next step, and most used blocks come first.
    await window.getByText('to add what comes after the start', { exact: false }).waitFor()
    await count(
      window.locator('[data-block][aria-selected=true], [data-block].selected, .react-flow__node.selected'),
      1,
    )
    await window.getByRole('button', { name: /^Used most/u }).waitFor()
    await click('button', 'Begin from an example')
    clicks += 1
    await window
      .getByRole('dialog')
      .getByRole('button', { name: /^Rating/u })
      .click()
    await eventually(() => window.locator('[data-block]').count()).toBeGreaterThan(9)
    await eventually(() => window.locator('[data-save]').getAttribute('data-save')).toBe('saved')
    await click('button', /^Publish/u)
    clicks += 1
    await window.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await eventually(async () => (await own.get('/dialog?name=Welcome')).body.items[0]).toMatchObject({
      published: true,
    })
    expect(clicks).toBe(7)
    await visit(window, '/botadmin/')
    await window.getByRole('heading', { level: 1 }).waitFor()
    await count(steps, 0)
    await window.context().close()
  })

  test('an error of publishing leads to the block that it is about [P-403]', async () => {
    const { dialog } = await admin.createDialog({ name: 'Com erro' }, 'Tarefa', 'Com erro')
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: 'Begin from an example' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Welcome/u })
      .click()
    await eventually(() => page.locator('[data-block]').count()).toBeGreaterThan(9)
    await eventually(() => page.locator('[data-save]').getAttribute('data-save')).toBe('saved')
    const flow = (await admin.get(`/dialog/${dialog}/flow`)).body
    const lost = { type: 'gototask', title: 'Sem tarefa', top: 900, left: 0, properties: {} }
    await admin.put(`/dialog/${dialog}/flow`, { ...flow, operators: { ...flow.operators, lost } })
    await page.locator('[data-block]', { hasText: 'Sem tarefa' }).waitFor()
    await page
      .getByRole('button', { name: /^Publish/u })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    const going = page.getByRole('button', { name: 'Go to the block' })
    await going.first().click()
    await count(page.getByRole('dialog'), 0)
    // One step back brings the flow back, beside the block that came by the API.
    await page.getByRole('application', { name: 'Flow Com erro' }).click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('Control+z')
    await eventually(() => page.locator('[data-block]').count()).toBe(2)
  })

  test('publishes own edits that are still on their way, and shows those of others first [P-851]', async () => {
    const { dialog } = await admin.createDialog({ name: 'Ao vivo' }, 'Tarefa', 'Nota')
    const opened = async () => {
      await page
        .getByRole('button', { name: /^Publish/u })
        .first()
        .click()
      return page.getByRole('dialog')
    }
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: 'Begin from an example' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Rating/u })
      .click()
    await eventually(() => page.locator('[data-block]').count()).toBeGreaterThan(9)
    const first = await opened()
    await first.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Nota is published, but people cannot talk to Ao vivo yet').waitFor()
    await count(page.getByRole('dialog'), 0)
    const live = (await admin.get(`/dialog/${dialog}`)).body
    expect(live).toMatchObject({ published: true })
    const flow = (await admin.get(`/dialog/${dialog}/flow`)).body
    expect(Object.keys(flow.operators).length).toBeGreaterThan(9)

    const second = await opened()
    await second.getByText('Nothing changed since this flow last went live.').waitFor()
    const home = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const actions = ['readdialog', 'updatedialog', 'readbot', 'readdialogtask']
    const { client: other } = await person(parley, admin, { username: 'outra', level: home, actions })
    const note = { type: 'note', title: 'De outra pessoa', top: 900, left: 0, properties: { text: 'Olá' } }
    const drawn = await other.put(`/dialog/${dialog}/flow`, { ...flow, operators: { ...flow.operators, note } })
    expect(drawn).toMatchObject({ status: 200, body: { unknown: [] } })
    await second.getByRole('button', { name: 'Publish', exact: true }).click()
    await second.getByRole('alert').getByText('Someone edited meanwhile').waitFor()
    await second.getByText('De outra pessoa').waitFor()
    expect((await admin.get(`/dialog/${dialog}`)).body.publishedrevision).toBe(live.publishedrevision)
    await second.getByRole('button', { name: 'Publish', exact: true }).click()
    await count(page.getByRole('dialog'), 0)
    expect((await admin.get(`/dialog/${dialog}`)).body.publishedrevision).toBeGreaterThan(
      live.publishedrevision as number,
    )
  })

  test('leads from publishing to a chat with the bot in one click for each missing part [P-1824]', async () => {
    const { bot, task, dialog } = await admin.createDialog({ name: 'Nova' }, 'Primeira', 'Ola')
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: 'Begin from an example' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Rating/u })
      .click()
    await eventually(() => page.locator('[data-block]').count()).toBeGreaterThan(9)
    const publish = page.getByRole('button', { name: /^Publish/u })
    await publish.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'What is missing' }).click()
    const steps = page.getByRole('dialog', { name: 'Ola is published' })
    await count(steps.getByRole('listitem'), 4)
    for (const name of ['Use Primeira', 'Use Ola', 'Create web chat', 'Start']) {
      await steps.getByRole('button', { name, exact: true }).click()
      await steps.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
    }
    const live = page.getByRole('dialog', { name: 'Ola is live' })
    const [channel] = (await admin.get(`/channel?bot=${bot}`)).body.items
    const chat = await live.getByRole('link', { name: 'Open the chat' }).getAttribute('href')
    expect(new URL(String(chat)).pathname).toBe(`/chat/${String(channel?.id)}`)
    expect((await admin.get(`/bot/${bot}`)).body).toMatchObject({ defaultdialogtask: task })
    await live.getByRole('button', { name: 'Close' }).first().click()
  })

  test('makes all that is missing and opens a chat beside the flow, from the notice of publishing [P-1922]', async () => {
    const { bot, task, dialog } = await admin.createDialog({ name: 'Agora' }, 'Primeira', 'Oi')
    const words = { type: 'text', title: '', top: 200, left: 0, properties: { text: 'Bem-vindo à padaria' } }
    const flow = { operators: { start: plainBlock('start', 0), words }, links: { a: link('start', 'words') } }
    expect(await admin.put(`/dialog/${dialog}/flow`, flow)).toMatchObject({ status: 200, body: { unknown: [] } })
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page
      .getByRole('button', { name: /^Publish/u })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    const text = page.getByText('Oi is published, but people cannot talk to Agora yet')
    await text.waitFor()
    await page.getByRole('button', { name: 'Try it' }).click()
    const chat = page.getByRole('complementary', { name: 'Chat with Agora' })
    await chat.getByText('Bem-vindo à padaria').first().waitFor()
    await count(text, 0)
    expect((await admin.get(`/bot/${bot}`)).body).toMatchObject({ defaultdialogtask: task, runningstatus: 'started' })
    expect((await admin.get(`/dialogtask/${task}`)).body).toMatchObject({ principaldialog: dialog })
    expect((await admin.get(`/channel?bot=${bot}`)).body.items).toMatchObject([{ type: 'webchat', enable: true }])
    // Its keys are none of the designer's: a letter there would open a sheet, Delete would remove a block.
    await chat.getByRole('textbox').fill('')
    await page.keyboard.type('ot')
    expect(await chat.getByRole('textbox').inputValue()).toBe('ot')
    await count(page.locator('.pl-sheet'), 0)
    expect(await violations(page)).toEqual([])
    await chat.getByRole('button', { name: 'Close', exact: true }).click()
    await count(chat, 0)
  })

  test('shows which flows of a task changed since they went live, and opens the changes [P-852]', async () => {
    const { task, dialog } = await admin.createDialog({ name: 'Alterado' }, 'Tarefa', 'Entrada')
    const flow = (await admin.get(`/dialog/${dialog}/flow`)).body
    const note = (title: string) => ({ type: 'note', title, top: 900, left: 0, properties: { text: title } })
    const draw = async (operators: object) => {
      const drawn = await admin.put(`/dialog/${dialog}/flow`, { ...flow, operators })
      expect(drawn).toMatchObject({ status: 200, body: { unknown: [] } })
    }
    await draw({ first: note('De antes') })
    expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
    await visit(page, `/botadmin/dialogtask/${task}`)
    await page.getByText('Published', { exact: true }).waitFor()
    await draw({ first: note('De antes'), second: note('Depois') })
    const changed = page.getByRole('link', { name: 'Entrada: see what changed since it was published' })
    await changed.getByText('Changed since published').waitFor()
    await changed.click()
    await page.getByRole('application', { name: 'Flow Entrada' }).waitFor()
    await page.getByText('1 added').first().waitFor()
  })
})
