import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { done } from '#test/fixture/agent-bot.ts'
import { makeDeskBot } from '#test/fixture/desk-bot.ts'
import { count, eventually, fitsWithin, focused, holdBack, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { ChatWindow } from './chat-window.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

const AGENT = ['showdesk', 'answerconversation', 'takeoverconversation', 'readbot']

inBrowser('a shift at the desk', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld({ limits: { deskCountsMs: 1_000 } })
  const agent = async (username: string, actions: readonly string[]) =>
    (await person(parley, admin, { username, level: root, actions })).id
  const windowOf = (username: string, more = {}) =>
    openWindow(browser, parley, { username, password: `${PASSWORD}x`, width: 1440, height: 900, ...more })
  const row = (page: Page, group: string) => page.getByRole('region', { name: group }).getByRole('listitem')
  const chat = (page: Page) => page.getByRole('region', { name: 'Chat' })
  const log = (page: Page) => chat(page).getByRole('log')
  const answer = (page: Page) => chat(page).getByLabel(/^Answer to/u)
  const saidByAgent = (hasText: string) => visitor.page.locator('.agent .say', { hasText }).first()
  /** Number of unsent answers in this browser. */
  const storedDrafts = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<number>(resolve => {
          const opened = indexedDB.open('parley-answer', 1)
          opened.onsuccess = () => {
            const asked = opened.result.transaction('draft').objectStore('draft').count()
            asked.onsuccess = () => resolve(asked.result)
            opened.result.close()
          }
        }),
    )

  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const made = await makeDeskBot(admin)
  const bot = made.bot
  const web = made.web
  const members = [
    { user: await agent('camila', AGENT) },
    { user: await agent('diego', [...AGENT, 'superviseconversation']) },
  ]
  const queue = await done(
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
  const camila = await windowOf('camila')
  const diego = await windowOf('diego')
  await Promise.all([visit(camila, '/botadmin/desk'), visit(diego, '/botadmin/desk')])
  const visitor = await ChatWindow.open(browser, parley.origin, web, { width: 390, dark: false })

  test('shows a visitor who asks for a person as waiting, in the list, in the drawer and with the place in the chat [P-2365] [P-2382]', async () => {
    await camila.getByText('No open chat').waitFor()
    await visitor.exchange({ write: 'CL204518', told: 'Você é o 1º da fila' })
    await visitor.page.locator('.head .titles p', { hasText: /^1º da fila/u }).waitFor()
    expect(await visitor.page.getByText(/Aguarde/u).count()).toBe(0)
    await row(camila, 'Waiting')
      .getByText(/^Visitor [0-9A-F]{4}$/u)
      .waitFor()
    await row(camila, 'Waiting').getByText('CL204518').waitFor()
    await row(diego, 'Waiting')
      .getByText(/^Visitor/u)
      .waitFor()
    await camila
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name: /^Desk\s*1$/u })
      .waitFor()
    expect(await violations(camila)).toEqual([])
  })

  test('gives the chat to who takes it, and shows its holder and who looks at it to the others [P-2366] [P-2156]', async () => {
    await camila.getByRole('button', { name: 'Become available' }).click()
    await camila.getByRole('button', { name: 'Your state: Available' }).waitFor()
    const load = await holdBack(camila, /\/tool-text-en/u)
    await row(camila, 'Waiting').getByRole('button', { name: /^Take/u }).click()
    await camila.locator('[aria-busy=true]').first().waitFor()
    expect(await camila.getByRole('heading', { name: 'Desk', level: 1 }).isVisible()).toBe(true)
    load()
    await focused(answer(camila))
    await chat(camila)
      .getByText(/with you$/u)
      .waitFor()
    await row(camila, 'Mine')
      .getByText(/^Visitor/u)
      .waitFor()
    await count(row(camila, 'Waiting'), 0)
    const held = row(diego, 'With colleagues')
    await held.getByText('with camila').waitFor({ state: 'attached' })
    await held.getByRole('link').click()
    await chat(diego).getByText('You are only looking. They do not know.').waitFor()
    await count(chat(diego).getByRole('button', { name: 'Transfer' }), 0)
    await chat(camila).getByText('diego is looking at this chat').waitFor()
    await visitor.page.getByText('camila entrou na conversa').first().waitFor()
  })

  test('answers with a canned answer whose values are filled in [P-2367]', async () => {
    await answer(camila).fill('/ree')
    await camila.getByRole('option', { name: /reenvio/u }).waitFor()
    await camila.keyboard.press('Enter')
    await eventually(() => answer(camila).inputValue()).toBe('O pedido CL204518 sai hoje por expresso.')
    await camila.keyboard.press('Enter')
    await saidByAgent('O pedido CL204518 sai hoje por expresso.').waitFor()
    await eventually(() => answer(camila).inputValue()).toBe('')
    await log(diego).getByText('O pedido CL204518 sai hoje por expresso.').waitFor()
  })

  test('keeps what could not be sent, and shows it in the list and as what it is [P-2157]', async () => {
    const isLeft = () => camila.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
    await camila.route(/\/(?:messages|note)$/u, route => route.abort())
    await answer(camila).fill('Chega na sexta')
    await camila.keyboard.press('Enter')
    await row(camila, 'Mine').getByText('Not sent: Chega na sexta').waitFor()
    expect(await isLeft()).toBe(false)
    expect(await violations(camila)).toEqual([])
    await chat(camila).getByRole('button', { name: 'Internal note' }).click()
    await camila.keyboard.type('Mora no centro')
    await camila.keyboard.press('Enter')
    await log(camila).getByText('internal note · only the team sees it').waitFor()
    await count(log(camila).getByRole('button', { name: 'Try again' }), 2)
    await camila.unroute(/\/(?:messages|note)$/u)
    await log(camila).getByRole('button', { name: 'Discard the message' }).last().click()
    await log(camila).getByRole('button', { name: 'Try again' }).click()
    await saidByAgent('Chega na sexta').waitFor()
    await count(row(camila, 'Mine').getByText(/^Not sent/u), 0)
    await eventually(isLeft).toBe(true)
    await chat(camila).getByRole('button', { name: 'Answer', exact: true }).click()
  })

  test('keeps an unsent answer over a reload, and puts an emoji where the caret is [P-2368] [P-2663] [P-2669]', async () => {
    await answer(camila).fill('Qual é o endereço')
    await chat(diego).getByText('camila is answering').waitFor()
    await visitor.page.locator('.turn.agent .typing[aria-label*="camila"]').waitFor()
    await camila.getByRole('heading', { name: 'Desk', level: 1 }).click()
    await eventually(() => storedDrafts(camila)).toBe(1)
    await camila.reload()
    await eventually(() => answer(camila).inputValue()).toBe('Qual é o endereço')
    await answer(camila).fill('Qual é o endereço?')
    await chat(camila).getByRole('button', { name: 'Emoji' }).click()
    const search = camila.getByRole('combobox', { name: 'Search emoji' })
    await search.fill('heart blue')
    await camila.getByRole('option', { name: 'blue heart' }).waitFor()
    expect(await violations(camila)).toEqual([])
    await search.press('Enter')
    await focused(answer(camila))
    await eventually(() => answer(camila).inputValue()).toBe('Qual é o endereço?💙')
    await camila.keyboard.press('Backspace')
    await camila.keyboard.press('Enter')
    await saidByAgent('Qual é o endereço?').waitFor()
    await eventually(() => storedDrafts(camila)).toBe(0)
  })

  test('shows notes to the team and never to the visitor, and completes the names of colleagues [P-2369] [P-2664]', async () => {
    await camila.keyboard.press('Escape')
    await camila.keyboard.press('n')
    await focused(camila.getByRole('textbox', { name: /^Note about/u }))
    await camila.keyboard.type('Cliente antigo, veja @di')
    await camila.getByRole('listbox', { name: 'Colleagues' }).getByRole('option', { name: /diego/u }).waitFor()
    await camila.keyboard.press('Enter')
    const note = camila.getByRole('textbox', { name: /^Note about/u })
    await eventually(() => note.inputValue()).toBe('Cliente antigo, veja @diego ')
    await camila.keyboard.press('Enter')
    await log(camila).getByText('internal note · only the team sees it').waitFor()
    await log(diego).getByText('Cliente antigo').waitFor()
    await visitor.page.getByRole('textbox').pressSequentially('Rua Augusta, 1200')
    await chat(camila)
      .getByText(/^Visitor .* is typing$/u)
      .waitFor()
    await visitor.page.keyboard.press('Enter')
    await log(camila).getByText('Rua Augusta, 1200').waitFor()
    await row(camila, 'Mine').getByText('Rua Augusta, 1200').waitFor()
    expect(await visitor.page.locator('parley-chat').innerText()).not.toContain('Cliente antigo')
    expect(await violations(camila)).toEqual([])
  })

  test('names who asked to see the chat, between its messages [P-2986]', async () => {
    const conversation = new URL(camila.url()).searchParams.get('open')
    expect((await admin.post(`/conversation/${conversation}/reveal`, { reason: 'Reclamação' })).status).toBe(200)
    const line = (page: Page) => log(page).locator('.cv-line', { hasText: /asked to see this chat · \d\d:\d\d/u })
    await line(camila).waitFor()
    await line(diego).waitFor()
    expect(await violations(camila)).toEqual([])
  })

  test('transfers the chat to a colleague, of whose state it warns, with a note for them [P-2370] [P-2667]', async () => {
    await camila.getByRole('heading', { name: 'Desk', level: 1 }).click()
    await camila.keyboard.press('t')
    const panel = camila.getByRole('dialog', { name: /^Transfer/u })
    await panel.getByRole('radio', { name: /Pedidos.*1 available$/u }).check()
    expect(await panel.getByRole('status').innerText()).toBe('')
    await panel.getByRole('radio', { name: /diego/u }).check()
    expect(await panel.getByRole('status').innerText()).toMatch(
      /^diego is off\. Visitor \w{4} waits until they are back\.$/u,
    )
    expect(await violations(camila)).toEqual([])
    await panel.getByLabel('Note for the team').fill('Confirme o endereço')
    await panel.getByRole('button', { name: 'Transfer' }).click()
    await row(diego, 'Mine')
      .getByText(/^Visitor/u)
      .waitFor()
    await log(diego).getByText('Confirme o endereço').waitFor()
    await answer(diego).waitFor()
    await count(row(camila, 'Mine'), 0)
  })

  test('shows one pane at a time on a phone, with the acts of the chat above the field [P-2372]', async () => {
    await diego.setViewportSize({ width: 390, height: 844 })
    await chat(diego).getByRole('button', { name: 'To the bot' }).waitFor()
    await count(diego.getByRole('region', { name: 'Mine' }), 0)
    await fitsWithin(diego, 390)
    expect(await violations(diego)).toEqual([])
    await chat(diego).getByRole('button', { name: 'About the person' }).click()
    await diego.getByRole('dialog').getByText('CL204518').waitFor()
    await diego.keyboard.press('Escape')
    await chat(diego).getByRole('button', { name: 'All chats' }).click()
    await row(diego, 'Mine').getByRole('link').click()
    await answer(diego).waitFor()
  })

  test('closes the chat for a reason, which can be undone first, and returns the visitor to the bot [P-2371] [P-2661] [P-2662]', async () => {
    await chat(diego).getByRole('button', { name: 'Close' }).click()
    const panel = diego.getByRole('dialog', { name: /^Close/u })
    expect(await panel.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await panel.getByLabel('Subject').selectOption({ label: 'Resolvido' })
    await panel.getByRole('button', { name: 'Close' }).click()
    const undo = chat(diego).getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await count(answer(diego), 0)
    await focused(undo)
    await diego.keyboard.press('Enter')
    await answer(diego).waitFor()
    const conversation = new URL(diego.url()).searchParams.get('open')
    expect((await admin.get(`/desk/chat/${conversation}`)).body).toMatchObject({ status: 'held' })
    await chat(diego).getByRole('button', { name: 'Close' }).click()
    await panel.getByLabel('Subject').selectOption({ label: 'Resolvido' })
    await panel.getByRole('button', { name: 'Close' }).click()
    await undo.waitFor()
    expect(await visitor.told('De volta: closed').count()).toBe(0)
    // Here nothing depends on the 5 s in which it can be undone.
    expect(await violations(diego)).toEqual([])
    // The page is left before the closing was sent.
    await diego.reload()
    await visitor.told('De volta: closed').waitFor()
    await log(diego)
      .getByText(/^chat closed · Resolvido/u)
      .waitFor()
    await diego.setViewportSize({ width: 1440, height: 900 })
    await count(row(diego, 'Mine'), 0)
  })

  test('shows an auditor the messages of agents and the events of the desk, on the page of the conversation and in its replay [P-2381]', async () => {
    const auditor = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD, width: 1440, height: 900 },
    })
    const [conversation] = (await admin.get(`/conversation?bot=${bot}`)).body.items as never as {
      readonly id: string
    }[]
    const line = (shown: Locator, text: RegExp) => shown.locator('.cv-line', { hasText: text })
    const inOrder = async (shown: Locator) => {
      await line(shown, /^chat closed · Resolvido/u).waitFor()
      const words = await shown.innerText()
      const places = [
        'CL204518',
        'waits in the queue “Pedidos”',
        'Você é o 1º da fila',
        'camila took it',
        'O pedido CL204518 sai hoje por expresso.',
        'Rua Augusta, 1200',
        'transferred to diego',
        'chat closed · Resolvido',
        'De volta: closed',
      ].map(text => words.indexOf(text))
      expect(places).not.toContain(-1)
      expect(places).toEqual(places.toSorted((one, other) => one - other))
      expect(words).not.toContain('Cliente antigo')
    }
    await visit(auditor, `/botadmin/bot/conversation/${bot}?open=${conversation?.id}`)
    await inOrder(auditor.getByRole('region', { name: 'Conversation' }).getByRole('list', { name: 'Turns' }))
    expect(await violations(auditor)).toEqual([])
    await visit(auditor, `/botadmin/designer/conversation/${conversation?.id}`)
    await inOrder(auditor.getByRole('list', { name: 'Turns' }))
    expect(await auditor.locator('.pr-agent-said').count()).toBe(3)
    expect(await auditor.locator('.pr-agent[data-waits]').count()).toBe(1)
  })

  test('takes a conversation over from the bot on its page and returns it to the open question [P-2373]', async () => {
    const other = await ChatWindow.open(browser, parley.origin, web, { width: 390, dark: false })
    await other.told('Qual é o pedido?').waitFor()
    await visit(diego, `/botadmin/bot/conversation/${bot}`)
    const pane = diego.getByRole('region', { name: 'Conversation' })
    await diego
      .getByRole('listitem')
      .filter({ hasText: 'With the bot' })
      .getByRole('link', { name: /Visitor/u })
      .click()
    await pane.getByRole('button', { name: 'Take over' }).click()
    await answer(diego).fill('Assumi a conversa')
    await diego.keyboard.press('Enter')
    await other.page.locator('.agent .say', { hasText: 'Assumi a conversa' }).first().waitFor()
    await chat(diego)
      .getByRole('button', { name: /To the bot|Return to the bot/u })
      .click()
    const panel = diego.getByRole('dialog', { name: /^Where does/u })
    await panel.getByLabel('Subject').selectOption({ label: 'Resolvido' })
    await panel.getByRole('button', { name: 'Return' }).click()
    await chat(diego).getByRole('button', { name: 'Close now' }).click()
    await eventually(() => other.told('Qual é o pedido?').count()).toBe(2)
  })

  test('counts those who wait in the menu of another page, which does not poll [P-2375]', async () => {
    const desk = camila.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /^Desk/u })
    const reads: string[] = []
    camila.on('request', request => {
      if (request.url().endsWith('/desk/summary')) reads.push(request.url())
    })
    const counts = camila
      .waitForEvent('websocket', opened => opened.url().endsWith('/realtime/desk?only=counts'))
      .then(socket => socket.waitForEvent('framereceived'))
    await visit(camila, '/botadmin/bot/search')
    await counts
    await eventually(() => desk.innerText()).toBe('Desk')
    const before = reads.length
    const other = await ChatWindow.open(browser, parley.origin, web, { width: 390, dark: false })
    await other.exchange({ write: 'CL204519', told: 'Você é o 1º da fila' })
    await eventually(() => desk.innerText()).toMatch(/^Desk\s*1$/u)
    expect(reads).toHaveLength(before)
    await other.close()
  })

  test('warns of each chat above the capacity of the agent, and of files beyond ten [P-2050] [P-2058] [P-2059]', async () => {
    const own = await parley.signIn('camila', `${PASSWORD}x`)
    await own.patch('/desk/self', { capacity: 1 }, '*')
    const other = await ChatWindow.open(browser, parley.origin, web, { width: 390, dark: false })
    await other.exchange({ write: 'CL204520', told: 'Você é o 2º da fila' })
    await visit(camila, '/botadmin/desk')
    await camila.getByText('0 of 1').waitFor()
    const take = (words: string) =>
      row(camila, 'Waiting').filter({ hasText: words }).getByRole('button', { name: /^Take/u }).click()
    await take('CL204519')
    await camila.getByText('1 of 1').waitFor()
    await camila.getByText('At your limit').waitFor()
    expect(await camila.getByText(/above your limit/u).count()).toBe(0)
    await take('CL204520')
    await camila.getByText('You have 2 chats now: 1 above your limit.').waitFor()
    await camila.getByText('1 above your limit', { exact: true }).waitFor()
    expect(await violations(camila)).toEqual([])
    await log(camila).getByText('CL204520').waitFor()
    const files = Array.from({ length: 11 }, (_, place) => ({
      ...{ name: `nota ${place}.txt`, mimeType: 'text/plain', buffer: Buffer.from('nota') },
    }))
    await chat(camila).locator('input[type=file]').setInputFiles(files)
    await camila.getByText('A message takes at most 10 files. The others were left out.').waitFor()
    await other.close()
  })

  test('drops the words of a person who is forgotten, and the unsent answer to them [P-2055] [P-2158]', async () => {
    await answer(camila).fill('Rascunho para a pessoa')
    await eventually(() => storedDrafts(camila)).toBe(1)
    const conversation = new URL(camila.url()).searchParams.get('open')
    const forgotten = await admin.post(`/conversation/${conversation}/forget`, { confirm: 'CONFIRM' })
    expect(forgotten.status, forgotten.text).toBe(200)
    await log(camila).getByText('chat ended: the person’s data was erased').waitFor()
    await count(log(camila).getByText('CL204520'), 0)
    await log(camila).getByText('Message erased').first().waitFor()
    await log(camila).getByText('somebody took it').waitFor()
    await chat(camila).getByRole('heading', { name: 'Data erased' }).waitFor()
    expect(await violations(camila)).toEqual([])
    await eventually(() => storedDrafts(camila)).toBe(0)
    await camila.getByText('1 of 1').waitFor()
  })

  test('counts down the time in which a colleague has to open a transferred chat [P-2047] [P-2051] [P-2052]', async () => {
    await row(camila, 'Mine').getByRole('link').click()
    await log(camila).getByText('CL204519').waitFor()
    const at = `/deskqueue/${queue}`
    const { revision } = (await admin.get(at)).body
    expect((await admin.patch(at, { accept_within: 300 }, revision)).status).toBe(200)
    await chat(camila).getByRole('button', { name: 'Transfer' }).click()
    const panel = camila.getByRole('dialog', { name: /^Transfer/u })
    await panel.getByRole('radio', { name: /diego/u }).check()
    await panel.getByText('diego has 5 min to open the chat. Otherwise it goes back to the queue.').waitFor()
    expect(await violations(camila)).toEqual([])
    await panel.getByRole('button', { name: 'Transfer' }).click()
    await visit(diego, '/botadmin/desk')
    const own = row(diego, 'Mine')
    await own.getByText(/^open within [45]:\d\d$/u).waitFor()
    await own.getByRole('link').click()
    await answer(diego).waitFor()
    await count(own.getByText(/^open within/u), 0)
  })

  test('shows a warning about new chats while the connection is closed [P-2057]', async () => {
    await visit(diego, '/botadmin/desk')
    await diego.getByRole('button', { name: 'Become available' }).click()
    await diego.getByRole('button', { name: 'Your state: Available' }).waitFor()
    await diego.clock.install()
    await diego.routeWebSocket(/\/realtime\/desk/u, socket => socket.close())
    await diego.reload()
    await diego.getByRole('button', { name: 'Your state: Available' }).waitFor()
    await count(diego.getByText('No connection to the desk.'), 0)
    await diego.clock.runFor(11_000)
    await diego.getByText('No connection to the desk. New chats go to others until it is back.').waitFor()
    expect(await violations(diego)).toEqual([])
  })

  test('turns the desk on for one more bot with one click [P-2376]', async () => {
    const made: string[] = []
    for (const name of ['Aurora', 'Clara', 'Ventania'])
      made.push(await done(admin.post('/bot', { name, hierarchylevel: root })))
    const [second, third] = made
    const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    const on = async (id = '') => (await admin.get(`/agentchannel?bot=${id}&type=parley`)).body.total
    await visit(page, `/botadmin/bot/agentchannel/${second}`)
    await page.getByRole('button', { name: 'Turn on the desk' }).click()
    await page.getByText('The desk is on for Aurora').waitFor()
    await count(page.getByRole('button', { name: 'Turn on the desk' }), 0)
    await page.getByRole('table').getByRole('link', { name: 'Service' }).waitFor()
    await visit(page, '/botadmin/deskqueue/search')
    const off = page.getByRole('region', { name: 'Bots without the desk' })
    await count(off.getByRole('button'), 2)
    await off.getByRole('button', { name: 'Turn on the desk for Clara' }).click()
    await page.getByText('The desk is on for Clara').waitFor()
    await count(off.getByRole('button'), 1)
    expect([await on(second), await on(third), await on(made[2])]).toEqual([1, 1, 0])
    expect((await admin.get('/deskqueue')).body.total).toBe(1)
    await page.context().close()
  })
})
