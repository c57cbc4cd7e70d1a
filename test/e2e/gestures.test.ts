import { beforeAll, expect, test } from 'vitest'
import type { FlowOperator } from '#schemas/flow/file.ts'
import { count, eventually, focused, inBrowser, LONG, openWindow } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

interface Branch {
  readonly label: string
  readonly rules: readonly { readonly values: readonly string[] }[]
}

inBrowser('links and blocks by pointer', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  let designer: Designer
  let dialog: string
  beforeAll(async () => {
    const lone = { ...CLINIC_FLOW.operators.which, title: 'Sozinho', left: -320, top: 160 } as FlowOperator
    const flow = { ...CLINIC_FLOW, operators: { ...CLINIC_FLOW.operators, lone } }
    dialog = (await makeDialog(admin, flow)).dialog
    const page = await openWindow(browser, parley, { username: 'admin', password: 'Parley-2026!' })
    designer = await new Designer(page).open(dialog)
    await designer.block('lone').waitFor()
  }, LONG)

  const flow = async () => {
    await designer.saved()
    return flowOf(admin, dialog)
  }
  const leadsTo = async (from: string) =>
    Object.values((await flow()).links).flatMap(({ fromOperator, toOperator }) =>
      fromOperator === from ? [toOperator] : [],
    )
  /** Half way from one block to another, where their link runs. */
  const between = async (from: string, to: string) => {
    const [a, b] = [await designer.center(from), await designer.center(to)]
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  }
  const end = (which: 'from' | 'to') => designer.page.locator(`.pl-link-end[data-end=${which}]`)
  const dragEnd = async (which: 'from' | 'to', to: string) => {
    const box = await end(which).boundingBox()
    if (box === null) throw new Error('no end')
    const { x, y } = await designer.center(to)
    await designer.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await designer.page.mouse.down()
    await designer.page.mouse.move(x, y, { steps: 8 })
  }

  test('a block that nothing leads to comes between two when it is dropped on their link, as one step [P-599]', async () => {
    const before = await designer.place('lone')
    const at = await between('hello', 'menu')
    const from = await designer.center('lone')
    await designer.carry('lone', at.x - from.x, at.y - from.y)
    await designer.page.locator('[data-link^="hello:"][data-parted]').waitFor({ state: 'attached' })
    await designer.drop()
    await eventually(() => leadsTo('hello')).toEqual(['lone'])
    expect(await leadsTo('lone')).toEqual(['menu'])
    await designer.page.getByText('Sozinho now stands between Boas-vindas and Menu').first().waitFor()
    await designer.key('Control+z')
    await eventually(() => leadsTo('hello')).toEqual(['menu'])
    expect(await leadsTo('lone')).toEqual([])
    await eventually(() => designer.place('lone')).toEqual(before)
  })

  test('the plus of a chosen link inserts a block into it, as one step [P-2139]', async () => {
    const { page } = designer
    const held = await designer.blocks.count()
    const at = await between('hello', 'menu')
    await page.mouse.click(at.x, at.y)
    await page.locator('.pl-link-insert').click()
    const search = page.getByRole('dialog', { name: 'Find a block to add' })
    await search.getByRole('combobox').fill('send message')
    await page.keyboard.press('Enter')
    await count(designer.blocks, held + 1)
    const [made = ''] = await leadsTo('hello')
    expect(made).not.toBe('menu')
    expect(await leadsTo(made)).toEqual(['menu'])
    await designer.key('Escape')
    await designer.key('Control+z')
    await eventually(() => leadsTo('hello')).toEqual(['menu'])
    await count(designer.blocks, held)
  })

  test('a press on an output adds a block after it, here a question of one kind found by its name [P-2950] [P-2948]', async () => {
    const before = Object.keys((await flow()).operators)
    await designer.block('hello').locator('.pl-port').first().click()
    const search = designer.page.getByRole('combobox', { name: 'Find a block to add' })
    await search.fill('e-mail')
    await designer.page.getByRole('option', { name: 'E-mail', exact: true }).waitFor()
    await designer.key('Enter')
    const added = async () => Object.entries((await flow()).operators).find(([id]) => !before.includes(id))
    await eventually(added).toBeDefined()
    const [id = '', block] = (await added()) ?? []
    expect(block).toMatchObject({ type: 'prompt', properties: { data: { type: 'text', validationType: 'Email' } } })
    expect(await leadsTo('hello')).toEqual([id])
    expect(await leadsTo(id)).toEqual(['menu'])
    await designer.key('Escape')
    await designer.key('Control+z')
    await eventually(() => leadsTo('hello')).toEqual(['menu'])
  })

  test('inserts a palette block that is dropped on a link [P-599]', async () => {
    const { page } = designer
    const at = await between('hello', 'menu')
    const held = await designer.blocks.count()
    const canvas = await page.locator('.pl-canvas').boundingBox()
    const targetPosition = { x: at.x - (canvas?.x ?? 0), y: at.y - (canvas?.y ?? 0) }
    const text = page.locator('button[draggable=true]', { hasText: /^Text$/u }).first()
    await text.dragTo(page.locator('.pl-canvas'), { targetPosition })
    await count(designer.blocks, held + 1)
    const [made = ''] = await leadsTo('hello')
    expect(made).not.toBe('menu')
    expect(await leadsTo(made)).toEqual(['menu'])
    await designer.key('Escape')
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+z')
    await eventually(() => leadsTo('hello')).toEqual(['menu'])
  })

  test('drags an end of the selected link to another block, and restores it when dropped elsewhere [P-600]', async () => {
    const at = await between('hello', 'menu')
    await designer.page.mouse.click(at.x, at.y)
    await end('to').waitFor()
    await dragEnd('to', 'lone')
    await eventually(() => designer.block('lone').getAttribute('data-target')).toBe('over')
    await designer.drop()
    await eventually(() => leadsTo('hello')).toEqual(['lone'])
    // Escape while it is dragged changes nothing.
    await dragEnd('to', 'menu')
    await designer.key('Escape')
    await designer.drop()
    expect(await leadsTo('hello')).toEqual(['lone'])
    await dragEnd('from', 'start')
    await designer.drop()
    await eventually(() => leadsTo('start')).toEqual(['lone'])
    expect(await leadsTo('hello')).toEqual([])
    await designer.key('Control+z')
    await designer.key('Control+z')
    await eventually(() => leadsTo('hello')).toEqual(['menu'])
    expect(await leadsTo('start')).toEqual(['hello'])
  })

  test('a press of the right button, and the menu key, offer what can be done with a block, a link and a place [P-601]', async () => {
    const { page } = designer
    const menu = page.getByRole('menu', { name: 'What can be done here' })
    const blocks = await designer.blocks.count()
    await designer.block('which').click({ button: 'right' })
    await eventually(() => designer.block('which').getAttribute('data-selected')).toBe('true')
    await menu.getByRole('menuitem', { name: 'Duplicate' }).click()
    await count(designer.blocks, blocks + 1)
    await count(menu, 0)
    await designer.key('Control+z')
    await count(designer.blocks, blocks)

    await designer.select('which')
    await designer.key('ContextMenu')
    await focused(menu.getByRole('menuitem', { name: 'Edit' }))
    await designer.key('Escape')
    await focused(designer.block('which'))

    const at = await between('hello', 'menu')
    await page.mouse.click(at.x, at.y, { button: 'right' })
    await menu.getByRole('menuitem', { name: 'Delete the link' }).click()
    await eventually(() => leadsTo('hello')).toEqual([])
    await designer.key('Control+z')
    await eventually(() => leadsTo('hello')).toEqual(['menu'])

    const corner = await designer.center('lone')
    await page.mouse.click(corner.x, corner.y + 120, { button: 'right' })
    await menu.getByRole('menuitem', { name: 'Add a block here' }).click()
    await page.getByRole('combobox', { name: 'Find a block to add' }).waitFor()
    await designer.key('Escape')
    // A right button that moves pans the view.
    await page.mouse.move(corner.x, corner.y + 120)
    await page.mouse.down({ button: 'right' })
    await page.mouse.move(corner.x + 60, corner.y + 160, { steps: 4 })
    await page.mouse.up({ button: 'right' })
    await count(menu, 0)
  })

  test('a question gets a condition with a branch for each of its answers, as one step [P-602]', async () => {
    await designer.select('menu')
    await designer.inspector.getByRole('button', { name: 'Add a branch for each answer' }).click()
    const made = async () => Object.entries((await flow()).operators).find(([, { type }]) => type === 'condition')
    await eventually(async () => (await made()) !== undefined).toBe(true)
    const [id = '', operator] = (await made()) ?? []
    expect(await leadsTo('menu')).toEqual([id])
    expect(await leadsTo(id)).toEqual(['keep'])
    const conditions = (operator?.properties?.conditions ?? []) as unknown as readonly Branch[]
    expect(conditions.map(({ label, rules }) => [label, rules[0]?.values])).toEqual([
      ['Marcar', ['Marcar']],
      ['Remarcar', ['Remarcar']],
      ['Resultados', ['Resultados']],
    ])
    await count(designer.block(id).locator('[data-connector]'), 4)
    await designer.key('Control+z')
    await eventually(() => leadsTo('menu')).toEqual(['keep'])
  })

  test('a question shows an output for each option, named after it, and leads on from one of them [P-2833] [P-2836]', async () => {
    await designer.select('menu')
    const outputs = designer.inspector.getByRole('switch', { name: 'An output for each answer' })
    const ports = designer.block('menu').locator('[data-connector]')
    const linked = async () =>
      Object.values((await flow()).links)
        .flatMap(({ fromOperator, fromConnector, toOperator }) =>
          fromOperator === 'menu' ? [`${fromConnector} ${toOperator}`] : [],
        )
        .sort()
    await count(ports, 1)
    await outputs.click()
    await count(ports, 4)
    expect(await designer.block('menu').locator('.pl-way').allTextContents()).toEqual([
      'Marcar',
      'Remarcar',
      'Resultados',
      'Any other answer',
    ])
    await designer.pull('menu', 'lone')
    await designer.page.mouse.up()
    await eventually(linked).toEqual(['item_1 lone', 'output_1 keep'])
    const { data } = (await flow()).operators.menu?.properties ?? {}
    expect(data).toMatchObject({ options: [{ id: 'item_1', label: 'Marcar' }, { id: 'item_2' }, { id: 'item_3' }] })
    await designer.select('menu')
    await outputs.click()
    await designer.page.getByText('The outputs of the answers and their links were removed').first().waitFor()
    await eventually(linked).toEqual(['output_1 keep'])
    await count(ports, 1)
    await designer.key('Control+z')
    await eventually(linked).toEqual(['item_1 lone', 'output_1 keep'])
    await designer.key('Control+z')
    await designer.key('Control+z')
    await count(ports, 1)
    await eventually(linked).toEqual(['output_1 keep'])
  })

  test('Ctrl and Z in a field take back what was typed last, then what was done before it, in one order [P-603]', async () => {
    const before = await designer.place('bye')
    await designer.select('bye')
    await designer.key('Alt+ArrowRight')
    const moved = { x: before.x + 20, y: before.y }
    await eventually(() => designer.place('bye')).toEqual(moved)
    const title = designer.inspector.getByLabel('Block title', { exact: true })
    await title.fill('Adeus')
    await designer.key('Control+z')
    await eventually(() => title.inputValue()).toBe('Tchau')
    await focused(title)
    expect(await designer.place('bye')).toEqual(moved)
    await designer.key('Control+z')
    await eventually(() => designer.place('bye')).toEqual(before)
    await designer.key('Control+y')
    await designer.key('Control+y')
    await eventually(() => title.inputValue()).toBe('Adeus')
    await eventually(async () => (await flow()).operators.bye?.title).toBe('Adeus')
    await designer.key('Control+z')
    await designer.key('Control+z')
    await eventually(() => designer.place('bye')).toEqual(before)
  })

  test('lists edits that only moved blocks in the history on request [P-604]', async () => {
    const { page } = designer
    // An import is a separate history entry, so the move between two imports is one too.
    const importTitled = async (title: string) => {
      const now = await flow()
      const bye = { ...now.operators.bye, title } as FlowOperator
      await admin.put(`/dialog/${dialog}/flow`, { ...now, operators: { ...now.operators, bye } })
      await designer.block('bye').getByText(title).waitFor()
    }
    await importTitled('Até mais')
    await designer.select('lone')
    await designer.key('Alt+ArrowLeft')
    await designer.saved()
    await importTitled('Até breve')
    await page.locator('[data-region=bar]').getByRole('button', { name: 'History', exact: true }).click()
    const list = page.getByRole('region', { name: 'Edits' })
    const toggle = list.getByRole('switch', { name: /^Moves of blocks alone/u })
    await page.getByRole('slider', { name: 'Moment shown' }).press('Home')
    await toggle.waitFor()
    const rows = list.locator('.pt-session')
    const few = await rows.count()
    await toggle.check()
    await count(rows, few + 1)
    await toggle.uncheck()
    await count(rows, few)
  })
})
