import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, holdBack, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { BUILDER, Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

const { bye: _bye, ...rest } = CLINIC_FLOW.operators
const { 'rate-bye': _in, 'bye-end': _out, ...links } = CLINIC_FLOW.links
/** Without the goodbye, with a note, and with another greeting. */
const LATER = {
  ...CLINIC_FLOW,
  operators: {
    ...rest,
    hello: {
      ...CLINIC_FLOW.operators.hello,
      properties: { ...CLINIC_FLOW.operators.hello?.properties, text: 'Bom dia! Aqui é a clínica Vila Verde.' },
    },
    extra: { ...CLINIC_FLOW.operators.note, title: 'Recado novo', top: 880, left: 40 },
  },
  links,
}

/** And with another title over the greeting. */
const LAST = {
  ...LATER,
  operators: { ...LATER.operators, hello: { ...LATER.operators.hello, title: 'Boas-vindas cedo' } },
}

/** Moments: the empty flow, the whole one, a later one, and the last. */
const BEFORE = 2
const NOW = 4

/** Frames of a page do not come while `work` types, as on a slow machine. */
const withoutFrames = async (page: Page, work: () => Promise<void>): Promise<void> => {
  await page.evaluate(() => {
    const held = Object.assign(window, {
      heldFrames: [] as FrameRequestCallback[],
      frame: window.requestAnimationFrame,
    })
    window.requestAnimationFrame = callback => held.heldFrames.push(callback)
  })
  await work()
  await page.evaluate(() => {
    const held = window as unknown as { heldFrames: FrameRequestCallback[]; frame: typeof requestAnimationFrame }
    window.requestAnimationFrame = held.frame
    for (const callback of held.heldFrames) requestAnimationFrame(callback)
  })
}

inBrowser('a flow that two people have open', { timeout: LONG }, async () => {
  const { parley, admin } = await openAdmin()
  let ana: Designer
  let joao: Designer
  let page: Page
  beforeAll(async () => {
    const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
    const browser = await openBrowser()
    const window = async (username: string) =>
      new Designer(await openWindow(browser, parley, { username, password: `${PASSWORD}x` }))
    ana = await window('ana')
    joao = await window('joao')
    page = joao.page
  }, LONG)

  describe('its past', () => {
    let dialog: string
    beforeAll(async () => {
      dialog = (await makeDialog(admin, CLINIC_FLOW)).dialog
      const api = await parley.signIn('ana', `${PASSWORD}x`)
      for (const flow of [LATER, LAST]) {
        const put = await api.put(`/dialog/${dialog}/flow`, flow)
        if (put.status !== 200) throw new Error(put.text)
      }
      await ana.open(dialog)
      await joao.open(dialog)
      await page.getByRole('button', { name: 'History', exact: true }).click()
      await page.getByRole('slider', { name: 'Moment shown' }).waitFor()
    }, LONG)

    const slider = () => page.getByRole('slider', { name: 'Moment shown' })
    const moment = async () => Number(await slider().getAttribute('aria-valuenow'))
    const moments = async () => Number(await slider().getAttribute('aria-valuemax'))
    const goTo = async (wanted: number) => {
      for (;;) {
        const now = await moment()
        if (now === wanted) return
        await page.keyboard.press(now > wanted ? 'ArrowLeft' : 'ArrowRight')
        await eventually(moment).toBe(now > wanted ? now - 1 : now + 1)
      }
    }
    const titles = async () => Object.values((await flowOf(admin, dialog)).operators).map(({ title }) => String(title))
    const restoreWhole = async () => {
      await page.getByRole('button', { name: 'Restore this flow' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Restore this flow' }).click()
    }

    test('the slider moves over the moments, and the canvas is as it was then', async () => {
      await eventually(moments).toBe(NOW)
      await eventually(moment).toBe(NOW)
      await page.getByText('This is how it was on').first().waitFor()
      await page.getByText('Nobody else sees this view').waitFor()
      await goTo(BEFORE)
      await count(joao.block('extra'), 0)
      await joao.block('bye').waitFor()
      await page.locator('[data-block="hello"]', { hasText: 'Olá! Aqui é a clínica' }).waitFor()
      await ana.block('extra').waitFor()
      await count(ana.blocks, 30)
    })

    test('shows the difference from then to now as text and on the canvas', async () => {
      const panel = page.getByRole('region', { name: 'What changed' })
      await panel.getByRole('button', { name: 'From then to now' }).click()
      for (const told of ['1 added', '1 changed', '1 removed'])
        await panel.getByText(told, { exact: true }).or(panel.getByLabel(told)).first().waitFor()
      await panel.getByRole('button', { name: /^Added/ }).waitFor()
      await panel.getByRole('button', { name: /^Removed/ }).waitFor()
      await panel.getByRole('button', { name: /^Changed/ }).click()
      await panel.getByText('Bom dia!').first().waitFor()
      await page.locator('[data-block="extra"][data-diff="added"]').waitFor()
      await page.locator('[data-block="bye"][data-diff="removed"]').waitFor()
    })

    test('one chosen block is brought back, and nothing else changes', async () => {
      const panel = page.getByRole('region', { name: 'What changed' })
      await panel.getByRole('listitem').filter({ hasText: 'Changed' }).getByRole('checkbox').check()
      await panel.getByRole('button', { name: 'Restore this block as it was' }).click()
      await ana.page.locator('[data-block="hello"]', { hasText: 'Olá! Aqui é a clínica' }).waitFor()
      await ana.block('extra').waitFor()
      await count(ana.block('bye'), 0)
      await eventually(moments).toBe(NOW + 1)
    })

    test('the whole flow is restored while the other works on, who sees it arrive and loses nothing', async () => {
      await ana.page.evaluate(() => {
        document.documentElement.dataset.same = 'page'
      })
      await goTo(BEFORE)
      await ana.carry('which', 100, 40)
      await restoreWhole()
      await ana.block('bye').waitFor()
      await count(ana.block('extra'), 0)
      await count(ana.link('rate'), 1)
      await ana.drop()
      await ana.saved()
      const after = await ana.place('which')
      expect(after).not.toEqual({ x: CLINIC_FLOW.operators.which?.left, y: CLINIC_FLOW.operators.which?.top })
      const which = (await flowOf(admin, dialog)).operators.which
      expect({ x: which?.left, y: which?.top }).toEqual(after)
      expect(await ana.page.evaluate(() => document.documentElement.dataset.same), 'nothing was reloaded').toBe('page')
      await eventually(titles).toContain('Tchau')
    })

    test('a restore is undone by restoring the moment before it', async () => {
      const { items } = (await admin.get(`/dialog/${dialog}/flow/history`)).body as unknown as {
        items: { source?: { kind: string } }[]
      }
      const restored = items.findLastIndex(({ source }) => source?.kind === 'restore')
      await eventually(moments).toBe(items.length)
      await goTo(restored)
      await restoreWhole()
      await ana.block('extra').waitFor()
      await count(ana.block('bye'), 0)
      await eventually(titles).toContain('Recado novo')
    })

    test('returns to the present on Escape, where drawing works', async () => {
      await page.keyboard.press('Escape')
      await count(slider(), 0)
      await joao.block('extra').waitFor()
      await joao.drag('extra', 120, 0)
      const his = await joao.place('extra')
      await eventually(() => ana.place('extra')).toEqual(his)
    })
  })

  describe('comments on a block', () => {
    beforeAll(async () => {
      const { dialog } = await makeDialog(admin, CLINIC_FLOW, { bot: 'Conversa', dialog: 'Principal' })
      await ana.open(dialog)
      await joao.open(dialog)
    }, LONG)

    test('shows a comment on a block to the other person at once, with answers, and removes it when resolved', async () => {
      const panel = ({ page }: Designer) => page.getByRole('region', { name: 'Comments' })
      await ana.select('which')
      await ana.block('which').press('c')
      const text = panel(ana).getByRole('textbox', { name: /^Comment on/ })
      await text.pressSequentially('Por que duas vezes, @jo')
      await panel(ana).getByRole('option', { name: 'joao', selected: true }).waitFor()
      await withoutFrames(ana.page, async () => {
        await text.press('Enter')
        // The space came with the name.
        await text.pressSequentially(' veja')
      })
      await eventually(() => text.inputValue()).toBe('Por que duas vezes, @joao veja')
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

  test('keeps what is typed while a comment is sent, as the next one [P-2028]', async () => {
    const { dialog } = await makeDialog(admin, CLINIC_FLOW, { bot: 'Demora', dialog: 'Principal' })
    await ana.open(dialog)
    await ana.select('which')
    await ana.block('which').press('c')
    const panel = ana.page.getByRole('region', { name: 'Comments' })
    const text = panel.getByRole('textbox', { name: /^Comment on/ })
    await text.fill('Primeiro.')
    const release = await holdBack(ana.page, /\/api\/dialogcomment$/u)
    const sent = ana.page.waitForRequest(/\/api\/dialogcomment$/u)
    await text.press('Control+Enter')
    await sent
    await text.press('Control+End')
    await text.pressSequentially(' Segundo.')
    release()
    await panel.getByRole('listitem').getByText('Primeiro.', { exact: true }).waitFor()
    await eventually(() => text.inputValue()).toBe('Segundo.')
    await ana.page.unrouteAll()
  })

  describe('versions of its bot', () => {
    let made: Awaited<ReturnType<typeof makeDialog>>
    let second: string
    beforeAll(async () => {
      made = await makeDialog(admin, CLINIC_FLOW, { bot: 'Reforma', dialog: 'Principal' })
      second = (await admin.post('/dialog', { name: 'Segundo', dialogtask: made.task })).body.id
      await admin.put(`/dialog/${second}/flow`, { ...CLINIC_FLOW, links: {} })
      await ana.open(made.dialog)
    }, LONG)

    const dialogs = async () =>
      (await admin.get(`/dialog?dialogtask=${made.task}&sort=name`)).body.items.map(({ name }) => String(name))

    test('the present state is kept under a name', async () => {
      await visit(page, `/botadmin/version/search?pid=${made.bot}`)
      await page.getByText('No versions yet', { exact: true }).first().waitFor()
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Antes da reforma')
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { name: 'If you apply Antes da reforma' }).waitFor()
      await page.getByText('No difference', { exact: true }).waitFor()
    })

    test('shows the changes that applying would make by flow and by kind [P-148]', async () => {
      await ana.select('bye')
      await ana.key('Delete')
      await ana.saved()
      await admin.delete(`/dialog/${second}`, { confirm: 'CONFIRM' })
      const third = (await admin.post('/dialog', { name: 'Terceiro', dialogtask: made.task })).body.id
      await admin.put(`/dialog/${third}/flow`, CLINIC_FLOW)
      await admin.post('/variable', { bot: made.bot, name: 'convenio' })
      await page.reload()
      const row = (name: string) => page.getByRole('row', { name })
      await row('Principal').getByText('Changes').waitFor()
      await row('Segundo').getByText('New flow').waitFor()
      await row('Terceiro').getByText('Goes away').waitFor()
      await row('Principal').getByText('+1').waitFor()
      await page.getByRole('row', { name: 'Variables 1' }).waitFor()
      await row('convenio').getByText('Goes away').waitFor()
    })

    test('replaces all flows on apply, live in open designers, keeps the previous state, and reports a failure [C-4.06] [C-8.21]', async () => {
      await ana.page.evaluate(() => {
        document.documentElement.dataset.same = 'page'
      })
      await count(ana.block('bye'), 0)
      const apply = page.getByRole('button', { name: 'Apply version' })
      expect(await apply.isDisabled()).toBe(true)
      await page.route('**/api/version/*/apply', route => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
      await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
      await apply.click()
      await page.getByRole('alert').getByText('could not apply the version, try later').click()
      await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
      await apply.click()

      await ana.block('bye').waitFor()
      await count(ana.link('rate'), 1)
      await eventually(dialogs).toEqual(['Principal', 'Segundo'])
      expect(await ana.page.evaluate(() => document.documentElement.dataset.same), 'nothing was reloaded').toBe('page')
      expect(Object.keys((await flowOf(admin, made.dialog)).operators)).toHaveLength(30)
      await eventually(async () => (await admin.get(`/version?bot=${made.bot}`)).body.total).toBe(2)

      await ana.drag('bye', 60, 0)
      await ana.saved()
      const place = await ana.place('bye')
      expect((await flowOf(admin, made.dialog)).operators.bye).toMatchObject({ left: place.x, top: place.y })
    })
  })
})
