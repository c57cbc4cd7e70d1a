import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { openChat } from '#test/api/open-chat.ts'
import { person } from '#test/api/people.ts'
import { block, link } from '#test/fixture/flow-parts.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

const flow = (operators: object, links: object) => ({ format: 'parley-flow', version: 1, operators, links })

const NAME_FLOW = flow(
  {
    start: block('start', 'Entrada', 0),
    name: block('prompt', 'Nome da pessoa', 100, { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }),
  },
  { a: link('start', 'name') },
)
const mainFlow = (called: string) =>
  flow(
    {
      start: block('start', 'Início', 0),
      call: block('subdialog', 'Pergunta o nome', 100, { subScenario: called }),
      code: block('prompt', 'CPF da pessoa', 200, {
        varname: 'documento',
        data: { type: 'number', text: 'Seu CPF?', validationType: 'CPF' },
      }),
      bye: block('text', 'Despedida', 300, { text: 'Até logo, {{nome}}' }),
      never: block('text', 'Nunca', 400, { text: 'Ninguém vem aqui' }),
    },
    { a: link('start', 'call'), b: link('call', 'code'), c: link('code', 'bye') },
  )

inBrowser('the replay of a conversation', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const { bot, task, dialog: called } = await admin.createDialog({ name: 'Bia' }, 'Cadastro', 'Nome')
  const main = (await admin.post('/dialog', { name: 'Começo', dialogtask: task })).body.id
  expect((await admin.put(`/dialog/${called}/flow`, NAME_FLOW)).status).toBe(200)
  expect((await admin.put(`/dialog/${main}/flow`, mainFlow(called))).status).toBe(200)
  for (const dialog of [called, main]) expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
  await admin.patch(`/dialogtask/${task}`, { principaldialog: main }, 1)
  await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
  const channel = (await admin.post('/channel', { bot, type: 'webchat' })).body.id
  expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
  const conversation = await openChat(parley.origin, channel, ['Ana', 'não sei', '529.982.247-25'])
  const changed = mainFlow(called)
  Object.assign(changed.operators, { never: block('text', 'Nunca', 400, { text: 'Outra coisa' }) })
  expect((await admin.put(`/dialog/${main}/flow`, changed)).status).toBe(200)

  const sentence = (page: Page) => page.getByRole('region', { name: 'Time line' }).getByRole('status')
  const slider = (page: Page) => page.getByRole('slider', { name: 'Moment of the conversation' })

  test('is walked by keys and on the line of time through its dialogs, at the revisions that ran [P-650]', async () => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/bot/conversation/${bot}?open=${conversation}`)
    await page.getByRole('link', { name: 'See in the flow' }).click()
    await page.waitForURL(/designer\/conversation\//u)
    await sentence(page).getByText('Despedida').waitFor()
    // The block that nobody came by is as it was, though it is another one today.
    await page.getByRole('application', { name: 'Começo as it ran' }).getByText('Ninguém vem aqui').waitFor()
    await page.getByRole('link', { name: '1 block changed since' }).waitFor()
    await count(page.locator('.pl-link[data-mark="walked"]'), 3)
    await count(page.locator('.pl-visit[data-visit="code"] b'), 1)
    expect(await page.locator('.pl-visit[data-visit="code"]').innerText()).toContain('2×')
    await count(page.locator('.pl-visit[data-visit="never"]'), 0)
    const values = page.getByRole('region', { name: 'Values' })
    await values.getByText('documento').waitFor()

    await page.keyboard.press('Home')
    await sentence(page).getByText('Início').waitFor()
    await values.getByText('Nothing is kept yet.').waitFor()
    await count(page.locator('.pl-visit[data-later]'), 3)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('application', { name: 'Nome as it ran' }).waitFor()
    await sentence(page).getByText('Entrada').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('.pl-visit[data-at]').getByText('Waiting for the person').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await values.getByText('"Ana"').waitFor()
    expect(await violations(page)).toEqual([])

    const box = await slider(page).locator('..').boundingBox()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 60)
    await sentence(page).getByText('Despedida').waitFor()
    await page.getByRole('button', { name: 'Seu nome?' }).click()
    await sentence(page).getByText('Nome da pessoa').waitFor()
    await page.getByRole('button', { name: 'Play' }).click()
    await eventually(async () => Number(await slider(page).getAttribute('aria-valuenow'))).toBeGreaterThan(4)
    await page.keyboard.press('Escape')
    await page.waitForURL(/bot\/conversation\//u)
    await page.context().close()
  })

  test('leads to what changed since, and opens at the moment of its address [P-650]', async () => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/designer/conversation/${conversation}?turn=1&step=1`)
    await sentence(page).getByText('Início').waitFor()
    await page.getByRole('link', { name: '1 block changed since' }).click()
    await page.waitForURL(/designer\/dialog\/.*compare=now/u)
    await page.locator('[data-block="never"][data-diff="changed"]').waitFor()
    await page.context().close()
  })

  test('is tried from a moment on in the release that ran, with the values of then [P-654]', async () => {
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(page, `/botadmin/designer/conversation/${conversation}?turn=4&step=2`)
    await sentence(page).getByText('Despedida').waitFor()
    await page.getByRole('link', { name: 'Test from here' }).click()
    await page.getByText('Goes on from the conversation').waitFor()
    await page.locator('.pl-visit[data-at][data-visit="bye"]').getByText('Stopped before this block').waitFor()
    await page.getByRole('region', { name: 'State' }).getByText('nome', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('log', { name: 'Test conversation' }).getByText('Até logo, Ana').waitFor()
    await page.context().close()
  })

  test('shows neither words nor values to who may not read them, but of what kind they are [P-651]', async () => {
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const actions = ['readbot', 'readdialog', 'readdialogtask', 'readhandler', 'readvariable']
    await person(parley, admin, { username: 'rui', level: root, actions })
    const page = await openWindow(browser, parley, { username: 'rui', password: 'Segredo-2026!x' })
    await visit(page, `/botadmin/designer/conversation/${conversation}`)
    const values = page.getByRole('region', { name: 'Values' })
    await values.locator('.cv-hidden').getByText('CPF').waitFor()
    await values.locator('.cv-hidden').getByText('text', { exact: true }).waitFor()
    await page.getByText('it takes the right to read conversations').waitFor()
    const shown = await page.locator('body').innerText()
    expect(shown).not.toMatch(/Ana|529|Seu nome/u)
    await page.context().close()
  })

  test('fits a phone, with the canvas in view [P-650] [P-2137]', async () => {
    const page = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD, width: 390, height: 844 },
    })
    await visit(page, `/botadmin/designer/conversation/${conversation}`)
    await sentence(page).getByText('Despedida').waitFor()
    // The transcript shows its end without pushing the canvas out of the window.
    await eventually(async () => (await page.locator('.pt-band').boundingBox())?.y ?? 0).toBeGreaterThan(40)
    await page.getByRole('button', { name: 'One block back' }).click()
    await sentence(page).getByText('CPF da pessoa').waitFor()
    await page.getByRole('button', { name: 'Save as test' }).waitFor()
    await page.getByRole('button', { name: 'Values' }).click()
    await page.getByRole('region', { name: 'Values' }).getByText('documento').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })
})
