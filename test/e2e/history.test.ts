import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'
import { BUILDER } from './rights.ts'

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

inBrowser('the past of a flow', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let ana: Designer
  let joao: Designer
  let page: Page
  let dialog: string
  beforeAll(async () => {
    parley = await openParley()
    admin = await parley.signIn()
    const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
    dialog = (await makeDialog(admin, CLINIC_FLOW)).dialog
    const api = await parley.signIn('ana', `${PASSWORD}x`)
    for (const flow of [LATER, LAST]) {
      const put = await api.put(`/dialog/${dialog}/flow`, flow)
      if (put.status !== 200) throw new Error(put.text)
    }
    browser = await openBrowser()
    const open = async (username: string) =>
      new Designer(await openWindow(browser, parley, { username, password: `${PASSWORD}x` })).open(dialog)
    ana = await open('ana')
    joao = await open('joao')
    page = joao.page
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await page.getByRole('slider', { name: 'Moment shown' }).waitFor()
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })

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
    expect(await moment()).toBe(NOW)
    await page.getByText('This is how it was on').first().waitFor()
    await page.getByText('Nobody else sees this view').waitFor()
    await goTo(BEFORE)
    await count(joao.block('extra'), 0)
    await joao.block('bye').waitFor()
    await page.locator('[data-block="hello"]', { hasText: 'Olá! Aqui é a clínica' }).waitFor()
    await ana.block('extra').waitFor()
    expect(await ana.blocks.count()).toBe(30)
  })

  test('the difference from then to now is told in words and shown on the canvas', async () => {
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
    expect(await titles()).toContain('Tchau')
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

  test('Escape leads back to now, where drawing goes on', async () => {
    await page.keyboard.press('Escape')
    await count(slider(), 0)
    await joao.block('extra').waitFor()
    await joao.drag('extra', 120, 0)
    const his = await joao.place('extra')
    await eventually(() => ana.place('extra')).toEqual(his)
  })
})
