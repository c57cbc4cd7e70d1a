import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { channelContract, loadAdapter, sample } from './contract.ts'
import { answeredValues, noValues, webhookRequest } from './request.ts'

const FIELDS = { account_id: 'demobot', auth_token: 'access-1', channel_verify_token: 'verify-1' }
const TO = { id: '551100001111@0mn.io', data: { node: '551100001111@0mn.io/4ac58r6e3' } }
const call = (body: JsonObject, token = 'verify-1') =>
  webhookRequest({ body: JSON.stringify(body), headers: { authorization: token } })
const LIME = 'application/vnd.lime.'

channelContract({
  type: 'blip',
  fields: FIELDS,
  folder: 'blip',
  signed: body => call(body),
  forged: body => [call(body, ''), call(body, 'verify-2')],
  to: TO,
  sent: {
    text: [{ id: 'k-7.1', to: '551100001111@0mn.io/4ac58r6e3', type: 'text/plain', content: 'Olá Ana' }],
    buttons: [
      {
        type: `${LIME}select+json`,
        content: {
          scope: 'immediate',
          text: 'Confirma?',
          options: [
            { order: 1, text: 'Sim', type: 'text/plain', value: '7_yes' },
            { order: 2, text: 'Não', type: 'text/plain', value: '7_no' },
          ],
        },
      },
    ],
    image: [
      {
        type: `${LIME}media-link+json`,
        content: { type: 'image/png', uri: 'https://example.com/a.png', text: 'Comprovante' },
      },
    ],
    carousel: [
      { type: `${LIME}collection+json`, content: { itemType: `${LIME}document-select+json`, items: [{}, {}] } },
    ],
    location: [{ type: `${LIME}location+json`, content: { latitude: -23.56, longitude: -46.65 } }],
  },
  answers: [
    [202, undefined, { kind: 'sent', id: '' }],
    [401, sample('blip', 'err-commands'), { kind: 'final', code: '60' }],
    [500, undefined, { kind: 'unknown' }],
  ],
})

test('Blip: a pressed option, a reply, a failure and the own words [P-1151]', async () => {
  const { parse } = await loadAdapter('blip')
  const read = (body: JsonObject) => parse(call(body), FIELDS, noValues)
  const from = '5511@wa.gw.msging.net'
  expect(await read({ id: '1', from, type: 'text/plain', content: '7_yes' })).toMatchObject({
    value: [{ content: { kind: 'choice', value: '7_yes' } }],
  })
  const reply = { inReplyTo: { id: 'k-1' }, replied: { type: 'text/plain', value: 'oi' } }
  expect(await read({ id: '2', from, type: `${LIME}reply+json`, content: reply })).toMatchObject({
    value: [{ content: { kind: 'text', text: 'oi' }, replyTo: 'k-1' }],
  })
  expect(await read({ id: 'k-1', from, event: 'failed', reason: { code: 42, description: 'x' } })).toMatchObject({
    value: [{ kind: 'receipt', state: 'failed', code: '42', callback: 'k-1' }],
  })
  expect(await read({ id: '3', from: 'demobot@msging.net/x', type: 'text/plain', content: 'oi' })).toMatchObject({
    value: [{ kind: 'echo' }],
  })
})

test('Blip: its key in each of the forms that people copy [P-1156]', async () => {
  const adapter = await loadAdapter('blip')
  const key = Buffer.from('demobot:access-1').toString('base64')
  for (const auth_token of ['access-1', key, `Key ${key}`]) {
    const request = { method: 'POST', url: 'https://http.msging.net/messages', headers: [] } as const
    expect(await adapter.authorize(request, { ...FIELDS, auth_token }, noValues)).toMatchObject({
      value: { headers: [['authorization', `Key ${key}`]] },
    })
  }
})

test('Blip: a connection test tells the name of the account, or why there is none [P-1160]', async () => {
  const { check } = await loadAdapter('blip')
  const answered = (body: JsonObject) => answeredValues(() => ({ body: body as never })).values
  expect(await check?.(FIELDS, answered({ status: 'success', resource: { fullName: 'Demo' } }))).toMatchObject({
    value: 'Demo',
  })
  expect(await check?.(FIELDS, answered({ status: 'failure', reason: { description: 'no' } }))).toMatchObject({
    refusal: { code: 'channel.answer', params: { error: 'no' } },
  })
})
