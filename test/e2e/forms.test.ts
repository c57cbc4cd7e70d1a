import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchRenders } from '#test/bench/rendered.ts'
import { Editor } from '#test/nodes/editor.ts'
import { count, eventually, focused, holdBack, inBrowser, LONG } from './browser.ts'
import { type Designer, flowOf } from './designer.ts'
import { type Clinic, openClinic } from './open-clinic.ts'

/** Parts of the designer, each by the names of its properties. */
const PARTS = {
  view: 'designer names',
  panel: 'names',
  block: 'node onLink',
  header: 'heading id onLink type typed',
  editor: 'atForeign bare block fragment id label path runs',
  thread: 'block',
  change: 'block onHistory type',
} as const

inBrowser('forms of blocks, and the ways to them', { timeout: LONG }, () => {
  let clinic: Clinic
  let designer: Designer
  beforeAll(async () => {
    clinic = await openClinic()
    ;({ designer } = clinic)
  }, LONG)
  afterAll(() => clinic?.close())
  const saved = async () => {
    await designer.saved()
    return flowOf(clinic.admin, clinic.dialog)
  }

  test('forms read in order: after how many of which unit, the day before the month; code behind its switch', async () => {
    // given
    const { inspector } = designer
    await designer.select('hello')
    await inspector.getByRole('tab', { name: 'Content' }).click()
    await designer.key('Escape')
    // when what is scheduled runs in two days
    await designer.add('schedule')
    await inspector.getByLabel('After', { exact: true }).fill('2')
    await designer.key('Tab')
    await focused(inspector.getByLabel('Unit', { exact: true }))
    await inspector.getByLabel('Unit', { exact: true }).selectOption({ label: 'Days' })
    // then
    const run = inspector.locator('.pl-facts b').first()
    await eventually(() => run.innerText()).toMatch(/^\w{3},? \d\d\/\d\d, \d\d:\d\d$/u)
    await designer.key('Escape')
    // when code is written where no handler is chosen
    await designer.add('handler')
    await inspector.getByLabel('Handler', { exact: true }).waitFor()
    await count(inspector.getByText('Code', { exact: true }), 0)
    await inspector.getByLabel('Code in this block').click()
    // then it has the handler's place
    await inspector.getByText('Code', { exact: true }).waitFor()
    await count(inspector.getByLabel('Handler', { exact: true }), 0)
    await designer.key('Escape')
    // when a branch compares with what is not finished yet
    await designer.add('condition')
    await inspector.getByRole('button', { name: 'Add a branch' }).click()
    await inspector.getByRole('button', { name: 'Add a rule' }).click()
    const values = inspector.getByLabel('Values', { exact: true })
    await values.fill('oi')
    await inspector.getByRole('heading', { name: 'Try it' }).waitFor()
    await values.fill('{{oi')
    // then nothing is told of which way it would leave by
    await count(inspector.getByRole('heading', { name: 'Try it' }), 0)
    // when a formula stands where only what is between braces is computed
    await inspector.getByLabel('Compare', { exact: true }).selectOption({ label: 'An expression' })
    const formula = inspector.getByLabel('Expression', { exact: true })
    await formula.fill('idade > 60')
    // then that is said
    const hint = inspector.getByText('This is the same in every conversation')
    await hint.waitFor()
    await formula.fill('{{idade > 60}}')
    await count(hint, 0)
  })

  test('a card is opened at its title, the first field without a choice [P-595]', async () => {
    await designer.select('hello')
    await designer.key('Escape')
    await designer.add('hero card')
    await eventually(() => designer.page.locator('[data-block][data-selected]').innerText()).toContain('Hero card')
    // A key that comes before the keyboard is on the new block is nobody's.
    await focused(designer.page.locator('[data-block][data-selected]'))
    await designer.key('Enter')
    await focused(designer.inspector.getByRole('textbox', { name: 'Title', exact: true }))
    await designer.key('Escape')
  })

  test('a question that was just added is typed in at once: no letter of it is a command', async () => {
    // given a form that shows another tab
    await designer.select('bye')
    await designer.inspector.getByRole('tab', { name: 'History' }).click()
    await designer.key('Escape')
    // when
    await designer.add('prompt')
    await designer.page.keyboard.type('Quando volta?')
    // then
    const id = (await designer.page.locator('[data-block][data-selected]').getAttribute('data-block')) ?? ''
    await eventually(async () => (await saved()).operators[id]?.properties?.data).toMatchObject({
      text: 'Quando volta?',
    })
    await designer.key('Escape')
    await focused(designer.block(id))
    // when another is asked for, what the flow has once alone does not come first
    await designer.key('a')
    const first = designer.page.getByRole('listbox', { name: 'Find a block to add' }).getByRole('option').first()
    await eventually(() => first.innerText()).toBe('Prompt')
    await designer.key('Escape')
    // when the palette is searched, and left
    const palette = designer.page.getByRole('textbox', { name: 'Find a block', exact: true })
    await designer.key('/')
    await palette.fill('mark')
    await designer.key('Escape')
    // then keys are commands again, and Enter adds what was found
    await focused(designer.block(id))
    await eventually(() => palette.inputValue()).toBe('')
    await designer.key('/')
    await palette.fill('mark')
    await designer.key('Enter')
    await focused(designer.page.locator('[data-block][data-marker][data-selected]'))
  })

  test('what is added shows its form, whatever tab the block before it had; on the tabs letters are commands', async () => {
    const { page, inspector } = designer
    const chosen = inspector.getByRole('tab', { selected: true })
    await designer.select('bye')
    await inspector.getByRole('tab', { name: 'History' }).click()
    await designer.key('t')
    const ways = page.getByRole('region', { name: 'Flow tracker' })
    await ways.waitFor()
    // From the inspector Escape leads back to the block first.
    await designer.key('Escape')
    await focused(designer.block('bye'))
    await designer.key('Escape')
    await count(ways, 0)
    await inspector.getByRole('tab', { name: 'History' }).focus()
    const blocks = await designer.blocks.count()
    await designer.key('Delete')
    expect(await designer.blocks.count()).toBe(blocks)
    await designer.select('bye')
    expect(await chosen.innerText()).toBe('History')
    await designer.add('location')
    await count(designer.blocks, blocks + 1)
    await eventually(() => chosen.innerText()).toBe('Content')
    await designer.key('Control+z')
    await count(designer.blocks, blocks)
  })

  test('a letter draws the form it is typed in anew, what others draw and what is learned beside names not even that', async () => {
    // given an open flow, of which not all is known that lies around it
    const { page, inspector } = designer
    const drawn = (props: string) => page.evaluate(each => window.drawn?.has(each), props)
    const forget = () => page.evaluate(() => Reflect.set(window, 'drawn', new Set()))
    const stay = async (...parts: readonly (keyof typeof PARTS)[]) => {
      for (const part of parts) expect(await drawn(PARTS[part]), part).toBe(false)
    }
    await page.addInitScript(watchRenders)
    const come = await holdBack(page, /\/api\/globalvariable/u)
    await designer.open(clinic.dialog)
    await page.getByRole('tab', { name: 'Dialogs 1' }).waitFor()
    await designer.select('hello')
    await inspector.getByText(/added it|changed|moved/u).waitFor()
    await designer.block('near').getByText('Segunda via · Boleto').waitFor()
    // when that is learned
    await forget()
    come()
    await eventually(() => drawn(PARTS.view)).toBe(true)
    await stay('panel')
    // when a letter is typed
    await inspector.locator('.pl-rich').click()
    await designer.key('Control+End')
    await page.keyboard.type('a')
    await designer.saved()
    await forget()
    await page.keyboard.type('b')
    await eventually(() => drawn(PARTS.block)).toBe(true)
    await stay('panel', 'header', 'editor', 'thread', 'change')
    // when somebody else draws
    const other = await new Editor().join(clinic.parley, clinic.admin, clinic.dialog)
    await designer.saved()
    await forget()
    other.draw('elsewhere')
    await designer.block('elsewhere').waitFor({ state: 'attached' })
    await stay('panel', 'header', 'block')
    other.end()
  })

  test('a window of a desk that is zoomed to 200 % edits; in forced colours what is chosen is told from what is not', async () => {
    // given
    const { page } = designer
    await designer.key('Escape')
    // when the window is as narrow as one of 1440 pixels at 200 %
    await page.setViewportSize({ width: 720, height: 450 })
    // then nothing lies over anything
    await page.locator('.pl-tools').waitFor()
    await count(page.locator('.pl-minimap:visible'), 0)
    const places = await page
      .locator('.pl-zoom, .pl-tools')
      .evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON()))
    const [upper, lower] = places.sort((one, other) => one.y - other.y)
    expect(upper.y + upper.height).toBeLessThanOrEqual(lower.y)
    expect(
      await page.locator('header[data-region=bar]').evaluate(header => header.scrollWidth - header.clientWidth),
    ).toBe(0)
    // when
    await designer.key('Shift+1')
    await page.emulateMedia({ forcedColors: 'active' })
    await designer.select('hello')
    // then what is selected and what is on says so
    const shown = (selector: string, name: 'backgroundColor' | 'outlineColor') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => getComputedStyle(element)[property], name)
    const [tool, other] = await Promise.all([
      shown('.pl-tool[aria-pressed=true]', 'backgroundColor'),
      shown('.pl-tool[aria-pressed=false]', 'backgroundColor'),
    ])
    expect(tool).not.toBe(other)
    expect(await shown('.pl-block[data-selected]', 'outlineColor')).not.toBe(await shown('h1', 'outlineColor'))
  })
})
