import { afterAll, expect, test } from 'vitest'
import { count, eventually, holdBack, inBrowser, LONG } from './browser.ts'
import { flowOf } from './designer.ts'
import { openClinic } from './open-clinic.ts'

inBrowser('finding in a flow', { timeout: LONG }, async () => {
  const clinic = await openClinic()
  const { designer, admin, dialog } = clinic
  afterAll(() => clinic.close())
  const palette = async (words: string) => {
    await designer.key('Control+k')
    const field = designer.page.getByRole('combobox', { name: 'Search or jump to…' })
    await field.fill(words)
    return designer.page.getByRole('listbox', { name: 'Search or jump to…' }).getByRole('option')
  }
  test('keeps text typed right after the keys of the palette and the search, for any load time', async () => {
    const { page } = designer
    const blocks = await designer.blocks.count()
    const come = await holdBack(page, /\/(command-list|search-hits)-[^/]*\.js$/u)
    await designer.select('menu')
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+k')
    await page.keyboard.type('>outlina')
    await designer.key('Backspace')
    const field = page.getByRole('combobox', { name: 'Search or jump to…' })
    expect(await field.inputValue()).toBe('>outlin')
    await designer.key('Escape')
    await count(field, 0)
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+h')
    await page.keyboard.type('vila dt')
    const sheet = page.getByRole('region', { name: 'Search the texts' })
    const text = sheet.getByRole('textbox', { name: 'Search', exact: true })
    expect(await text.inputValue()).toBe('vila dt')
    await count(sheet.getByRole('textbox', { name: 'Replace with' }), 0)
    come()
    await sheet.getByRole('textbox', { name: 'Replace with' }).waitFor()
    expect(await text.inputValue()).toBe('vila dt')
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+h')
    await page.keyboard.type('Verde')
    expect(await text.inputValue()).toBe('Verde')
    await designer.key('Escape')
    await designer.key('Control+k')
    await page.keyboard.type('>outlin')
    await page.getByRole('option', { name: /^Outline/u }).waitFor()
    await designer.key('Escape')
    expect(await designer.blocks.count()).toBe(blocks)
  })

  test('Enter in the palette waits for what is looked for, and then takes the first', async () => {
    const { page } = designer
    const come = await holdBack(page, /\/api\/search\?/u)
    const before = page.url()
    await designer.key('Control+k')
    await page.keyboard.type('Segunda via')
    await designer.key('Enter')
    const field = page.getByRole('combobox', { name: 'Search or jump to…' })
    expect(await field.isVisible()).toBe(true)
    come()
    await count(field, 0)
    await eventually(async () => page.url()).not.toBe(before)
    await designer.page.goBack()
    await designer.block('menu').waitFor()
  })

  test('# in the palette finds blocks by their words and by what they point to, and goes to the one chosen', async () => {
    const found = await palette('#segunda via')
    await count(found, 2)
    await found.filter({ hasText: 'Segunda via · Boleto' }).click()
    await eventually(() => designer.block('near').getAttribute('data-selected')).toBe('true')
    const greeting = await palette('#vila verde')
    await greeting.first().click()
    await eventually(() => designer.block('hello').getAttribute('data-selected')).toBe('true')
  })

  test('the palette finds messages in all flows of the bot, and leads to the block [P-2949]', async () => {
    const found = await palette('Vila Verde')
    const message = found.filter({ hasText: 'Vila Verde' }).last()
    await message.click()
    await designer.page.waitForURL(/block=hello/u)
    await eventually(() => designer.block('hello').getAttribute('data-selected')).toBe('true')
  })

  test('> offers what can be done to the flow, with its key', async () => {
    const found = await palette('>outline')
    await eventually(() => found.first().innerText()).toMatch(/Outline\s+O/u)
    await designer.key('Enter')
    await designer.page.getByRole('tree', { name: 'Outline' }).waitFor()
    await designer.page.getByRole('region', { name: 'Outline' }).getByRole('button', { name: 'Close' }).click()
  })

  test('previews a replacement in the flow, applies it in one step, and undoes it at once', async () => {
    const { page } = designer
    const texts = async () => JSON.stringify((await flowOf(admin, dialog)).operators)
    expect(await texts()).toContain('Vila Verde')
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+h')
    const sheet = page.getByRole('region', { name: 'Search the texts' })
    await sheet.getByRole('textbox', { name: 'Search', exact: true }).fill('vila VERDE')
    await sheet.getByRole('textbox', { name: 'Replace with' }).fill('Vila Azul')
    await sheet.locator('ins').first().waitFor()
    await sheet.getByRole('button', { name: /^Replace \d+$/u }).click()
    await eventually(texts).not.toContain('Vila Verde')
    expect(await texts()).toContain('Vila Azul')
    await designer.key('Escape')
    await count(sheet, 0)
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+z')
    await eventually(texts).not.toContain('Vila Azul')
    expect(await texts()).toContain('Vila Verde')
  })
})
