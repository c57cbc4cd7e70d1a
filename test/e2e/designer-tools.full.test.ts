import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import { watchRenders } from '#test/bench/rendered.ts'
import { PIXEL } from '#test/fixture/pixel.ts'
import { count, eventually, inBrowser, LONG } from './browser.ts'
import { flowOf, makeDialog } from './designer.ts'
import { openClinic } from './open-clinic.ts'

inBrowser('around the canvas', { timeout: LONG }, async () => {
  const clinic = await openClinic()
  const { designer, admin, dialog } = clinic
  afterAll(() => clinic.close())

  test('shows a target in another task of the bot by name; reports a removed or foreign one and blocks publishing', async () => {
    await designer.page.getByRole('button', { name: /to check/u }).click()
    const errors = designer.page.getByRole('region', { name: 'To check' }).getByText('points to nothing')
    await count(errors, 2)
    await errors.filter({ hasText: 'choose Dialog of the task' }).waitFor()
    await errors.filter({ hasText: 'choose Task' }).waitFor()
    const published = await admin.post(`/dialog/${dialog}/publish`, {})
    expect([published.status, published.body]).toMatchObject([409, { code: 'flow.invalid', params: { count: 2 } }])
    await designer.page.getByRole('button', { name: /to check/u }).click()
    const field = (name: string) => designer.inspector.getByRole('combobox', { name, exact: true })
    await designer.select('gone')
    await eventually(() => field('Dialog of the task').inputValue()).toBe('Removed dialog “Boleto antigo”')
    await field('Dialog of the task').click()
    await designer.page.getByRole('option', { name: 'Boleto', exact: true }).waitFor()
    await designer.select('far')
    await eventually(() => field('Task').inputValue()).toBe('Outra (out of reach from here)')
  })

  test(
    'leads Enter to one field of each kind of block, whether its form is open or opens later [P-2904]',
    async () => {
      // given a flow of all kinds
      const { page, inspector } = designer
      // A frame is taken by its title alone.
      const types = Object.keys(blocks).filter(type => type !== 'group')
      const operators = Object.fromEntries(
        types.map((type, at) => [
          `a-${type}`,
          { type, title: '', left: 300 * (at % 8), top: 160 * Math.floor(at / 8), properties: {} },
        ]),
      )
      const flow = { format: 'parley-flow', version: 1, operators, links: {} } as const
      const all = await makeDialog(admin, flow, { bot: 'Tipos', dialog: 'Todos' })
      await designer.open(all.dialog)
      await designer.key('!')
      /** Name of the field of the form that has the keyboard. */
      const fieldOf = () =>
        page.evaluate(() => {
          const at = document.activeElement
          if (at?.closest('.pl-form') == null) return undefined
          const label = document.getElementById(at.getAttribute('aria-labelledby') ?? '')?.textContent
          const labels = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at.labels : null
          return at.getAttribute('aria-label') ?? label ?? labels?.[0]?.textContent ?? at.textContent
        })
      const leave = async () => {
        await page.locator('.pl-canvas').focus()
        await designer.key('Escape')
        await count(inspector, 0)
      }
      const found: Record<string, readonly unknown[]> = {}
      for (const type of types) {
        const block = designer.block(`a-${type}`)
        await designer.select(`a-${type}`)
        await designer.key('Enter')
        await eventually(fieldOf).not.toBe(undefined)
        const open = await fieldOf()
        await leave()
        // when
        await page.evaluate(() => dispatchEvent(new PointerEvent('pointerdown')))
        await block.focus()
        await designer.key('Enter')
        await count(inspector, 0)
        await page.evaluate(() => dispatchEvent(new PointerEvent('pointerup')))
        await eventually(fieldOf).not.toBe(undefined)
        found[type] = [open, await fieldOf()]
        await leave()
      }
      // then
      expect(Object.entries(found).filter(([, [open, later]]) => open !== later)).toEqual([])
      await designer.open(dialog)
    },
    3 * LONG,
  )

  test('several blocks are put in line in one step, and junk that is pasted changes nothing and says so', async () => {
    const { page } = designer
    await designer.select('menu')
    await page.keyboard.down('Shift')
    await designer.block('hello').click()
    await page.keyboard.up('Shift')
    await designer.drag('hello', 90, 0)
    await page.getByRole('button', { name: 'Arrange' }).click()
    await page.getByRole('menuitem', { name: 'Align right edges' }).click()
    const right = async () => [(await designer.place('hello')).x, (await designer.place('menu')).x]
    await eventually(async () => new Set(await right()).size).toBe(1)
    await page.evaluate(() => navigator.clipboard.writeText('{"operators": 7}'))
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+v')
    await page.getByText('What was pasted holds no blocks').first().waitFor()
    await designer.key('Escape')
  })

  test('the flow tracker lights the ways to a block and names them, and goes with Escape [D-2.09]', async () => {
    await designer.select('menu')
    await designer.page.locator('.pl-canvas').focus()
    await designer.key('t')
    const tracker = designer.page.getByRole('region', { name: 'Flow tracker' })
    const steps = tracker.getByRole('listitem')
    await steps.filter({ hasText: 'Boas-vindas' }).waitFor()
    await eventually(() => designer.block('near').getAttribute('data-faded')).toBe('true')
    expect(await designer.block('hello').getAttribute('data-faded')).toBeNull()
    await steps.filter({ hasText: 'Boas-vindas' }).getByRole('button').click()
    await eventually(() => designer.block('hello').getAttribute('data-selected')).toBe('true')
    await designer.key('Escape')
    await count(tracker, 0)
    await eventually(() => designer.block('near').getAttribute('data-faded')).toBeNull()
  })

  test('keeps the selected block in the address: opens it here and after a reload, and reports a removed block', async () => {
    const { page } = designer
    const selected = () => new URL(page.url()).searchParams.get('block')
    await designer.select('menu')
    await eventually(selected).toBe('menu')
    await page.getByRole('button', { name: 'Block actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy link to this block' }).click()
    await page.getByText('Link copied').first().waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toBe(page.url())
    // Out of the inspector to its block, and away from that.
    await designer.key('Escape')
    await designer.key('Escape')
    await eventually(selected).toBeNull()
    await page.goto(link)
    await eventually(() => designer.block('menu').getAttribute('data-selected')).toBe('true')
    await page.evaluate(() => {
      history.pushState(null, '', '?block=hello')
      history.pushState(null, '', '?block=gone-for-good')
      history.back()
    })
    await eventually(() => designer.block('hello').getAttribute('data-selected')).toBe('true')
    await page.goto(link.replace('block=menu', 'block=gone-for-good'))
    await page.getByText('The block of this link is no longer in the flow').first().waitFor()
  })

  test('while a block is carried nothing is rendered: it, its links and the map follow, and the drop is one move', async () => {
    const { page } = designer
    await page.addInitScript(watchRenders)
    await designer.open(dialog)
    // Names and what the lint finds come late and are drawn on blocks: only then are renderings counted.
    for (const block of ['gone', 'far']) await designer.block(block).locator('[data-badge=error]').waitFor()
    await designer.block('near').getByText('Segunda via · Boleto').waitFor()
    const before = await designer.place('menu')
    const path = () => designer.link('hello').locator('.pl-stroke').getAttribute('d')
    const drawn = await path()
    await designer.carry('menu', 60, 20)
    await eventually(() => page.evaluate(() => window.rendered.length)).toBeGreaterThan(0)
    await page.evaluate(() => {
      window.rendered = []
    })
    const { x, y } = await designer.center('menu')
    await page.mouse.move(x + 200, y + 60, { steps: 20 })
    await eventually(async () => (await designer.place('menu')).x).toBeGreaterThan(before.x + 200)
    expect(await path()).not.toBe(drawn)
    expect(await page.evaluate(() => window.rendered)).toEqual([])
    await designer.drop()
    const after = await designer.place('menu')
    await designer.key('Control+z')
    await eventually(() => designer.place('menu')).toEqual(before)
    await eventually(path).toBe(drawn)
    await designer.key('Control+y')
    await eventually(() => designer.place('menu')).toEqual(after)
    await designer.key('Control+z')
    await eventually(() => designer.place('menu')).toEqual(before)
  })

  test('shows a tooltip on a hovered block, then the full text and last editor, until a press [D-9.06]', async () => {
    const { page } = designer
    const tip = page.getByRole('tooltip').filter({ hasText: 'Leads to' })
    await page.mouse.move(1, 1)
    const { x, y } = await designer.center('hello')
    await page.mouse.move(x, y)
    await tip.getByText('Vila Verde').waitFor()
    await tip.getByText(/added it|changed|moved/u).waitFor()
    expect(await designer.block('hello').getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'))
    await page.mouse.down()
    await tip.waitFor({ state: 'hidden' })
    await page.mouse.up()
  })

  test('exports the flow as a PDF document, or reports the failure [D-2.08] [C-8.25]', async () => {
    const { page } = designer
    const choose = async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Export as PDF' }).click()
    }
    await page.route('**/assets/flow-pdf-*.js', route => route.abort())
    await choose()
    await page.getByText('Export to pdf failed!!').first().waitFor()
    await page.unroute('**/assets/flow-pdf-*.js')
    await page.reload()
    await designer.blocks.first().waitFor()
    const coming = page.waitForEvent('download')
    await choose()
    const file = await coming
    expect(file.suggestedFilename()).toBe('Principal.pdf')
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('compact blocks, tags of long links and the telling of others’ edits are switches that last; the flow stays as it is', async () => {
    const width = () => designer.block('hello').evaluate(block => (block as HTMLElement).offsetWidth)
    const path = () => designer.link('hello').locator('.pl-stroke').getAttribute('d')
    const flow = await flowOf(admin, dialog)
    const drawn = await path()
    expect(await width()).toBe(240)
    const item = async (name: string) => {
      await designer.key('Escape')
      await designer.page.getByRole('button', { name: 'More', exact: true }).click()
      return designer.page.getByRole('menuitemcheckbox', { name })
    }
    const tags = await item('Jump tags for long links')
    expect(await tags.getAttribute('aria-checked')).toBe('true')
    await tags.click()
    await designer.page.locator('.pl-canvas').focus()
    await designer.key('d')
    await eventually(width).toBe(140)
    expect(await path()).not.toBe(drawn)
    // From afar a long word is small rather than broken.
    await designer.select('move')
    await designer.inspector.getByLabel('Block title', { exact: true }).fill('Reagendamento')
    await designer.page.locator('.pl-canvas').focus()
    for (let step = 0; step < 4; step++) await designer.key('-')
    await designer.page.locator('.pl-canvas[data-zoom="farthest"]').waitFor()
    const lines = designer.block('move').getByText('Reagendamento', { exact: true })
    const linesOf = (title: Element) => {
      const all = document.createRange()
      all.selectNodeContents(title)
      return all.getClientRects().length
    }
    await eventually(() => lines.evaluate(linesOf)).toBe(1)
    await designer.key('Control+z')
    await designer.saved()
    await designer.key('m')
    await designer.page.getByText('Edits by others are no longer announced').first().waitFor()
    await designer.page.reload()
    await designer.blocks.first().waitFor()
    expect(await (await item('Jump tags for long links')).getAttribute('aria-checked')).toBe('false')
    expect(
      await designer.page
        .getByRole('menuitemcheckbox', { name: 'Announce edits by others' })
        .getAttribute('aria-checked'),
    ).toBe('false')
    expect(await width()).toBe(140)
    await designer.page.getByRole('menuitemcheckbox', { name: 'Compact blocks' }).click()
    await eventually(width).toBe(240)
    expect(await flowOf(admin, dialog)).toEqual(flow)
  })

  test('an element added to an adaptive card has the focus; a card that does not wait says so [P-1920] [P-1927]', async () => {
    const properties = { body: [], actions: [{ type: 'Action.Submit', title: 'Send' }] }
    const own = await makeDialog(
      admin,
      {
        format: 'parley-flow',
        version: 1,
        operators: { card: { type: 'adaptivecard', title: 'Form', top: 0, left: 0, properties } },
        links: {},
      },
      { bot: 'Cartões', dialog: 'Formulário' },
    )
    await designer.open(own.dialog)
    const { inspector, page } = designer
    await designer.select('card')
    const body = inspector.getByRole('group', { name: 'Body', exact: true })
    await body.getByRole('button', { name: 'Add' }).click()
    await eventually(() =>
      body.getByRole('textbox', { name: 'Text' }).evaluate(each => each === document.activeElement),
    ).toBe(true)
    await page.keyboard.type('Hi there')
    expect(await body.getByRole('listitem').count()).toBe(1)
    const told = inspector.getByRole('status', { name: 'To check' }).getByText('does not wait for it')
    await told.waitFor()
    await inspector.getByRole('button', { name: 'Choose variable' }).click()
    const variable = inspector.getByRole('combobox', { name: 'Save answer in' })
    await eventually(() => variable.evaluate(each => each === document.activeElement)).toBe(true)
  })

  test('a picture of an adaptive card is uploaded where its address is typed [P-2953]', async () => {
    const properties = { body: [{ type: 'Image', url: '' }], actions: [] }
    const operators = { card: { type: 'adaptivecard', title: 'Photo', top: 0, left: 0, properties } }
    const own = await makeDialog(
      admin,
      { format: 'parley-flow', version: 1, operators, links: {} },
      { bot: 'Retratos', dialog: 'Foto' },
    )
    await designer.open(own.dialog)
    const { inspector } = designer
    await designer.select('card')
    const file = { name: 'foto.png', mimeType: 'image/png', buffer: PIXEL }
    await inspector.locator('input[type=file]').setInputFiles(file)
    const address = async () => JSON.stringify((await flowOf(admin, own.dialog)).operators.card?.properties)
    await eventually(address).toMatch(/"url":"[^"]+\/botadmin\/files\/[^"]+\/foto\.png"/u)
  })

  test('a form says what it refuses until it is filled in; a condition is built and tried on made-up values [D-3A.36] [P-2845] [P-2847]', async () => {
    const at = (type: string, left: number) => ({ type, title: type, top: 0, left, properties: {} })
    const operators = { product: at('productcard', 0), way: at('condition', 300) }
    const own = await makeDialog(
      admin,
      { format: 'parley-flow', version: 1, operators, links: {} },
      { bot: 'Loja', dialog: 'Oferta' },
    )
    await admin.post('/variable', { bot: own.bot, name: 'idade', datatype: 'number' })
    await admin.post('/variable', { bot: own.bot, name: 'pedido', datatype: 'object', customdata: { total: 12 } })
    await designer.open(own.dialog)
    const { inspector } = designer

    await designer.select('product')
    const refused = inspector.getByRole('status', { name: 'To check' })
    await eventually(() => refused.getByRole('listitem').allInnerTexts()).toEqual(
      ['Body', 'Catalogue id', 'Product id', 'Destination'].map(name => `validation failed :: ${name} is required`),
    )
    const mended = refused.locator('[data-mended]')
    const body = inspector.getByRole('textbox', { name: 'Body', exact: true })
    await body.fill('Veja a oferta')
    // The layout is stable while a user types: the line stays, crossed out, until blur.
    await eventually(() => mended.allInnerTexts()).toEqual(['validation failed :: Body is required'])
    await body.press('Tab')
    await mended.waitFor({ state: 'detached' })
    for (const name of ['Catalogue id', 'Product id', 'Destination']) {
      await inspector.getByLabel(name, { exact: true }).fill('42')
    }
    await inspector.getByLabel('Destination', { exact: true }).blur()
    await refused.waitFor({ state: 'detached' })
    // A new line waits until blur too: it would push the field away while its text is typed.
    // The editor handles these keys; the selection that `fill` makes reaches it a moment later.
    await body.press('Control+a')
    await body.press('Backspace')
    await inspector.getByText('Body is required').waitFor()
    await count(refused, 0)
    await body.blur()
    await refused.getByText('validation failed :: Body is required').waitFor()
    await body.fill('Veja a oferta')
    await body.blur()
    await refused.waitFor({ state: 'detached' })

    // A new block shows no required-field error until it is left.
    await designer.add('subdialog')
    await inspector.getByLabel('Dialog', { exact: true }).waitFor()
    expect(await inspector.getByText('Dialog is required').count()).toBe(0)
    await designer.select('product')
    await designer.page.locator('[data-block]:not([data-block="product"], [data-block="way"])').click()
    await refused.getByText('Dialog is required').waitFor()
    await designer.key('Delete')
    await count(designer.blocks, 2)

    await designer.select('way')
    await inspector.getByRole('button', { name: 'Add a branch' }).click()
    await inspector.getByRole('button', { name: 'Add a rule' }).click()
    await inspector.getByLabel('Compare', { exact: true }).selectOption({ label: 'A variable of the bot' })
    const variable = inspector.getByRole('combobox', { name: 'Variable', exact: true })
    await variable.fill('pedido.t')
    await inspector.getByRole('option', { name: 'pedido.total 12' }).waitFor()
    await variable.press('Enter')
    await eventually(() => variable.inputValue()).toBe('pedido.total')
    await variable.fill('ida')
    await inspector.getByRole('option', { name: 'idade' }).waitFor()
    await variable.press('Enter')
    const operator = inspector.getByLabel('Operator', { exact: true })
    await eventually(() => operator.locator('option').count()).toBe(11)
    await operator.selectOption({ label: 'is greater than' })
    await inspector.getByLabel('Values', { exact: true }).fill('17')
    const sample = inspector.getByLabel('idade Number')
    await sample.fill('18')
    await inspector.getByText('Leaves by “idade is greater than 17”').waitFor()
    await sample.fill('17')
    await inspector.getByText('No branch holds: leaves by otherwise').waitFor()
  })

  test('lays out the flow in one step in a worker, and duplicates a dialog from the panel', async () => {
    const { page } = designer
    const before = await designer.place('way')
    await page
      .getByRole('toolbar', { name: 'Tools' })
      .getByRole('button', { name: /^Tidy up/u })
      .click()
    await page
      .getByText(/blocks? moved/u)
      .first()
      .waitFor()
    await eventually(() => designer.place('way')).not.toEqual(before)
    await page.locator('.pl-canvas').focus()
    await designer.key('Control+z')
    await eventually(() => designer.place('way')).toEqual(before)

    await page.getByRole('tab', { name: /^Dialogs/u }).click()
    await page.getByRole('button', { name: 'Actions for Oferta' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const name = page.getByRole('dialog', { name: 'Duplicate: Oferta' }).getByRole('textbox', { name: 'Name' })
    await eventually(() => name.inputValue()).toBe('Oferta (2)')
    const original = new URL(page.url()).pathname
    await name.press('Enter')
    await eventually(() => new URL(page.url()).pathname).not.toBe(original)
    await page.getByRole('heading', { name: 'Oferta (2)', exact: true }).waitFor()
    await count(designer.blocks, 2)
    await page.getByRole('tab', { name: /^Dialogs/u }).click()
    await page.getByRole('button', { name: 'Actions for Oferta (2)' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('takes 2 blocks with it').waitFor()
  })
})
