import { expect, test } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { nluProjectOf } from '#test/api/nlu-project.ts'
import { openChat } from '#test/api/open-chat.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

const LINES = {
  boleto: ['quero a segunda via do boleto', 'preciso do boleto', 'onde está meu boleto', 'segunda via por favor'],
  atendente: ['falar com um atendente', 'quero uma pessoa', 'me passa para um humano', 'preciso do boleto já'],
  agencia: ['onde fica a agência', 'agência mais perto', 'endereço da agência', 'que horas abre a agência'],
}

inBrowser('training of an NLU project', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const project = await nluProjectOf(admin, 'Banco', LINES)

  const linesOf = async (name: string): Promise<readonly string[]> => {
    const { items } = (await admin.get(`/intent?nluproject=${project}`)).body
    const statements = items.find(intent => intent.name === name)?.statements as readonly { text: string }[]
    return statements.map(({ text }) => text)
  }
  const tab = (name: string) => page.getByRole('navigation', { name: 'NLU project' }).getByRole('link', { name })

  test('makes a model whose figures say how good it is, and which is put into production [C-4.08] [N-5.14] [N-5.15]', async () => {
    await visit(page, `/botadmin/nluproject/${project}`)
    await tab('Training').click()
    await page.getByText('No model yet').waitFor()
    await page.getByRole('button', { name: 'Train', exact: true }).click()
    await page.getByRole('heading', { name: 'Model no. 1' }).waitFor()
    await page.getByText('tried on 12 lines that it had not seen').waitFor()
    await page.getByRole('button', { name: 'Put into production' }).click()
    await page.getByRole('dialog').getByText('No other model is there').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Put no. 1 into production' }).click()
    await page.getByText('Model no. 1 in production').waitFor()
  })

  test('lists what the model got wrong and which lines are alike: moved, or marked as done and back [N-5.15] [P-920]', async () => {
    await page
      .getByRole('button', { name: /line.* taken for/ })
      .first()
      .click()
    const list = page.getByRole('region', { name: 'To look at' })
    await list.getByRole('button', { name: /^Delete .+ → / }).click()
    await list.getByRole('button', { name: 'Alike 1' }).click()
    const row = list.getByRole('listitem').first()
    await row.getByRole('button', { name: 'Done', exact: true }).click()
    await list.getByRole('button', { name: 'Alike 0' }).waitFor()
    await list.getByRole('button', { name: /^Done [1-9]/ }).click()
    await row.getByRole('button', { name: 'Not done' }).click()
    await list.getByRole('button', { name: 'Alike 1' }).click()
    await row.getByRole('button', { name: 'Move to boleto' }).click()
    await eventually(() => linesOf('boleto')).toContain('preciso do boleto já')
    await eventually(() => linesOf('atendente')).not.toContain('preciso do boleto já')
    await page.getByText('1 line not trained yet').waitFor()
  })

  test('trains beside the intents that changed; compares the next model with the one in production line by line [N-5.15] [P-922] [P-2094]', async () => {
    await tab('Intents').click()
    await page.getByText('1 line not trained yet').waitFor()
    await page.getByRole('button', { name: 'Train', exact: true }).click()
    await count(page.getByRole('button', { name: 'Train', exact: true }), 0)
    await tab('Training').click()
    await page.getByRole('heading', { name: 'Model no. 2' }).waitFor()
    await page.getByRole('button', { name: 'Put into production' }).click()
    const dialog = page.getByRole('dialog', { name: 'No. 2 against no. 1' })
    await dialog.getByText('11 lines that both were tried on').waitFor()
    const lines = 'intent,text\nboleto,preciso do boleto já\nagencia,onde fica a agência\n'
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'frases.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })
    await dialog.getByText('2 lines of frases.csv').waitFor()
    const bot = (await admin.post('/bot', { name: 'Bia', nluenabled: true, nluproject: project })).body.id
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    await dialog.getByRole('button', { name: 'Put no. 2 into production' }).click()
    const told = page.getByRole('status').filter({ hasText: 'all bot instances also got refreshed real time' })
    await told.getByText('Model no. 2 in production').waitFor()
    await told.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Model no. 2 in production').waitFor()
    await page.getByRole('region', { name: 'Models' }).getByRole('button', { name: 'More for model no. 1' }).click()
    await page.getByRole('menuitem', { name: 'Set for test' }).click()
    await eventually(async () => (await admin.get(`/nluproject/${project}`)).body.models).toMatchObject([
      { number: 2, production: true, test: false },
      { number: 1, production: false, test: true },
    ])
  })

  test('has a page that tries a line on two models and adds it to an intent [C-2.75]', async () => {
    await tab('Test').click()
    await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/nluproject/testnlu/${project}`)
    // The address changes before the page does, and the page before has such a box as well.
    await tab('Test').and(page.locator('[aria-current=page]')).waitFor()
    await page.getByRole('textbox', { name: 'Try a line' }).fill('onde fica a agência central')
    for (const model of ['no. 1 · Test', 'no. 2 · Production']) {
      const answer = page.getByRole('region', { name: model })
      await answer.getByText('agencia').first().waitFor()
      await answer.getByText('Ranking').waitFor()
    }
    await page.getByRole('button', { name: 'Add the line' }).click()
    await page.getByText('It is a line of this intent').waitFor()
    expect(await linesOf('agencia')).toContain('onde fica a agência central')
    await page.getByRole('link', { name: 'Open' }).click()
    await page.locator('[aria-current=true]').getByText('onde fica a agência central').waitFor()
    await visit(page, '/botadmin/nluproject/testnlu')
    await eventually(() => new URL(page.url()).pathname).toBe('/botadmin/nluproject/search')
  })

  test('lists what people said that nobody understood: labelled, dismissed, each taken back, read again after an error [P-974] [P-976] [P-1088]', async () => {
    const options = [{ label: 'Um' }, { label: 'Dois' }]
    const asks = { varname: 'x', data: { type: 'choice', text: 'Qual?', options } }
    const { bot, channel } = await makeChatBot(admin, { name: 'Lia', nluenabled: true, nluproject: project }, asks)
    await visit(page, `/botadmin/nluproject/${project}`)
    await tab('Not understood').click()
    await page.getByText('Nothing to label').waitFor()
    const conversation = await openChat(parley.origin, channel, ['xyz kkk', 'XYZ kkk', 'www zzz'])
    await page.route(/\/unrecognized$/, route => route.abort())
    await page.reload()
    await page.getByRole('alert').waitFor()
    await page.unroute(/\/unrecognized$/)
    await page.getByRole('button', { name: 'Try again' }).click()

    const rows = page.getByRole('region', { name: 'What was not understood' }).getByRole('listitem')
    await count(rows, 2)
    const often = rows.filter({ hasText: 'XYZ kkk' })
    await often.getByText('Said 2 times').waitFor()
    await often.getByText('Lia').waitFor()
    const link = often.getByRole('link', { name: 'Open the conversation: XYZ kkk' })
    expect(await link.getAttribute('href')).toBe(`/botadmin/bot/conversation/${bot}?open=${conversation}`)
    await page.getByRole('button', { name: 'Most frequent' }).click()
    await eventually(() => rows.first().innerText()).toContain('XYZ kkk')
    expect(await violations(page)).toEqual([])

    await rows.getByRole('button', { name: 'Dismiss: www zzz' }).click()
    await page.getByText('“www zzz” is dismissed').waitFor()
    await count(rows, 1)
    const parts = page.getByRole('region', { name: 'What was not understood' })
    await parts.getByRole('button', { name: 'Dismissed 1' }).click()
    await rows.getByRole('button', { name: 'Bring back: www zzz' }).click()
    await parts.getByText('Nothing is dismissed').waitFor()
    await parts.getByRole('button', { name: 'To label 2' }).click()
    await count(rows, 2)

    const label = async () => {
      await often.getByRole('combobox', { name: 'Intent of “XYZ kkk”' }).selectOption({ label: 'atendente' })
      await often.getByRole('button', { name: 'Add as statement' }).click()
      await count(rows, 1)
      expect(await linesOf('atendente')).toContain('XYZ kkk')
    }
    await label()
    await page.getByText('“XYZ kkk” is now a statement of atendente').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await count(rows, 2)
    expect(await linesOf('atendente')).not.toContain('XYZ kkk')
    await label()
  })

  test('shows no tab of what was not understood to those who may not read conversations [P-975]', async () => {
    const level = String((await admin.get(`/nluproject/${project}`)).body.hierarchylevel)
    const actions = ['readnluproject', 'readintent', 'readbot']
    await person(parley, admin, { username: 'leo', level, actions })
    const own = await openWindow(browser, parley, { username: 'leo', password: `${PASSWORD}x` })
    await visit(own, `/botadmin/nluproject/training/${project}`)
    const tabs = own.getByRole('navigation', { name: 'NLU project' })
    await tabs.getByRole('link', { name: 'Training' }).waitFor()
    await count(tabs.getByRole('link', { name: 'Not understood' }), 0)
    await visit(own, `/botadmin/nluproject/unrecognized/${project}`)
    await own.getByRole('heading', { level: 1, name: 'You are not authorized!!!' }).waitFor()
    await own.context().close()
  })

  test('saved settings say whether running bots follow, in the words of the specification [D-8.04] [P-978]', async () => {
    const service = { authurl: 'https://nlu.example/token', parseurl: 'https://nlu.example/parse', clientsecret: 'x' }
    const model = { project: 'saude', model: 'm1', timeout: 3000, minscore: 40 }
    expect((await admin.patch('/nlusettings/nlusettings', { ...service, ...model }, 0)).status).toBe(200)
    await visit(page, '/botadmin/nlusettings/nlusettings')
    const save = async (name: string) => {
      await page.getByRole('textbox', { name: 'Project' }).fill(name)
      await page.getByRole('button', { name: /^Save/u }).click()
    }
    await save('banco')
    const saved = page.getByRole('status').filter({ hasText: 'nlu settings saved' })
    await saved.getByText('all bot instances also got refreshed real time').waitFor()
    const answers = [
      [{ running: 2, updated: 1, heard: true }, 'bots are partially updated'],
      [
        { running: 2, updated: 0, heard: true },
        'could not update bots realtime please make a restart of bots to reflect the changes',
      ],
    ] as const
    for (const [at, [json, sentence]] of answers.entries()) {
      await page.route('**/nlusettings/*/running', route => route.fulfill({ json }))
      await save(`banco ${at}`)
      await page.getByText(sentence, { exact: true }).waitFor()
    }
    await page.route('**/api/nlusettings/nlusettings', route =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await save('banco 2')
    await page.getByText('could not save nlu settings').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Project' }).inputValue()).toBe('banco 2')
  })

  test('says why no training begins: another one runs, or too many wait [C-8.19] [C-8.20]', async () => {
    await visit(page, `/botadmin/nluproject/${project}`)
    await tab('Training').click()
    const train = page.getByRole('button', { name: 'Train', exact: true })
    const refusals = [
      [409, 'nlu.training', 'Training initiated by another user please wait'],
      [503, 'nlu.busy', 'Can not send training request for now, try later'],
    ] as const
    for (const [status, code, detail] of refusals) {
      await page.route('**/nluproject/*/train', route =>
        route.fulfill({ status, contentType: 'application/problem+json', json: { status, code, detail } }),
      )
      await train.click()
      await page.getByText(detail).first().waitFor()
      await page.unroute('**/nluproject/*/train')
    }
  })
})
