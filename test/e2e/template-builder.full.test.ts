import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { startTemplateWorld } from '#test/api/template-world.ts'
import { uploadPicture } from '#test/api/upload.ts'
import {
  closeWindows,
  count,
  eventually,
  fitsWithin,
  inBrowser,
  LONG,
  openBrowser,
  openWindow,
  visit,
} from './browser.ts'
import { violations } from './violations.ts'

inBrowser('the template builder', { timeout: LONG }, async () => {
  const world = await startTemplateWorld()
  const browser = await openBrowser()
  const page = await openWindow(browser, world.parley, { username: 'admin', password: ADMIN_PASSWORD, width: 1440 })
  afterAll(async () => {
    await closeWindows()
    await world.close()
  })
  const preview = () => page.getByRole('region', { name: 'Preview' })
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const submit = () => page.getByRole('button', { name: 'Submit for approval' })
  const opened = async (fields: object) => {
    const id = await world.draft(fields)
    await visit(page, `/botadmin/campaignmanagement/channel/app/template/${id}`)
    await preview().waitFor()
    return id
  }

  test('shows header, text, footer, buttons and quick replies with the sample values [C-2.60] [D-3.11.12] [P-1364]', async () => {
    await opened({})
    await preview().getByText('Semana da Luz').waitFor()
    await preview().getByText('Oi, Luana! Separamos peças a partir de R$ 189 para você.').waitFor()
    await preview().getByText('Responda SAIR para não receber').waitFor()
    for (const button of ['Quero', 'Ver']) await preview().getByText(button, { exact: true }).waitFor()
    await field('body').locator('textarea').fill('Oi, {{1}}! *Só hoje*: {{2}} em tudo da loja.')
    await preview().getByText('Oi, Luana! Só hoje: R$ 189 em tudo da loja.').waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('counts characters and says in red how many are too many [P-1365]', async () => {
    const body = field('body')
    await body.getByText('44/1,024').waitFor()
    await body.locator('textarea').fill('á'.repeat(1030))
    const counted = body.getByText('1,030/1,024')
    await counted.waitFor()
    expect(await counted.getAttribute('title')).toBe('6 too many')
    await preview().getByText('At most 1024 characters').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('offers no submission of an approved template before it is changed, and shows what nobody may change as fixed [P-2920]', async () => {
    const name = 'pedido_aprovado'
    const components = [{ type: 'BODY', text: 'Seu pedido chegou à loja.' }]
    const approved = { id: '771', name, language: 'pt_BR', category: 'UTILITY', status: 'APPROVED', components }
    world.graph.templates.push(approved)
    await world.admin.post(`/metaaccount/${world.account}/synctemplates`, {})
    const [found] = (await world.admin.get(`/template?templateName=${name}`)).body.items
    await visit(page, `/botadmin/campaignmanagement/channel/app/template/${found?.id}`)
    await preview().getByText('Seu pedido chegou à loja.').waitFor()
    expect(await submit().isDisabled()).toBe(true)
    expect(await submit().getAttribute('title')).toBe('WhatsApp approved it as it is. Change it to submit it again')
    await count(field('templateName').locator('input:not([readonly]):not([disabled])'), 0)
    await field('body').locator('textarea').fill('Seu pedido chegou à loja da esquina.')
    await page.getByRole('button', { name: /^Save/u }).click()
    await eventually(() => submit().isDisabled()).toBe(false)
  })

  test('leads from each fault to its field, and is not submitted before they are mended [P-1365] [P-2921] [D-5.36] [D-5.37]', async () => {
    await opened({
      params: [{ name: '1', example: 'Luana' }],
      buttons: [
        { type: 'URL', text: 'Fale conosco pelo nosso WhatsApp', url: 'https://wa.me/5511987654321' },
        { type: 'QUICK_REPLY', text: 'Quero' },
      ],
    })
    expect(await submit().isDisabled()).toBe(true)
    await preview().getByText('{{2}}').waitFor()
    const lines = preview().getByRole('listitem')
    await lines.filter({ hasText: "Button text can't have more than 25 characters" }).getByRole('button').click()
    const inButton = page.locator('[data-member="0.text"]')
    await eventually(() => inButton.locator('input').evaluate(input => input === document.activeElement)).toBe(true)
    await inButton.locator('input').fill('Ver no site')
    await lines.filter({ hasText: "Direct links to WhatsApp aren't allowed" }).getByRole('button').click()
    const address = page.locator('[data-member="0.url"] input')
    await eventually(() => address.evaluate(input => input === document.activeElement)).toBe(true)
    await address.fill('https://loja.example/promo')
    await lines.filter({ hasText: 'Component of type BODY is missing expected field(s)' }).getByRole('button').click()
    await eventually(() => field('params').evaluate(box => box.contains(document.activeElement))).toBe(true)
    const examples = field('params').locator('input')
    await eventually(() => examples.count()).toBe(2)
    await field('params').getByLabel('Example of {{2}}').fill('R$ 189')
    await preview().getByText('R$ 189').waitFor()
    await field('body').locator('textarea').fill('Oi, {{1}}! A semana da luz começou, venha ver.')
    await preview().getByText('Nothing stands in the way').waitFor()
    expect(await submit().isDisabled()).toBe(true)
    await page.getByRole('button', { name: /^Save/u }).click()
    await eventually(() => submit().isDisabled()).toBe(false)
    await submit().click()
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: 'Submit for approval' })
      .click()
    await page.getByRole('status').getByText('Under review').waitFor()
  })

  test('puts variables and marks at the caret of the text [P-2925]', async () => {
    await opened({ body: 'Oi, {{1}}! A semana da luz chegou.', params: [{ name: '1', example: 'Luana' }] })
    const text = field('body').locator('textarea')
    const select = (from: number, to: number) =>
      text.evaluate(
        (area: HTMLTextAreaElement, [start, end]) => area.setSelectionRange(start ?? 0, end ?? 0),
        [from, to],
      )
    await select(34, 34)
    await field('body').getByRole('button', { name: 'Value' }).click()
    await eventually(() => text.inputValue()).toBe('Oi, {{1}}! A semana da luz chegou.{{2}}')
    await eventually(() => text.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(39)
    await field('params').getByLabel('Example of {{2}}').waitFor()
    await select(13, 26)
    await field('body').getByRole('button', { name: 'Bold' }).click()
    await eventually(() => text.inputValue()).toBe('Oi, {{1}}! A *semana da luz* chegou.{{2}}')
    await preview().getByText('semana da luz', { exact: true }).waitFor()
  })

  test('names the contact field of each variable for campaigns [P-2929]', async () => {
    const id = await opened({ body: 'Oi, {{1}}! Custa {{2}} hoje.', params: [{ name: '1', example: 'Luana' }] })
    const from = field('params').getByRole('combobox', { name: 'Comes from {{2}}' })
    await from.selectOption('field03')
    await page.getByRole('button', { name: /^Save/u }).click()
    await eventually(async () => (await world.admin.get(`/template/${id}`)).body.params).toMatchObject([
      { name: '1', example: 'Luana' },
      { name: '2', source: 'field03' },
    ])
  })

  test('shows one card of a carousel at a time, with what is to correct in each, and tools for its text [P-2925] [P-2929]', async () => {
    const media = await uploadPicture(world.admin, 'mesa.png')
    const card = (body: string, text: string) => ({
      ...{ headerType: 'IMAGE', media, body, button1: 'QUICK_REPLY', button1_text: text },
    })
    await opened({
      ...{ templateType: 'CAROUSEL', header: null, footer: null, buttons: [] },
      cards: [card('Mesa Duna', 'Quero'), card('Mesa Serra', 'Quero vinte por cento de desconto')],
    })
    const tab = (name: RegExp) => field('cards').getByRole('tab', { name })
    await tab(/^Mesa Duna complete/u).waitFor()
    await tab(/^Mesa Serra 1 to correct/u).waitFor()
    const shown = field('cards').locator('[data-item]')
    await count(shown, 1)
    // The fault of the hidden card opens it.
    const fault = preview().getByRole('listitem').filter({ hasText: "can't have more than 25 characters" })
    await fault.getByRole('button').click()
    const label = page.locator('[data-member="1.button1_text"] input')
    await eventually(() => label.evaluate(input => input === document.activeElement)).toBe(true)
    await label.fill('Quero')
    await tab(/^Mesa Serra complete/u).waitFor()
    await tab(/^Mesa Serra/u).focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => tab(/^Mesa Duna/u).getAttribute('aria-selected')).toBe('true')
    const words = page.locator('[data-member="0.body"]')
    await words.locator('textarea').evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(5, 9))
    await words.getByRole('button', { name: 'Bold' }).click()
    await eventually(() => words.locator('textarea').inputValue()).toBe('Mesa *Duna*')
    await words.getByRole('button', { name: 'Value' }).click()
    await eventually(() => words.locator('textarea').inputValue()).toMatch(/\{\{1\}\}/u)
    await field('cards').getByRole('button', { name: 'Add', exact: false }).click()
    await count(field('cards').getByRole('tab'), 3)
    expect(await violations(page)).toEqual([])
  })

  test('shows the cards of a carousel with their samples and buttons [D-3.11.11] [D-3.11.12] [P-1364]', async () => {
    const media = await uploadPicture(world.admin, 'abajur.png')
    const card = (body: string, sample: string) => ({
      headerType: 'IMAGE',
      media,
      body,
      examples: [sample],
      button1: 'QUICK_REPLY',
      button1_text: 'Quero',
      button2: 'URL',
      button2_text: 'Ver a peça',
      button2_url: 'https://loja.example/pecas',
    })
    await opened({
      templateType: 'CAROUSEL',
      header: null,
      footer: null,
      buttons: [],
      cards: [card('Abajur Serra por {{1}} hoje', 'R$ 189'), card('Pendente Duna por {{1}} hoje', 'R$ 320')],
    })
    const cards = preview().getByRole('group', { name: 'Carousel' })
    await cards.getByText('Abajur Serra por R$ 189 hoje').waitFor()
    await cards.getByText('Pendente Duna por R$ 320 hoje').waitFor()
    await count(cards.getByText('Ver a peça'), 2)
    await cards.focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => cards.evaluate(box => box.scrollLeft)).toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await fitsWithin(page, 391)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
