import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'

export const MOVES = 120
/** A hand moves the pointer about as often as a screen shows it, ms. */
const MOVE = 12
/** A wheel turns in steps of this much on either axis, CSS pixels. */
const TURN = 45
/** Zoom range out and in, in powers of two, and the share of it per CSS pixel of a wheel. */
const REACH = 1.25
const PER_PIXEL = 0.002

/** A gesture on a canvas, the same in the designer and in bare React Flow. */
export type Movement = (page: Page, node: string) => Promise<void>

const corner = async (page: Page, node: string) => {
  const box = await page.locator(node).boundingBox()
  if (box === null) throw new Error(`${node} is not drawn`)
  return [box.x + 60, box.y + 20] as const
}

/** Carries the node about, never to the canvas's edge, where both pages would begin to pan. */
const drag: Movement = async (page, node) => {
  const [x, y] = await corner(page, node)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 6, y + 6)
  for (let n = 0; n < MOVES; n++) {
    const turn = (n / MOVES) * 4 * Math.PI
    await page.mouse.move(x + 6 + 250 * (1 - Math.cos(turn)), y + 6 + 90 * (1 - Math.cos(2 * turn)))
    await pause(MOVE)
  }
  await page.mouse.move(x, y)
  await page.mouse.up()
}

/** Over blocks that were not seen before, down and to the right, and back. */
const pan: Movement = async (page, node) => {
  await page.mouse.move(...(await corner(page, node)))
  for (let n = 0; n < MOVES; n++) {
    const on = n < MOVES / 2 ? TURN : -TURN
    await page.mouse.wheel(on, on / 2)
    await pause(MOVE)
  }
}

/** Out to the smallest blocks, in to larger ones than they are, and back, twice. */
const zoom: Movement = async (page, node) => {
  await page.mouse.move(...(await corner(page, node)))
  const at = (n: number) => -REACH * Math.sin((n / MOVES) * 4 * Math.PI)
  await page.keyboard.down('Control')
  for (let n = 0; n < MOVES; n++) {
    await page.mouse.wheel(0, (at(n) - at(n + 1)) / PER_PIXEL)
    await pause(MOVE)
  }
  await page.keyboard.up('Control')
}

export const MOVEMENTS = { drag, pan, zoom } as const
