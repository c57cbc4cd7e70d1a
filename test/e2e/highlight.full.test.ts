import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { contrastRatio } from '#domain/color.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'

/** Least contrast of the mark of the option that keys are at (WCAG 2.2, 1.4.11). */
const MIN_MARK = 3
/** Least contrast of its ground with that of the list. */
const MIN_GROUND = 1.15

const hex = (color: string): string =>
  `#${(color.match(/\d+/gu) ?? [])
    .slice(0, 3)
    .map(part => Number(part).toString(16).padStart(2, '0'))
    .join('')}`

/** Contrast of a highlighted option's ground and mark with the ground of its list. */
const contrastOf = async (option: Locator): Promise<{ ground: number; mark: number }> => {
  const { list, ground, mark } = await option.evaluate(element => {
    const isClear = (color: string) => color === 'transparent' || /, 0\)$/u.test(color)
    let around = element.parentElement
    while (around !== null && isClear(getComputedStyle(around).backgroundColor)) around = around.parentElement
    const own = getComputedStyle(element)
    return {
      list: getComputedStyle(around ?? document.body).backgroundColor,
      ground: own.backgroundColor,
      mark: own.boxShadow.match(/rgb\([^)]*\)/u)?.[0] ?? own.backgroundColor,
    }
  })
  return { ground: contrastRatio(hex(ground), hex(list)) ?? 1, mark: contrastRatio(hex(mark), hex(list)) ?? 1 }
}

inBrowser('the option of a list that keys are at', { timeout: LONG }, async () => {
  const { parley, browser } = await openBrowserWorld()
  const admin = await parley.signIn()
  const bot = (await admin.post('/bot', { name: 'Aurora' })).body.id
  expect((await admin.post('/dialogtask', { bot, name: 'Recepção' })).status).toBe(201)

  const OPENED: readonly (readonly [string, (page: Page) => Promise<Locator>])[] = [
    [
      'a menu',
      async page => {
        await page.getByRole('button', { name: 'Filter', exact: true }).click()
        await page.keyboard.press('ArrowDown')
        return page.locator('[role=menuitem]:focus')
      },
    ],
    [
      'the command list',
      async page => {
        await page.keyboard.press('ControlOrMeta+k')
        await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('bot')
        return page.locator('[role=option][aria-selected=true]')
      },
    ],
    [
      'a field for another thing',
      async page => {
        await visit(page, `/botadmin/bot/${bot}`)
        const field = page.getByRole('combobox', { name: 'Default task' })
        await field.click()
        await page.keyboard.press('ArrowDown')
        const active = await field.getAttribute('aria-activedescendant')
        return page.locator(`[id="${active}"]`)
      },
    ],
  ]

  for (const dark of [false, true])
    for (const [name, open] of OPENED)
      test(`is seen in ${name}, dark: ${dark} [P-2200]`, async () => {
        const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD, dark })
        await visit(page, '/botadmin/bot/search')
        await page.getByRole('table').waitFor()
        const option = await open(page)
        await option.waitFor()
        const { ground, mark } = await contrastOf(option)
        expect(ground).toBeGreaterThanOrEqual(MIN_GROUND)
        expect(mark).toBeGreaterThanOrEqual(MIN_MARK)
        await page.context().close()
      })
})
