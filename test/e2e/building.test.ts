import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { propertiesOf } from '#domain/flow/document/document.ts'
import { watchRenders } from '#test/bench/rendered.ts'
import { Editor } from '#test/nodes/editor.ts'
import { count, eventually, focused, holdBack, inBrowser, LONG, visit } from './browser.ts'
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

inBrowser('building by keyboard', { timeout: LONG }, () => {
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
  const linkFrom = async (from: string) =>
    Object.values((await saved()).links).find(({ fromOperator }) => fromOperator === from)?.toOperator

  test('inserts a block after a linked one into the link, announces it, and undoes it in one step', async () => {
    // given
    const before = await linkFrom('hello')
    await designer.select('hello')
    // The flow check may announce its result right after this announcement.
    const told = await designer.page.evaluateHandle(() => {
      const texts: string[] = []
      const region = document.querySelector('.pl-said[role=status]')
      const hear = () => texts.push(region?.textContent ?? '')
      if (region !== null)
        new MutationObserver(hear).observe(region, { subtree: true, childList: true, characterData: true })
      return texts
    })
    // when
    await designer.add('send message')
    // then
    const made = designer.page.locator('[data-block][data-selected]', { hasText: 'Send message' })
    await focused(designer.inspector.getByRole('textbox', { name: 'Message', exact: true }))
    await designer.key('Escape')
    await focused(made)
    await eventually(() => told.jsonValue()).toContain('Send message added between Boas-vindas and Menu')
    const id = (await made.getAttribute('data-block')) ?? ''
    await eventually(async () => [await linkFrom('hello'), await linkFrom(id)]).toEqual([id, before])
    await designer.key('Control+z')
    await count(designer.block(id), 0)
    await eventually(() => linkFrom('hello')).toBe(before)
  })

  test('takes what is typed after a note was added as its text; after Escape letters are commands again', async () => {
    await designer.select('hello')
    await designer.add('note')
    await designer.page.keyboard.type('ligar antes das 18h')
    const note = designer.page.locator('[data-shape=sheet] .pl-sheet-text')
    await eventually(() => note.innerText()).toBe('ligar antes das 18h')
    await designer.inspector.getByRole('button', { name: 'Bold' }).waitFor()
    await count(designer.inspector.getByRole('button', { name: 'Insert a variable' }), 0)
    await designer.key('Escape')
    await focused(designer.page.locator('[data-block][data-shape=sheet]'))
    await designer.key('Shift+?')
    const sheet = designer.page.getByRole('dialog', { name: 'Keyboard' })
    await sheet.getByText('This sheet').waitFor()
    await designer.key('Escape')
    await count(sheet, 0)
    await designer.key('Delete')
    await count(note, 0)
  })

  test('appends text typed after Enter to the block’s text', async () => {
    // given a block that has the focus, and another one whose form is open
    await designer.select('menu')
    const text = String((await saved()).operators.hello?.properties?.text)
    await designer.key('ArrowUp')
    await focused(designer.block('hello'))
    await designer.key('Enter')
    await designer.page.keyboard.type(' dog')
    await eventually(async () => (await saved()).operators.hello?.properties?.text).toBe(`${text} dog`)
    await designer.key('Escape')
    await designer.key('Control+z')
    await eventually(async () => (await saved()).operators.hello?.properties?.text).toBe(text)
  })

  test('a button that goes once it was pressed leaves the keyboard beside it, or on the canvas', async () => {
    const { page, inspector } = designer
    await designer.select('hello')
    await designer.key('c')
    const composer = page.getByRole('textbox', { name: /^Comment on/u })
    await focused(composer)
    await page.keyboard.type('Falta o horário')
    await designer.key('Tab')
    await designer.key('Enter')
    await page.locator('.pl-thread').getByText('Falta o horário').waitFor()
    await focused(composer)
    await designer.key('Escape')
    await inspector.getByRole('button', { name: 'Add', exact: true }).first().focus()
    await designer.key('Enter')
    await inspector
      .getByRole('button', { name: /^Remove/u })
      .first()
      .focus()
    await designer.key('Enter')
    await focused(inspector.getByRole('button', { name: 'Add', exact: true }).first())
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+d')
    const copy = page.locator('[data-block][data-selected]:not([data-block="hello"])')
    const made = (await copy.getAttribute('data-block')) ?? ''
    await page.getByText('1 block pasted').getByRole('button', { name: 'Undo', exact: true }).focus()
    await designer.key('Enter')
    await count(designer.block(made), 0)
    await eventually(() => page.evaluate(() => document.activeElement?.closest('.pl-canvas') !== null)).toBe(true)
  })

  test('the history of a block puts it back where it was, and as it was then after a preview, each as one step [P-598]', async () => {
    // given a block that was moved, and one whose title was changed
    const { page, inspector } = designer
    const operator = async (id: string) => (await saved()).operators[id]
    const then = await saved()
    await designer.select('menu')
    await designer.key('Alt+ArrowRight')
    await eventually(async () => (await operator('menu'))?.left).not.toBe(then.operators.menu?.left)
    // when the one is put back
    await inspector.getByRole('tab', { name: 'History' }).click()
    const move = inspector.getByRole('listitem').filter({ hasText: 'moved it' })
    await move.getByRole('button', { name: 'Put it back where it was' }).click()
    // then it stands where it stood, and the keyboard is where it was
    await eventually(async () => (await operator('menu'))?.left).toBe(then.operators.menu?.left)
    await focused(move.getByRole('button', { name: 'Put it back where it was' }))
    await page.getByText('The block is where it was').first().waitFor()
    // when the other is brought back to what it was when it came, and that is taken back
    await designer.select('hello')
    await inspector.getByRole('tab', { name: 'Content' }).click()
    await inspector.getByLabel('Block title', { exact: true }).fill('Outra saudação')
    await designer.key('Tab')
    await eventually(async () => (await operator('hello'))?.title).toBe('Outra saudação')
    await inspector.getByRole('tab', { name: 'History' }).click()
    const added = inspector.getByRole('listitem').filter({ hasText: 'added it' })
    await added.getByRole('button', { name: 'As it was then' }).click()
    // then what would change is shown first, and nothing is written until that is wanted [P-598]
    const preview = page.getByRole('dialog', { name: /^The block at/u })
    await preview.getByText('Outra saudação').waitFor()
    await preview.getByRole('button', { name: 'Cancel' }).click()
    expect((await operator('hello'))?.title).toBe('Outra saudação')
    await added.getByRole('button', { name: 'As it was then' }).click()
    await preview.getByRole('button', { name: 'Bring it back' }).click()
    await eventually(() => operator('hello')).toEqual(then.operators.hello)
    await designer.key('Control+z')
    await eventually(async () => (await operator('hello'))?.title).toBe('Outra saudação')
  })

  test('keeps a text of another program with nodes that the designer lacks, and simplifies it on request', async () => {
    // given another program that edits a block while a person types in its text
    const { page, inspector } = designer
    const simplify = inspector.getByRole('button', { name: 'Simplify, to edit it here' })
    const editor = inspector.locator('.pl-rich')
    const other = await new Editor().join(clinic.parley, clinic.admin, clinic.dialog)
    await designer.select('hello')
    await inspector.getByRole('tab', { name: 'Content' }).click()
    await editor.waitFor()
    const fragment = propertiesOf(other.doc, 'hello')?.get('text')
    if (!(fragment instanceof Y.XmlFragment)) throw new Error('no text')
    // when
    fragment.insert(0, [new Y.XmlText('Novo: ')])
    // then nothing is lost, by looking either
    await simplify.waitFor()
    await count(editor, 0)
    expect(fragment.get(0)).toBeInstanceOf(Y.XmlText)
    await designer.key('Escape')
    await designer.select('menu')
    await designer.select('hello')
    await inspector.getByText('Novo: ').waitFor()
    const text = String((await saved()).operators.hello?.properties?.text)
    expect([text.startsWith('Novo: \n'), fragment.get(0) instanceof Y.XmlText]).toEqual([true, true])
    // when it is simplified, it says the same, and is typed in
    await simplify.click()
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('?')
    await eventually(async () => (await saved()).operators.hello?.properties?.text).toBe(`${text}?`)
    other.end()
  })

  test('a flow with values that no form makes is shown, and its blocks open', async () => {
    const { page, inspector } = designer
    const operator = (type: string, left: number, properties: object, top = 0) => ({
      type,
      title: type,
      top,
      left,
      properties,
    })
    const operators = {
      hours: operator('workinghour', 0, { timezone: 7, hours: [1] }),
      ask: operator('condition', 0, { conditions: [{ rules: [{ source: 'expression', datatype: 'text' }] }] }, 300),
      far: operator('text', 1e308, { text: [] }, -1e308),
      jump: operator('gotonodesrc', -400, { destination: 'bye' }),
      sheet: operator('note', 400, { text: 'Bem *perto*', width: 1e308, height: 1e308 }),
    }
    const bye = { ...operator('text', 800, {}), title: 'Despedida' }
    for (const all of [{ ...operators, bye }, operators])
      await clinic.admin.put(`/dialog/${clinic.dialog}/flow`, { operators: all, links: {} })
    await count(designer.blocks, 5)
    await visit(page, `/botadmin/designer/dialog/${clinic.dialog}?block=hours`)
    await count(designer.blocks, 5)
    await eventually(async () => (await designer.block('sheet').boundingBox())?.width ?? 0).toBeGreaterThan(0)
    // Marks of chats are shown as what they mean.
    expect(await designer.block('sheet').locator('b').allInnerTexts()).toEqual(['perto'])
    await inspector.getByText('· hours').waitFor()
    await inspector.getByText('Next openings').waitFor()
    await designer.select('ask')
    await inspector.getByLabel('Expression', { exact: true }).waitFor()
    // A reference to a removed block shows the block's last name.
    await designer.select('jump')
    const target = inspector.getByRole('combobox').filter({ hasText: 'Despedida' })
    await eventually(() => target.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text)).toBe(
      'Removed block “Despedida”',
    )
    await designer.select('ask')
    // A form that fails while it is drawn ends itself alone.
    const broken = inspector.getByText('This form cannot be shown')
    await page.evaluate(() => {
      // React reports recovered render errors to the window.
      addEventListener('error', event => event.preventDefault())
      Intl.supportedValuesOf = () => {
        throw new RangeError('no zones')
      }
    })
    await designer.select('hours')
    await broken.waitFor()
    await count(designer.blocks, 5)
    await designer.select('ask')
    await inspector.getByLabel('Expression', { exact: true }).waitFor()
    await count(broken, 0)
    await inspector.locator('.cm-content').first().click()
    await page.keyboard.type('idade')
    await eventually(async () => JSON.stringify((await saved()).operators.ask)).toContain('idade')
  })

  test('offers to tidy up when an imported flow has overlapping blocks [P-94]', async () => {
    const { page } = designer
    const text = (id: string) => ({ type: 'text', title: id, top: 0, left: 0, properties: {} })
    const file = {
      format: 'parley-flow',
      version: 1,
      operators: { one: text('one'), two: text('two'), far: { ...text('far'), top: -9000, left: -9000 } },
      links: {},
    }
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import a flow file' }).click()
    const buffer = Buffer.from(JSON.stringify(file))
    await (await choosing).setFiles({ name: 'fluxo.json', mimeType: 'application/json', buffer })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Import', exact: true }).click()
    await page
      .getByText(/2 blocks overlap/u)
      .last()
      .waitFor()
    // Too far apart to be shown whole: most of it is in view, and not the empty middle.
    await designer.block('two').waitFor()
    await page.getByRole('button', { name: 'Tidy up', exact: true }).last().click()
    await eventually(async () => {
      const places = Object.values((await saved()).operators).map(({ left, top }) => `${left} ${top}`)
      return new Set(places).size
    }).toBe(3)
  })

  test('a jump in a flow without landings offers one, which can be chosen once it is named [P-2136]', async () => {
    const { inspector } = designer
    await designer.select('two')
    await designer.key('Escape')
    await designer.add('jump')
    await inspector.getByText('This flow has no landing yet.').waitFor()
    const jump = await designer.page.locator('[data-block][data-selected]').getAttribute('data-block')
    await inspector.getByRole('button', { name: 'Add a landing' }).click()
    await inspector.getByRole('heading', { name: 'Landing' }).waitFor()
    await inspector.getByLabel('Block title').fill('again')
    await designer.page.getByRole('button', { name: 'Fit the flow', exact: true }).click()
    await designer.block(String(jump)).click()
    await inspector.getByLabel('Landing', { exact: true }).selectOption({ label: 'again' })
    await inspector.getByRole('button', { name: 'Go there' }).waitFor()
    await count(inspector.getByText('This flow has no landing yet.'), 0)
    await designer.key('Escape')
  })

  describe('forms of blocks, and the ways to them', () => {
    beforeAll(async () => {
      clinic = await openClinic(clinic)
    }, LONG)

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
      // then the preview of the output is hidden
      await count(inspector.getByRole('heading', { name: 'Try it' }), 0)
      // when a formula stands where only what is between braces is computed
      await inspector.getByLabel('Compare', { exact: true }).selectOption({ label: 'An expression' })
      const formula = inspector.getByLabel('Expression', { exact: true })
      await formula.fill('idade > 60')
      // then a hint says so
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
      const made = designer.page.locator('[data-block][data-selected]:not([data-block="bye"])')
      const id = (await made.getAttribute('data-block')) ?? ''
      await eventually(async () => (await saved()).operators[id]?.properties?.data).toMatchObject({
        text: 'Quando volta?',
      })
      await designer.key('Escape')
      await focused(designer.block(id))
      // when another block is added, types that the flow has once are not first
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

    test('shows the form of an added block, from any previous tab; on the tabs letters are commands', async () => {
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

    test('renders the form alone for a typed letter, and not even that for edits of others or for names that arrive', async () => {
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
      // when another user draws
      const other = await new Editor().join(clinic.parley, clinic.admin, clinic.dialog)
      await designer.saved()
      await forget()
      other.draw('elsewhere')
      await designer.block('elsewhere').waitFor({ state: 'attached' })
      await stay('panel', 'header', 'block')
      other.end()
    })

    test('edits in a desktop window at 200 % zoom; distinguishes the selection in forced colours', async () => {
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
})
