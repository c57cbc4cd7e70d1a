import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { Designer, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'
import { BUILDER } from './rights.ts'

inBrowser('two people talk about a block', { timeout: LONG }, () => {
  let parley: Parley
  let browser: Browser
  let ana: Designer
  let joao: Designer
  beforeAll(async () => {
    parley = await openParley()
    const admin = await parley.signIn()
    const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
    const { dialog } = await makeDialog(admin, CLINIC_FLOW)
    browser = await openBrowser()
    const open = async (username: string) =>
      new Designer(await openWindow(browser, parley, { username, password: `${PASSWORD}x` })).open(dialog)
    ana = await open('ana')
    joao = await open('joao')
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })

  test('what one says about a block is seen by the other at once, answered there, and gone from it when resolved', async () => {
    const panel = ({ page }: Designer) => page.getByRole('region', { name: 'Comments' })
    await ana.select('which')
    await ana.block('which').press('c')
    const text = panel(ana).getByRole('textbox', { name: /^Comment on/ })
    await text.pressSequentially('Por que duas vezes, @jo')
    await panel(ana).getByRole('option', { name: 'joao', selected: true }).waitFor()
    await text.press('Enter')
    // The space came with the name.
    await text.pressSequentially(' veja')
    expect(await text.inputValue()).toBe('Por que duas vezes, @joao veja')
    await text.press('Control+Enter')
    await panel(ana).getByRole('listitem').getByText('@joao', { exact: true }).waitFor()

    const open = joao.page.getByRole('button', { name: 'Comments, 1 open' })
    await open.waitFor()
    await joao.select('which')
    await eventually(() => joao.block('which').locator('.pl-talk').innerText()).toBe('1')
    await open.click()
    await panel(joao).getByText('Por que duas vezes, ').waitFor()
    await panel(joao).getByRole('button', { name: 'Answer' }).click()
    const answer = panel(joao).getByRole('textbox', { name: 'Answer' })
    await answer.fill('Uma é para quem volta.')
    await answer.press('Control+Enter')

    await panel(ana).getByText('Uma é para quem volta.').waitFor()
    await panel(ana).getByRole('button', { name: 'Resolve', exact: true }).click()
    await count(joao.block('which').locator('.pl-talk'), 0)
    for (const { page } of [ana, joao])
      await panel({ page } as Designer)
        .getByRole('button', { name: 'Close' })
        .click()

    await joao.page.getByRole('button', { name: /^Notifications/ }).click()
    await joao.page.getByRole('link', { name: /resolved a comment/ }).click()
    const settled = panel(joao).getByRole('listitem').filter({ hasText: 'Resolved by ana' })
    await eventually(() => settled.getAttribute('data-wanted')).toBe('true')
    await eventually(() => settled.evaluate(thread => thread === document.activeElement)).toBe(true)
  })

  test('an answer is edited, removed and brought back by its author, and its thread is open again for all [P-27]', async () => {
    const panel = joao.page.getByRole('region', { name: 'Comments' })
    const thread = panel.getByRole('listitem').filter({ hasText: 'Por que duas vezes, ' })
    const act = async (name: string) => {
      await thread.getByRole('button', { name: 'What to do with the comment by joao' }).click()
      await joao.page.getByRole('menuitem', { name, exact: true }).click()
    }
    await count(thread.getByRole('button', { name: 'What to do with the comment by ana' }), 0)
    await act('Edit')
    const text = thread.getByRole('textbox', { name: 'Edit' })
    expect(await text.inputValue()).toBe('Uma é para quem volta.')
    await text.fill('Uma é para quem já veio.')
    await text.press('Control+Enter')
    await thread.getByText('· edited').waitFor()
    await act('Remove')
    await count(thread.getByText('Uma é para quem já veio.'), 0)
    await joao.page.getByRole('button', { name: 'Bring it back' }).click()
    await thread.getByText('Uma é para quem já veio.').waitFor()
    await thread.getByRole('button', { name: 'Reopen', exact: true }).click()
    await eventually(() => ana.block('which').locator('.pl-talk').innerText()).toBe('1')
  })
})
