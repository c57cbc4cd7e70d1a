import type { Locator, Page } from 'playwright-core'
import type { FlowFile } from '#schemas/flow/file.ts'
import type { Client } from '#test/api/harness.ts'
import { eventually, visit } from './browser.ts'

const verbs = (entity: string): string[] => ['read', 'create', 'update', 'delete'].map(verb => verb + entity)

/** Permissions of a bot builder, and no more. */
export const BUILDER: readonly string[] = [
  ...['bot', 'dialogtask', 'dialog', 'handler', 'version', 'variable', 'codesample'].flatMap(verbs),
  ...['publishdialog', 'unpublishdialog', 'publishalldialogtask', 'applyversion', 'showbot', 'showcodesample'],
]

/** A bot with one task and one dialog that holds a flow. */
export const makeDialog = async (admin: Client, flow: FlowFile, names = { bot: 'Clínica', dialog: 'Principal' }) => {
  const { bot, task, dialog } = await admin.createDialog({ name: names.bot }, 'Agenda', names.dialog)
  const { status, text } = await admin.put(`/dialog/${dialog}/flow`, flow)
  if (status !== 200) throw new Error(text)
  return { bot, task, dialog }
}

export const flowOf = async (client: Client, dialog: string): Promise<FlowFile> =>
  (await client.get(`/dialog/${dialog}/flow`)).body as unknown as FlowFile

export interface Place {
  readonly x: number
  readonly y: number
}

/** One person's designer, driven with pointer and keys. */
export class Designer {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(dialog: string): Promise<this> {
    await visit(this.page, `/botadmin/designer/dialog/${dialog}`)
    await this.page.locator('[data-block]').first().waitFor()
    return this
  }

  block(id: string): Locator {
    return this.page.locator(`[data-block="${id}"]`)
  }

  get blocks(): Locator {
    return this.page.locator('[data-block]')
  }

  get inspector(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' })
  }

  /** The link between two blocks by their only output. */
  link(from: string): Locator {
    return this.page.locator(`[data-link^="${from}:"]`)
  }

  /** Position of a block, in the flow's pixels. */
  place(id: string): Promise<Place> {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`).evaluate(element => {
      const { m41, m42 } = new DOMMatrix(getComputedStyle(element).transform)
      return { x: Math.round(m41), y: Math.round(m42) }
    })
  }

  /** Of a block at rest: while the canvas animates, the block moves before the pointer arrives. */
  async center(id: string): Promise<Place> {
    await this.block(id).evaluate(async block => {
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
      const place = () => JSON.stringify(block.getBoundingClientRect())
      for (let at = '', still = 0; still < 3; await frame()) {
        const now = place()
        still = now === at ? still + 1 : 0
        at = now
      }
    })
    const box = await this.block(id).boundingBox()
    if (box === null) throw new Error(`${id} is not drawn`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  /** Takes a block up and carries it, without letting go. */
  async carry(id: string, dx: number, dy: number): Promise<void> {
    const { x, y } = await this.center(id)
    await this.page.mouse.move(x, y)
    await this.page.mouse.down()
    await this.page.mouse.move(x + dx, y + dy, { steps: 8 })
  }

  /** Blocks that the browser moves as pictures, and whether links are drawn apart from those that rest. */
  apart(): Promise<{ readonly pictures: readonly string[]; readonly hasLinks: boolean }> {
    return this.page.evaluate(() => ({
      pictures: document.getAnimations().flatMap(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null
        const isKept = target instanceof HTMLElement && getComputedStyle(target).willChange === 'transform'
        return isKept ? (target.dataset.id ?? []) : []
      }),
      hasLinks: document.querySelector('svg[data-carried] [data-link]') !== null,
    }))
  }

  /** Releases the mouse and waits for the next render. */
  async drop(): Promise<void> {
    await this.page.mouse.up()
    await this.page.evaluate(
      () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    )
  }

  async drag(id: string, dx: number, dy: number): Promise<void> {
    await this.carry(id, dx, dy)
    await this.drop()
  }

  /** Pulls a link out of a block's only output as far as another block, without letting go. */
  async pull(from: string, to: string): Promise<void> {
    const port = await this.block(from).locator('[data-connector]').first().boundingBox()
    if (port === null) throw new Error(`${from} has no output`)
    const end = await this.center(to)
    await this.page.mouse.move(port.x + port.width / 2, port.y + port.height / 2)
    await this.page.mouse.down()
    await this.page.mouse.move(end.x, end.y, { steps: 8 })
  }

  /** Selects one block, brings it into view if it is outside, and waits until the inspector shows it. */
  async select(id: string): Promise<void> {
    const canvas = await this.page.locator('.pl-canvas').boundingBox()
    const { x, y } = await this.center(id)
    const seen = canvas !== null && x > canvas.x && x < canvas.x + canvas.width && y > canvas.y
    if (!seen || y > canvas.y + canvas.height)
      await this.page.getByRole('button', { name: 'Fit the flow', exact: true }).click()
    await this.block(id).click()
    await this.inspector.getByText(`· ${id}`).waitFor()
  }

  async key(keys: string): Promise<void> {
    await this.page.keyboard.press(keys)
  }

  /** Adds the first block that these words find, as the keyboard does. */
  async add(words: string): Promise<void> {
    await this.key('a')
    await this.page.getByRole('combobox', { name: 'Find a block to add' }).fill(words)
    await this.key('Enter')
  }

  /** Saved, saving, offline or failed. */
  status(): Promise<string | null> {
    return this.page.locator('[data-save]').getAttribute('data-save')
  }

  async saved(): Promise<void> {
    // The edit that was just made shows first, its status with the next frame.
    await this.page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    await eventually(() => this.status()).toBe('saved')
  }
}
