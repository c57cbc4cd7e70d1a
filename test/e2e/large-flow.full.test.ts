import { afterAll, expect, test } from 'vitest'
import { colleague } from '#test/bench/colleague.ts'
import { generatedFlow } from '#test/bench/generated-flow.ts'
import { watchRenders } from '#test/bench/rendered.ts'
import { count, eventually, inBrowser, LONG } from './browser.ts'
import { flowOf, makeDialog } from './designer.ts'
import { openClinic } from './open-clinic.ts'

/** A block of the last column, which is out of view where the flow opens. */
const FAR = 'n299'

/** A place of the canvas with nothing on it. */
const emptyPlace = () => {
  for (let y = 100; y < innerHeight; y += 7) {
    for (let x = 300; x < innerWidth; x += 7) {
      if (document.elementFromPoint(x, y)?.classList.contains('react-flow__pane')) return { x, y }
    }
  }
  throw new Error('blocks cover all of the canvas')
}

inBrowser('a large flow', { timeout: LONG }, async () => {
  const far = async () => (await flowOf(clinic.admin, dialog)).operators[FAR]
  const clinic = await openClinic()
  const { designer } = clinic
  const dialog = (await makeDialog(clinic.admin, generatedFlow(300), { bot: 'Grande', dialog: 'Principal' })).dialog
  await designer.page.addInitScript(watchRenders)
  await designer.open(dialog)
  afterAll(() => clinic.close())

  test('only what is near is drawn, yet what is selected out of sight is carried along', async () => {
    await designer.block('n1').waitFor()
    expect(await designer.block(FAR).count()).toBe(0)
    await designer.key('Control+a')
    await count(designer.page.locator('.pl-link:not([data-lit])'), 0)
    const links = await designer.page.locator('[data-link]').count()
    expect(links, 'of what is selected, too').toBeLessThan(Object.keys(generatedFlow(300).links).length / 2)
    const before = await designer.place('n1')
    await designer.drag('n1', 148, 74)
    const after = await designer.place('n1')
    expect(after.x).toBeGreaterThan(before.x)
    const { left = 0, top = 0 } = generatedFlow(300).operators[FAR] ?? {}
    await eventually(far).toMatchObject({
      left: Number(left) + after.x - before.x,
      top: Number(top) + after.y - before.y,
    })
  })

  test('clears the selection on a click beside it; draws a fitted view once it rests', async () => {
    const { page } = designer
    const { x, y } = await page.evaluate(emptyPlace)
    await page.mouse.click(x, y)
    await designer.key('!')
    await designer.block(FAR).waitFor()
    await count(page.locator('.pl-block[data-selected]'), 0)
    await page.locator('.pl-passing').waitFor({ state: 'hidden' })
    await count(page.locator('.pl-canvas[data-gliding]'), 0)
  })

  test('an arrow with Alt moves the block that has the focus; Escape leaves the selection, then fullscreen', async () => {
    const { page } = designer
    const full = page.getByRole('button', { name: 'Full screen', exact: true })
    await full.click()
    await count(full, 0)
    const before = await designer.place('n1')
    await designer.block('n1').focus()
    await designer.key('Alt+ArrowDown')
    await eventually(() => designer.place('n1')).toEqual({ ...before, y: before.y + 20 })
    await designer.key('Escape')
    await count(page.locator('.pl-block[data-selected]'), 0)
    await designer.key('Escape')
    await full.waitFor()
  })

  test('renders carried blocks, of any person, as a picture moved by the browser, with separate links', async () => {
    await designer.key('Escape')
    await designer.carry('n1', 60, 30)
    expect(await designer.apart()).toEqual({ pictures: ['n1'], hasLinks: true })
    await designer.drop()
    expect(await designer.apart()).toEqual({ pictures: [], hasLinks: false })
    // Seen a few frames after it was taken up. These may take longer than others carry a block: it is not put down.
    const taken = designer.page.evaluate(async () => {
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
      const node = document.querySelector<HTMLElement>('.react-flow__node[data-id=n5]')
      window.rendered = []
      while (!node?.hasAttribute('data-carried')) await frame()
      for (let frames = 0; frames < 4; frames++) await frame()
      return { depth: node.style.zIndex, isRendered: window.rendered.flat().includes('n5') }
    })
    const other = await colleague(clinic.parley, clinic.admin, dialog, 'n5', Number.POSITIVE_INFINITY)
    expect(await taken, 'above the others, by its element alone').toEqual({ depth: '1', isRendered: false })
    await eventually(() => designer.apart()).toEqual({ pictures: ['n5'], hasLinks: true })
    await other.leave()
    await eventually(() => designer.apart()).toEqual({ pictures: [], hasLinks: false })
    const depth = () => designer.page.locator('.react-flow__node[data-id=n5]').evaluate(node => node.style.zIndex)
    await eventually(depth).toBe('0')
  })
})
