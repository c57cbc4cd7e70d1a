import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { channelContract, formOf, loadAdapter, MESSAGES, rendered, sample } from './contract.ts'
import { answeredValues, noValues, WEBHOOK, webhookRequest } from './request.ts'

const TOKEN = 'twilio-token'
const TWILIO = { account_id: 'AC1', auth_token: TOKEN, sender_number: '+14155238886', webhook: WEBHOOK }
const AVAYA = {
  ...TWILIO,
  auth_token: 'avaya-token',
  sender_number: '+5511900000000',
  channel_verify_token: 'verify-1',
}
const FORM = 'application/x-www-form-urlencoded'

const twilioSignature = (url: string, body: string, token = TOKEN): string => {
  const form = [...new URLSearchParams(body)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const signed = url + form.map(([name, value]) => name + value).join('')
  return createHmac('sha1', token).update(signed).digest('base64')
}
const twilioCall = (body: string, { url = WEBHOOK, token = TOKEN } = {}) =>
  webhookRequest({
    url,
    body,
    headers: { 'content-type': FORM, 'x-twilio-signature': twilioSignature(url, body, token) },
  })

channelContract({
  type: 'whatsapp_twilio',
  fields: TWILIO,
  folder: 'whatsapp-twilio',
  signed: body => twilioCall(formOf(body)),
  forged: body => [
    webhookRequest({ body: formOf(body) }),
    twilioCall(formOf(body), { token: 'another' }),
    { ...twilioCall(formOf(body)), url: `${WEBHOOK}/other` },
    { ...twilioCall(formOf(body)), body: new TextEncoder().encode(formOf({ ...body, Body: 'other' })) },
  ],
  to: { id: '+5511999990000' },
  sent: {
    text: [
      {
        To: 'whatsapp:+5511999990000',
        From: 'whatsapp:+14155238886',
        Body: 'Olá *Ana*',
        StatusCallback: `${WEBHOOK}?key=k-7.1`,
      },
    ],
    buttons: [{ ContentSid: 'HX1', ContentVariables: JSON.stringify({ 1: 'Confirma?', 2: '7_yes', 3: '7_no' }) }],
    image: [{ MediaUrl: 'https://example.com/a.png', Body: 'Comprovante' }],
    location: [{ PersistentAction: 'geo:-23.56,-46.65|Av. Paulista, 1' }],
  },
  answers: [
    [201, sample('whatsapp-twilio', 'res-message-create-wo-service'), { kind: 'sent' }],
    [400, sample('whatsapp-twilio', 'err-63016-outside-window'), { kind: 'final', code: '63016' }],
    [400, sample('whatsapp-twilio', 'err-21211-invalid-to'), { kind: 'final', code: '21211' }],
    [401, sample('whatsapp-twilio', 'err-20003-authenticate'), { kind: 'final', code: '20003' }],
    [429, sample('whatsapp-twilio', 'err-20429-too-many-requests'), { kind: 'retry' }],
    [400, { code: 63_018 }, { kind: 'retry' }],
    [500, { code: 20_500 }, { kind: 'unknown' }],
    [201, undefined, { kind: 'unknown' }],
  ],
})

channelContract({
  type: 'whatsapp_avaya',
  fields: AVAYA,
  folder: 'whatsapp-avaya',
  signed: body => webhookRequest({ body: formOf(body), headers: { authorization: 'Bearer verify-1' } }),
  forged: body => [
    webhookRequest({ body: formOf(body) }),
    webhookRequest({ body: formOf(body), headers: { authorization: 'x' } }),
  ],
  to: { id: '+5511999990000' },
  sent: {
    text: [{ From: '+5511900000000', To: '+5511999990000', Body: 'Olá Ana' }],
    buttons: [{ Body: 'Confirma?\n1. Sim\n2. Não' }],
    image: [{ Body: 'Comprovante\nhttps://example.com/a.png' }],
  },
  answers: [
    [201, sample('whatsapp-avaya', 'res-queued'), { kind: 'sent', id: 'SM00000000000000000000000000000004' }],
    [403, {}, { kind: 'final', code: 'http.403' }],
    [504, undefined, { kind: 'unknown' }],
  ],
})

test('Twilio: creates a resource once for each form of message, for any text [P-1159]', async () => {
  const adapter = await loadAdapter('whatsapp_twilio')
  const { values, asked } = answeredValues(() => ({ status: 201, body: { sid: 'HX1' } }))
  const send = (message: keyof typeof MESSAGES, id: string) =>
    rendered(
      adapter,
      { ...(MESSAGES[message] as (typeof MESSAGES)[string] & { text: string }), id } as never,
      { id: '+55' },
      TWILIO,
      values,
    )
  await send('buttons', '7')
  await send('buttons', '8')
  expect(asked).toHaveLength(1)
  expect(asked[0]?.url).toBe('https://content.twilio.com/v1/Content')
  expect(asked[0]?.headers.map(([name]) => name)).toContain('authorization')
  await send('list', '9')
  expect(asked).toHaveLength(2)
  const { values: failing } = answeredValues(() => ({ status: 500, body: {} }))
  await expect(rendered(adapter, MESSAGES.buttons as never, { id: '+55' }, TWILIO, failing)).rejects.toThrow(
    'channel.answer',
  )
})

test('Twilio: accepts a signed address with its port, and a hash for a body that is not a form [P-1150]', async () => {
  const { verify } = await loadAdapter('whatsapp_twilio')
  const body = formOf({ Body: 'oi', MessageSid: 'SM1' })
  const port = webhookRequest({
    body,
    headers: {
      'content-type': FORM,
      'x-twilio-signature': twilioSignature(WEBHOOK.replace('.com/', '.com:443/'), body),
    },
  })
  expect(await verify(port, TWILIO, noValues)).toMatchObject({ ok: true })
  const json = '{"a":1}'
  const url = `${WEBHOOK}?bodySHA256=${createHash('sha256').update(json).digest('hex')}`
  const headers = {
    'content-type': 'application/json',
    'x-twilio-signature': createHmac('sha1', TOKEN).update(url).digest('base64'),
  }
  expect(await verify(webhookRequest({ url, body: json, headers }), TWILIO, noValues)).toMatchObject({ ok: true })
  expect(await verify(webhookRequest({ url, body: '{"a":2}', headers }), TWILIO, noValues)).toMatchObject({ ok: false })
})

test('a form of the own number is an echo, and receipts know the key of their message [P-1151]', async () => {
  for (const [type, fields] of [
    ['whatsapp_twilio', TWILIO],
    ['whatsapp_avaya', AVAYA],
  ] as const) {
    const { parse } = await loadAdapter(type)
    const read = (form: JsonObject, url = WEBHOOK) =>
      parse(webhookRequest({ url, body: formOf(form) }), fields, noValues)
    expect(await read({ SmsSid: 'S1', From: fields.sender_number, Body: 'oi' })).toMatchObject({
      value: [{ kind: 'echo' }],
    })
    expect(await read({ SmsSid: 'S1', SmsStatus: 'sent' }, `${WEBHOOK}?key=k-7.1`)).toMatchObject({
      value: [{ kind: 'receipt', state: 'sent', callback: 'k-7.1' }],
    })
  }
})
