import { setTimeout as pause } from 'node:timers/promises'
import type { DesignerStage, Made } from './designer-stage.ts'
import { type Figure, median, rounded } from './figure.ts'

/** Before the click, so that the page has fetched ahead what it does; after it, for what follows on the opening, ms. */
const IDLE = { before: 2_500, after: 1_500 }

export interface Opening {
  /** From the click on the flow's link until its blocks are on the screen, ms. */
  readonly time: number
  /** Task of the main thread, ms. */
  readonly longest: number
}

/** A person who has the task's page before them opens its dialog. */
export const openFlow = (stage: DesignerStage, { task, dialog }: Made): Promise<Opening> =>
  stage.inWindow(async page => {
    await page.goto(`/botadmin/dialogtask/${task}`)
    const link = page.locator(`a[href*="/designer/dialog/${dialog}"]`).first()
    await link.waitFor()
    await pause(IDLE.before)
    await page.evaluate(() => {
      const state = { begun: 0, time: 0, longest: 0 }
      Reflect.set(window, 'opening', state)
      new PerformanceObserver(list => {
        for (const { startTime, duration } of list.getEntries()) {
          if (startTime >= state.begun) state.longest = Math.max(state.longest, duration)
        }
      }).observe({ type: 'longtask' })
      const look = () => {
        if (document.querySelector('[data-block]') === null) requestAnimationFrame(look)
        else
          requestAnimationFrame(() => setTimeout(() => Object.assign(state, { time: performance.now() - state.begun })))
      }
      const begin = (event: MouseEvent) => {
        state.begun = event.timeStamp
        look()
      }
      window.addEventListener('click', begin, { capture: true, once: true })
    })
    await link.click()
    await page.waitForFunction(() => Reflect.get(window, 'opening').time > 0)
    await pause(IDLE.after)
    const { time, longest } = await page.evaluate(() => Reflect.get(window, 'opening') as Opening)
    return { time, longest }
  })

export const openingFigure = (what: string, target: number | undefined, opened: readonly Opening[]): Figure => {
  const time = median(opened.map(each => each.time))
  const longest = median(opened.map(each => each.longest))
  return {
    id: 'P6',
    what: `open ${what} once the shell is there`,
    measured: `${Math.round(time)} ms (longest task ${Math.round(longest)} ms)`,
    target: target === undefined ? '–' : `≤ ${target} ms`,
    met: target === undefined ? null : time <= target,
    detail: {
      time: rounded(time),
      best: rounded(Math.min(...opened.map(each => each.time))),
      longest: rounded(longest),
    },
  }
}
