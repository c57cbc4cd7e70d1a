import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  APP_ID,
  APP_SECRET,
  CODE,
  GRAPH_TOKEN,
  PHONE_ID,
  PIN,
  startGraphServer,
  WABA_ID,
} from '#test/doubles/meta/graph-server.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

let app: string
let account: string

const graph = await startGraphServer()
const env = { PARLEY_SAMPLE: 'off', ALLOW_PRIVATE_ADDRESSES: 'true', GRAPH_URL: `${graph.url}/v23.0` }
const { parley, admin } = await openAdmin({ env })
afterAll(() => graph.close())

const made = async (path: string, body: object) => {
  const { status, text, body: answer } = await admin.post(path, body)
  expect(status, text).toBe(201)
  return answer.id
}
const accountFields = () => ({
  metaapp: app,
  name: `Conta ${Math.random()}`,
  waba_id: WABA_ID,
  phone_number_id: PHONE_ID,
  access_token: GRAPH_TOKEN,
})

beforeEach(async () => {
  app = await made('/metaapp', { name: `Lume ${Math.random()}`, app_id: APP_ID, app_client_secret: APP_SECRET })
  account = await made('/metaaccount', accountFields())
  graph.isSubscribed = true
  graph.isVerified = true
  graph.scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
  graph.faults.splice(0)
})

interface Tested {
  readonly ok: boolean
  readonly checks: readonly { readonly part: string; readonly ok: boolean; readonly code?: string }[]
}
const tested = async (id = account): Promise<Tested> => {
  const { status, text, body } = await admin.post(`/metaaccount/${id}/test`, {})
  expect(status, text).toBe(200)
  return body as unknown as Tested
}
const wrong = ({ checks }: Tested) => checks.flatMap(({ part, ok, code }) => (ok ? [] : [`${part} ${code}`]))

test('the connection test reads what Meta says of account and number, and keeps it [P-1220] [D-3.10.01]', async () => {
  const { body: before } = await admin.get(`/metaaccount/${account}`)
  expect(before).toMatchObject({ business_id: null, account_mode: null })
  const flags = ['account_verified', 'number_verified', 'name_verified', 'webhook_subscribed', 'webhook_received']
  expect(flags.map(flag => before[flag])).toEqual(flags.map(() => false))
  const business = { business_id: '5550001112223' }
  expect((await admin.patch(`/metaaccount/${account}`, business, before.revision)).status).toBe(200)
  const answer = await tested()
  expect(answer).toMatchObject({ ok: true })
  expect(answer.checks.map(({ part }) => part)).toEqual(['token', 'account', 'number', 'webhook'])
  const { body } = await admin.get(`/metaaccount/${account}`)
  expect(body).toMatchObject({
    waba_id: WABA_ID,
    business_id: '5550001112223',
    phone_number_id: PHONE_ID,
    display_phone_number: '+55 11 98765-4321',
    verified_name: 'Casa Lume',
    account_mode: 'LIVE',
    quality_rating: 'GREEN',
    messaging_limit: 'TIER_2K',
    throughput: 'STANDARD',
    account_verified: true,
    number_verified: true,
    name_verified: true,
    webhook_subscribed: true,
    webhook_received: false,
  })
  expect(body.checked_at).toMatch(/^\d{4}-/)
  // Its webhook counts as received once a signed call of Meta came over it.
  const event = change('account_alerts', { alert_severity: 'INFORMATIONAL' })
  expect((await heard(await webhookOf(app), event)).status).toBe(200)
  expect((await admin.get(`/metaaccount/${account}`)).body.webhook_received).toBe(true)
  for (const wrong of [{ waba_id: 'x' }, { business_id: 'x' }, { phone_number_id: 'x' }]) {
    const { status, body: refusal } = await admin.post('/metaaccount', { ...accountFields(), ...wrong })
    expect([status, refusal.errors]).toMatchObject([422, [{ path: Object.keys(wrong)[0], code: 'format' }]])
  }
  // The connection test alone writes what Meta says.
  const said = { account_mode: 'SANDBOX', account_verified: false, webhook_received: false }
  const { body: now } = await admin.get(`/metaaccount/${account}`)
  expect((await admin.patch(`/metaaccount/${account}`, said, now.revision)).status).toBe(422)
})

test('reports each failing part in the language of the caller [P-1220]', async () => {
  graph.scopes = ['whatsapp_business_management']
  graph.isSubscribed = false
  graph.isVerified = false
  expect(wrong(await tested())).toEqual(['token meta.scope', 'webhook meta.unsubscribed'])
  expect((await admin.get(`/metaaccount/${account}`)).body).toMatchObject({
    number_verified: false,
    webhook_subscribed: false,
  })
  const other = await made('/metaaccount', { ...accountFields(), access_token: 'EAAG-expired' })
  expect(wrong(await tested(other))).toEqual(['token meta.token', 'account meta.token'])
  const without = await made('/metaaccount', { ...accountFields(), access_token: null })
  expect(wrong(await tested(without))).toEqual(['account meta.credentials'])
  graph.scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
  const elsewhere = await made('/metaaccount', { ...accountFields(), waba_id: '1' })
  expect(wrong(await tested(elsewhere))).toEqual(['account meta.notfound'])
  graph.faults.push(500, 500)
  expect(wrong(await tested())).toEqual(['token meta.failed', 'account meta.failed'])
})

test('stores and uses token and secret of the app, never returns them [P-1221] [D-3.10.02]', async () => {
  const answers = [
    await admin.get(`/metaaccount/${account}`),
    await admin.get(`/metaapp/${app}`),
    await admin.get(`/metaaccount/${account}/history`),
    await admin.get(`/metaapp/${app}/history`),
    await admin.post(`/metaaccount/${account}/test`, {}),
    await admin.get('/audit'),
    await admin.get('/metaaccount/export'),
  ]
  for (const { text } of answers) for (const secret of [GRAPH_TOKEN, APP_SECRET]) expect(text).not.toContain(secret)
  expect(answers[0]?.body).toMatchObject({ access_token: { set: true } })
  expect(answers[1]?.body).toMatchObject({ app_client_secret: { set: true } })
  // An error of Meta that says the token again is not passed on.
  const { body } = await admin.post('/metaaccount', { ...accountFields(), waba_id: 'not-a-number' })
  expect(body.errors).toMatchObject([{ path: 'waba_id', code: 'format' }])
})

test('a number is subscribed, verified and registered at Meta, whose refusals have their texts [P-1222] [D-8.11]', async () => {
  graph.isSubscribed = false
  graph.isVerified = false
  const ask = (step: string, body = {}) => admin.post(`/metaaccount/${account}/${step}`, body)
  expect((await ask('subscribe')).body).toEqual({ success: true })
  expect(graph.isSubscribed).toBe(true)
  expect((await admin.get(`/metaaccount/${account}`)).body.webhook_subscribed).toBe(true)
  const early = await ask('registernumber', { pin: PIN })
  expect(early.body).toMatchObject({ code: 'meta.refused' })
  expect(early.text).toMatch(/Verifique o número primeiro|Verify the number first/)
  expect((await ask('requestcode', { code_method: 'VOICE' })).body).toMatchObject({ code: 'meta.refused' })
  expect((await ask('requestcode', { code_method: 'SMS', language: 'pt_BR' })).status).toBe(200)
  expect((await ask('verifycode', { code: '111111' })).body).toMatchObject({ code: 'meta.refused' })
  expect((await ask('verifycode', { code: `${CODE.slice(0, 3)}-${CODE.slice(3)}` })).status).toBe(200)
  expect((await admin.get(`/metaaccount/${account}`)).body.number_verified).toBe(true)
  expect((await ask('registernumber', { pin: '000000' })).text).toMatch(/PIN/)
  expect((await ask('registernumber', { pin: PIN })).status).toBe(200)
  expect((await ask('registernumber', { pin: '12' })).status).toBe(422)
  for (const { text } of [await admin.get('/audit'), await admin.get(`/metaaccount/${account}/history`)])
    expect(text).not.toContain(PIN)
})

test('an account that is tested without the right to, or of another branch, is refused', async () => {
  const home = await level(admin, `Filial ${Math.random()}`)
  const given = { username: `leitor ${Math.random()}`, level: home, actions: ['readmetaaccount'] }
  const { client } = await person(parley, admin, given)
  expect((await client.post(`/metaaccount/${account}/test`, {})).status).toBe(403)
  const more = { username: `outro ${Math.random()}`, level: home, actions: ['testmetaaccount'] }
  const { client: neighbour } = await person(parley, admin, more)
  expect((await neighbour.post(`/metaaccount/${account}/test`, {})).status).toBe(404)
})

test('removing a bot clears it from the apps that it is assigned to [D-3.10.02]', async () => {
  const bot = await made('/bot', { name: `Loja ${Math.random()}` })
  const assigned = await made('/metaapp', { name: 'Com bot', app_id: APP_ID, config_id: '77', bot_assigned: bot })
  await admin.delete(`/bot/${bot}`, { confirm: 'CONFIRM' })
  expect((await admin.get(`/metaapp/${assigned}`)).body).toMatchObject({ bot_assigned: null, config_id: '77' })
})

const VERIFY = 'palavra-combinada'
const webhookOf = async (id: string) => `${parley.origin}${(await admin.get(`/metaapp/${id}`)).body.webhook}`
const heard = (address: string, body: string, secret = APP_SECRET) =>
  fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
const change = (field: string, value: object, waba = WABA_ID) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: waba, time: 1_790_000_000, changes: [{ field, value }] }],
  })

test('answers the webhook challenge of an app with the right token [P-1223]', async () => {
  const own = await made('/metaapp', { name: `Ouve ${Math.random()}`, app_id: APP_ID, verify_token: VERIFY })
  const address = await webhookOf(own)
  const asked = (token: string) =>
    fetch(
      `${address}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' })}`,
    )
  const answer = await asked(VERIFY)
  expect([answer.status, await answer.text()]).toEqual([200, '1158201444'])
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect((await asked('outra')).status).toBe(404)
  expect((await fetch(address)).status).toBe(404)
  expect((await fetch(address.replace(own, 'nenhum'))).status).toBe(404)
})

test('accepts webhook calls only with the signature of the exact bytes [P-1223]', async () => {
  const address = await webhookOf(app)
  const body = change('phone_number_quality_update', { display_phone_number: '5511987654321', event: 'FLAGGED' })
  // Escaped otherwise than a program here would write it.
  const escaped = body.replace('FLAGGED', 'FL\\u0041GGED')
  expect((await heard(address, escaped, 'wrong secret')).status).toBe(404)
  expect((await admin.get(`/metaaccount/${account}`)).body.webhook_received).toBe(false)
  expect((await heard(address, escaped)).status).toBe(200)
  const { body: row } = await admin.get(`/metaaccount/${account}`)
  // Meta was asked again what the number is like.
  expect(row).toMatchObject({ webhook_received: true, quality_rating: 'GREEN', verified_name: 'Casa Lume' })
  expect((await heard(address, 'no json')).status).toBe(400)
  expect((await heard(address, change('account_update', {}, '999'))).status).toBe(200)
})

test('records a ban that Meta announces, and its end [P-2926]', async () => {
  const address = await webhookOf(app)
  const told = async (value: object) => {
    expect((await heard(address, change('account_update', value))).status).toBe(200)
    return (await admin.get(`/metaaccount/${account}`)).body
  }
  const banned = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }
  expect(await told(banned)).toMatchObject({ restriction: 'BANNED', restriction_at: null })
  const kinds = [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1_900_000_000 }]
  expect(await told({ event: 'ACCOUNT_RESTRICTION', restriction_info: kinds })).toMatchObject({
    ...{ restriction: 'NO_TEMPLATES', restriction_at: '2030-03-17T17:46:40.000Z' },
  })
  const reinstated = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } }
  expect(await told(reinstated)).toMatchObject({ restriction: null, restriction_at: null })
})

test('a channel takes number, token and secret from its account, also after they change [P-1967]', async () => {
  const bot = await made('/bot', { name: `Lume ${Math.random()}` })
  expect((await admin.patch(`/metaaccount/${account}`, { bot }, 1)).body).toMatchObject({ id: account })
  const channel = await made('/channel', { bot, type: 'whatsapp_meta', metaaccount: account, account_id: PHONE_ID })
  const shown = (await admin.get(`/channel/${channel}`)).body
  expect(shown).toMatchObject({ enable: true, metaaccount: account, auth_token: null, app_secret: null })
  const checks = async () =>
    ((await admin.post(`/channel/${channel}/test`, {})).body as unknown as Tested).checks
      .filter(({ part }) => part !== 'address')
      .map(({ part, ok, code = '' }) => `${part} ${ok} ${code}`)
  // Meta takes the token of the account, and asks for a proof of the app's secret, which channels do not send.
  expect(await checks()).toEqual(['settings true ', 'provider false channel.answer'])
  const { revision } = (await admin.get(`/metaaccount/${account}`)).body
  await admin.patch(`/metaaccount/${account}`, { access_token: 'EAAother' }, revision)
  expect(await checks()).toEqual(['settings true ', 'provider false channel.token'])
  expect((await admin.get(`/channel/${channel}/health`)).body).toMatchObject({ state: 'stopped' })
  expect((await admin.get(`/metaaccount/${account}/seen`)).body).toEqual({ last: null })
})
