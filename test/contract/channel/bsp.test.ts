import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { channelContract, loadAdapter, sample } from './contract.ts'
import { noValues, WEBHOOK, webhookRequest } from './request.ts'

const VERIFY = { channel_verify_token: 'verify-1' }
const INFOBIP = {
  ...VERIFY,
  url: 'https://x1.api.infobip.com/',
  auth_token: 'key-1',
  sender_number: '5511900000000',
  webhook: WEBHOOK,
}
const ZENVIA = { ...VERIFY, auth_token: 'key-1', sender_number: 'sender-alias' }
const GUPSHUP = { ...VERIFY, account_id: 'DemoApp', auth_token: 'key-1', sender_number: '+55 11 90000-0000' }
const TO = { id: '5511999990000' }

const json = (body: JsonObject, headers: Record<string, string> = { 'x-parley-token': 'verify-1' }) =>
  webhookRequest({ body: JSON.stringify(body), headers })
const common = {
  signed: (body: JsonObject) => json(body),
  forged: (body: JsonObject) => [
    json(body, {}),
    json(body, { 'x-parley-token': 'verify-2' }),
    json(body, { authorization: 'Basic ZGVtbzo=' }),
  ],
  to: TO,
}
/** A form of Gupshup that contains JSON. */
const held = (message: object) => ({
  message: expect.toSatisfy(text => JSON.stringify(JSON.parse(text)) === JSON.stringify(message)),
})

channelContract({
  ...common,
  type: 'whatsapp_infobip',
  fields: INFOBIP,
  folder: 'whatsapp-infobip',
  sent: {
    text: [
      { from: '5511900000000', to: TO.id, content: { text: 'Olá *Ana*' }, callbackData: 'k-7.1', notifyUrl: WEBHOOK },
    ],
    buttons: [
      {
        content: {
          body: { text: 'Confirma?' },
          action: { buttons: [{ type: 'REPLY', id: '7_yes', title: 'Sim' }, {}] },
        },
      },
    ],
    image: [{ content: { mediaUrl: 'https://example.com/a.png', caption: 'Comprovante' } }],
    location: [{ content: { latitude: -23.56, longitude: -46.65 } }],
  },
  answers: [
    [
      200,
      sample('whatsapp-infobip', 'res-audio-message'),
      { kind: 'sent', id: 'a28dd97c-1ffb-4fcf-99f1-0b557ed381da' },
    ],
    [
      200,
      sample('whatsapp-infobip', 'res-send-authentication-with-copy-code-button-template-message'),
      { kind: 'sent' },
    ],
    [
      200,
      { messageId: 'm', status: { groupName: 'REJECTED', name: 'REJECTED_SENDER' } },
      { kind: 'final', code: 'REJECTED_SENDER' },
    ],
    [400, sample('whatsapp-infobip', 'err-bad-request'), { kind: 'final', code: 'BAD_REQUEST' }],
    [401, sample('whatsapp-infobip', 'err-unauthorized'), { kind: 'final', code: 'UNAUTHORIZED' }],
    [429, sample('whatsapp-infobip', 'err-too-many-requests'), { kind: 'retry' }],
    [500, undefined, { kind: 'unknown' }],
  ],
})

channelContract({
  ...common,
  type: 'whatsapp_zenvia',
  fields: ZENVIA,
  folder: 'whatsapp-zenvia',
  sent: {
    text: [{ externalId: 'k-7.1', from: 'sender-alias', to: TO.id, contents: [{ type: 'text', text: 'Olá *Ana*' }] }],
    buttons: [
      {
        contents: [
          {
            type: 'button',
            body: 'Confirma?',
            buttons: [
              { id: '7_yes', title: 'Sim' },
              { id: '7_no', title: 'Não' },
            ],
          },
        ],
      },
    ],
    list: [{ contents: [{ type: 'list', button: 'Opções' }] }],
    image: [
      {
        contents: [
          { type: 'file', fileUrl: 'https://example.com/a.png', fileMimeType: 'image/png', fileCaption: 'Comprovante' },
        ],
      },
    ],
  },
  answers: [
    [200, { id: 'm-1' }, { kind: 'sent', id: 'm-1' }],
    [400, sample('whatsapp-zenvia', 'err-validation'), { kind: 'final', code: 'VALIDATION_ERROR' }],
    [401, sample('whatsapp-zenvia', 'err-authentication'), { kind: 'final', code: 'AUTHENTICATION_ERROR' }],
    [500, { code: 'INTERNAL_ERROR' }, { kind: 'unknown' }],
  ],
})

channelContract({
  ...common,
  type: 'whatsapp_gupshup',
  fields: GUPSHUP,
  folder: 'whatsapp-gupshup',
  sent: {
    text: [
      {
        ...{ channel: 'whatsapp', source: '5511900000000', destination: TO.id, 'src.name': 'DemoApp' },
        ...held({ type: 'text', text: 'Olá *Ana*', previewUrl: false }),
      },
    ],
    buttons: [
      held({
        type: 'quick_reply',
        msgid: 'k-7.1',
        content: { type: 'text', text: 'Confirma?' },
        options: [
          { type: 'text', title: 'Sim', postbackText: '7_yes' },
          { type: 'text', title: 'Não', postbackText: '7_no' },
        ],
      }),
    ],
    document: [held({ type: 'file', url: 'https://example.com/a.pdf', filename: 'a.pdf' })],
  },
  answers: [
    [202, sample('whatsapp-gupshup', 'res-submitted'), { kind: 'sent', id: 'ee4a68a0-1203-4c85-8dc3-49d0b3226a35' }],
    [401, sample('whatsapp-gupshup', 'err-bad-apikey'), { kind: 'final', code: 'http.401' }],
    [429, sample('whatsapp-gupshup', 'err-too-many'), { kind: 'retry' }],
    [400, { status: 'error', message: { code: 4001 } }, { kind: 'retry' }],
    [200, { status: 'error', message: 'x' }, { kind: 'final' }],
  ],
})

test('keys go to their own provider, and its files alone are fetched with them [P-1156]', async () => {
  const infobip = await loadAdapter('whatsapp_infobip')
  const file = await infobip.mediaRequest?.(
    'https://x1.api.infobip.com/whatsapp/1/senders/1/media/2',
    INFOBIP,
    noValues,
  )
  expect(file).toMatchObject({ value: { headers: [['authorization', 'App key-1']] } })
  const basic = { ...INFOBIP, auth_token: '', username: 'u', password: 'p' }
  const request = { method: 'POST', url: 'https://x1.api.infobip.com/', headers: [] } as const
  expect(await infobip.authorize(request, basic, noValues)).toMatchObject({
    value: { headers: [['authorization', 'Basic dTpw']] },
  })
})
