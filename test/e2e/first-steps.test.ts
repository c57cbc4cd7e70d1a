import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { FlowFile } from '#schemas/flow/file.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, focused, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

/**
 * Most seconds that the product may take for its share of the way to the first answer. A quiet machine needs about a
 * tenth; the whole suite runs beside this test.
 */
const MOST_SECONDS = 30

/** Time by the clock of the page, ms since 1970: a reload does not reset it. */
const pageTime = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin + performance.now())

inBrowser('the first bot, by clicking alone', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const page = await openWindow(browser, parley)

  const nameIt = async (name: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  }
  const back = () => page.getByRole('button', { name: 'Back to the task' }).click()
  const publishAndTry = async (dialog: string) => {
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.locator('[data-block]').first().click()
    await page.locator('[data-block][data-selected=true]').waitFor()
    await page.getByRole('button', { name: /^Publish/u }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish and try', exact: true }).click()
    const steps = page.getByRole('region', { name: 'Result of publishing' })
    await steps.locator('[data-step=answer][data-state=done]').waitFor()
    await count(page.locator('[data-block][data-selected=true]'), 0)
    return steps
  }
  const leaveTrial = async (steps: Pick<Page, 'getByRole'>) => {
    await steps.getByRole('button', { name: 'Show the blocks again' }).click()
    const chat = page.getByRole('complementary', { name: 'Chat with Quitanda' })
    await chat.getByRole('button', { name: 'Close', exact: true }).click()
    await back()
  }

  test('leads from the sign-in on an empty installation to the first answer of the bot in seven clicks and few seconds, and from there to a test [P-2940] [P-2101] [P-2941] [P-2952] [P-2817]', async () => {
    const waits: number[] = []
    const button = (name: string | RegExp, within: Pick<Page, 'getByRole'> = page) =>
      within.getByRole('button', { name, exact: typeof name === 'string' }).first()
    /** Clicks, and measures until the next act is possible. */
    const act = async (target: Locator, isReady: () => Promise<unknown>) => {
      await target.waitFor()
      const clicked = await pageTime(page)
      await target.click()
      await isReady()
      waits.push((await pageTime(page)) - clicked)
    }
    const dialog = page.getByRole('dialog')
    await visit(page, '/botadmin/')
    await page.getByLabel('Username or e-mail').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
    const makeBot = button('Make the first bot')
    await act(button('Sign in'), () => makeBot.waitFor())
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
    await act(makeBot, () => name.waitFor())
    await name.fill('Quitanda')
    const title = page.getByLabel('Block title', { exact: true })
    const example = button('Begin from an example')
    await act(button('Create and draw', dialog), async () => {
      await page.getByRole('application', { name: 'Flow Welcome' }).waitFor()
      await example.waitFor()
    })
    await eventually(() => title.getAttribute('placeholder')).toBe('Start')
    expect(await title.inputValue()).toBe('')
    const rating = button(/^Rating/u, dialog)
    await act(example, () => rating.waitFor())
    await act(rating, async () => {
      await eventually(() => page.locator('[data-save]').getAttribute('data-save')).toBe('saved')
      await eventually(() => page.locator('[data-block]').count()).toBeGreaterThan(9)
    })
    const publish = button('Publish and try', dialog)
    await act(button(/^Publish/u), () => publish.waitFor())

    // The last step has the first message of the bot.
    const steps = page.getByRole('region', { name: 'Result of publishing' })
    await act(publish, () => steps.locator('[data-step=answer][data-state=done]').waitFor())
    expect(waits).toHaveLength(7)
    const seconds = waits.reduce((sum, ms) => sum + ms, 0) / 1000
    const each = waits.map(ms => (ms / 1000).toFixed(1)).join(' ')
    process.stdout.write(`first answer: ${waits.length} clicks, ${seconds.toFixed(1)} seconds (${each})\n`)
    expect(seconds).toBeLessThan(MOST_SECONDS)
    await steps.getByText('Published and on air').waitFor()
    const states = await steps
      .locator('[data-step]')
      .evaluateAll(rows => rows.map(row => `${row.getAttribute('data-step')} ${row.getAttribute('data-state')}`))
    expect(states).toEqual(['published done', 'entry was', 'channel done', 'start done', 'answer done'])
    const [bot] = (await admin.get('/bot?search=Quitanda')).body.items
    expect(bot).toMatchObject({ language: 'en', defaultlocale: 'en' })
    expect((await admin.get(`/channel?bot=${String(bot?.id)}`)).body.items).toMatchObject([{ type: 'webchat' }])

    // The canvas marks the block that waits, and the one after the answer.
    const chat = page.getByRole('complementary', { name: 'Chat with Quitanda' })
    const waiting = page.locator('[data-visit][data-at]')
    const nameAt = async () => {
      const id = await waiting.getAttribute('data-visit')
      return page.locator(`[data-block="${String(id)}"]`).innerText()
    }
    await eventually(nameAt).toContain('Score')
    await chat.getByRole('textbox', { name: 'Write a message' }).fill('3')
    await page.keyboard.press('Enter')
    await eventually(nameAt).toContain('Reason for the score')

    // The trial becomes a test, whose file can be changed before it is saved.
    await chat.getByText('Not in the results').waitFor()
    await chat.getByRole('button', { name: 'Save as test' }).click()
    const kept = page.getByRole('dialog', { name: 'Save as test' })
    await eventually(() => kept.getByLabel('Name', { exact: true }).inputValue()).toBe('Welcome')
    await kept.getByLabel('Name', { exact: true }).fill('Score of three')
    await kept.getByRole('button', { name: 'Edit first' }).click()
    const file = kept.getByRole('textbox', { name: 'File', exact: true })
    await eventually(() => file.inputValue()).toContain('user: "3"')
    const written = await file.inputValue()
    await file.fill(`${written}# Changed by hand\n`)
    expect(await violations(page)).toEqual([])
    await kept.getByRole('button', { name: 'Save', exact: true }).click()
    await kept.getByText('“Score of three” is saved as a test').waitFor()
    await kept.getByRole('button', { name: 'Close', exact: true }).first().click()
    const [test] = (await admin.get(`/conversationtest?bot=${String(bot?.id)}`)).body.items
    expect(test).toMatchObject({ name: 'Score of three', source: 'conversation' })
    const { file: stored } = (await admin.get(`/conversationtest/${String(test?.id)}`)).body
    expect(stored).toBe(`${written}# Changed by hand\n`)
    await steps.getByRole('button', { name: 'Show the blocks again' }).click()
    await page.getByRole('tab', { name: 'Blocks' }).waitFor()
    await chat.getByRole('button', { name: 'Close', exact: true }).click()
    await count(waiting, 0)
    await page.getByRole('button', { name: 'Back to the task' }).click()
  })

  test('brings back what was live before it was published and tried, and takes that back [P-2838] [P-2848] [P-2849]', async () => {
    const [dialog] = (await admin.get('/dialog?search=Welcome')).body.items as unknown as { id: string }[]
    const { id = '' } = dialog ?? {}
    const live = async () => (await admin.get(`/dialog/${id}`)).body.publishedrevision
    const before = await live()
    const file = (await admin.get(`/dialog/${id}/flow`)).body as unknown as FlowFile
    const [[block, operator] = ['', {}]] = Object.entries(file.operators).filter(([, { type }]) => type === 'text')
    const operators = { ...file.operators, [block]: { ...operator, title: 'Changed' } }
    await admin.put(`/dialog/${id}/flow`, { ...file, operators })
    const steps = await publishAndTry(id)
    const after = await live()
    expect(after).not.toBe(before)
    await steps.getByRole('button', { name: `Back to revision ${String(before)}` }).click()
    await steps.getByText(`Revision ${String(before)} is live`).waitFor()
    expect(await live()).toBe(before)
    expect(await violations(page)).toEqual([])
    await steps.getByRole('button', { name: 'Undo', exact: true }).click()
    await steps.getByRole('button', { name: `Back to revision ${String(before)}` }).waitFor()
    expect(await live()).toBe(after)
    await leaveTrial(steps)

    // Later the history has the same way.
    await visit(page, `/botadmin/designer/dialog/${id}?mode=history&at=${String(before)}`)
    await page.getByRole('button', { name: 'Make live again' }).click()
    await page
      .getByText(`Revision ${String(before)} is live`)
      .first()
      .waitFor()
    expect(await live()).toBe(before)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await eventually(live).toBe(after)
    await page.getByRole('button', { name: 'Back to now' }).click()
    await back()
  })

  test('lists what keeps the revision before from going live, and goes past it with a reason [P-2840]', async () => {
    const [dialog] = (await admin.get('/dialog?search=Welcome')).body.items as unknown as { id: string }[]
    const { id = '' } = dialog ?? {}
    const read = async () => (await admin.get(`/dialog/${id}`)).body
    const { dialogtask } = await read()
    const target = (await admin.post('/dialog', { name: 'Gone', dialogtask })).body.id
    const file = (await admin.get(`/dialog/${id}/flow`)).body as unknown as FlowFile
    const properties = { inputs: {}, outputs: {}, task: dialogtask, taskdialog: target }
    const jump = { type: 'gototask', title: 'Jump', top: 900, left: 0, properties }
    await admin.put(`/dialog/${id}/flow`, { ...file, operators: { ...file.operators, jump } })
    expect((await admin.post(`/dialog/${id}/publish`, {})).status).toBe(200)
    const before = String((await read()).publishedrevision)
    await admin.put(`/dialog/${id}/flow`, file)
    const steps = await publishAndTry(id)
    expect((await admin.delete(`/dialog/${String(target)}`, { confirm: 'CONFIRM' })).status).toBe(200)

    await steps.getByRole('button', { name: `Back to revision ${before}` }).click()
    const asked = page.getByRole('dialog', { name: `Make revision ${before} live anyway?` })
    await asked.getByText(`Revision ${before} has 1 error today`).waitFor()
    await asked.getByText('“Jump” points to nothing').waitFor()
    const look = asked.getByRole('link', { name: `Look at revision ${before}` })
    expect(await look.getAttribute('href')).toContain(`at=${before}`)
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await steps.getByRole('button', { name: `Back to revision ${before}` }).click()
    await asked.getByText('Make it live anyway', { exact: true }).click()
    await asked.getByRole('textbox').fill('The new one answers nobody')
    await asked.getByRole('button', { name: 'Make live', exact: true }).click()
    await steps.getByText(`Revision ${before} is live`).waitFor()
    expect(await read()).toMatchObject({
      publishedrevision: Number(before),
      untestedreason: 'The new one answers nobody',
    })
    await leaveTrial(steps)
  })

  test('makes a bot from a template and opens its dialog [P-2488]', async () => {
    await visit(page, '/botadmin/bot/new')
    await page.getByRole('button', { name: /Support ticket/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name of the bot' }).fill('Ajuda')
    await dialog.getByRole('button', { name: 'Create the bot' }).click()
    await page.getByRole('application', { name: 'Flow Tickets' }).waitFor()
    const [bot] = (await admin.get('/bot?search=Ajuda')).body.items
    const tests = (await admin.get(`/conversationtest?bot=${String(bot?.id)}`)).body.items
    expect(tests.map(({ name }) => name).toSorted()).toEqual(['Marks it as urgent', 'Opens one without urgency'])
    await visit(page, '/botadmin/')
  })

  test('from the list of bots to a drawn, published dialog and back', async () => {
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Bots' }).click()
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
    await page
      .getByRole('button', { name: 'New bot' })
      .or(page.getByRole('link', { name: 'New bot' }))
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Padaria')
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByRole('heading', { name: 'Padaria', level: 1 }).waitFor()

    await page.getByRole('button', { name: 'Open tasks' }).click()
    await page.getByRole('button', { name: 'New task' }).first().click()
    await nameIt('Encomendas')
    await page.getByRole('heading', { name: 'Encomendas', level: 1 }).waitFor()

    await page.getByRole('button', { name: 'Publish all' }).click()
    await page.getByText('main dialog must be set').waitFor()

    await page.getByRole('button', { name: 'New dialog' }).click()
    await nameIt('Bolo')
    await page.getByRole('application', { name: 'Flow Bolo' }).waitFor()
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('combobox', { name: 'Find a block to add' }).fill('text')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.type('Qual sabor?')
    await page.locator('[data-block]', { hasText: 'Qual sabor?' }).waitFor()
    await count(page.locator('[data-link]'), 1)
    await eventually(() => page.locator('[data-save]').getAttribute('data-save')).toBe('saved')
    await back()
    await page.getByRole('heading', { name: 'Encomendas', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'New handler' }).click()
    await nameIt('Preço')
    await page.getByRole('application', { name: 'Flow Preço' }).waitFor()
    await back()

    await page.getByRole('button', { name: 'More actions for Bolo' }).click()
    await page.getByRole('menuitem', { name: 'Make it the main dialog' }).click()
    await page.getByText('Main', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Publish all' }).click()
    await page
      .getByRole('dialog')
      .getByText(/1 edit by|edits by/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await eventually(async () => (await admin.get('/dialog?search=Bolo')).body.items[0]).toMatchObject({
      published: true,
    })
    await page.getByRole('listitem').filter({ hasText: 'Bolo' }).getByText('Published', { exact: true }).waitFor()
  })

  test('a dialog is renamed, removed by typing CONFIRM, and brought back [C-5.14]', async () => {
    const [task] = (await admin.get('/dialogtask?search=Encomendas')).body.items as unknown as { id: string }[]
    await visit(page, `/botadmin/dialogtask/${task?.id}`)
    await page.getByRole('button', { name: 'New dialog' }).click()
    await nameIt('Bolo')
    await page.getByRole('dialog').getByText('Dialog already exists').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'More actions for Bolo' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Bolo de festa')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Bolo de festa' }).waitFor()

    await page.getByRole('button', { name: 'More actions for Bolo de festa' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    await page.keyboard.press('Enter') // It is the main dialog of its task.
    await page.getByText('It is still used in one place').waitFor()
    const { revision } = (await admin.get(`/dialogtask/${task?.id}`)).body
    await admin.patch(`/dialogtask/${task?.id}`, { principaldialog: null }, revision)
    await page.getByLabel('Type CONFIRM to go on').press('Enter')
    await count(page.getByRole('link', { name: 'Bolo de festa' }), 0)
    await page.getByRole('button', { name: 'Deleted', exact: true }).click()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByRole('link', { name: 'Bolo de festa' }).waitFor()
    await page.getByRole('link', { name: 'Bolo de festa' }).click()
    await page.locator('[data-block]', { hasText: 'Qual sabor?' }).waitFor()
    expect((await admin.get('/dialog?search=festa')).body.total).toBe(1)
  })

  test('the designer has its panels, two pointers, zoom in steps and full screen [C-2.08] [C-2.09] [C-2.72] [D-2.01] [D-2.02] [D-2.03] [D-2.05] [D-9.07]', async () => {
    // Given a dialog by its address
    const [dialog] = (await admin.get('/dialog?search=festa')).body.items as unknown as { id: string }[]
    await visit(page, `/botadmin/designer/dialog/${dialog?.id}`)
    await page.locator('[data-block]').first().waitFor()
    await count(page.getByRole('navigation', { name: 'Main menu' }), 0)
    for (const panel of ['Dialogs', 'Handlers', 'Blocks']) {
      await page.getByRole('tab', { name: panel }).click()
      await page.getByRole('tabpanel', { name: panel }).waitFor()
    }

    // When the pointer pans, a drag moves what is seen; when it selects, it frames blocks
    const first = page.locator('[data-block]').first()
    const canvas = await page.locator('.pl-canvas').boundingBox()
    const start = await first.boundingBox()
    if (canvas === null || start === null) throw new Error('nothing is drawn')
    const corner = { x: canvas.x + canvas.width - 200, y: canvas.y + canvas.height - 250 }
    const drag = async () => {
      await page.mouse.move(corner.x, corner.y)
      await page.mouse.down()
      await page.mouse.move(canvas.x + 4, canvas.y + 4, { steps: 6 })
      await page.mouse.up()
    }
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await drag()
    await eventually(() => page.locator('[data-selected=true]').count()).toBe(2)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Pan', exact: true }).click()
    await drag()
    await eventually(async () => ((await first.boundingBox())?.x ?? 0) < start.x - 200).toBe(true)

    // Then it zooms in steps of 0.3 between 0.3 and 6
    const zoom = page.getByRole('toolbar', { name: 'Zoom' })
    const level = zoom.getByText(/^[0-9]+%$/)
    await level.click()
    await eventually(() => level.innerText()).toBe('100%')
    for (const [button, levels] of [
      ['Zoom in', ['120%', '150%']],
      ['Zoom out', ['120%', '90%', '60%', '30%', '30%']],
    ] as const)
      for (const next of levels) {
        await zoom.getByRole('button', { name: button }).click()
        await eventually(() => level.innerText()).toBe(next)
      }
    // The wheel reaches the closest view at once.
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2)
    await page.keyboard.down('Control')
    for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, -400)
    await page.keyboard.up('Control')
    await eventually(() => level.innerText()).toBe('600%')
    for (const [button, next] of [
      ['Zoom out', '570%'],
      ['Zoom in', '600%'],
      ['Zoom in', '600%'],
    ] as const) {
      await zoom.getByRole('button', { name: button }).click()
      await eventually(() => level.innerText()).toBe(next)
    }

    // And full screen leaves the canvas alone, until it is left
    const place = page.getByRole('navigation', { name: 'Where you are' })
    await page.getByRole('button', { name: 'Full screen', exact: true }).click()
    await count(place, 0)
    await count(page.getByRole('tab', { name: 'Dialogs' }), 0)
    await page.getByRole('button', { name: 'Leave full screen', exact: true }).click()
    await place.waitFor()
  })

  test('the keyboard stays where one works: on the block that was added, in its form, back on it, on one beside it when it goes', async () => {
    const key = (keys: string) => page.keyboard.press(keys)
    const stop = page.locator('[data-block][tabindex="0"]')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Fit the flow', exact: true }).click()
    await page.locator('[data-block]', { hasText: 'Qual sabor?' }).click()
    await key('a')
    await page.getByRole('combobox', { name: 'Find a block to add' }).fill('condition')
    await key('Enter')
    const made = page.locator('[data-block][data-selected]', { hasText: 'Condition' })
    await focused(made)
    await key('Enter')
    await focused(page.getByRole('button', { name: 'Add a branch' }))
    await key('Escape')
    await focused(made)
    await key('o')
    await focused(page.getByRole('treeitem', { name: 'Condition' }))
    await key('Escape')
    await focused(made)
    await key('Delete')
    await count(page.locator('[data-block]', { hasText: 'Condition' }), 0)
    await focused(stop)
    expect(await stop.innerText()).toContain('Qual sabor?')
  })

  test('two quick Backspaces after Escape remove the block, and not the start block that is left alone [P-1790]', async () => {
    const blocks = page.locator('[data-block]')
    const written = page.locator('[data-block]', { hasText: 'Qual sabor?' })
    await written.click()
    await page.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await count(written, 0)
    await page.getByRole('button', { name: 'Add the first block' }).waitFor()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+z')
    await written.waitFor()
    await count(blocks, 2)
  })

  test('names that were read once stay while one goes from flow to flow, also when they cannot be read again [C-4.30]', async () => {
    await page.getByRole('tab', { name: 'Handlers' }).click()
    await page.getByRole('button', { name: 'Preço', exact: true }).waitFor()
    const around = /\/api\/(bot|dialogtask)\/|\/api\/(dialog|handler|dialogtask)\?/
    await page.route(around, route => route.abort())
    await page.getByRole('button', { name: 'Preço', exact: true }).click()
    await page.getByRole('application', { name: 'Flow Preço' }).waitFor()
    const place = page.getByRole('navigation', { name: 'Where you are' })
    for (const name of ['Padaria', 'Encomendas']) await place.getByText(name, { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'Dialogs' }).click()
    await page.getByRole('button', { name: /^Bolo de festa/ }).waitFor()
    await page.unroute(around)
  })

  test('the tasks of a bot and the designer of a task have their addresses, with and without an id [C-2.70] [C-2.71]', async () => {
    const ids = async (entity: string, name: string) => (await admin.get(`/${entity}?search=${name}`)).body.items[0]?.id
    const [bot, task] = [await ids('bot', 'Padaria'), await ids('dialogtask', 'Encomendas')]
    const inBot = `pid=${bot}&pname=Padaria`
    for (const address of [
      `bot/dialogtask/${bot}?${inBot}`,
      `bot/dialogtask?${inBot}`,
      `dialogtask/designer?bot=${bot}`,
    ]) {
      await visit(page, `/botadmin/${address}`)
      await page.getByRole('link', { name: 'Encomendas' }).first().waitFor()
    }
    await visit(page, `/botadmin/bot/dialogtask/${bot}?${inBot}`)
    await page.getByRole('link', { name: 'Encomendas' }).first().waitFor()
    await page.keyboard.press('n')
    const refused = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true })
    await refused.fill('Encomendas')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog').getByText('is already taken').waitFor()
    await focused(refused)
    await page.keyboard.press('Escape')
    for (const address of ['bot/dialogtask', 'dialogtask/designer']) {
      await visit(page, `/botadmin/${address}`)
      await page.waitForURL('**/botadmin/dialogtask/search')
    }
    await visit(page, `/botadmin/dialogtask/designer/${task}?bot=${bot}&pid=${task}&pname=Encomendas&ppname=Padaria`)
    await page.getByRole('application', { name: 'Flow Bolo de festa' }).waitFor()
  })
})
