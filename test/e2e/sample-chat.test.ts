import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { discard, type Parley, startParley } from '#test/api/harness.ts'
import { inBrowser, LONG, openBrowser } from './browser.ts'

inBrowser('the web chat of the sample', { timeout: LONG }, () => {
  let parley: Parley
  let browser: Browser
  let channel: unknown
  beforeAll(async () => {
    parley = await startParley({ env: { PARLEY_SAMPLE: 'on' } })
    const admin = await parley.signIn()
    const isTrained = async () => {
      const [project] = (await admin.get('/nluproject')).body.items
      expect(project?.models).toMatchObject([{ production: true }])
    }
    await vi.waitFor(isTrained, { timeout: LONG - 20_000, interval: 200 })
    const [bot] = (await admin.get('/bot?search=Clara')).body.items
    channel = (await admin.get(`/channel?bot=${bot?.id}`)).body.items[0]?.id
    browser = await openBrowser()
  }, LONG)
  afterAll(async () => {
    await browser?.close()
    await discard(parley)
  })

  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox').fill(text)
    await page.keyboard.press('Enter')
  }
  const told = (page: Page, hasText: string) => page.locator('.say', { hasText }).last().waitFor()

  test('understands free text, asks again what it does not, and books what was said [P-970]', async () => {
    // The chat speaks the language of the browser.
    const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 844 } })
    await page.goto(`${parley.origin}/chat/${String(channel)}`)
    await told(page, 'Como posso ajudar?')
    await write(page, 'qual é a capital da França?')
    await told(page, 'Por favor, escolha uma das opções.')
    await write(page, 'queria levar minha menina no pediatra')
    await told(page, 'me diga o seu CPF')
    await write(page, '529.982.247-25')
    await told(page, 'Você quer marcar Pediatria, certo?')
    await page.getByRole('button', { name: 'Sim' }).click()
    await told(page, 'Qual você prefere?')
  })
})
