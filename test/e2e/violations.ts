import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isFull } from '#test/fixture/full.ts'
import { eventually } from './browser.ts'

/** Violations of the rule, or of all axe rules. */
const found = (page: Page, rule?: string): Promise<string[]> =>
  page.evaluate(async rule => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await here.run(document, {
      resultTypes: ['violations'],
      // Preloading serves the rule about autoplaying audio. No page has any, and it costs a third of the run.
      preload: false,
      ...(rule && { runOnly: [rule] }),
    })
    return violations.map(
      ({ id, nodes }) =>
        `${id} ${nodes.map(({ target, html }) => `${target.join(' ')} ${html.slice(0, 200)}`).join(' | ')}`,
    )
  }, rule)

/** Fields lower than a line of text, squeezed by the layout around them. */
const squeezed = (page: Page): Promise<string[]> =>
  page
    .locator('input:not([type=checkbox], [type=radio], [type=range]), select, textarea')
    .evaluateAll(fields =>
      fields
        .filter(
          field =>
            field.checkVisibility() &&
            getComputedStyle(field).borderTopWidth !== '0px' &&
            field.clientHeight > 1 &&
            field.getBoundingClientRect().height < 26,
        )
        .map(field => `squeezed ${field.getAttribute('aria-label') ?? field.id}`),
    )

/** axe ignores a dialog until its fade-in ends: waits for animations. */
const comeToRest = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  )

/** Loads axe into the document, once. */
const loadAxe = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  await comeToRest(page)
}

/** Violations of axe's rules in the page as it is. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  await loadAxe(page)
  return found(page)
}

/**
 * Violations in the current color scheme. The other one is shown from then on: the next screen is checked in it.
 * `npm run test:full` checks contrast in both.
 */
export const violations = async (page: Page): Promise<string[]> => {
  await loadAxe(page)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const [shown, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const all = [...(await found(page)), ...(await squeezed(page))]
  await page.emulateMedia({ colorScheme: other })
  await eventually(() => page.locator('html').getAttribute('class')).toContain(other)
  const contrast = isFull ? await found(page, 'color-contrast') : []
  return [...all.map(line => `${shown} ${line}`), ...contrast.map(line => `${other} ${line}`)]
}
