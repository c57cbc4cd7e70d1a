import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

const flow = (greeting: string) => ({
  format: 'parley-flow',
  version: 1,
  operators: {
    start: block('start', 'Start', 0),
    hello: block('text', 'Greets', 100, { text: greeting }),
    ask: block('prompt', 'Asks', 200, { varname: 'nome', data: { type: 'text', text: 'Your name?' } }),
    told: block('text', 'Answers', 300, { text: 'Nice to meet you, {{nome}}' }),
  },
  links: { a: link('start', 'hello'), b: link('hello', 'ask'), c: link('ask', 'told') },
})
const fileOf = (name: string, steps: readonly object[]) =>
  JSON.stringify({ format: 'parley-test', version: 1, name, given: { task: 'Front desk' }, steps })

inBrowser('the tests of a bot', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const { bot, task, dialog } = await admin.createDialog({ name: 'Bia' }, 'Front desk', 'Welcome')
  await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
  await admin.put(`/dialog/${dialog}/flow`, flow('Hello there'))
  expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  const greets = [{ user: 'hi' }, { bot: 'Hello there' }, { bot: 'Your name?' }, { expect: { at: 'Asks' } }]
  for (const [name, steps] of [
    ['Greets', greets],
    ['Says hello', [{ user: 'hi' }, { bot: { contains: 'there' } }, { bot: 'any' }]],
  ] as const)
    expect((await admin.post('/conversationtest', { bot, name, file: fileOf(name, steps) })).status).toBe(201)
  await admin.put(`/dialog/${dialog}/flow`, flow('Hello again'))

  const open = async (address: string): Promise<Page> => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin${address}`)
    return page
  }

  test('a flow with tests that fail is published with a reason by who may alone [P-906]', async () => {
    const root = String((await admin.get(`/bot/${bot}`)).body.hierarchylevel)
    await person(parley, admin, {
      username: 'pia',
      level: root,
      actions: ['readbot', 'readdialogtask', 'readdialog', 'readhandler', 'publishdialog', 'readconversationtest'],
    })
    const other = await openWindow(browser, parley, { username: 'pia', password: `${PASSWORD}x` })
    await visit(other, `/botadmin/dialogtask/${task}`)
    await other.getByRole('link', { name: '2 tests fail' }).waitFor()
    await other.getByRole('button', { name: 'More actions for Welcome' }).click()
    await other.getByRole('menuitem', { name: 'Publish', exact: true }).click()
    const held = other.getByRole('dialog')
    await held.getByText('2 tests fail with what would be published').waitFor()
    await held.getByText('You may not publish while tests fail', { exact: false }).waitFor()
    expect(await held.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true)
    await other.context().close()

    const page = await open(`/dialogtask/${task}`)
    await page.getByRole('button', { name: 'More actions for Welcome' }).click()
    await page.getByRole('menuitem', { name: 'Publish', exact: true }).click()
    const asked = page.getByRole('dialog')
    await asked.getByRole('link', { name: 'Greets' }).waitFor()
    await asked.getByRole('switch', { name: 'Publish anyway' }).click()
    await asked.getByLabel('Why it is published although tests fail').fill('Closed tomorrow')
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Publish', exact: true }).click()
    await asked.waitFor({ state: 'detached' })
    expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({ untestedreason: 'Closed tomorrow' })
    await page.context().close()
  })

  test('accepts the result at the failing step, runs all tests, and lists uncovered outputs [P-905]', async () => {
    const page = await open(`/bot/conversationtest/${bot}`)
    await page.getByText('Publishing is held back by 2 tests').waitFor()
    await page.getByRole('link', { name: 'Greets' }).click()
    const pane = page.getByRole('region', { name: 'Greets' })
    await pane.getByText('The message is another one').waitFor()
    await pane.locator('del').getByText('there').waitFor()
    await pane.locator('ins').getByText('again').waitFor()
    expect(await violations(page)).toEqual([])
    await pane.getByRole('button', { name: 'Accept what came' }).click()
    await pane.getByText('Passes').waitFor()
    await page.getByText('Publishing is held back by 1 test').waitFor()
    const { items } = (await admin.get(`/conversationtest?bot=${bot}&search=again`)).body
    expect(items).toMatchObject([{ name: 'Greets' }])
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('1 of 2 tests pass').waitFor()
    const outputs = page.getByRole('region', { name: 'Outputs' })
    await outputs.getByText('Welcome').click()
    await outputs.getByRole('link', { name: 'Asks Answers' }).waitFor()
    await page.context().close()
  })

  test('the designer marks the tests of its dialog, and keeps a tried conversation as one, under another name than proposed [P-907] [R-90] [P-2138]', async () => {
    const page = await open(`/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: '1 test fails' }).waitFor()
    await count(page.locator('.pl-visit b[data-failed]'), 1)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('log', { name: 'Test conversation' }).getByText('Your name?').waitFor()
    await page.getByRole('button', { name: 'Save as test' }).click()
    const asked = page.getByRole('dialog')
    // The proposed name is selected: typing replaces it.
    await eventually(() =>
      asked
        .getByLabel('Name')
        .evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd, field.value.length]),
    ).toEqual([0, 7, 7])
    await page.keyboard.type('Tried')
    await asked.getByRole('button', { name: 'Save', exact: true }).click()
    await asked.getByRole('link', { name: 'See the test' }).click()
    const pane = page.getByRole('region', { name: 'Tried' })
    await pane.getByText('Passes').waitFor()
    await page.context().close()
  })

  test('a test that begins in another dialog is marked at the dialog and block where it fails [P-1924]', async () => {
    const cafe = (await admin.post('/bot', { name: 'Café' })).body.id
    const desk = (await admin.post('/dialogtask', { name: 'Front desk', bot: cafe })).body.id
    const make = async (name: string) => (await admin.post('/dialog', { name, dialogtask: desk })).body.id
    const [main, sub] = [await make('Counter'), await make('Farewell')]
    await admin.patch(`/dialogtask/${desk}`, { principaldialog: main }, 1)
    const farewell = (text: string) => ({
      operators: { start: block('start', 'Start', 0), bye: block('text', 'Says goodbye', 100, { text }) },
      links: { a: link('start', 'bye') },
    })
    const counter = {
      operators: { start: block('start', 'Start', 0), run: block('subdialog', 'Runs', 100, { subScenario: sub }) },
      links: { a: link('start', 'run') },
    }
    expect((await admin.put(`/dialog/${sub}/flow`, farewell('Good night'))).status).toBe(200)
    expect((await admin.put(`/dialog/${main}/flow`, counter)).status).toBe(200)
    const file = fileOf('Says goodbye', [{ user: 'hi' }, { bot: 'Goodbye' }])
    expect((await admin.post('/conversationtest', { bot: cafe, name: 'Says goodbye', file })).status).toBe(201)
    const page = await open(`/designer/dialog/${sub}`)
    await page.getByRole('button', { name: '1 test fails' }).waitFor()
    await page.locator('.pl-visit b[data-failed]').getByText('1 test fails').waitFor()
    await visit(page, `/botadmin/dialogtask/${desk}`)
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('Farewell').getByRole('link', { name: '1 test fails' }).waitFor()
    await count(row('Counter').getByRole('link', { name: '1 test fails' }), 0)
    // Mended here, it no longer fails here.
    await visit(page, `/botadmin/designer/dialog/${sub}`)
    await page.getByRole('button', { name: '1 test fails' }).waitFor()
    expect((await admin.put(`/dialog/${sub}/flow`, farewell('Goodbye'))).status).toBe(200)
    await count(page.getByRole('button', { name: '1 test fails' }), 0)
    await page.context().close()
  })

  test('on a phone the mark of failing tests covers neither the findings nor the icon of a block [P-2209]', async () => {
    const { bot: other, task: desk, dialog: drawn } = await admin.createDialog({ name: 'Lia' }, 'Front desk', 'Welcome')
    await admin.patch(`/dialogtask/${desk}`, { principaldialog: drawn }, 1)
    // The prompt asks nothing, which is a finding.
    const { operators, links } = flow('Hello there')
    const ask = block('prompt', 'Asks', 200, { varname: '' })
    await admin.put(`/dialog/${drawn}/flow`, { ...flow(''), operators: { ...operators, ask }, links })
    for (const name of ['One', 'Two']) {
      const file = fileOf(name, [{ user: 'hi' }, { bot: 'Hello there' }, { bot: 'Never' }])
      expect((await admin.post('/conversationtest', { bot: other, name, file })).status).toBe(201)
    }
    const page = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD },
      ...{ width: 390, height: 844 },
    })
    await visit(page, `/botadmin/designer/dialog/${drawn}`)
    const mark = page.locator('.pl-visit[data-broken] b')
    await mark.first().waitFor()
    const marked = page.locator(
      `[data-block="${await page.locator('.pl-visit[data-broken]').getAttribute('data-visit')}"]`,
    )
    await marked.locator('.pl-badge').waitFor()
    const boxOf = async (at: ReturnType<Page['locator']>) =>
      (await at.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const tag = await boxOf(mark.first())
    expect(tag.width).toBeGreaterThan(0)
    for (const part of [marked.locator('.pl-badge'), marked.locator('.pl-tile').first()]) {
      const box = await boxOf(part)
      const isApart =
        tag.x + tag.width <= box.x ||
        box.x + box.width <= tag.x ||
        tag.y + tag.height <= box.y ||
        box.y + box.height <= tag.y
      expect(isApart, JSON.stringify([tag, box])).toBe(true)
    }
    await page.context().close()
  })

  test('imports a transcript, reports unreadable parts, and adds its test [P-904]', async () => {
    const page = await open(`/bot/conversationtest/${bot}`)
    await page.getByRole('button', { name: 'Import' }).click()
    const asked = page.getByRole('dialog')
    const buffer = Buffer.from('user: hi\nbot: Hello again\nagent: one moment\nbot: Your name?\n')
    await asked.locator('input[type=file]').setInputFiles({ name: 'talk.txt', mimeType: 'text/plain', buffer })
    await asked.getByText('1 part was not read').waitFor()
    await asked.getByText('line 3').waitFor()
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Import 1 test' }).click()
    await page.getByRole('link', { name: 'talk' }).waitFor()
    await page.context().close()
  })

  test('accepts only the texts, searches tests, and shows values beside the previous ones [P-1054] [P-1057]', async () => {
    const steps = [{ user: 'hi' }, { bot: 'Hello again' }, { bot: { text: 'Your surname?', wait: 'number' } }]
    await admin.post('/conversationtest', { bot, name: 'Surname', gating: false, file: fileOf('Surname', steps) })
    const page = await open(`/bot/conversationtest/${bot}`)
    await page.getByRole('searchbox', { name: 'Search test' }).fill('súrn')
    await count(page.getByRole('rowheader'), 1)
    await page.getByRole('link', { name: 'Surname' }).click()
    const pane = page.getByRole('region', { name: 'Surname' })
    await pane.getByText('The message is another one').waitFor()
    await pane.getByRole('button', { name: 'Values' }).click()
    await pane.getByText('The conversation holds nothing where it ended.').waitFor()
    await pane.getByRole('button', { name: 'Conversation' }).click()
    await pane.getByRole('button', { name: 'Accept only these words' }).click()
    // It still waits for another kind of answer.
    await count(pane.getByRole('button', { name: 'Accept only these words' }), 0)
    await pane.getByText('The message is another one').waitFor()
    await pane.getByRole('button', { name: 'Accept what came' }).click()
    await pane.getByText('Passes').waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  test('a version is applied and a removed flow comes back although tests fail, with a reason [P-1055] [P-1056]', async () => {
    const other = (await admin.post('/bot', { name: 'Other' })).body.id
    const desk = (await admin.post('/dialogtask', { name: 'Front desk', bot: other })).body.id
    const empty = (await admin.post('/version', { bot: other, name: 'Empty' })).body.id
    const drawn = (await admin.post('/dialog', { name: 'Needed', dialogtask: desk })).body.id
    await admin.put(`/dialog/${drawn}/flow`, flow('Hello'))
    expect((await admin.post(`/dialog/${drawn}/publish`)).status).toBe(200)
    const file = (word: string) =>
      JSON.stringify({
        format: 'parley-test',
        version: 1,
        name: 'Needs it',
        given: { dialog: 'Needed' },
        steps: [{ event: 'open' }, { bot: word }, { bot: 'any' }],
      })
    await admin.post('/conversationtest', { bot: other, name: 'Needs it', file: file('Hello') })
    const page = await open(`/version/search?pid=${other}`)
    await page.getByRole('textbox', { name: /Type/u }).fill('CONFIRM')
    await page.getByRole('button', { name: 'Apply version', exact: true }).click()
    const asked = page.getByRole('dialog', { name: 'Tests hold back “Empty”' })
    await asked.getByRole('link', { name: 'Needs it' }).waitFor()
    await asked.getByRole('switch', { name: 'Apply anyway' }).click()
    const apply = asked.getByRole('button', { name: 'Apply', exact: true })
    expect(await apply.isDisabled()).toBe(true)
    await asked.getByLabel('Why it is applied although tests fail').fill('Beginning anew')
    expect(await violations(page)).toEqual([])
    await apply.click()
    await asked.waitFor({ state: 'detached' })
    expect((await admin.get(`/version/${empty}`)).body).toMatchObject({ untestedreason: 'Beginning anew' })

    // The tests that the version lacks went with it.
    const again = (await admin.post('/dialog', { name: 'Needed', dialogtask: desk })).body.id
    await admin.put(`/dialog/${again}/flow`, flow('Hello'))
    expect((await admin.post(`/dialog/${again}/publish`)).status).toBe(200)
    await admin.post('/conversationtest', { bot: other, name: 'Says bye', file: file('Bye') })
    expect((await admin.delete(`/dialog/${again}`, { confirm: 'CONFIRM' })).status).toBe(200)
    await visit(page, `/botadmin/designer/dialog/${again}`)
    await page.getByRole('button', { name: 'Bring it back' }).click()
    const held = page.getByRole('dialog', { name: 'Tests hold back “Needed”' })
    await held.getByText('step 2').waitFor()
    await held.getByRole('switch', { name: 'Bring back anyway' }).click()
    await held.getByLabel('Why it comes back although tests fail').fill('It is asked for')
    await held.getByRole('button', { name: 'Bring back', exact: true }).click()
    await held.waitFor({ state: 'detached' })
    expect((await admin.get(`/dialog/${again}`)).body).toMatchObject({
      published: true,
      untestedreason: 'It is asked for',
    })
    await page.context().close()
  })

  test('the page of tests says whether what is drawn may be published, and publishes it [P-1380]', async () => {
    const {
      bot: desk,
      task: reception,
      dialog: entry,
    } = await admin.createDialog({ name: 'Desk' }, 'Reception', 'Entry')
    await admin.patch(`/dialogtask/${reception}`, { principaldialog: entry }, 1)
    await admin.put(`/dialog/${entry}/flow`, flow('Good day'))
    const file = JSON.stringify({
      ...{ format: 'parley-test', version: 1, name: 'Is polite', given: { task: 'Reception' } },
      steps: [{ user: 'hi' }, { bot: 'Good day' }, { bot: 'any' }],
    })
    const made = await admin.post('/conversationtest', { bot: desk, name: 'Is polite', file })
    expect(made.status).toBe(201)
    const page = await open(`/bot/conversationtest/${desk}`)
    await page.getByText('1 flow may be published').waitFor()
    await page.getByText('1 of 1 pass', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const asked = page.getByRole('dialog', { name: 'Publish Entry?' })
    await asked.getByText('1 test passes').waitFor()
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Publish', exact: true }).click()
    await asked.waitFor({ state: 'detached' })
    await page.getByText('What is drawn is live').waitFor()
    await count(page.getByRole('button', { name: 'Publish…' }), 0)

    await admin.put(`/dialog/${entry}/flow`, flow('What now'))
    await page.reload()
    await page.getByText('Publishing is held back by 1 test').waitFor()
    await page.getByRole('button', { name: 'Publish anyway' }).click()
    const held = page.getByRole('dialog', { name: 'Publish Entry?' })
    await held.getByRole('link', { name: 'Is polite' }).waitFor()
    await held.getByRole('switch', { name: 'Publish anyway' }).click()
    await held.getByLabel('Why it is published although tests fail').fill('The house is on fire')
    await held.getByRole('button', { name: 'Publish', exact: true }).click()
    await held.waitFor({ state: 'detached' })
    expect((await admin.get(`/dialog/${entry}`)).body).toMatchObject({ untestedreason: 'The house is on fire' })

    await admin.put(`/dialog/${entry}/flow`, flow('And now'))
    const other = await openWindow(browser, parley, { username: 'pia', password: `${PASSWORD}x` })
    await visit(other, `/botadmin/bot/conversationtest/${desk}`)
    await other.getByText('You may not publish while tests fail', { exact: false }).waitFor()
    await count(other.getByRole('button', { name: 'Publish anyway' }), 0)
    await other.context().close()
    await page.context().close()
  })
})
