import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { channelContract, loadAdapter, MESSAGES, rendered, sample } from './contract.ts'
import { noValues, WEBHOOK, webhookRequest } from './request.ts'

const SECRET = 'app-secret'
const FIELDS = { pagetoken: 'page-1', verifytoken: 'verify-1', app_secret: SECRET, appid: '1' }
const TO = { id: '1254477777772919' }

const call = (body: JsonObject, secret = SECRET) => {
  const written = JSON.stringify(body)
  const hash = createHmac('sha256', secret).update(written).digest('hex')
  return webhookRequest({ body: written, headers: { 'x-hub-signature-256': `sha256=${hash}` } })
}
/** Samples of single events, and of entries, within a body. */
const whole = (given: JsonObject): JsonObject => {
  if (given.object !== undefined) return given
  return { object: 'page', entry: [given.messaging === undefined ? { messaging: [given] } : given] }
}
const common = {
  fields: FIELDS,
  signed: (body: JsonObject) => call(body),
  forged: (body: JsonObject) => [webhookRequest({ body: JSON.stringify(body) }), call(body, 'another')],
  to: TO,
}
const error = (name: string, status = 400) => [status, sample('facebook', name)] as const
const quick = (title: string, payload: string) => ({ content_type: 'text', title, payload })
const answers = [
  [200, sample('facebook', 'res-sent'), { kind: 'sent', id: 'm_AG5Hz2U' }],
  [...error('err-10'), { kind: 'final', code: '10.2018278' }],
  [...error('err-100'), { kind: 'final', code: '100.2018001' }],
  [...error('err-1200'), { kind: 'retry' }],
  [...error('err-190', 401), { kind: 'final', code: '190.463' }],
  [...error('err-4'), { kind: 'retry' }],
  [...error('err-551'), { kind: 'final', code: '551.1545041' }],
  [...error('err-613'), { kind: 'retry' }],
  [400, { error: { code: 2, error_subcode: 2_018_344 } }, { kind: 'final' }],
  [500, { error: { code: 2 } }, { kind: 'unknown' }],
] as const
const element = (title: string) => ({
  title,
  subtitle: 'R$ 10\nPor mês',
  image_url: 'https://example.com/a.jpg',
  buttons: [{ type: 'postback', title: 'Quero', payload: '7_1.1' }],
})
const sent = {
  text: [{ recipient: TO, messaging_type: 'RESPONSE', message: { text: 'Olá Ana' } }],
  buttons: [{ message: { text: 'Confirma?', quick_replies: [quick('Sim', '7_yes'), quick('Não', '7_no')] } }],
  many: [{ message: { text: expect.stringContaining('14. Plano 14') } }],
  carousel: [
    {
      message: {
        attachment: { payload: { template_type: 'generic', elements: [element('Plano A'), element('Plano B')] } },
      },
    },
  ],
  location: [{ message: { text: 'Av. Paulista, 1\nhttps://www.google.com/maps?q=-23.56,-46.65' } }],
}

channelContract({
  ...common,
  type: 'facebook',
  folder: 'facebook',
  whole,
  sent: {
    ...sent,
    image: [
      { message: { attachment: { type: 'image', payload: { url: 'https://example.com/a.png' } } } },
      { message: { text: 'Comprovante' } },
    ],
    document: [{ message: { attachment: { type: 'file' } } }],
  },
  answers,
})

channelContract({
  ...common,
  type: 'instagram',
  folder: 'instagram',
  sent: { ...sent, document: [{ message: { text: 'https://example.com/a.pdf' } }] },
  answers,
})

test('Messenger: renders pages to open as buttons beside answers, and reads a receipt [P-1153]', async () => {
  const adapter = await loadAdapter('facebook')
  const actions = [
    { id: '1', type: 'openUrl', title: 'Ver', value: 'https://example.com/' },
    { id: '2', type: 'postBack', title: 'Quero', value: 'x' },
  ]
  const [buttons] = await rendered(adapter, { ...(MESSAGES.buttons as object), actions } as never, TO, FIELDS)
  expect(buttons?.body).toMatchObject({
    message: {
      attachment: {
        payload: {
          template_type: 'button',
          buttons: [
            { type: 'web_url', title: 'Ver', url: 'https://example.com/' },
            { type: 'postback', title: 'Quero', payload: '7_2' },
          ],
        },
      },
    },
  })
  const receipt = {
    recipient_name: 'Ana',
    order_number: '1',
    currency: 'BRL',
    payment_method: 'Pix',
    elements: [{ title: 'Café', quantity: '2', price: '10.5' }],
    summary: { total_cost: '21' },
  }
  const [card] = await rendered(
    adapter,
    { ...(MESSAGES.receipt as object), family: 'facebook', receipt } as never,
    TO,
    FIELDS,
  )
  expect(card?.body).toMatchObject({
    message: {
      attachment: {
        payload: { template_type: 'receipt', elements: [{ price: 10.5, quantity: 2 }], summary: { total_cost: 21 } },
      },
    },
  })
})

test('Messenger: several events come in one call; deliveries name messages and a moment [P-1151]', async () => {
  const { parse } = await loadAdapter('facebook')
  const event = (members: JsonObject) => ({ sender: { id: 'u' }, recipient: { id: 'p' }, timestamp: 1, ...members })
  const messaging = [
    event({ delivery: { mids: ['m-1', 'm-2'], watermark: 1_458_668_856_253 } }),
    event({ message: { mid: 'm-3', text: 'oi', is_echo: true } }),
    event({ message: { mid: 'm-4', text: 'oi' } }),
  ]
  const read = await parse(
    call({ object: 'page', entry: [{ messaging }, { messaging: [event({ optin: {} })] }] }),
    FIELDS,
    noValues,
  )
  expect(read.ok && read.value.map(each => each.kind)).toEqual([
    'receipt',
    'receipt',
    'watermark',
    'echo',
    'message',
    'unknown',
  ])
  expect(await parse(call({ object: 'instagram', entry: [] }), FIELDS, noValues)).toMatchObject({ ok: false })
})

test('Instagram: the door is the page or the account itself, and a read names its message [P-1153]', async () => {
  const adapter = await loadAdapter('instagram')
  const urlOf = async (fields: JsonObject) => (await rendered(adapter, MESSAGES.text as never, TO, fields))[0]?.url
  expect(await urlOf(FIELDS)).toBe('https://graph.facebook.com/v23.0/me/messages')
  const own = { ...FIELDS, url: 'https://graph.instagram.com', account_id: '178', graph_version: 'v25.0' }
  expect(await urlOf(own)).toBe('https://graph.instagram.com/v25.0/178/messages')
  const body = {
    object: 'instagram',
    entry: [{ messaging: [{ sender: { id: 'u' }, timestamp: 1, read: { mid: 'm-1' } }] }],
  }
  expect(await adapter.parse(call(body), FIELDS, noValues)).toMatchObject({
    value: [{ kind: 'receipt', id: 'm-1', state: 'read' }],
  })
  const url = `${WEBHOOK}?hub.mode=subscribe&hub.verify_token=verify-1&hub.challenge=1`
  expect(adapter.handshake(webhookRequest({ method: 'GET', url }), FIELDS)?.body).toBe('1')
})

test('Messenger: shows that an agent writes; Instagram does not [P-2658]', async () => {
  const { typing } = await loadAdapter('facebook')
  expect(typing?.(TO, FIELDS, undefined)).toEqual({
    method: 'POST',
    url: 'https://graph.facebook.com/v23.0/me/messages',
    headers: [['authorization', 'Bearer page-1']],
    body: { recipient: { id: TO.id }, sender_action: 'typing_on' },
  })
  expect(await loadAdapter('instagram')).not.toHaveProperty('typing')
})
