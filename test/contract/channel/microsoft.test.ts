import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '#schemas/event.ts'
import { channelContract, loadAdapter, MESSAGES, rendered, sample } from './contract.ts'
import { answeredValues, noValues, webhookRequest } from './request.ts'

const APP = '00000000-0000-0000-0000-0000000000bb'
const FIELDS = {
  channel_id: APP,
  channel_password: 'secret-1',
  channel_origin: 'MultiTenant',
  channel_extra_id: 'tenant-1',
}
const SERVICE = 'https://smba.trafficmanager.net/br/'
const TO = { id: '29:u', data: { serviceUrl: SERVICE, conversation: 'a:1', bot: '28:b', channelId: 'msteams' } }
const WEBCHAT = {
  id: 'dl_1',
  data: { serviceUrl: 'https://webchat.botframework.com/', conversation: '8a', channelId: 'webchat' },
}

let keys = (await generateKeyPair('RS256')) as CryptoKeyPair
const jwk = {
  ...(await exportJWK(keys.publicKey)),
  kid: 'k1',
  use: 'sig',
  endorsements: ['msteams', 'webchat'],
} as JsonObject

/** Bot Framework's keys and tokens, as its services answer. */
const services = (given: () => readonly Json[] = () => [jwk]) => {
  let tokens = 0
  return answeredValues(({ url }) => {
    if (url.endsWith('openidconfiguration'))
      return { body: { jwks_uri: 'https://login.botframework.com/v1/.well-known/keys' } }
    if (url.endsWith('/keys')) return { body: { keys: given() } }
    tokens += 1
    return { body: { access_token: `token-${tokens}`, expires_in: 3600 } }
  })
}

interface Claims {
  readonly issuer?: string
  readonly audience?: string
  readonly serviceurl?: string
  readonly expires?: string
  readonly kid?: string
}
const call = async (body: JsonObject, claims: Claims = {}) => {
  const {
    issuer = 'https://api.botframework.com',
    audience = APP,
    serviceurl = String(body.serviceUrl),
    expires = '1h',
    kid = 'k1',
  } = claims
  const token = await new SignJWT({ serviceurl })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setNotBefore('0s')
    .setExpirationTime(expires)
    .sign(keys.privateKey)
  return webhookRequest({ body: JSON.stringify(body), headers: { authorization: `Bearer ${token}` } })
}
const text = (): JsonObject => sample('microsoft', 'in-teams-text')

channelContract({
  type: 'microsoft',
  fields: FIELDS,
  folder: 'microsoft',
  values: () => services().values,
  signed: body => call(body),
  forged: body => [
    webhookRequest({ body: JSON.stringify(body) }),
    webhookRequest({ body: JSON.stringify(body), headers: { authorization: 'Bearer a.b.c' } }),
  ],
  to: WEBCHAT,
  sent: {
    text: [{ type: 'message', text: 'Olá **Ana**', textFormat: 'markdown', conversation: { id: '8a' } }],
    buttons: [
      { suggestedActions: { actions: [{ type: 'postBack', title: 'Sim', value: { of: '7', action: 'yes' } }, {}] } },
    ],
    carousel: [
      { attachmentLayout: 'carousel', attachments: [{ contentType: 'application/vnd.microsoft.card.hero' }, {}] },
    ],
    receipt: [{ attachments: [{ contentType: 'application/vnd.microsoft.card.receipt' }] }],
  },
  answers: [
    [200, sample('microsoft', 'res-send-and-receive-messages'), { kind: 'sent', id: 'abcd1234' }],
    [202, undefined, { kind: 'sent', id: '' }],
    [400, sample('microsoft', 'err-bad-syntax'), { kind: 'final', code: 'BadSyntax' }],
    [403, sample('microsoft', 'err-403'), { kind: 'final', code: 'ConversationBlockedByUser' }],
    [429, sample('microsoft', 'err-429'), { kind: 'retry' }],
    [412, {}, { kind: 'retry' }],
    [502, undefined, { kind: 'retry' }],
    [500, undefined, { kind: 'unknown' }],
  ],
})

test('Microsoft: a token is for this app, this service, this channel and this time [P-1161]', async () => {
  const { verify } = await loadAdapter('microsoft')
  const ok = async (body: JsonObject, claims: Claims = {}) =>
    (await verify(await call(body, claims), FIELDS, services().values)).ok
  expect(await ok(text())).toBe(true)
  expect(await ok(text(), { audience: 'another' })).toBe(false)
  expect(await ok(text(), { issuer: 'https://sts.windows.net/x/' })).toBe(false)
  expect(await ok(text(), { serviceurl: 'https://attacker.example/' })).toBe(false)
  expect(await ok(text(), { expires: '-6m' })).toBe(false)
  expect(await ok(text(), { expires: '-4m' })).toBe(true)
  expect(await ok({ ...text(), channelId: 'slack' })).toBe(false)
  const { privateKey } = (await generateKeyPair('RS256')) as CryptoKeyPair
  const own = keys
  keys = { ...own, privateKey }
  const forged = await call(text())
  keys = own
  expect((await verify(forged, FIELDS, services().values)).ok).toBe(false)
})

test('Microsoft: keys are fetched once, and once more for one that is new [P-1161]', async () => {
  const { verify } = await loadAdapter('microsoft')
  const { values, asked } = services()
  for (let n = 0; n < 3; n += 1) expect(await verify(await call(text()), FIELDS, values)).toMatchObject({ ok: true })
  expect(asked).toHaveLength(2)
  for (let n = 0; n < 3; n += 1)
    expect(await verify(await call(text(), { kid: 'k9' }), FIELDS, values)).toMatchObject({ ok: false })
  expect(asked.length).toBeLessThanOrEqual(4)
})

test('Microsoft: the token of the app is fetched once for all and renewed once after a 401 [P-1162]', async () => {
  const { authorize } = await loadAdapter('microsoft')
  const { values, asked } = services()
  const request = { method: 'POST', url: SERVICE, headers: [] } as const
  const all = await Promise.all([1, 2, 3].map(() => authorize(request, FIELDS, values)))
  expect(asked).toHaveLength(1)
  expect(asked[0]?.url).toBe('https://login.microsoftonline.com/botframework.com/oauth2/v2.0/token')
  expect(new URLSearchParams(String(asked[0]?.body)).get('scope')).toBe('https://api.botframework.com/.default')
  const first = all[0]?.ok === true ? all[0].value : undefined
  expect(first?.headers).toEqual([['authorization', 'Bearer token-1']])
  const renewed = await authorize(request, FIELDS, values, first)
  expect(renewed).toMatchObject({ value: { headers: [['authorization', 'Bearer token-2']] } })
  await authorize(request, FIELDS, values, first)
  expect(asked).toHaveLength(2)
  for (const [channel_origin, start] of [
    ['SingleTenant', 'https://login.microsoftonline.com/tenant-1/'],
    ['UserAssignedMsi', 'http://169.254.169.254/metadata/identity/oauth2/token?'],
  ] as const) {
    const other = services()
    await authorize(request, { ...FIELDS, channel_origin }, other.values)
    expect(other.asked[0]?.url.startsWith(start)).toBe(true)
  }
})

test('Microsoft: answers go over TLS to the service of the conversation alone; Teams gets cards that it knows [P-1163]', async () => {
  const adapter = await loadAdapter('microsoft')
  const send = (message: keyof typeof MESSAGES, to: object = TO) =>
    rendered(adapter, MESSAGES[message] as never, to as never, FIELDS)
  const [said] = await send('text')
  expect(said?.url).toBe(`${SERVICE}v3/conversations/a%3A1/activities`)
  const [buttons] = await send('buttons')
  expect(buttons?.body).toMatchObject({
    attachments: [
      {
        content: {
          text: 'Confirma?',
          buttons: [{ type: 'messageBack', title: 'Sim', value: { of: '7', action: 'yes' } }, {}],
        },
      },
    ],
  })
  const plain = { ...TO, data: { ...TO.data, serviceUrl: 'http://smba.trafficmanager.net/br/' } }
  await expect(send('text', plain)).rejects.toThrow('channel.message')
  await expect(send('text', { id: 'x' })).rejects.toThrow('channel.message')
})

test('Microsoft: an invocation is answered within its response, and a press names its message [P-1163]', async () => {
  const { acknowledge, parse } = await loadAdapter('microsoft')
  const invoke = webhookRequest({ body: JSON.stringify(sample('microsoft', 'in-invoke')) })
  expect(JSON.parse(acknowledge?.(invoke).body ?? '')).toMatchObject({ statusCode: 200 })
  expect(acknowledge?.(webhookRequest({ body: JSON.stringify(text()) })).body).toBe('')
  const pressed = { ...text(), text: 'Sim', value: { of: '7', action: 'yes' } }
  expect(await parse(webhookRequest({ body: JSON.stringify(pressed) }), FIELDS, noValues)).toMatchObject({
    value: [{ content: { kind: 'choice', value: '7_yes', title: 'Sim' } }],
  })
})
