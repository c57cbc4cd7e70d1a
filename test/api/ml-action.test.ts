import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { SignJWT } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { SERVICE_ACCOUNT } from '#test/doubles/ml/dialogflow-server.ts'
import { openAdmin } from './open-parley.ts'

const TOKEN = 'verify-t0ken'
const WATSON_SECRET = 'purple unicorn'
const SCRIPT = `function run(call) {
  return { text: ['Saldo de ' + call.values.conta, call.text], values: { saldo: 42, vez: call.session } }
}`

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
const forwarded: string[] = []
const handlers = new Map<string, string>()

const made = (entity: string, fields: object) => admin.create(entity, fields)
const handler = async (task: string, name: string, js: string) => {
  const id = await made('handler', { name, dialogtask: task })
  handlers.set(name, id)
  const { body } = await admin.get(`/handler/${id}/flow`)
  expect((await admin.put(`/handler/${id}/flow`, { ...body, js })).status).toBe(200)
  expect((await admin.post(`/handler/${id}/publish`)).status).toBe(200)
}

const others = createServer(async (request, response) => {
  for await (const chunk of request) forwarded.push(String(chunk))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"events":[],"responses":[{"text":"From elsewhere"}]}')
})
await new Promise<void>(resolve => others.listen(0, '127.0.0.1', resolve))
const { bot, task, dialog } = await admin.createDialog(
  { name: 'Ações', act_as_ml_action_server: true },
  'Saldo',
  'Principal',
)
expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
await handler(task, 'action_balance', SCRIPT)
await handler(task, 'action_broken', 'function run() { throw new Error("x") }')
await handler(
  task,
  'action_raw',
  'function run() { return { events: [{ event: "restart" }], responses: [{ template: "utter_bye" }] } }',
)
await handler(
  task,
  'message_received',
  `function run({ text, values }) {
    if (text === 'pular') return { output: { generic: [{ response_type: 'text', text: 'Sem o assistente' }] } }
    if (text === 'quebra') throw new Error('x')
    return { text: text + '!', values: { vezes: (values.vezes || 0) + 1 } }
  }`,
)
await handler(task, 'message_processed', 'function run({ intent }) { return ["Entendi " + intent, "Mais algo?"] }')
expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
afterAll(async () => {
  others.close()
})

const channelOf = async (fields: object = {}): Promise<string> => {
  const given = { bot, type: 'rasa', url: 'http://rasa.example:5005', channel_verify_token: TOKEN }
  return made('mlchannel', { ...given, ...fields })
}
const watsonChannel = (fields: object = {}) =>
  channelOf({
    type: 'watson',
    url: 'https://api.us-south.assistant.watson.cloud.ibm.com/instances/1',
    channel_id: 'a1',
    extradetails: '2024-08-25',
    channel_authentication_details: 'key',
    channel_password: WATSON_SECRET,
    ...fields,
  })
/** The header that Watson signs. */
const signed = async (secret = WATSON_SECRET, expires = '1m'): Promise<Record<string, string>> => {
  const key = new TextEncoder().encode(secret === '' ? 'x' : secret)
  const token = new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires)
  return { authorization: await token.sign(key) }
}
const post = (channel: string, body: unknown, headers: Record<string, string>, query = '') =>
  fetch(`${parley.origin}/ml/${channel}/webhook${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const call = async (
  channel: string,
  body: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
  query = '',
) => {
  const answer = await post(channel, body, headers, query)
  return { status: answer.status, body: (await answer.json()) as unknown }
}
const rasaCall = (name: string) => ({
  next_action: name,
  sender_id: 'person-1',
  tracker: {
    sender_id: 'person-1',
    slots: { conta: '123' },
    latest_message: { text: 'meu saldo', intent: { name: 'balance', confidence: 0.9 } },
  },
  domain: {},
  version: '3.6.20',
})

describe('a bot that acts as action server', () => {
  test('runs its published handler of the action’s name for Rasa and answers with slots and texts [C-3.22] [N-5.17]', async () => {
    const channel = await channelOf()
    const answer = {
      events: [
        { event: 'slot', timestamp: null, name: 'saldo', value: 42 },
        { event: 'slot', timestamp: null, name: 'vez', value: 'person-1' },
      ],
      responses: [{ text: 'Saldo de 123' }, { text: 'meu saldo' }],
    }
    expect(await call(channel, rasaCall('action_balance'))).toEqual({ status: 200, body: answer })
    expect((await call(channel, rasaCall('action_raw'))).body).toEqual({
      events: [{ event: 'restart' }],
      responses: [{ template: 'utter_bye' }],
    })
    const packed = (body: Buffer) =>
      fetch(`${parley.origin}/ml/${channel}/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', authorization: `Bearer ${TOKEN}` },
        body: new Uint8Array(body),
      })
    expect(await (await packed(gzipSync(JSON.stringify(rasaCall('action_balance'))))).json()).toEqual(answer)
    expect((await packed(Buffer.from('no gzip'))).status).toBe(400)
    expect((await packed(gzipSync(Buffer.alloc(2_000_000, ' ')))).status).toBe(413)
  })

  test('says as Rasa expects it that an action failed or is not known [N-5.17]', async () => {
    const channel = await channelOf()
    expect(await call(channel, rasaCall('action_broken'))).toEqual({
      status: 400,
      body: { error: "Custom action 'action_broken' rejected execution", action_name: 'action_broken' },
    })
    expect(await call(channel, rasaCall('nothing'))).toMatchObject({ status: 404, body: { action_name: 'nothing' } })
    expect((await call(channel, { hello: 1 })).status).toBe(400)
    const { port } = others.address() as AddressInfo
    const passing = await channelOf({ custom_action_endpoint: `http://127.0.0.1:${port}/webhook` })
    expect(await call(passing, rasaCall('nothing'))).toEqual({
      status: 200,
      body: { events: [], responses: [{ text: 'From elsewhere' }] },
    })
    expect(JSON.parse(forwarded.join(''))).toEqual(rasaCall('nothing'))
  })

  test('fulfils for Dialogflow ES and CX [C-3.22] [P-951]', async () => {
    const account = { type: 'dialogflow', url: null, channel_authentication_details: SERVICE_ACCOUNT }
    const channel = await channelOf({ ...account, channel_id: 'example-bot', channel_password: 'pass-w0rd' })
    const es = {
      responseId: 'r1',
      session: 'projects/example-bot/agent/sessions/s1',
      queryResult: {
        queryText: 'meu saldo',
        action: 'action_balance',
        parameters: { conta: '123' },
        intent: { displayName: 'balance' },
        intentDetectionConfidence: 0.8,
      },
    }
    const basic = `Basic ${Buffer.from('dialogflow:pass-w0rd').toString('base64')}`
    expect((await call(channel, es, { authorization: basic })).body).toEqual({
      fulfillmentText: 'Saldo de 123\nmeu saldo',
      fulfillmentMessages: [{ text: { text: ['Saldo de 123'] } }, { text: { text: ['meu saldo'] } }],
    })
    const session = 'projects/p/locations/l/agents/a/sessions/s1'
    const cx = {
      fulfillmentInfo: { tag: 'action_balance' },
      sessionInfo: { session, parameters: { conta: '123' } },
      intentInfo: { displayName: 'balance', confidence: 0.91 },
      text: 'meu saldo',
    }
    expect((await call(channel, cx)).body).toEqual({
      fulfillmentResponse: { messages: [{ text: { text: ['Saldo de 123'] } }, { text: { text: ['meu saldo'] } }] },
      sessionInfo: { parameters: { saldo: 42, vez: session } },
    })
  })

  test('changes messages of Watson before they are understood and after they are answered [C-3.22] [P-1080]', async () => {
    const channel = await watsonChannel()
    const context = {
      global: { session_id: 's1' },
      skills: { 'actions skill': { skill_variables: { vezes: 2, a: 1 } } },
    }
    const received = (text: string) => ({
      event: { name: 'message_received' },
      options: {},
      payload: { input: { message_type: 'text', text }, context, user_id: 'u1' },
    })
    const skills = { 'actions skill': { skill_variables: { vezes: 3, a: 1 } } }
    expect(await call(channel, received('oi'), await signed())).toEqual({
      status: 200,
      body: {
        payload: { input: { message_type: 'text', text: 'oi!' }, context: { ...context, skills }, user_id: 'u1' },
      },
    })
    const skipped = await post(channel, received('pular'), await signed())
    expect(skipped.headers.get('x-watson-assistant-webhook-return')).toBe('true')
    expect(await skipped.json()).toEqual({ output: { generic: [{ response_type: 'text', text: 'Sem o assistente' }] } })
    // Watson's settings decide if it continues without webhook.
    expect((await call(channel, received('quebra'), await signed())).status).toBe(400)
    const output = {
      intents: [{ intent: 'greet', confidence: 0.9 }],
      generic: [{ response_type: 'text', text: 'Olá' }],
    }
    const processed = { event: { name: 'message_processed' }, payload: { output, context, user_id: 'u1' } }
    const generic = ['Entendi greet', 'Mais algo?'].map(text => ({ response_type: 'text', text }))
    expect(await call(channel, processed, await signed())).toEqual({
      status: 200,
      body: { payload: { output: { ...output, generic }, context, user_id: 'u1' } },
    })
  })

  test('lets messages of Watson pass for which it has no handler, and takes logs [P-1080]', async () => {
    const channel = await watsonChannel()
    expect((await admin.delete(`/handler/${handlers.get('message_processed')}`, { confirm: 'CONFIRM' })).status).toBe(
      200,
    )
    const payload = { output: { generic: [{ response_type: 'text', text: 'Olá' }] }, user_id: 'u1' }
    const processed = { event: { name: 'message_processed' }, payload }
    expect(await call(channel, processed, await signed())).toEqual({ status: 200, body: { payload } })
    const log = { request: { input: { text: 'oi' } }, response: payload }
    const logged = { event: { name: 'message_logged' }, payload: log }
    expect(await call(channel, logged, await signed())).toEqual({ status: 200, body: {} })
    expect((await call(channel, { event: {}, payload }, await signed())).status).toBe(400)
  })

  test('takes calls of Watson that are signed with the secret of its webhook, or carry its token [P-1081]', async () => {
    const channel = await watsonChannel()
    const message = { event: { name: 'message_logged' }, payload: {} }
    const status = async (headers: Record<string, string>) => (await call(channel, message, headers)).status
    expect(await status(await signed())).toBe(200)
    const { authorization = '' } = await signed()
    expect(await status({ authorization: `Bearer ${authorization}` })).toBe(200)
    expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(200)
    expect(await status({ authorization: `Basic ${Buffer.from(`watson:${WATSON_SECRET}`).toString('base64')}` })).toBe(
      200,
    )
    expect(await status(await signed('another secret'))).toBe(401)
    expect(await status(await signed(WATSON_SECRET, '-1m'))).toBe(401)
    expect(await status({ authorization: WATSON_SECRET })).toBe(401)
    const [header, claims] = authorization.split('.')
    expect(await status({ authorization: `${header}.${claims}.AAAA` })).toBe(401)
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await status({ authorization: `${none}.${claims}.AAAA` })).toBe(401)
    const open = await watsonChannel({ channel_password: null })
    expect((await call(open, message, await signed())).status).toBe(401)
    expect((await call(open, message, await signed(''))).status).toBe(401)
  })

  test('answers those alone who have its token, while it acts as one and runs [N-5.17] [P-952]', async () => {
    const channel = await channelOf()
    const status = async (headers: Record<string, string>, query = '') =>
      (await call(channel, rasaCall('action_balance'), headers, query)).status
    expect(await status({})).toBe(401)
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await status({}, `?token=${TOKEN}`)).toBe(200)
    expect(await status({ authorization: `Basic ${Buffer.from(`rasa:${TOKEN}`).toString('base64')}` })).toBe(200)
    expect((await call('nothing', rasaCall('action_balance'))).status).toBe(401)
    const open = await channelOf({ channel_verify_token: null })
    expect((await call(open, rasaCall('action_balance'), {})).status).toBe(401)
    const healthy = await fetch(`${parley.origin}/ml/${channel}/health?token=${TOKEN}`)
    expect(await healthy.json()).toEqual({ status: 'ok' })
    const actions = await fetch(`${parley.origin}/ml/${channel}/actions?token=${TOKEN}`)
    expect(await actions.json()).toEqual([
      { name: 'action_balance' },
      { name: 'action_broken' },
      { name: 'action_raw' },
      { name: 'message_received' },
    ])
    const { revision } = (await admin.get(`/bot/${bot}`)).body
    await admin.patch(`/bot/${bot}`, { act_as_ml_action_server: false }, revision)
    expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(401)
  })
})
