import { readdir } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { FlowFile } from '#schemas/flow/file.ts'
import { startParley } from '#test/api/harness.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { corpus, corpusJson } from '#test/fixture/corpus.ts'
import { isFull } from '#test/fixture/full.ts'
import { closeWindows, count, eventually, focused, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { BUILDER, Designer, flowOf, makeDialog } from './designer.ts'
import { BLOCKS, CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('two people draw one flow', { timeout: LONG }, async () => {
  const parley = await startParley()
  const admin = await parley.signIn()
  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
  const { dialog, task } = await makeDialog(admin, CLINIC_FLOW)
  const second = (await admin.post('/dialog', { name: 'Segundo', dialogtask: task })).body.id
  await admin.put(`/dialog/${second}/flow`, {
    ...CLINIC_FLOW,
    operators: { start: CLINIC_FLOW.operators.start },
    links: {},
  })
  const browser = await openBrowser()
  const open = async (username: string): Promise<Page> =>
    openWindow(browser, parley, { username, password: `${PASSWORD}x` })
  const ana = await new Designer(await open('ana')).open(dialog)
  const joao = await new Designer(await open('joao')).open(dialog)
  await joao.block('end').waitFor()
  afterAll(async () => {
    await closeWindows()
    await parley.close()
  })

  test('a block is seen where the other carries it, and stays there after the drop [D-7.01]', async () => {
    const before = await joao.place('which')
    await ana.carry('which', 90, 45)
    await eventually(async () => (await joao.place('which')).x).toBeGreaterThan(before.x + 60)
    await joao.page.locator('.pl-ring', { hasText: 'ana · moving 1 block' }).waitFor()
    await joao.page.locator('.pl-peer-ghost').waitFor()
    const stored = (await flowOf(admin, dialog)).operators.which
    expect([stored?.left, stored?.top], 'nothing is written while a block is carried').toEqual([before.x, before.y])

    await ana.drop()
    const after = await ana.place('which')
    expect(after).not.toEqual(before)
    await eventually(() => joao.place('which')).toEqual(after)
    await count(joao.page.locator('.pl-peer-ghost'), 0)
    await ana.saved()
    const moved = (await flowOf(admin, dialog)).operators.which
    expect([moved?.left, moved?.top]).toEqual([after.x, after.y])
  })

  test('a link is seen while it is pulled, ends at the block under the pointer, and replaces the one before [D-4.03] [D-4.05]', async () => {
    await ana.pull('note', 'aside')
    await joao.page.locator('.pl-people path.pl-pulled').waitFor({ state: 'attached' })
    await eventually(() => ana.block('aside').getAttribute('data-target')).toBe('over')
    await ana.drop()
    await count(joao.page.locator('.pl-people path.pl-pulled'), 0)
    await count(joao.link('note'), 1)
    await ana.saved()
    const ends = async () =>
      Object.values((await flowOf(admin, dialog)).links).flatMap(({ fromOperator, toOperator }) =>
        fromOperator === 'note' ? [toOperator] : [],
      )
    expect(await ends()).toEqual(['aside'])

    await joao.pull('note', 'which')
    await joao.drop()
    await eventually(ends).toEqual(['which'])
    await count(ana.link('note'), 1)
  })

  test('cursors carry names, and a selection shows as a ring with the name of who selected', async () => {
    const { x, y } = await ana.center('hello')
    await ana.page.mouse.move(x, y, { steps: 4 })
    const cursor = joao.page.locator('.pl-cursor', { hasText: 'ana' })
    await cursor.waitFor()
    await eventually(async () => Math.round((await cursor.boundingBox())?.x ?? 0)).toBeGreaterThan(x - 40)

    await ana.select('hello')
    await joao.page.locator('.pl-ring', { hasText: 'ana' }).waitFor()
    await joao.page.getByRole('list', { name: '1 other person is here' }).waitFor()
    await ana.key('Escape')
    await count(joao.page.locator('.pl-ring', { hasText: 'ana' }), 0)
  })

  test('hides a person who left the page at once, and shows them again after the way back [P-2133]', async () => {
    const there = joao.page.getByRole('list', { name: '1 other person is here' })
    const turnPage = (type: 'pagehide' | 'pageshow') =>
      ana.page.evaluate(event => dispatchEvent(new PageTransitionEvent(event, { persisted: true })), type)
    await there.waitFor()
    await turnPage('pagehide')
    await there.waitFor({ state: 'detached' })
    await turnPage('pageshow')
    await there.waitFor()
    await ana.saved()
  })

  test('two people type in one rich text at once, and the words of both are there, variables as such', async () => {
    const texts = [ana, joao].map(({ inspector }) => inspector.getByRole('textbox', { name: 'Message', exact: true }))
    await Promise.all([ana.select('moved'), joao.select('moved')])
    const [hers, his] = texts
    if (hers === undefined || his === undefined) throw new Error('no text')
    await Promise.all([hers.click(), his.click()])
    // Each waits for the caret, which the other's first one may set back.
    const standsAt = async (text: Locator, key: string) => {
      await text.press(key)
      return text.evaluate(element => {
        const range = getSelection()?.getRangeAt(0).cloneRange()
        range?.setStart(element, 0)
        return range?.toString().length
      })
    }
    await eventually(() => standsAt(his, 'Control+End')).toBe('Pronto, está remarcada.'.length)
    await eventually(() => standsAt(hers, 'Control+Home')).toBe(0)
    await Promise.all([
      hers.pressSequentially('Ana diz sim. ', { delay: 15 }),
      his.pressSequentially(' João vem {{dia}}.', { delay: 15 }),
    ])
    const whole = 'Ana diz sim. Pronto, está remarcada. João vem dia.'
    const words = (text: Locator) =>
      text.evaluate(element => {
        const copy = element.cloneNode(true) as HTMLElement
        for (const caret of copy.querySelectorAll('.pl-caret')) caret.remove()
        return copy.textContent
      })
    await eventually(() => words(hers)).toContain(whole)
    await eventually(() => words(his)).toContain(whole)
    await joao.page.locator('.pl-caret', { hasText: 'ana' }).waitFor()
    await Promise.all([ana.saved(), joao.saved()])
    await eventually(async () => JSON.stringify((await flowOf(admin, dialog)).operators.moved)).toContain('{{dia}}.')
    await Promise.all([hers.press('Escape'), his.press('Escape')])
    await Promise.all(
      [ana, joao].map(({ page }) => page.locator('.react-flow__pane').click({ position: { x: 8, y: 8 } })),
    )
  })

  test('two people type in one expression; each keeps their place, sees what is wrong, and takes back their own words [P-2134]', async () => {
    await Promise.all([ana.select('free'), joao.select('free')])
    const [hers, his] = [ana, joao].map(({ inspector }) => inspector.locator('.cm-content').first())
    if (hers === undefined || his === undefined) throw new Error('no editor')
    const url = 'https://clinica.example/livres'
    // The window alone is as high as the page, code fields or not.
    expect(await ana.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
    await his.click()
    await his.press('Control+End')
    await his.pressSequentially('/{{nope')
    await eventually(() => hers.textContent()).toBe(`${url}/{{nope`)
    await hers.click()
    await hers.press('Control+Home')
    await hers.pressSequentially('x')
    await eventually(() => his.textContent()).toBe(`x${url}/{{nope`)
    await his.pressSequentially(' +}}')
    await eventually(() => hers.textContent()).toBe(`x${url}/{{nope +}}`)
    await ana.inspector.getByText('Something is missing at the end of the expression').waitFor()
    await hers.press('Control+z')
    await eventually(() => his.textContent()).toBe(`${url}/{{nope +}}`)
    await Promise.all([ana.saved(), joao.saved()])
    await eventually(async () => JSON.stringify((await flowOf(admin, dialog)).operators.free)).toContain('{{nope +}}')
    await Promise.all(
      [ana, joao].map(({ page }) => page.locator('.react-flow__pane').click({ position: { x: 8, y: 8 } })),
    )
  })

  test('shows saving for unsaved edits, and saved after the acknowledgement', async () => {
    process.kill(parley.pid, 'SIGSTOP')
    try {
      await ana.drag('aside', 0, 60)
      await eventually(() => ana.status()).toBe('saving')
      await ana.page.locator('header').getByText('Saving…', { exact: true }).waitFor()
    } finally {
      process.kill(parley.pid, 'SIGCONT')
    }
    await ana.saved()
    await ana.page.locator('header').getByText('Saved', { exact: true }).waitFor()
  })

  test('undo takes back one’s own last step and leaves what the other did since [D-2.04]', async () => {
    const hers = await ana.place('rate')
    await ana.drag('rate', 60, 0)
    const moved = await ana.place('rate')
    await joao.drag('bye', 60, 0)
    const his = await joao.place('bye')
    await eventually(() => ana.place('bye')).toEqual(his)

    await ana.key('Control+z')
    await eventually(() => joao.place('rate')).toEqual(hers)
    expect(await joao.place('bye')).toEqual(his)
    await ana.key('Control+y')
    await eventually(() => joao.place('rate')).toEqual(moved)
    expect(await joao.place('bye')).toEqual(his)
  })

  test('a frame around blocks takes them along when it is carried by its title, and one undo puts all back', async () => {
    await ana.select('find')
    await ana.block('code').click({ modifiers: ['Shift'] })
    await ana.key('g')
    const title = ana.page.locator('.pl-frame-title')
    const at = await joao.place('find')
    const corner = await title.boundingBox()
    if (corner === null) throw new Error('the frame is not drawn')
    await ana.page.mouse.move(corner.x + 20, corner.y + 10)
    await ana.page.mouse.down()
    await ana.page.mouse.move(corner.x + 80, corner.y + 50, { steps: 8 })
    await ana.drop()
    await eventually(async () => (await joao.place('find')).x).toBeGreaterThan(at.x + 40)
    await ana.key('Control+z')
    await eventually(() => joao.place('find')).toEqual(at)
    await ana.key('Control+z')
    await count(joao.page.locator('.pl-frame-title'), 0)
  })

  test('a block goes with its links, for both, and undoing brings back both [D-4.04]', async () => {
    await ana.select('found')
    await ana.key('Delete')
    await count(joao.block('found'), 0)
    await count(joao.link('find'), 0)
    await count(joao.link('found'), 0)
    await ana.key('Control+z')
    await count(joao.block('found'), 1)
    await count(joao.link('find'), 1)
    await count(joao.link('found'), 1)
  })

  test('blocks are copied and pasted within a dialog and into another one [D-2.06] [C-4.31]', async () => {
    await ana.select('book')
    await ana.page.keyboard.down('Shift')
    await ana.block('who').click()
    await ana.page.keyboard.up('Shift')
    await eventually(() => ana.page.locator('[data-block][aria-pressed=true]').count()).toBe(2)
    await ana.key('Control+c')
    await ana.key('Control+v')
    await count(joao.blocks, BLOCKS + 2)
    await ana.key('Control+z')
    await count(joao.blocks, BLOCKS)

    const other = await new Designer(await ana.page.context().newPage()).open(second)
    await other.page.locator('.react-flow__pane').click({ position: { x: 600, y: 500 } })
    await other.key('Control+v')
    await count(other.blocks, 3)
    await other.saved()
    const pasted = await flowOf(admin, second)
    expect(Object.values(pasted.operators).map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Início', 'Marcar', 'Convênio']),
    )
    expect(Object.keys(pasted.links)).toHaveLength(1)
    await other.page.close()
  })

  test('a block from the search is added and filled in by keyboard, and the other sees it', async () => {
    await ana.page.locator('.react-flow__pane').click({ position: { x: 8, y: 8 } })
    await ana.key('a')
    const search = ana.page.getByRole('combobox', { name: 'Find a block to add' })
    await search.fill('marker')
    await ana.key('Enter')
    await count(joao.blocks, BLOCKS + 1)
    const title = ana.inspector.getByLabel('Block title', { exact: true })
    await title.fill('Feito no teclado')
    await title.press('Tab')
    await joao.page.locator('[data-block]', { hasText: 'Feito no teclado' }).waitFor()
  })

  test('Enter, and the keys after it, reach the first field of a card whose form is not open yet [P-2903]', async () => {
    // given an added card: while a button of the mouse is pressed, no form opens
    const blocks = await ana.blocks.count()
    await ana.select('which')
    await ana.key('Escape')
    await count(ana.inspector, 0)
    await ana.page.evaluate(() => dispatchEvent(new PointerEvent('pointerdown')))
    await ana.add('hero card')
    const made = ana.page.locator('[data-block][data-selected]')
    await focused(made)
    await count(ana.inspector, 0)
    const id = (await made.getAttribute('data-block')) ?? ''
    // when
    await ana.page.evaluate(
      keys => {
        for (const key of keys)
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        dispatchEvent(new PointerEvent('pointerup'))
      },
      ['Enter', ...'Consulta', 's', 'Backspace'],
    )
    // then
    await focused(ana.inspector.getByRole('textbox', { name: 'Title', exact: true }))
    await ana.page.keyboard.type(' anual')
    await eventually(async () => (await flowOf(admin, dialog)).operators[id]?.properties).toMatchObject({
      title: 'Consulta anual',
    })
    // A block that is out of sight leaves the keyboard to the canvas.
    const isInCanvas = () => ana.page.evaluate(() => document.activeElement?.closest('.pl-canvas') != null)
    await ana.key('Escape')
    await eventually(isInCanvas).toBe(true)
    await ana.key('Delete')
    await count(ana.blocks, blocks)
  })

  test('the first Escape leaves an editor without a list of completions, right after a letter too [P-2027]', async () => {
    const blocks = await ana.blocks.count()
    await ana.add('hero card')
    const made = ana.page.locator('[data-block][data-selected]')
    await focused(made)
    const id = (await made.getAttribute('data-block')) ?? ''
    const title = ana.inspector.getByRole('textbox', { name: 'Title', exact: true })
    const list = ana.page.locator('.cm-tooltip-autocomplete')
    const leave = async () => {
      await ana.key('Escape')
      await eventually(() => ana.page.evaluate(() => document.activeElement?.closest('.pl-canvas') != null)).toBe(true)
    }
    await ana.key('Enter')
    await focused(title)
    // A letter starts the sources of completions; they work for at least 100 ms.
    await ana.page.keyboard.type('Consulta')
    await leave()
    await title.click()
    await ana.key('Control+a')
    await leave()
    // A list in sight takes one Escape.
    await title.click()
    await ana.key('Control+End')
    await ana.page.keyboard.type(' {{')
    await list.waitFor()
    await ana.key('Escape')
    await list.waitFor({ state: 'detached' })
    await focused(title)
    await leave()
    await eventually(async () => (await flowOf(admin, dialog)).operators[id]?.properties).toMatchObject({
      title: 'Consulta {{',
    })
    await ana.block(id).click()
    await ana.key('Delete')
    await count(ana.blocks, blocks)
  })

  test('following someone keeps their pointer in view, until Escape', async () => {
    await joao.page.getByRole('button', { name: 'ana: show what they do' }).click()
    await joao.page.getByRole('button', { name: 'Follow', exact: true }).click()
    const frame = joao.page.getByRole('button', { name: /^Following ana/ })
    await frame.waitFor()
    const camera = () =>
      joao.page.locator('.react-flow__viewport').evaluate(element => getComputedStyle(element).transform)
    const before = await camera()
    await ana.page.mouse.move(1250, 850, { steps: 5 })
    await eventually(camera).not.toBe(before)
    await joao.key('Escape')
    await count(frame, 0)
  })

  test('the real flows open whole for both, and a block of them is seen to move', async () => {
    const files = (await readdir(corpus('flows'))).filter(name => name.endsWith('.flow.json'))
    expect(files.length).toBeGreaterThan(0)
    const flows = files.map((name): readonly [string, FlowFile] => [name, corpusJson('flows', name)])
    const bySize = flows.toSorted(([, a], [, b]) => Object.keys(b.operators).length - Object.keys(a.operators).length)
    for (const [name, flow] of isFull ? bySize : bySize.slice(0, 1)) {
      const real = (await admin.post('/dialog', { name, dialogtask: task })).body.id
      expect((await admin.put(`/dialog/${real}/flow`, flow)).status).toBe(200)
      await Promise.all([ana.open(real), joao.open(real)])
      const start = Object.keys(flow.operators).find(id => flow.operators[id]?.type === 'start') ?? ''
      const before = await joao.place(start)
      await ana.drag(start, -60, 0)
      await eventually(() => joao.place(start)).not.toEqual(before)
      await eventually(() => joao.place(start)).toEqual(await ana.place(start))
      await ana.saved()
      const stored = await flowOf(admin, real)
      expect(Object.keys(stored.operators).sort()).toEqual(Object.keys(flow.operators).sort())
    }
  })
})
