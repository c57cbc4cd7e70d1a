import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { openChat } from '#test/api/open-chat.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

const flow = (question: string) => ({
  format: 'parley-flow',
  version: 1,
  operators: {
    start: block('start', 'Início', 0),
    name: block('prompt', 'Nome da pessoa', 100, { varname: 'nome', data: { type: 'text', text: question } }),
    bye: block('text', 'Despedida', 200, { text: 'Até logo' }),
    never: block('text', 'Nunca', 300, { text: 'Ninguém vem aqui' }),
  },
  links: { a: link('start', 'name'), b: link('name', 'bye') },
})

interface Told extends Pick<AnswerOf<'GET /dialog/{id}/dropoff'>, 'worsened'> {
  readonly revisions: readonly { readonly revision: number }[]
  readonly blocks: readonly object[]
}

inBrowser('the funnel of a dialog', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  let dialog: string
  let channel: string

  /** A person who leaves at the question for the name. */
  const leave = async () => {
    const opened = await fetch(`${parley.origin}/chat/${channel}/conversations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const { conversation, token } = (await opened.json()) as { conversation: string; token: string }
    const ended = await fetch(`${parley.origin}/chat/conversations/${conversation}/end`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(ended.status).toBe(204)
  }

  beforeAll(async () => {
    const bot = (await admin.post('/bot', { name: 'Bia' })).body.id
    const task = (await admin.post('/dialogtask', { name: 'Cadastro', bot })).body.id
    dialog = (await admin.post('/dialog', { name: 'Nome', dialogtask: task })).body.id
    expect((await admin.put(`/dialog/${dialog}/flow`, flow('Seu nome?'))).status).toBe(200)
    await admin.post(`/dialog/${dialog}/publish`)
    await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
    await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
    channel = (await admin.post('/channel', { bot, type: 'webchat' })).body.id
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    await openChat(parley.origin, channel, ['Ana'])
    await openChat(parley.origin, channel)
    await leave()
    expect((await admin.put(`/dialog/${dialog}/flow`, flow('Como você se chama?'))).status).toBe(200)
    expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
    await vi.waitFor(
      async () => {
        await openChat(parley.origin, channel, ['Eva'])
        const { revisions } = (await admin.get(`/dialog/${dialog}/dropoff`)).body as unknown as Told
        expect(revisions).toHaveLength(2)
        const newest = await admin.get(`/dialog/${dialog}/dropoff?revision=${revisions[0]?.revision}`)
        expect((newest.body as unknown as Told).blocks).not.toEqual([])
      },
      { timeout: 20_000, interval: 200 },
    )
  }, LONG)

  const open = async (page: Page) => {
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: 'Funnel', exact: true }).click()
    await page.locator('[data-funnel="name"]').waitFor()
  }
  const strip = (page: Page, block: string) => page.locator(`[data-funnel="${block}"]`)

  test('shows how many came by each block, who left there, and where most leave [P-652]', async () => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await open(page)
    await page.getByText(/came in, \d+ came to an end/u).waitFor()
    expect(await strip(page, 'name').getAttribute('data-tone')).toBe('red')
    await count(strip(page, 'never'), 0)
    const widths = await page
      .locator('.pl-link[data-mark="people"] .pl-stroke')
      .evaluateAll(paths => paths.map(path => Number.parseFloat(getComputedStyle(path).strokeWidth)))
    expect(widths.toSorted((a, b) => b - a)[0]).toBe(16)
    await page
      .getByRole('list', { name: 'Where people leave' })
      .getByRole('button', { name: /Nome da pessoa/u })
      .click()
    await page.getByText(/1 of \d+ left here/u).waitFor()
    await page.getByRole('img', { name: /Share of those who left, by day/u }).waitFor()
    await page.getByRole('button', { name: 'Time', exact: true }).click()
    await strip(page, 'name')
      .getByText(/\d+ (?:ms|s)/u)
      .waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect((await file).suggestedFilename()).toBe('Nome.csv')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
    await page.getByRole('complementary', { name: 'Inspector' }).waitFor()
    await page.context().close()
  })

  test('is narrowed to a channel and a revision, and compares two of them as difference or side by side [P-653]', async () => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await open(page)
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'REST' })
    await page.getByText('Nobody came by in this period.').waitFor()
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'All channels' })
    // The older of the two, with the question as it was then.
    await page.getByLabel('Revision', { exact: true }).selectOption({ index: 2 })
    await page.locator('[data-block="name"]').getByText('Seu nome?').waitFor()
    await page.getByLabel('Compare with').selectOption({ index: 1 })
    await strip(page, 'name')
      .getByText(/\(\+\d/u)
      .waitFor()
    await page.getByRole('button', { name: 'Side by side' }).click()
    await page.getByText('Como você se chama?').waitFor()
    await count(strip(page, 'name'), 2)
    await page.context().close()
  })

  test('is in the address like each mode and moment: back, forward and reloading restore it [P-1823]', async () => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    const query = () => Object.fromEntries(new URL(page.url()).searchParams)
    const mode = (name: string) => page.getByRole('button', { name, exact: true }).first()
    const isIn = (name: string) => eventually(() => mode(name).getAttribute('aria-pressed')).toBe('true')
    await open(page)
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'REST' })
    await eventually(query).toMatchObject({ mode: 'funnel', channel: 'rest' })
    await page.reload()
    await isIn('Funnel')
    await page.getByText('Nobody came by in this period.').waitFor()
    await mode('Test').click()
    await eventually(query).toEqual({ mode: 'test' })
    await page.goBack()
    await isIn('Funnel')
    expect(query()).toMatchObject({ mode: 'funnel', channel: 'rest' })
    await page.goForward()
    await isIn('Test')
    await mode('History').click()
    await eventually(() => query().mode).toBe('history')
    await page.locator('[data-region="canvas"]').first().waitFor()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => query().at).toMatch(/^\d+$/u)
    const { at } = query()
    await page.reload()
    await isIn('History')
    expect(query().at).toBe(at)
    await page.getByRole('button', { name: /^Back to now/u }).click()
    await isIn('Edit')
    expect(query()).toEqual({})
    await page.goBack()
    await isIn('History')
    expect(query().at).toBe(at)
    // Back before the editor's entry is drawn.
    await page.getByRole('button', { name: /^Back to now/u }).evaluate((button: HTMLElement) => {
      button.click()
      history.back()
    })
    await eventually(query).toMatchObject({ mode: 'history', at })
    await isIn('History')
    await page.context().close()
  })

  test('is offered to those alone who may read conversations, and fits a phone [P-652]', async () => {
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    await person(parley, admin, { username: 'rui', level: root, actions: ['readbot', 'readdialog', 'readdialogtask'] })
    const other = await openWindow(browser, parley, { username: 'rui', password: 'Segredo-2026!x' })
    await visit(other, `/botadmin/designer/dialog/${dialog}?mode=funnel`)
    await other.locator('[data-block="name"]').waitFor()
    await count(other.getByRole('button', { name: 'Funnel', exact: true }), 0)
    await count(other.locator('[data-funnel]'), 0)
    await other.context().close()
    const page = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD, width: 390, height: 844 },
    })
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Funnel' }).click()
    await page.locator('[data-funnel="name"]').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await page.context().close()
  })

  test('the publish dialog shows what would change, and the canvas the two ways of a conversation [P-2528]', async () => {
    const { links, ...rest } = flow('Como você se chama?')
    const draft = { ...rest, links: { ...links, b: link('name', 'never') } }
    expect((await admin.put(`/dialog/${dialog}/flow`, draft)).status).toBe(200)
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: /^Publish/u }).click()
    const part = page.getByRole('group', { name: 'What would change' })
    await part.getByRole('button', { name: 'See what would change' }).click()
    await part.getByText(/conversations would end elsewhere/u).waitFor()
    await part.getByRole('button', { name: 'See on the canvas' }).click()
    await page.getByRole('heading', { name: /^What would change in \d+ conversations?$/u }).waitFor()
    const marked = (mark: string) => page.locator(`.pl-link[data-mark="${mark}"]`)
    for (const mark of ['both', 'today', 'after']) await count(marked(mark), 1)
    await page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().click()
    await page.getByRole('heading', { name: 'After' }).waitFor()
    expect(await page.locator('.rt-side[data-side="today"]').innerText()).toContain('Até logo')
    expect(await page.locator('.rt-side[data-side="after"]').innerText()).toContain('Ninguém vem aqui')
    for (const mark of ['both', 'today', 'after']) await count(marked(mark), 1)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  test('a conversation that would end elsewhere is saved as a test from its group, by who may [P-2974]', async () => {
    const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
    const actions = ['readbot', 'readdialogtask', 'readdialog', 'updatedialog', 'publishdialog', 'readconversation']
    await person(parley, admin, { username: 'leo', level: root, actions })
    const open = async (username: string, password: string) => {
      const page = await openWindow(browser, parley, { username, password })
      await visit(page, `/botadmin/designer/dialog/${dialog}`)
      await page.getByRole('button', { name: /^Publish/u }).click()
      const part = page.getByRole('group', { name: 'What would change' })
      await part.getByRole('button', { name: 'See what would change' }).click()
      await part.getByRole('button', { name: 'See on the canvas' }).click()
      await page.getByRole('list', { name: 'Conversations' }).waitFor()
      return {
        page,
        save: page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: 'Save as test' }),
      }
    }
    const { page, save } = await open('admin', ADMIN_PASSWORD)
    await save.first().click()
    const form = page.getByRole('dialog')
    const name = await form.getByRole('textbox', { name: 'Name' }).inputValue()
    expect(name).toMatch(/^Despedida, ended · /u)
    await form.getByText('Masked answers are replaced by examples.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('is saved as a test').waitFor()
    await page.context().close()

    const [kept] = (await admin.get('/conversationtest')).body.items
    expect(kept).toMatchObject({ name, source: 'conversation', gating: true })
    const passes = async (at: string) => {
      const { body } = await admin.post(`/bot/${kept?.bot}/tests`, { at, tests: [kept?.id] })
      return (body.outcomes as unknown as readonly { readonly passed: boolean }[]).map(({ passed }) => passed)
    }
    expect(await passes('published')).toEqual([true])
    expect(await passes('draft')).toEqual([false])
    // It would hold back what the next test publishes.
    expect((await admin.delete(`/conversationtest/${kept?.id}`)).status).toBe(200)

    const other = await open('leo', `${PASSWORD}x`)
    await other.page.getByRole('list', { name: 'Conversations' }).getByRole('button').first().waitFor()
    await count(other.save, 0)
    await other.page.context().close()
  })

  test('marks the edit since which a block loses more people, and restores the block [P-2542]', async () => {
    for (let n = 0; n < 25; n += 1) await openChat(parley.origin, channel, ['Ana'])
    const before = await admin.get(`/dialog/${dialog}/dropoff`)
    const [last] = (before.body as unknown as Told).revisions
    expect((await admin.put(`/dialog/${dialog}/flow`, flow('Nome completo, por favor?'))).status).toBe(200)
    expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
    const found = async () => ((await admin.get(`/dialog/${dialog}/dropoff`)).body as unknown as Told).worsened
    const worse = await vi.waitFor(
      async () => {
        await leave()
        const [one] = await found()
        expect(one?.is.entered).toBeGreaterThanOrEqual(20)
        return one
      },
      { timeout: 60_000, interval: 50 },
    )
    expect(worse).toMatchObject({ block: 'name', from: last?.revision, edit: { authors: [{ username: 'admin' }] } })
    expect(worse?.edit?.revision).toBeGreaterThan(last?.revision ?? 0)
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await open(page)
    await strip(page, 'name').getByText(`r${worse?.revision}`).waitFor()
    const note = page.getByRole('region', { name: 'Since when more people leave' })
    await note.getByText(/changed this block on/u).waitFor()
    expect(await violations(page)).toEqual([])
    await note.getByRole('button', { name: 'Restore this block' }).click()
    await page.getByText(/The block is as in revision/u).waitFor()
    const { operators } = (await admin.get(`/dialog/${dialog}/flow`)).body as unknown as ReturnType<typeof flow>
    expect(operators.name.properties.data).toMatchObject({ text: 'Como você se chama?' })
    await page.context().close()
  })
})
