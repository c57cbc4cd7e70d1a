import { afterAll, expect, test } from 'vitest'
import { nluProjectOf } from '#test/api/nlu-project.ts'
import { RASA_TOKEN, startRasaServer } from '#test/doubles/ml/rasa-server.ts'
import { CLIENT_SECRET, REMOTE_PROJECT, startRemoteServer } from '#test/doubles/ml/remote-server.ts'
import { eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

/** Fields that the form of each system shows. */
const SHOWN = {
  rasa: ['url', 'channel_password', 'webhook', 'channel_verify_token', 'custom_action_endpoint', 'model_server'],
  dialogflow: [
    'channel_id',
    'extradetails',
    'channel_authentication_details',
    'channel_password',
    'webhook',
    'channel_verify_token',
  ],
  watson: [
    'url',
    'channel_id',
    'extradetails',
    'channel_authentication_details',
    'channel_password',
    'webhook',
    'channel_verify_token',
  ],
  langflow: ['url', 'channel_id', 'extradetails', 'channel_password', 'tweaks'],
} as const
const ALL = [...new Set(Object.values(SHOWN).flat())]
/** Read-only fields are absent when a channel is created. */
const isAsked = (field: string) => field !== 'webhook'

inBrowser('outside systems of NLU', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
  const rasa = await startRasaServer()
  const bot = (await admin.post('/bot', { name: 'Boletos' })).body.id
  afterAll(() => rasa.close())

  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const shown = async (names: readonly string[]) => {
    const found: string[] = []
    for (const name of names) if (await field(name).isVisible()) found.push(name)
    return found
  }

  test('a new ML channel asks for what its system needs, and for nothing of the others [D-3.3.02] [D-3.3.03] [D-3.3.05] [P-1091]', async () => {
    await visit(page, `/botadmin/mlchannel/new?pid=${bot}`)
    for (const type of ['rasa', 'dialogflow', 'watson', 'langflow'] as const) {
      await field('type').locator('select').selectOption(type)
      const asked = ALL.filter(isAsked)
      await eventually(() => shown(asked)).toEqual(
        asked.filter(name => (SHOWN[type] as readonly string[]).includes(name)),
      )
    }
    expect(await violations(page)).toEqual([])
  })

  test('its connection test says part by part what works; its secrets are never shown again [D-3.3.01] [P-944] [P-1091]', async () => {
    await field('type').locator('select').selectOption('rasa')
    await field('url').locator('input').fill(rasa.url)
    await field('channel_password').locator('input').fill(RASA_TOKEN)
    await field('custom_action_endpoint').locator('input').fill(`${rasa.url}/webhook`)
    await page.getByRole('button', { name: /^Create/u }).click()
    await eventually(() => new URL(page.url()).pathname).toMatch(/\/mlchannel\/[\da-f-]{36}$/u)
    const test = page.getByRole('button', { name: 'Test connection' })
    await test.click()
    const findings = page.getByRole('status').filter({ hasText: 'The system answers' })
    await findings.getByText('System: 3.6.20').waitFor()
    await findings.getByText('Understanding: models/20261101.tar.gz').waitFor()
    await findings.getByText('Action server: works').waitFor()
    expect(await page.content()).not.toContain(RASA_TOKEN)

    rasa.fault = 'html'
    await test.click()
    const failed = page.getByRole('alert').filter({ hasText: 'The connection does not work' })
    await failed.getByText('System: The system answers in another form').waitFor()
    rasa.fault = undefined
    await page.reload()
    await test.waitFor()
    expect(await field('channel_password').innerHTML()).not.toContain(RASA_TOKEN)
    await field('webhook')
      .getByText(/\/ml\/[\da-f-]{36}\/webhook/u)
      .first()
      .waitFor()
  })

  test('the NLU settings say who asks their service, and test it [N-5.16] [P-1084]', async () => {
    const remote = await startRemoteServer()
    const service = { authurl: `${remote.url}/token`, parseurl: `${remote.url}/parse`, clientsecret: CLIENT_SECRET }
    const model = { project: REMOTE_PROJECT, model: 'm1', timeout: 3000, minscore: 40 }
    expect((await admin.patch('/nlusettings/nlusettings', { ...service, ...model }, 0)).status).toBe(200)
    await visit(page, '/botadmin/nlu/search')
    await page
      .getByRole('main')
      .getByRole('link', { name: /NLU Settings/iu })
      .click()
    await page.getByText('Bots ask it whose NLU system is “remote”').waitFor()
    await page.getByRole('button', { name: 'Test connection' }).click()
    const findings = page.getByRole('status').filter({ hasText: 'The service answers' })
    await findings.getByText('Understanding: saude · m1').waitFor()
    remote.fault = 500
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByRole('alert').getByText('Understanding: ').waitFor()
    expect(await page.content()).not.toContain(CLIENT_SECRET)
    await remote.close()
  })

  test('a story is checked while it is written [N-5.13] [P-1086]', async () => {
    const nluproject = await nluProjectOf(admin, 'Histórias', { saldo: ['meu saldo', 'quero o saldo'] })
    const steps = [
      { kind: 'intent', name: 'saldo' },
      { kind: 'action', name: 'Ver saldo' },
    ]
    const first = (await admin.post('/story', { nluproject, name: 'primeira', steps })).body.id
    const second = (await admin.post('/story', { nluproject, name: 'segunda', steps: [...steps, steps[0]] })).body.id
    await visit(page, `/botadmin/story/${second}`)
    const check = page.getByRole('region', { name: 'Check' })
    await check.getByText('All names are there').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).nth(2).fill('Outra coisa')
    await check.getByText('It contradicts primeira').waitFor()
    expect(await check.getByRole('link', { name: 'Open primeira' }).getAttribute('href')).toBe(
      `/botadmin/story/${first}`,
    )
    await page.getByRole('textbox', { name: 'Name' }).nth(1).fill('inexistente')
    await check.getByText('the project has no intent inexistente').waitFor()
    expect(await violations(page)).toEqual([])
  })
})
