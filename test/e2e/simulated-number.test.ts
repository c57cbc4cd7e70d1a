import { expect, test } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { inBrowser, LONG, openWindow } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'

inBrowser('a newcomer without Meta', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  await makeChatBot(admin)

  test(
    'sends a first campaign to simulated people and answers it on a phone [P-2574]',
    async () => {
      const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
      await page.goto('/botadmin/campaignmanagement/phone')
      await page.getByRole('button', { name: 'Try without Meta' }).click()
      await page.waitForURL(/\/campaignmanagement\/phone\/.+/u)
      const account = page.url().split('/').at(-1) ?? ''
      await admin.post(`/simulatednumber/${account}/clock?speed=100`, {})
      const approved = async () => (await admin.get('/template')).body.items[0]?.status
      await expect.poll(approved, { timeout: 30_000 }).toBe('APPROVED')
      await page.getByRole('link', { name: 'Create a campaign' }).click()
      await page.getByLabel(/^Name/u).fill('first')
      await page.getByRole('radio').first().check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Add simulated people' }).click()
      await page.getByText('196 contacts').first().waitFor()
      for (const step of ['Values of the template', 'Started by hand']) {
        await page.getByText(step).first().waitFor()
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      await page.getByRole('button', { name: 'Send 196 messages' }).click()
      await page.waitForURL(/\/campaign\/[0-9a-f-]{36}$/u)
      await page.getByText('SIMULATED').first().waitFor()

      // A persona without reactions. Others press the button themselves, and rows of the list show their words.
      const phone = `/botadmin/campaignmanagement/phone/${account}?persona=93`
      await page.goto(phone)
      await page.getByRole('button', { name: 'I have a question', exact: true }).click()
      const log = page.getByRole('log')
      await log.getByText('Seu nome?').first().waitFor()
      await page.getByLabel(/^Write as /u).fill('Ana')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await log.getByText('Oi, Ana').first().waitFor()
    },
    LONG,
  )
})
