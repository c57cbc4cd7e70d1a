import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { type ChannelContract, channelContract, loadAdapter, MESSAGES, rendered, sample } from './contract.ts'
import { answeredValues, noValues, WEBHOOK, webhookRequest } from './request.ts'

const SECRET = 'app-secret'
const sign = (body: string, secret = SECRET) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const META = {
  account_id: '106540352242922',
  auth_token: 'token-1',
  app_secret: SECRET,
  channel_verify_token: 'verify-1',
}
const DIALOG = { auth_token: 'key-1', channel_verify_token: 'verify-1' }
const TO = { id: '5511999990000' }
const error = (name: string) => [400, sample('whatsapp-meta', name)] as const
const final = (name: string, code: string) => [...error(name), { kind: 'final', code }] as const
const row = (at: number) => ({ id: `7_${at}`, title: `Plano ${at}` })

const SENT = {
  text: [{ messaging_product: 'whatsapp', to: '5511999990000', type: 'text', text: { body: 'Olá *Ana*' } }],
  buttons: [
    {
      interactive: {
        type: 'button',
        body: { text: 'Confirma?' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: '7_yes', title: 'Sim' } },
            { type: 'reply', reply: { id: '7_no', title: 'Não' } },
          ],
        },
      },
    },
  ],
  list: [
    {
      interactive: {
        type: 'list',
        action: { button: 'Opções', sections: [{ rows: Array.from({ length: 10 }, (_, at) => row(at + 1)) }] },
      },
    },
  ],
  many: [{ type: 'text', text: { body: expect.stringContaining('\n14. Plano 14') } }],
  image: [{ type: 'image', image: { link: 'https://example.com/a.png', caption: 'Comprovante' } }],
  document: [{ type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } }],
  location: [{ type: 'location', location: { latitude: -23.56, longitude: -46.65, address: 'Av. Paulista, 1' } }],
  carousel: ['Plano A', 'Plano B'].map(title => ({
    interactive: {
      type: 'button',
      header: { type: 'image', image: { link: 'https://example.com/a.jpg' } },
      body: { text: `*${title}*\nR$ 10\nPor mês` },
    },
  })),
  receipt: [{ type: 'text', text: { body: expect.stringContaining('Café · × 2: 10.00') } }],
}

const ANSWERS = [
  [200, sample('whatsapp-meta', 'res-example-response'), { kind: 'sent' }],
  [200, undefined, { kind: 'unknown' }],
  [500, { error: { code: 1 } }, { kind: 'unknown' }],
  [502, undefined, { kind: 'unknown' }],
  [503, undefined, { kind: 'retry' }],
  [...error('err-code-130429'), { kind: 'retry', after: 5000 }],
  [...error('err-code-131056'), { kind: 'retry', after: 6000 }],
  [...error('err-code-131000'), { kind: 'retry' }],
  [...error('err-rate-limit-exceeded'), { kind: 'retry' }],
  final('err-code-131047', '131047'),
  final('err-code-131026', '131026'),
  final('err-code-132000', '132000'),
  [400, { error: { code: 131_049 } }, { kind: 'final', code: '131049' }],
  [401, sample('whatsapp-meta', 'err-phone-number-id-401-expired-token'), { kind: 'final', code: '190' }],
] as const

const OF_META: ChannelContract = {
  type: 'whatsapp_meta',
  fields: META,
  folder: 'whatsapp-meta',
  signed: body => {
    // Meta writes characters beyond ASCII as escapes.
    const written = JSON.stringify(body).replaceAll(
      /[\u0080-\uffff]/g,
      one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    return webhookRequest({ body: written, headers: { 'x-hub-signature-256': sign(written) } })
  },
  forged: body => {
    const written = JSON.stringify(body)
    return [
      webhookRequest({ body: written }),
      webhookRequest({ body: written, headers: { 'x-hub-signature-256': sign(written, 'another') } }),
      webhookRequest({ body: `${written} `, headers: { 'x-hub-signature-256': sign(written) } }),
      webhookRequest({ body: written, headers: { 'x-hub-signature': sign(written).replace('sha256', 'sha1') } }),
    ]
  },
  to: TO,
  sent: SENT,
  answers: ANSWERS,
}

channelContract(OF_META)
// As the channel of a simulated account gets them.
channelContract({
  ...OF_META,
  type: 'whatsapp_simulated',
  like: 'whatsapp_meta',
  fields: { ...META, url: null, graph_version: null, isSimulated: true },
})

channelContract({
  type: 'whatsapp_360dialog',
  fields: DIALOG,
  folder: 'whatsapp-360dialog',
  signed: body => webhookRequest({ url: `${WEBHOOK}/verify-1`, body: JSON.stringify(body) }),
  forged: body => [
    webhookRequest({ body: JSON.stringify(body) }),
    webhookRequest({ url: `${WEBHOOK}/another`, body: JSON.stringify(body), headers: { authorization: 'Bearer' } }),
  ],
  to: TO,
  sent: SENT,
  answers: [
    [200, sample('whatsapp-360dialog', 'res-sent'), { kind: 'sent', id: 'message_id' }],
    [400, sample('whatsapp-360dialog', 'err-rate'), { kind: 'retry' }],
    [401, sample('whatsapp-360dialog', 'err-401'), { kind: 'final' }],
    ...ANSWERS.slice(1),
  ],
})

describe('the Cloud API of WhatsApp', () => {
  test('answers the look for a webhook to who knows its token alone [P-1157]', async () => {
    const { handshake } = await loadAdapter('whatsapp_meta')
    const url = (token: string) => `${WEBHOOK}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`
    const asked = (token: string) => handshake(webhookRequest({ method: 'GET', url: url(token) }), META)
    expect(asked('verify-1')).toEqual({ status: 200, type: 'text/plain', body: '1158201444' })
    expect(asked('another')?.status).toBe(403)
    expect(handshake(webhookRequest({}), META)).toBeUndefined()
  })

  test('verifies the vectors of signatures, and no body that was written again [P-1150]', async () => {
    const { webhook } = corpusJson<{
      webhook: Record<string, string> & { sameJsonReserialized: { body: string } }
    }>('campaigns/constructed/signatures.json')
    const { verify } = await loadAdapter('whatsapp_meta')
    const headers = { 'x-hub-signature-256': webhook.value ?? '' }
    const fields = { ...META, app_secret: webhook.appSecret ?? '' }
    expect(await verify(webhookRequest({ body: webhook.rawBody ?? '', headers }), fields, noValues)).toMatchObject({
      ok: true,
    })
    const rewritten = webhookRequest({ body: webhook.sameJsonReserialized.body, headers })
    expect(await verify(rewritten, fields, noValues)).toMatchObject({ refusal: { code: 'channel.signature' } })
  })

  test('takes several events of several numbers in one call, and people without a number [P-1151]', async () => {
    const change = (number: string, messages: JsonObject[], contacts: JsonObject[]) => ({
      field: 'messages',
      value: {
        metadata: { phone_number_id: number },
        messages,
        contacts,
        statuses: [{ id: `w.${number}`, status: 'read', timestamp: '1' }],
      },
    })
    const message = (id: string, from: JsonObject) => ({
      id,
      timestamp: '1',
      type: 'text',
      text: { body: id },
      ...from,
    })
    const body = {
      entry: [
        {
          changes: [
            change(
              '1',
              [message('a', { from: '55' }), message('b', { from_user_id: 'BR.1' })],
              [{ user_id: 'BR.1', profile: { name: 'Ana' } }],
            ),
          ],
        },
        { changes: [change('2', [message('c', { from: '56' })], []), { field: 'calls', value: {} }] },
      ],
    }
    const read = await (await loadAdapter('whatsapp_meta')).parse(
      webhookRequest({ body: JSON.stringify(body) }),
      META,
      noValues,
    )
    expect(
      read.ok && read.value.map(event => (event.kind === 'message' ? `${event.to} ${event.from.id}` : event.kind)),
    ).toEqual([...['1 55', '1 BR.1', 'receipt', '2 56', 'receipt', 'unknown']])
    const adapter = await loadAdapter('whatsapp_meta')
    const [request] = await rendered(adapter, MESSAGES.text as never, { id: 'BR.1' }, META)
    expect(request?.body).toMatchObject({ recipient: 'BR.1' })
  })

  test('shows that an agent writes by the message that is answered, with the token [P-2658]', async () => {
    const { typing } = await loadAdapter('whatsapp_meta')
    expect(typing?.(TO, META, 'wamid.HBgL')).toEqual({
      method: 'POST',
      url: 'https://graph.facebook.com/v23.0/106540352242922/messages',
      headers: [['authorization', 'Bearer token-1']],
      body: {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: 'wamid.HBgL',
        typing_indicator: { type: 'text' },
      },
    })
    // Before the person wrote there is nothing to answer.
    expect(typing?.(TO, META, undefined)).toBeUndefined()
  })

  test('fetches a file by its id with the token, and never takes the token to another host [P-1156]', async () => {
    const { mediaRequest } = await loadAdapter('whatsapp_meta')
    const at = (url: string) => answeredValues(() => ({ body: { url } }))
    const good = at('https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1')
    expect(await mediaRequest?.('65463453', META, good.values)).toMatchObject({
      value: {
        url: 'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1',
        headers: [['authorization', 'Bearer token-1']],
      },
    })
    expect(good.asked[0]?.url).toBe('https://graph.facebook.com/v23.0/65463453')
    for (const url of [
      'https://attacker.example/a',
      'http://lookaside.fbsbx.com/a',
      'https://fbsbx.com.attacker.example/a',
    ])
      expect(await mediaRequest?.('65463453', META, at(url).values)).toMatchObject({ ok: false })
    expect(await mediaRequest?.('../../me', META, noValues)).toMatchObject({ ok: false })
    const dialog = (await loadAdapter('whatsapp_360dialog')).mediaRequest
    expect(await dialog?.('65463453', DIALOG, good.values)).toMatchObject({
      value: {
        url: 'https://waba-v2.360dialog.io/whatsapp_business/attachments/?mid=1',
        headers: [['d360-api-key', 'key-1']],
      },
    })
  })
})
