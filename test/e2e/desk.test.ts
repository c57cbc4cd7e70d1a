import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, discard, type Parley } from '#test/api/harness.ts'
import { openParley } from '#test/api/open-parley.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { done } from '#test/fixture/agent-bot.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { closeWindows, count, eventually, focused, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { ChatWindow } from './chat-window.ts'
import { violations } from './violations.ts'

const AGENT = ['showdesk', 'answerconversation', 'takeoverconversation', 'readbot']

inBrowser('a shift at the desk', { timeout: LONG }, () => {
  let parley: Parley
  let admin: Client
  let browser: Browser
  let visitor: ChatWindow
  let camila: Page
  let diego: Page
  let root: string
  const agent = async (username: string, actions: readonly string[]) =>
    (await person(parley, admin, { username, level: root, actions })).id
  const windowOf = (username: string, more = {}) =>
    openWindow(browser, parley, { username, password: `${PASSWORD}x`, width: 1440, height: 900, ...more })
  const row = (page: Page, group: string) => page.getByRole('region', { name: group }).getByRole('listitem')
  const chat = (page: Page) => page.getByRole('region', { name: 'Chat' })
  const write = async (page: Page, text: string) => {
    await chat(page).getByRole('textbox').fill(text)
    await page.keyboard.press('Enter')
  }

  beforeAll(async () => {
    parley = await openParley({ env: { PARLEY_SAMPLE: 'off' } })
    admin = await parley.signIn()
    root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
    const made = await makeDeskBot(admin)
    const members = [
      { user: await agent('camila', AGENT) },
      { user: await agent('diego', [...AGENT, 'superviseconversation']) },
    ]
    await done(
      admin.post('/deskqueue', {
        name: 'Pedidos',
        mode: 'manual',
        members,
        close_reasons: [{ key: 'resolvido', name: 'Resolvido' }],
        reason_required: true,
      }),
    )
    await done(
      admin.post('/cannedanswer', { shortcut: 'reenvio', text: 'O pedido {field.pedido} sai hoje por expresso.' }),
    )
    browser = await openBrowser()
    camila = await windowOf('camila')
    diego = await windowOf('diego')
    await Promise.all([visit(camila, '/botadmin/desk'), visit(diego, '/botadmin/desk')])
    visitor = await ChatWindow.open(browser, parley.origin, made.web, { width: 390, dark: false })
  }, LONG)
  afterAll(async () => {
    await closeWindows()
    await discard(parley)
  })

  test('shows a visitor who asks for a person as waiting, in the list and in the drawer [P-2365]', async () => {
    await camila.getByText('No open chat').waitFor()
    await visitor.exchange({ write: 'CL204518', told: 'Você é o 1º da fila' })
    await row(camila, 'Waiting').getByText('CL204518').waitFor()
    await row(diego, 'Waiting').getByText('CL204518').waitFor()
    await camila.getByRole('link', { name: 'Desk 1' }).waitFor()
    expect(await violations(camila)).toEqual([])
  })

  test('gives the chat to who takes it and shows its holder to the others [P-2366]', async () => {
    await row(camila, 'Waiting').getByRole('button', { name: /^Take/u }).click()
    await chat(camila).getByText('with you').first().waitFor()
    await row(camila, 'Mine').getByText('CL204518').waitFor()
    await row(diego, 'With colleagues').getByText('with camila').waitFor({ state: 'attached' })
    await row(diego, 'With colleagues').getByRole('link').click()
    await chat(diego).getByText('You are only looking. They do not know.').waitFor()
    await count(chat(diego).getByRole('button', { name: 'Transfer' }), 0)
    await visitor.told('camila entrou na conversa.').waitFor()
    await count(row(camila, 'Waiting'), 0)
  })

  test('answers with a canned answer whose values are filled in [P-2367]', async () => {
    await chat(camila).getByRole('textbox').fill('/ree')
    await camila.getByRole('option', { name: /reenvio/u }).waitFor()
    await camila.keyboard.press('Enter')
    await eventually(() => chat(camila).getByRole('textbox').inputValue()).toBe(
      'O pedido CL204518 sai hoje por expresso.',
    )
    await camila.keyboard.press('Enter')
    await visitor.page.locator('.turn.agent, .agent .say', { hasText: 'O pedido CL204518 sai hoje' }).first().waitFor()
    await eventually(() => chat(camila).getByRole('textbox').inputValue()).toBe('')
    await chat(diego).getByText('O pedido CL204518 sai hoje por expresso.').waitFor()
  })

  test('keeps an unsent answer over a reload [P-2368]', async () => {
    await chat(camila).getByRole('textbox').fill('Qual é o endereço')
    await eventually(() =>
      camila.evaluate(
        () =>
          new Promise<number>(resolve => {
            const opened = indexedDB.open('parley-answer', 1)
            opened.onsuccess = () => {
              const asked = opened.result.transaction('draft').objectStore('draft').count()
              asked.onsuccess = () => resolve(asked.result)
              opened.result.close()
            }
          }),
      ),
    ).toBe(1)
    await camila.reload()
    await eventually(() => chat(camila).getByRole('textbox').inputValue()).toBe('Qual é o endereço')
    await write(camila, 'Qual é o endereço?')
    await visitor.page.getByText('Qual é o endereço?').waitFor()
  })

  test('shows notes to the team and never to the visitor [P-2369]', async () => {
    await camila.keyboard.press('Escape')
    await camila.keyboard.press('n')
    await focused(camila.getByRole('textbox', { name: /^Note about/u }))
    await camila.keyboard.type('Cliente antigo')
    await camila.keyboard.press('Enter')
    await chat(camila).getByText('internal note · only the team sees it').waitFor()
    await chat(diego).getByText('Cliente antigo').waitFor()
    await visitor.page.getByRole('textbox').fill('Rua Augusta, 1200')
    await visitor.page.keyboard.press('Enter')
    await chat(camila).getByRole('log').getByText('Rua Augusta, 1200').waitFor()
    expect(await visitor.page.locator('body').innerText()).not.toContain('Cliente antigo')
    expect(await violations(camila)).toEqual([])
  })

  test('transfers the chat to a colleague with a note for them [P-2370]', async () => {
    await camila.getByRole('heading', { name: 'Desk', level: 1 }).click()
    await camila.keyboard.press('t')
    const panel = camila.getByRole('dialog', { name: /^Transfer/u })
    await panel.getByRole('radio', { name: /diego/u }).check()
    await panel.getByLabel('Note for the team').fill('Confirme o endereço')
    await panel.getByRole('button', { name: 'Transfer' }).click()
    await row(diego, 'Mine').getByText('Rua Augusta, 1200').waitFor()
    await chat(diego).getByText('Confirme o endereço').waitFor()
    await chat(diego)
      .getByRole('textbox', { name: /^Answer to/u })
      .waitFor()
    await row(camila, 'Mine').waitFor({ state: 'detached' })
  })

  test('closes the chat for a reason, and the bot goes on with the visitor [P-2371]', async () => {
    await chat(diego).getByRole('button', { name: 'Close' }).click()
    const panel = diego.getByRole('dialog', { name: /^Close/u })
    expect(await panel.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await panel.getByLabel('Subject').selectOption({ label: 'Resolvido' })
    await panel.getByRole('button', { name: 'Close' }).click()
    await visitor.told('De volta: closed').waitFor()
    await row(diego, 'Mine').waitFor({ state: 'detached' })
  })
})
