import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { colleague } from './colleague.ts'
import type { DesignerStage, Made } from './designer-stage.ts'

const LETTERS = 'a moment please, we look for a free hour in the clinic of your choice'
/** Between two letters of a fast typist, ms. */
const PAUSE = 80
const IDLE = 1_500

const watchKeys = (page: Page) =>
  page.evaluate(() => {
    const painted: number[] = []
    Reflect.set(window, 'painted', painted)
    window.addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => painted.push(performance.now() - timeStamp))),
      { capture: true },
    )
  })

/** ms from each key to the next paint, in a block's text while another user drags another block. */
export const typing = (stage: DesignerStage, made: Made): Promise<readonly number[]> =>
  stage.inDesigner(made, async page => {
    await page.locator('[data-block="n4"]').click()
    const text = page.getByRole('complementary', { name: 'Inspector' }).getByRole('textbox', { name: 'Message' })
    await text.click()
    await text.press('End')
    const other = await colleague(stage.parley, stage.admin, made.dialog, 'n5')
    await pause(IDLE)
    await watchKeys(page)
    await page.keyboard.type(LETTERS, { delay: PAUSE })
    await pause(PAUSE)
    await other.leave()
    return page.evaluate(() => Reflect.get(window, 'painted') as number[])
  })
