import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** axe violations on the page, including the chat's shadow root. */
export const chatViolations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await here.run(document, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}
