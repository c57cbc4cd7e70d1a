import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import { RASA_TOKEN, startRasaServer } from '#test/doubles/ml/rasa-server.ts'
import { personAt } from '#test/fixture/chat-person.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })

const rasa = await startRasaServer()
const bot = (await admin.post('/bot', { name: 'Boletos' })).body.id
afterAll(() => rasa.close())

const made = async (fields: object, of = bot) => {
  const { status, text, body } = await admin.post('/mlchannel', { bot: of, ...fields })
  expect(status, text).toBe(201)
  return body.id
}
const refusedFields = async (fields: object) => {
  const { status, body } = await admin.post('/mlchannel', { bot, ...fields })
  expect(status).toBe(422)
  return body.errors.map(({ path, code }) => `${path} ${code}`)
}
const rasaFields = () => ({ type: 'rasa', url: rasa.url, channel_password: RASA_TOKEN })

interface Tested {
  readonly ok: boolean
  readonly checks: readonly {
    readonly part: string
    readonly ok: boolean
    readonly detail: string
    readonly code?: string
  }[]
}
const tested = async (id: string): Promise<Tested> => {
  const { status, text, body } = await admin.post(`/mlchannel/${id}/test`, {})
  expect(status, text).toBe(200)
  return body as unknown as Tested
}

describe('an ML channel', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = (more: object = {}) =>
    JSON.stringify({
      type: 'service_account',
      client_email: 'bot@example-bot.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: 'http://127.0.0.1/steal',
      ...more,
    })

  test('is of Rasa, with its address, its action server and its model server [D-3.3.01] [D-3.3.02] [D-9.02] [C-2.67] [P-2098]', async () => {
    const id = await made({
      type: 'rasa',
      url: 'http://rasa.example:5005',
      custom_action_endpoint: 'http://actions.example:5055/webhook',
      model_server: 'http://models.example/bot.tar.gz',
    })
    expect((await admin.get(`/mlchannel/${id}`)).body).toMatchObject({
      bot,
      name: 'Rasa',
      enable: true,
      url: 'http://rasa.example:5005',
      custom_action_endpoint: 'http://actions.example:5055/webhook',
      channel_id: null,
      webhook: `/ml/${id}/webhook`,
    })
    await admin.patch(`/mlchannel/${id}`, { name: 'Nosso Rasa' }, 1)
    expect((await admin.patch(`/mlchannel/${id}`, { name: '' }, 2)).status).toBe(200)
    expect((await admin.get(`/mlchannel/${id}`)).body.name).toBe('Rasa')
    const url = 'http://rasa.example:5005'
    expect(await refusedFields({ type: 'rasa', url, channel_id: 'of another type' })).toEqual(['channel_id unknown'])
    expect(await refusedFields({ type: 'rasa' })).toEqual(['url required'])
    expect(await refusedFields({ type: 'rasa', url: 'javascript:alert(1)' })).toEqual(['url format'])
    expect(await refusedFields({ type: 'luis' })).toEqual(['type option'])
  })

  test('is of Dialogflow, with a service account, a project or an agent [D-3.3.03] [D-3.3.04]', async () => {
    const given = { type: 'dialogflow', channel_authentication_details: account() }
    const id = await made({
      ...given,
      channel_id: 'example-bot',
      channel_verify_token: 'planted-verify',
      channel_password: 'planted-password',
    })
    const { body, text } = await admin.get(`/mlchannel/${id}`)
    expect(body).toMatchObject({
      extradetails: 'ES',
      channel_authentication_details: { set: true },
      channel_verify_token: { set: true },
      channel_password: { set: true },
    })
    const history = await admin.get(`/mlchannel/${id}/history`)
    const csv = await admin.get('/mlchannel/export')
    for (const answer of [text, history.text, csv.text]) expect(answer).not.toMatch(/planted|PRIVATE KEY/u)
    const agent = 'projects/example-bot/locations/us-central1/agents/00000000-0000-0000-0000-000000000001'
    await made({ ...given, extradetails: 'CX', channel_id: agent })
    expect(await refusedFields({ ...given, extradetails: 'CX', channel_id: 'example-bot' })).toEqual([
      'channel_id format',
    ])
    expect(await refusedFields({ ...given, extradetails: 'EX', channel_id: 'example-bot' })).toEqual([
      'extradetails format',
    ])
    for (const details of ['abc', '{}', account({ private_key: 'x' })])
      expect(
        await refusedFields({ type: 'dialogflow', channel_id: 'a', channel_authentication_details: details }),
      ).toEqual(['channel_authentication_details format'])
    // The key stays as it is stored while other fields change.
    expect((await admin.patch(`/mlchannel/${id}`, { channel_id: 'other-bot' }, 1)).status).toBe(200)
    expect((await admin.patch(`/mlchannel/${id}`, { channel_authentication_details: 'abc' }, 2)).status).toBe(422)
  })

  test('is of Watson, with an assistant, a key and a version that is a day [D-3.3.05] [D-3.3.06]', async () => {
    const url = 'https://api.us-south.assistant.watson.cloud.ibm.com/instances/1'
    const given = { type: 'watson', url, channel_id: 'a1', channel_authentication_details: 'key' }
    await made({ ...given, extradetails: '2024-08-25' })
    for (const extradetails of ['2024-8-25', '2024-02-31', '25/08/2024', ''])
      expect(await refusedFields({ ...given, extradetails }), extradetails).toEqual(['extradetails format'])
    expect(await refusedFields({ type: 'watson', extradetails: '2024-08-25' })).toEqual([
      'url required',
      'channel_id required',
      'channel_authentication_details required',
    ])
  })

  test('is of Langflow, with a flow and tweaks, and without a webhook [D-3.3.07]', async () => {
    const tweaks = { 'OpenAIModel-1': { temperature: 0 } }
    const id = await made({ type: 'langflow', url: 'https://flow.example', channel_id: 'boletos', tweaks })
    const { body } = await admin.get(`/mlchannel/${id}`)
    expect(body).toMatchObject({ tweaks, webhook: null, enable: true })
    expect(await refusedFields({ type: 'langflow', url: 'https://flow.example', channel_id: '../x' })).toEqual([
      'channel_id format',
    ])
  })
})

describe('the connection test', () => {
  test('tells version and model, and what does not work part by part [P-944]', async () => {
    const id = await made({ ...rasaFields(), custom_action_endpoint: `${rasa.url}/nothing/webhook` })
    expect(await tested(id)).toMatchObject({
      ok: false,
      checks: [
        { part: 'system', ok: true, detail: '3.6.20' },
        { part: 'understanding', ok: true, detail: 'models/20261101.tar.gz' },
        { part: 'actions', ok: false, code: 'ml.unauthorized' },
      ],
    })
    await admin.patch(`/mlchannel/${id}`, { custom_action_endpoint: null, channel_password: 'wr0ng-token' }, 1)
    const wrong = await tested(id)
    expect(wrong.checks[1]).toMatchObject({ ok: false, code: 'ml.unauthorized' })
    expect(JSON.stringify(wrong)).not.toContain('wr0ng-token')
    const gone = await tested(await made({ type: 'rasa', url: 'http://127.0.0.1:9' }))
    expect(gone.checks).toMatchObject([{ part: 'system', ok: false, code: 'outbound.unreachable' }])
  })

  test('is for those who may test, within their levels, and writes nothing [P-944]', async () => {
    const id = await made(rasaFields())
    const home = String((await admin.get(`/mlchannel/${id}`)).body.hierarchylevel)
    const reader = await person(parley, admin, { username: 'reader', level: home, actions: ['readmlchannel'] })
    expect((await reader.client.post(`/mlchannel/${id}/test`, {})).status).toBe(403)
    const elsewhere = await level(admin, 'Outra')
    const outsider = await person(parley, admin, { username: 'outsider', level: elsewhere, actions: ['testmlchannel'] })
    expect((await outsider.client.post(`/mlchannel/${id}/test`, {})).status).toBe(404)
    await tested(id)
    expect((await admin.get(`/mlchannel/${id}`)).body.revision).toBe(1)
    expect((await admin.post('/mlchannel/nothing/test', {})).status).toBe(404)
  })
})

describe('talktomlsystem', () => {
  let dialog: string
  let channel: string
  let ml: string
  let talking: string

  const operator = (type: string, top: number, properties: object = {}) => {
    return { type, title: type, top, left: 0, properties }
  }
  const link = (fromOperator: string, toOperator: string) => {
    return {
      fromOperator,
      fromConnector: 'output_1',
      fromSubConnector: 0,
      toOperator,
      toConnector: 'input_1',
      toSubConnector: 0,
    }
  }

  beforeAll(async () => {
    talking = (await admin.post('/bot', { name: 'Conversa' })).body.id
    ml = await made(rasaFields(), talking)
    const task = (await admin.post('/dialogtask', { name: 'Segunda via', bot: talking })).body.id
    dialog = (await admin.post('/dialog', { name: 'Principal', dialogtask: task })).body.id
    const ask = { mlSystem: 'rasa', input: 'quero o boleto', resultVariable: 'dito' }
    const operators = {
      start: operator('start', 0),
      ask: operator('talktomlsystem', 100, ask),
      told: operator('text', 200, { text: '{{dito.intent}} {{dito.entities[0].value}} {{dito.text[0]}}' }),
      plain: operator('talktomlsystem', 300, { mlSystem: 'rasa', input: 'xyz' }),
    }
    const links = { a: link('start', 'ask'), b: link('ask', 'told'), c: link('told', 'plain') }
    expect((await admin.put(`/dialog/${dialog}/flow`, { operators, links })).status).toBe(200)
    expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
    await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
    await admin.patch(`/bot/${talking}`, { defaultdialogtask: task }, 1)
    channel = (await admin.post('/channel', { bot: talking, type: 'webchat' })).body.id
    expect((await admin.post(`/bot/${talking}/start`)).status).toBe(200)
  }, 60_000)
  beforeEach(() => {
    rasa.fault = undefined
  })

  const LINES = 'Confirma?\n- Sim\n- Nao\n- Ver: https://a.example/'
  const ANSWER = [`second_invoice boleto ${LINES}`, 'Hey Rasa!', 'http://example.com/image.jpg']
  const turnOf = async (id: string) =>
    vi.waitFor(async () => {
      const { turns } = (await admin.get(`/conversation/${id}/replay`)).body as unknown as { turns: ReplayTurn[] }
      expect(turns).toHaveLength(1)
      return turns[0]
    })
  const saidIn = async () => {
    const id = await openChat(parley.origin, channel)
    return { id, said: (await turnOf(id))?.said.map(({ text }) => text) }
  }

  test('asks the enabled channel of the bot under the conversation’s own name, and uses the answer [D-3.12.40] [R-49]', async () => {
    const { id, said } = await saidIn()
    expect(said).toEqual(ANSWER)
    const spoken = rasa.calls.filter(({ path }) => path === '/webhooks/rest/webhook')
    expect(spoken.slice(-2).map(({ body }) => JSON.parse(body))).toMatchObject([
      { sender: id, message: 'quero o boleto', metadata: { locale: 'pt' } },
      { sender: id, message: 'xyz' },
    ])
  })

  test('offers its options as buttons; a press or the title sends what is behind it, and nothing that is typed does [P-2029]', async () => {
    const asking = (await admin.post('/bot', { name: 'Opcoes' })).body.id
    await made(rasaFields(), asking)
    const task = (await admin.post('/dialogtask', { name: 'Conversa', bot: asking })).body.id
    const main = (await admin.post('/dialog', { name: 'Principal', dialogtask: task })).body.id
    const operators = {
      start: operator('start', 0),
      first: operator('talktomlsystem', 100, { mlSystem: 'rasa', input: 'quero o boleto' }),
      wait: operator('prompt', 200, { varname: 'dito', data: { type: 'text', text: '' } }),
      next: operator('talktomlsystem', 300, { mlSystem: 'rasa', input: '{{dito}}' }),
    }
    const links = {
      a: link('start', 'first'),
      b: link('first', 'wait'),
      c: link('wait', 'next'),
      d: link('next', 'wait'),
    }
    expect((await admin.put(`/dialog/${main}/flow`, { operators, links })).status).toBe(200)
    expect((await admin.post(`/dialog/${main}/publish`)).status).toBe(200)
    await admin.patch(`/dialogtask/${task}`, { principaldialog: main }, 1)
    await admin.patch(`/bot/${asking}`, { defaultdialogtask: task }, 1)
    const web = String((await admin.post('/channel', { bot: asking, type: 'webchat' })).body.id)
    expect((await admin.post(`/bot/${asking}/start`)).status).toBe(200)
    const ana = await personAt(parley, web)
    const offered = async () => {
      const { messages } = (await ana.page()) as never as {
        messages: readonly {
          id: string
          text: string
          actions?: readonly { id: string; type: string; title: string }[]
        }[]
      }
      return messages.findLast(({ actions }) => actions !== undefined && actions.length > 0)
    }
    await vi.waitFor(async () => expect(await offered()).toMatchObject({ text: 'Confirma?' }))
    const shown = await offered()
    expect(shown?.actions?.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'reply Sim',
      'reply Nao',
      'openUrl Ver',
    ])
    const said = () =>
      rasa.calls.flatMap(({ path, body }) => (path === '/webhooks/rest/webhook' ? [JSON.parse(body).message] : []))
    await ana.send({ type: 'choice', of: shown?.id, value: '1' })
    await vi.waitFor(() => expect(said().at(-1)).toBe('/affirm{"document":"boleto"}'))
    await vi.waitFor(async () => expect((await offered())?.id).not.toBe(shown?.id))
    await ana.say('não')
    await vi.waitFor(() => expect(said().at(-1)).toBe('/deny'))
    await ana.say('/affirm{"document":"outro"}')
    await vi.waitFor(() => expect(said().at(-1)).toBe('affirm{"document":"outro"}'))
  })

  test('does so in test mode as well [D-3.12.40]', async () => {
    const begun = await admin.post(`/bot/${talking}/simulation`, { dialog, source: 'live' })
    expect(begun.status, begun.text).toBe(201)
    const { said } = begun.body as unknown as { said: readonly { text: string }[] }
    expect(said.map(({ text }) => text)).toEqual(ANSWER)
  })

  test('continues when the system fails, and logs why in the bot’s log [R-49] [P-942]', async () => {
    rasa.fault = 'html'
    expect((await saidIn()).said).toEqual([])
    rasa.fault = undefined
    await vi.waitFor(async () => expect((await admin.get(`/bot/${talking}/logs`)).text).toContain('ml.failed'))
  })

  test('the log of the channel tells calls by result and number, without words or secrets [D-2.10]', async () => {
    await vi.waitFor(async () => {
      const { items } = (await admin.get(`/bot/${talking}/logs?service=rasa:${ml}`)).body
      const counts = Object.fromEntries(items.map(({ code, count }) => [String(code), Number(count)]))
      expect(counts['ml.answered']).toBeGreaterThanOrEqual(2)
      expect(items.filter(({ level }) => level === 'warn')).not.toEqual([])
    })
    const { text } = await admin.get(`/bot/${talking}/logs?service=rasa:${ml}`)
    for (const secret of ['boleto', RASA_TOKEN]) expect(text).not.toContain(secret)
  })

  test('asks nothing of a channel that is not enabled [D-3.3.01]', async () => {
    const { revision } = (await admin.get(`/mlchannel/${ml}`)).body
    await admin.patch(`/mlchannel/${ml}`, { enable: false }, revision)
    const before = rasa.calls.length
    expect((await saidIn()).said).toEqual([])
    expect(rasa.calls).toHaveLength(before)
    await admin.patch(`/mlchannel/${ml}`, { enable: true }, revision + 1)
  })

  test('a bot whose NLU system is Rasa lets it understand what people write [N-5.18] [P-946]', async () => {
    const { revision } = (await admin.get(`/bot/${talking}`)).body
    const nlu = { nluenabled: true, default_nlu_system: 'rasa', intentconfidence: 60 }
    expect((await admin.patch(`/bot/${talking}`, nlu, revision)).status).toBe(200)
    const answers = { bot: talking, type: 'intent', action: 'randomresponses' }
    const mapping = { ...answers, intent: 'second_invoice', responses: ['Aqui está a segunda via'] }
    expect((await admin.post('/intentmapping', mapping)).status).toBe(201)
    // Settings of a bot may be half a second old.
    const turns = await vi.waitFor(
      async () => {
        const id = await openChat(parley.origin, channel, ['perdi meu boleto', 'qualquer coisa'])
        const { body } = await admin.get(`/conversation/${id}/replay`)
        const said = (body.turns as readonly ReplayTurn[]).map(turn => turn.said.map(({ text }) => text))
        expect(said[1]).toContain('Aqui está a segunda via')
        return said
      },
      { timeout: 10_000, interval: 250 },
    )
    expect(turns).toHaveLength(3)
    expect(turns[2]).not.toContain('Aqui está a segunda via')
  })
})
