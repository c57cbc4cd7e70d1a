import { setTimeout as pause } from 'node:timers/promises'
import type { DesignerStage, Made } from './designer-stage.ts'

const IDLE = 1_500

export interface LaidOut {
  /** From the press on the menu's entry until the blocks are drawn where they now stand, ms. */
  readonly time: number
  /** Task of the main thread meanwhile, ms. */
  readonly longest: number
}

/** Lays out a whole flow, in a browser that has not done so before. */
export const layOut = (stage: DesignerStage, made: Made): Promise<LaidOut> =>
  stage.inDesigner(made, async page => {
    await pause(IDLE)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.evaluate(() => {
      const state = { time: 0, longest: 0 }
      Reflect.set(window, 'layout', state)
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) state.longest = Math.max(state.longest, duration)
      }).observe({ type: 'longtask' })
      const begin = ({ timeStamp }: MouseEvent) => {
        const told = new MutationObserver(() => {
          if (!/blocks? moved/u.test(document.querySelector('.pl-said[role=status]')?.textContent ?? '')) return
          told.disconnect()
          requestAnimationFrame(() => setTimeout(() => Object.assign(state, { time: performance.now() - timeStamp })))
        })
        told.observe(document.body, { subtree: true, childList: true, characterData: true })
      }
      window.addEventListener('click', begin, { capture: true, once: true })
    })
    await page
      .getByRole('toolbar', { name: 'Tools' })
      .getByRole('button', { name: /^Tidy up/u })
      .click()
    await page.waitForFunction(() => Reflect.get(window, 'layout').time > 0, undefined, { timeout: 60_000 })
    await pause(IDLE)
    return page.evaluate(() => Reflect.get(window, 'layout') as LaidOut)
  })
