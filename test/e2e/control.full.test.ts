import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { closeWindows, count, eventually, fitsWithin, focused, inBrowser, LONG, openBrowser } from './browser.ts'
import { openGallery } from './gallery.ts'
import { axeViolations, violations } from './violations.ts'

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url))
const STATES = ['empty', 'filled', 'wrong', 'readonly', 'conflict'] as const
const VIEWS = ['components', ...STATES] as const

inBrowser('controls of fields', { timeout: LONG }, async () => {
  const [browser, gallery] = await Promise.all([openBrowser(), openGallery()])
  afterAll(async () => {
    await closeWindows()
    await gallery.close()
  })

  const open = async (state: (typeof VIEWS)[number], width = 1440): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
    await context.addInitScript(() => localStorage.setItem('parley.language', 'en'))
    // The samples' pictures use a host that does not exist.
    await context.route(/example\.(?:com|org)/u, route => route.abort())
    const page = await context.newPage()
    await page.goto(`${gallery.address}#${state}`)
    await page.locator('[data-control-gallery]').waitFor()
    return page
  }
  const field = (page: Page, name: string): Locator => page.locator(`[data-field="${name}"]`)

  test.each(STATES)('passes axe in light and dark when %s', async state => {
    const page = await open(state)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  test('passes axe with the shared components of both themes', async () => {
    const page = await open('components')
    expect(await axeViolations(page)).toEqual([])
    await page.context().close()
  })

  test.each(VIEWS)('fits 390 px without scrolling sideways when %s', async state => {
    const page = await open(state, 390)
    await fitsWithin(page, 390)
    await page.context().close()
  })

  test('reaches and changes every control with the keyboard', async () => {
    const page = await open('filled')
    const names = await page.locator('[data-field]').evaluateAll(boxes => boxes.map(box => box.dataset.field ?? ''))
    const reached = new Set<string>()
    await page.getByRole('button', { name: 'conflict', exact: true }).focus()
    for (let step = 0; step < 150 && reached.size < names.length; step += 1) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(
        () => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field ?? '',
      )
      if (name !== '') reached.add(name)
    }
    expect([...reached].sort()).toEqual([...names].sort())

    for (const name of ['string', 'text', 'email', 'color', 'cron', 'integer', 'duration']) {
      const control = field(page, name).locator('input:not([type=color]), textarea')
      const before = await control.inputValue()
      await control.focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.press('Backspace')
      await eventually(() => control.inputValue()).toBe(before.slice(0, -1))
    }
    await field(page, 'boolean').getByRole('switch').press('Space')
    await eventually(() => field(page, 'boolean').getByRole('switch').getAttribute('aria-checked')).toBe('false')
    await field(page, 'enumeration').getByRole('combobox').focus()
    await page.keyboard.press('ArrowDown')
    await eventually(() => field(page, 'enumeration').getByRole('combobox').inputValue()).toBe('US')
    await field(page, 'strings').getByRole('textbox').focus()
    await page.keyboard.type('maybe')
    await page.keyboard.press('Enter')
    await field(page, 'strings').getByRole('button', { name: /maybe/u }).waitFor()
    await field(page, 'secret').getByRole('button', { name: 'Replace' }).press('Enter')
    await field(page, 'secret').locator('input[type=password]').waitFor()
    await page.context().close()
  })

  test('edits code, JSON and expressions with colours, undo and marks where they cannot be read [P-166]', async () => {
    const page = await open('filled')
    for (const name of ['code', 'json', 'expression']) {
      const editor = field(page, name).locator('.cm-content')
      await editor.waitFor()
      const before = await editor.innerText()
      await editor.focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' (')
      await eventually(() => editor.innerText()).toBe(`${before} (`)
      await page.keyboard.press('Control+z')
      await eventually(() => editor.innerText()).toBe(before)
    }
    expect(await field(page, 'code').locator('.cm-line span[class]').count()).toBeGreaterThan(2)
    await field(page, 'expression').getByText('expression', { exact: true }).click()
    await focused(field(page, 'expression').locator('.cm-content'))
    await field(page, 'expression').locator('.cm-content').fill('age > (')
    await field(page, 'json').locator('.cm-content').fill('{ "a": }')
    for (const name of ['json', 'expression']) await field(page, name).locator('.cm-lintRange-error').first().waitFor()
    await page.context().close()
  })

  test('shows markdown as it is written, as it reads, and both [P-165]', async () => {
    const page = await open('filled')
    const markdown = field(page, 'markdown')
    await markdown.getByRole('button', { name: 'Preview' }).press('Enter')
    await markdown.getByRole('heading', { name: 'Title' }).waitFor()
    await count(markdown.getByRole('textbox'), 0)
    await markdown.getByRole('button', { name: 'Side by side' }).press('Enter')
    await markdown.getByRole('textbox').fill('Some **bold** <script>words</script>')
    await eventually(() => markdown.locator('[data-markdown] strong').innerText()).toBe('bold')
    await markdown.getByRole('region').getByText('<script>words</script>').waitFor()
    expect(await violations(page)).toEqual([])
    // The parser needs minutes for this text.
    await markdown.getByRole('textbox').fill(`# Title\n\n${'**a'.repeat(60_000)}`)
    await markdown.getByRole('region').getByText('# Title', { exact: false }).waitFor()
    await markdown.getByRole('textbox').fill('# Short')
    await markdown.getByRole('heading', { name: 'Short' }).waitFor()
    await page.context().close()
  })

  test('adds, moves and removes items of a list, and shows what their other fields ask for', async () => {
    const page = await open('filled')
    const list = field(page, 'list')
    await list.getByRole('button', { name: 'Add' }).press('Enter')
    await count(list.getByRole('listitem'), 3)
    await page.keyboard.type('X-New')
    await eventually(() => list.getByRole('listitem').nth(2).getByLabel('name').inputValue()).toBe('X-New')
    await count(list.getByRole('listitem').nth(2).getByLabel('schedule'), 0)
    await list.getByRole('listitem').nth(2).getByLabel('kind').selectOption('time')
    await list.getByRole('listitem').nth(2).getByLabel('schedule').waitFor()
    await list.getByRole('button', { name: 'Move Item 3 up' }).press('Enter')
    await eventually(() => list.getByRole('listitem').nth(1).getByLabel('name').inputValue()).toBe('X-New')
    await list.getByRole('button', { name: 'Remove Item 1' }).press('Enter')
    await count(list.getByRole('listitem'), 2)
    await page.context().close()
  })

  test('says what is wrong in the words of the server, inside items of a list too', async () => {
    const page = await open('wrong')
    await field(page, 'cron').getByText('Invalid cron expression').waitFor()
    await field(page, 'phone').getByText('A telephone number is expected').waitFor()
    const item = field(page, 'list').locator('[data-member="0.name"]')
    await item.getByText('This is required').waitFor()
    expect(await item.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    await page.context().close()
  })

  test('uploads a file and refuses one that the field cannot take', async () => {
    const page = await open('empty')
    const input = field(page, 'file').locator('input[type=file]')
    await input.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a') })
    await field(page, 'file').getByText('This is none of the possible values').waitFor()
    await input.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
    await field(page, 'file').getByRole('link', { name: 'a.pdf' }).waitFor()
    await page.context().close()
  })

  test('takes the value that another person saved', async () => {
    const page = await open('conflict')
    await field(page, 'string').getByRole('button', { name: 'Use this' }).press('Enter')
    await eventually(() => field(page, 'string').getByRole('textbox').inputValue()).toBe('Bruno')
    await page.context().close()
  })
})

test('the production build does not contain the gallery', async () => {
  const files = await readdir(DIST, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    files
      .filter(file => file.isFile() && /\.(?:js|html)$/u.test(file.name))
      .map(file => readFile(`${file.parentPath}/${file.name}`, 'utf8')),
  )
  expect(texts.length).toBeGreaterThan(10)
  expect(texts.filter(text => text.includes('data-control-gallery'))).toEqual([])
})
