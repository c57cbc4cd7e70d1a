import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PASSWORD, person } from '#test/api/people.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { count, eventually, fitsWithin, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { violations } from './violations.ts'

const FLOW = {
  format: 'parley-flow' as const,
  version: 1 as const,
  operators: {
    start: block('start', 'Start', 0),
    ask: block('prompt', 'Which order', 90, { varname: 'order', data: { type: 'number', text: 'Which order?' } }),
    how: block('prompt', 'How', 180, {
      varname: 'how',
      data: { type: 'choice', text: 'How shall it come?', options: [{ label: 'By post' }, { label: 'By hand' }] },
    }),
    call: block('restservice', 'Order', 270, { url: 'https://shop.example/{{order}}', resultVariable: 'found' }),
    told: block('text', 'Tells', 360, { text: 'It comes {{found.day}}, {{how}}', enableDelay: true }),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'how'), c: link('how', 'call'), d: link('call', 'told') },
}

inBrowser('testing a dialog', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  let dialog: string
  let drawings = 0
  const drawn = await makeDialog(admin, FLOW)
  const bot = drawn.bot
  const task = drawn.task
  const page = await openWindow(browser, parley, { username: 'admin', password: 'Parley-2026!' })

  /** Each test has its own dialog. */
  const open = async (): Promise<void> => {
    const name = `Pedido ${++drawings}`
    dialog = (await admin.post('/dialog', { name, dialogtask: task })).body.id
    expect((await admin.put(`/dialog/${dialog}/flow`, FLOW)).status).toBe(200)
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('application', { name: `Flow ${name}` }).waitFor()
  }
  const say = async (window: Page, words: string) => {
    const input = window.getByRole('textbox', { name: 'Answer as the person' })
    await input.fill(words)
    await input.press('Enter')
  }

  test('is talked to in the designer, a call answered by hand, with what it holds beside it and in the inspector [R-81] [P-2947]', async () => {
    await open()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const log = page.getByRole('log', { name: 'Test conversation' })
    await log.getByText('Which order?').waitFor()
    await say(page, 'seventeen')
    // The bot speaks its own language, not that of the console.
    await log.getByText('Por favor, responda com um número.').waitFor()
    await say(page, '17')
    await log.getByRole('button', { name: 'By hand' }).click()
    await page
      .getByRole('region', { name: 'A call waits for its answer' })
      .getByText('https://shop.example/17')
      .waitFor()
    await page.getByLabel('Answer, as JSON').fill('{"day": "today"}')
    await page.getByRole('button', { name: 'Use this answer' }).click()
    await log.getByText('It comes today, By hand').waitFor()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('order', { exact: true }).waitFor()
    await count(page.locator('.pl-visit b'), 5)
    // The answer of the call completes paths in the inspector, and can be dragged into a text.
    await page.locator('[data-block="told"]').click()
    const text = page.getByRole('textbox', { name: 'Message' })
    await text.press('Control+End')
    await page.keyboard.type(' {{found.')
    await page.getByRole('option', { name: /^found\.day/u }).waitFor()
    await page.keyboard.press('Enter')
    await count(text.locator('[data-variable]'), 3)
    await state.getByText('1 member', { exact: true }).click()
    await state.getByText('.day', { exact: true }).dragTo(text)
    await count(text.locator('[data-variable]'), 4)
    expect(await violations(page)).toEqual([])
  })

  test('is stepped through and gone back in, and a value is changed on the way [R-81]', async () => {
    await open()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const log = page.getByRole('log', { name: 'Test conversation' })
    await log.getByText('Which order?').waitFor()
    await page.getByRole('checkbox', { name: 'Step by step' }).check()
    const here = page.locator('.pl-visit[data-at]')
    await here.getByText('Stopped before this block').waitFor()
    await count(log.getByText('Which order?'), 0)
    await page.keyboard.press('F10')
    await count(page.locator('.pl-visit b'), 1)
    await page.keyboard.press('F10')
    await log.getByText('Which order?').waitFor()
    await say(page, '17')
    await here.getByText('Stopped before this block').waitFor()
    await page.getByRole('button', { name: 'Change order' }).click()
    await page.getByRole('textbox', { name: 'Value of order' }).fill('18')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'State' }).getByText('18').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await log.getByText('How shall it come?').waitFor()
    await page.getByRole('button', { name: 'One step back' }).click()
    await eventually(() => log.getByText('How shall it come?').count()).toBe(0)
  })

  test('stops before a chosen block while it waits, and tells its calls [R-81] [P-714]', async () => {
    await open()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const log = page.getByRole('log', { name: 'Test conversation' })
    await log.getByText('Which order?').waitFor()
    await page.locator('[data-block="call"]').click()
    await page.getByRole('button', { name: 'To here' }).click()
    await page.locator('.pl-visit[data-stop]').getByText('Stops here').waitFor()
    await say(page, '17')
    await log.getByRole('button', { name: 'By post' }).click()
    await page.locator('.pl-visit[data-at]').getByText('Stopped before this block').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Use this answer' }).click()
    await page.getByRole('button', { name: 'Log', exact: true }).click()
    await page.getByRole('region', { name: 'Log' }).getByText('GET https://shop.example/17').waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('continues after an edit, marks changes after the run, and runs again from there [R-81] [P-1430] [P-2947]', async () => {
    await open()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const log = page.getByRole('log', { name: 'Test conversation' })
    await log.getByText('Which order?').waitFor()
    await say(page, '17')
    await log.getByText('How shall it come?').waitFor()
    // The block is mended where the test stands.
    await page.locator('[data-block="how"]').click()
    const text = page.getByRole('textbox', { name: 'Question', exact: true })
    await text.fill('How do we send it?')
    await text.press('Tab')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    // The transcript stays until the next run.
    await log.getByText('How shall it come?').waitFor()
    const edited = page.getByRole('status').filter({ hasText: '“How” was changed after it ran' })
    await edited.getByRole('button', { name: 'Run again from there' }).click()
    await log.getByText('How do we send it?').waitFor()
    await log.getByText('17', { exact: true }).waitFor()
    await count(log.getByText('How shall it come?'), 0)
    await count(edited, 0)
    await page.locator('[data-block="ask"]').click()
    await page.getByRole('button', { name: 'Again from here' }).click()
    await count(log.getByText('17', { exact: true }), 0)
    expect(await violations(page)).toEqual([])
  })

  test('fits a phone [R-81]', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open()
    await page.getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Test' }).click()
    await page.getByRole('log', { name: 'Test conversation' }).getByText('Which order?').waitFor()
    await fitsWithin(page, 390)
    await page.getByRole('button', { name: 'State', exact: true }).click()
    await page.getByRole('region', { name: 'State' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1680, height: 1000 })
  })

  test('tells where time went and what became of an answer, and filters what it holds [R-81] [P-1050]', async () => {
    await open()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const log = page.getByRole('log', { name: 'Test conversation' })
    await log.getByText(/began in/u).waitFor()
    await say(page, 'seventeen')
    await log.getByText('Not accepted · try 1').waitFor()
    await say(page, '17')
    await log.getByRole('button', { name: 'By hand' }).waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByLabel('Answer, as JSON').fill('{"day": "today"}')
    await page.getByRole('button', { name: 'Use this answer' }).click()
    await log.getByText('It comes today, By hand').waitFor()
    const times = page.getByRole('region', { name: 'Times' })
    await times.getByText(/of the bot · .* in services · the person took/u).waitFor()
    await times.getByRole('button', { name: 'Tells' }).click()
    await times
      .locator('li', { hasText: 'Tells' })
      .getByText(/^2(?:\.\d)? s$/u)
      .waitFor()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('order', { exact: true }).waitFor()
    await state.getByRole('searchbox', { name: 'Search variable' }).fill('fou')
    await count(state.getByText('order', { exact: true }), 0)
    await state.getByText('found', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'One step back' }).click()
    await count(times.getByRole('button', { name: 'Tells' }), 0)
  })

  test('shows the words of every tool from 1280 pixels on, and in the list of bots who edits [P-2067] [P-2068]', async () => {
    await open()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const tools = page.getByRole('toolbar', { name: 'Run' })
    await tools.waitFor()
    for (const width of [1440, 1366, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const words = await tools
        .locator('button > span')
        .evaluateAll(spans => spans.map(span => span.getBoundingClientRect().width))
      expect(words).toHaveLength(7)
      expect(Math.min(...words), String(width)).toBeGreaterThan(20)
      expect(await tools.evaluate(bar => bar.scrollWidth - bar.clientWidth)).toBe(0)
    }
    await page.setViewportSize({ width: 1680, height: 1000 })
    const list = await openWindow(browser, parley, { username: 'admin', password: 'Parley-2026!' })
    await visit(list, '/botadmin/bot/search')
    await list.getByRole('row').filter({ hasText: 'editing' }).waitFor()
    await list.close()
  })

  test('lets two people test one drawing at once, and restarts an ended run [R-81] [P-1051]', async () => {
    const level = String((await admin.get(`/bot/${bot}`)).body.hierarchylevel)
    const actions = ['readbot', 'readdialog', 'updatedialog', 'readdialogtask']
    await person(parley, admin, { username: 'colleague', level, actions })
    await open()
    const mine = page
    const theirs = await openWindow(browser, parley, { username: 'colleague', password: `${PASSWORD}x` })
    await visit(theirs, `/botadmin/designer/dialog/${dialog}`)
    for (const window of [mine, theirs]) {
      await window.getByRole('button', { name: 'Test', exact: true }).click()
      await window.getByRole('log').getByText('Which order?').waitFor()
    }
    await Promise.all([say(mine, '17'), say(theirs, '42')])
    for (const window of [mine, theirs]) await window.getByRole('log').getByText('How shall it come?').waitFor()
    await mine.getByRole('region', { name: 'State' }).getByText('17').waitFor()
    await theirs.getByRole('region', { name: 'State' }).getByText('42').waitFor()
    await count(mine.getByRole('region', { name: 'State' }).getByText('42'), 0)
    // Runs that the same user continues elsewhere end this one.
    for (let other = 0; other < 3; other++) {
      const { body } = await admin.post(`/bot/${bot}/simulation`, { dialog })
      await admin.post(`/simulation/${body.simulation}/set`, { name: 'x', value: 1 })
    }
    await mine.getByRole('log').getByRole('button', { name: 'By post' }).click()
    const over = mine.getByRole('alert').filter({ hasText: 'This run is over' })
    await over.getByRole('button', { name: 'From the start' }).click()
    await count(over, 0)
    await mine.getByRole('log').getByText('Which order?').waitFor()
    await theirs.getByRole('log').getByRole('button', { name: 'By post' }).click()
    await theirs.getByRole('region', { name: 'A call waits for its answer' }).waitFor()
  })
})
