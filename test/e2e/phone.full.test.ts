import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { eventually, holdBack, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'
import { violations } from './violations.ts'

inBrowser('on a phone', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const { bot, dialog } = await makeDialog(admin, CLINIC_FLOW)
  await admin.put(`/dialog/${dialog}/flow`, { ...CLINIC_FLOW, links: {} })
  const phone = await openWindow(browser, parley, {
    ...{ username: 'admin', password: ADMIN_PASSWORD, width: 390, height: 844 },
  })

  test('the screens keep the rules of accessibility and are no wider than it, also while they wait', async () => {
    const found: string[] = []
    const come = await holdBack(phone, /\/api\/home$/u)
    await visit(phone, '/botadmin/')
    await phone.getByRole('heading', { level: 1 }).waitFor()
    // Waits until the page's placeholder is rendered.
    await phone.locator('[class*=skeleton]').first().waitFor()
    found.push(...(await violations(phone)).map(line => `waiting: ${line}`))
    come()
    for (const path of ['', 'bot/search', `bot/${bot}`, 'audit', `designer/dialog/${dialog}`]) {
      await visit(phone, `/botadmin/${path}`)
      await phone.getByRole('heading', { level: 1 }).or(phone.locator('[data-block]')).first().waitFor()
      found.push(...(await violations(phone)).map(line => `${path}: ${line}`))
      const wider = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wider > 0) found.push(`${path}: ${wider} px wider than the screen`)
    }
    expect(found).toEqual([])
  })

  test('shows findings of a block without its form, and keeps the search on the screen', async () => {
    await visit(phone, `/botadmin/designer/dialog/${dialog}`)
    await phone.locator('[data-block=aside]').click()
    await phone.locator('.pl-bottom').getByText('has no way in: nothing links to it').waitFor()
    await phone.getByRole('button', { name: 'Close', exact: true }).click()
    await phone.getByRole('button', { name: 'Find in the flow' }).click()
    const bar = await phone.getByRole('search', { name: 'Find in the flow' }).boundingBox()
    expect(bar?.x).toBeGreaterThanOrEqual(0)
    expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(390)
  })

  test('the designer takes no editing key, as it says [P-2208]', async () => {
    await visit(phone, `/botadmin/designer/dialog/${dialog}`)
    await phone.locator('.pl-view-only').waitFor()
    const blocks = await phone.locator('[data-block]').count()
    const { revision } = (await admin.get(`/dialog/${dialog}`)).body
    await phone.locator('[data-block]').first().focus()
    for (const key of ['a', 'g', 'Delete', 'Control+d', 'Alt+ArrowRight', 'l']) await phone.keyboard.press(key)
    // The sheet of keys opens after all of them were handled.
    await phone.keyboard.press('?')
    await phone.getByRole('dialog').first().waitFor()
    expect(await phone.locator('#pl-found, #pl-targets').count()).toBe(0)
    expect(await phone.locator('[data-block]').count()).toBe(blocks)
    expect((await admin.get(`/dialog/${dialog}`)).body.revision).toBe(revision)
    await phone.keyboard.press('Escape')
  })

  test('keeps a pressed block visible above its panel', async () => {
    // A view that has not moved yet: a block was pressed above, and is in sight since.
    await visit(phone, `/botadmin/designer/dialog/${dialog}`)
    await phone.locator('[data-block]').first().waitFor()
    const inSight = await phone.locator('[data-block]').evaluateAll(blocks =>
      blocks
        .map(block => ({ id: block.getAttribute('data-block') ?? '', ...block.getBoundingClientRect().toJSON() }))
        .filter(({ x, right, bottom }) => x > 0 && right < innerWidth && bottom < innerHeight - 100)
        .sort((a, b) => a.bottom - b.bottom),
    )
    const lowest = inSight.at(-1)
    await phone.locator(`[data-block="${lowest?.id}"]`).click()
    const sheet = await phone.locator('.pl-bottom').boundingBox()
    expect(lowest?.bottom).toBeGreaterThan(sheet?.y ?? 0)
    const foot = async () => {
      const box = await phone.locator(`[data-block="${lowest?.id}"]`).boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await eventually(foot).toBeLessThan(sheet?.y ?? 0)
  })
})
